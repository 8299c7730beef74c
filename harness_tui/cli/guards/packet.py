"""`guard packet` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.epics import declare_epic, epics_of
from harness_tui.rules.guards import packet as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = (
    "Does a question of a decision packet wait for an answer? Exit 1 while one does, and when a packet can't be read."
)
EXAMPLES = "  harness-tui guard packet\n  harness-tui guard packet --epic-id sh-7-kiln"

declare = declare_epic


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure` (3) when it has no such epic."""
    epics = epics_of(options)
    return rule.judge(
        epics.decisions, [(packet.path, packet.unreadable) for packet in epics.packets if packet.unreadable]
    )
