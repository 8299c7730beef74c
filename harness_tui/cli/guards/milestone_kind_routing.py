"""`guard milestone-kind-routing` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import milestone_kind_routing as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Does the end of this milestone need the operator? Exit 1 when its kind is unknown or missing."
EXAMPLES = "  harness-tui guard milestone-kind-routing --milestone .servo/milestone/MS-7.md"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--milestone", required=True, metavar="FILE", help="the milestone's file")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.milestone))
