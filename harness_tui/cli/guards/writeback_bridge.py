"""`guard writeback-bridge`: the steps that write what the status of a milestone asks for."""

from __future__ import annotations

from harness_tui.rules.guards import writeback_bridge as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = (
    "The steps that write what the status of a milestone asks for; nothing is written. Exit 1 when it is no request."
)
EXAMPLES = '  harness-tui guard writeback-bridge --milestone-id MS-7 --instructions-json "$(cat status.json)"'


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--milestone-id", required=True, metavar="ID", help="the milestone")
    parser.add_argument("--instructions-json", required=True, metavar="JSON", help="the instructions, a JSON object")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(options.milestone_id, options.instructions_json)
