"""`guard milestone-review-gate-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import milestone_review_gate_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Is the active milestone reviewed well enough to derive work from it? Exit 1 when not."
EXAMPLES = "  harness-tui guard milestone-review-gate-check --control-state .servo/control-state.md"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--control-state", required=True, metavar="FILE", help="the file with the section")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.control_state))
