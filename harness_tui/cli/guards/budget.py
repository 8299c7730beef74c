"""`guard budget` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.epics import declare_epic, epics_of
from harness_tui.rules.guards import budget as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = (
    "May a person still be asked? Exit 1 when nothing is left, or the budget can't be read or does not add up. "
    "Of several epics the one with least left is told, and all of them in `epics`."
)
EXAMPLES = "  harness-tui guard budget\n  harness-tui guard budget --epic-id sh-7-kiln"

declare = declare_epic


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure` (3) when it has no such epic."""
    return rule.judge(epics_of(options).budgets)
