"""`guard autonomy-policy-check` at the command line."""

from __future__ import annotations

import os

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import autonomy_policy_check as rule
from harness_tui.rules.guards.policy import OPERATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

_FILE = ".servo/control-state.md"

ABOUT = (
    "May the loop do this by itself? Exit 1 when a rule stops it, the operator must approve, or evidence is missing."
)
EXAMPLES = (
    "  harness-tui guard autonomy-policy-check --operation observe --skill repo-status-skill\n"
    "  harness-tui guard autonomy-policy-check --operation close --skill worktrack-close-skill"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--operation", required=True, choices=OPERATIONS, metavar="OP", help=", ".join(OPERATIONS))
    parser.add_argument("--skill", required=True, metavar="NAME", help="the skill that is to do it")
    parser.add_argument("--control-state", default=_FILE, metavar="FILE", help=f"default: {_FILE}")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    home = os.path.join(os.path.dirname(os.path.dirname(options.control_state)), ".servo")  # noqa: PTH118, PTH120 - imports nothing
    contract, evidence, closeout = (
        os.path.exists(os.path.join(home, name))  # noqa: PTH110, PTH118 - as above
        for name in ("worktrack/contract.md", "evidence", "closeout")
    )
    folders = rule.Folders(contract=contract, evidence=evidence, closeout=closeout)
    return rule.judge(options.operation, options.skill, text_of(options.control_state), folders)
