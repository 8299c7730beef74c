"""`guard complex-project-entry-gate-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import complex_project_entry_gate_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Does the entry gate of a complex project let work begin? Exit 1 when not, and when there is no gate."
EXAMPLES = (
    "  harness-tui guard complex-project-entry-gate-check --gate-source .servo/repo/pre-milestone-intake-MS-7.md\n"
    "  harness-tui guard complex-project-entry-gate-check --gate-source none.md --not-applicable-reason 'a typo'"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--gate-source", required=True, metavar="FILE", help="the file that holds the gate")
    parser.add_argument("--not-applicable-reason", metavar="TEXT", help="why there need be no gate")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.gate_source), options.not_applicable_reason)
