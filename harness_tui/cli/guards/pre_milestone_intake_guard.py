"""`guard pre-milestone-intake-guard` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import pre_milestone_intake_guard as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "May a milestone be set up after its intake review? Exit 1 when not, with what is to be done instead."
EXAMPLES = "  harness-tui guard pre-milestone-intake-guard --intake-review .servo/repo/pre-milestone-intake-MS-7.md"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--intake-review", required=True, metavar="FILE", help="the intake review")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.intake_review))
