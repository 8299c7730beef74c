"""`guard worktrack-intake-review-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import worktrack_intake_review_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "May this worktrack be set up after its intake review? Exit 1 when not, with what is to be done instead."
EXAMPLES = "  harness-tui guard worktrack-intake-review-check --intake-review .servo/repo/worktrack-intake-WT-4.md"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--intake-review", required=True, metavar="FILE", help="the intake review")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.intake_review))
