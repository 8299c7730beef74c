"""`guard pipeline` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import root_around
from harness_tui.rules.guards import pipeline as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from harness_tui.rules.guards.verdict import Verdict

_FILES: Final = (".servo/control-state", ".servo/repo/", ".servo/milestone/")

ABOUT = (
    "Do control state, backlog, history and milestones agree? Exit 1 when not, with the files that disagree and the "
    "recovery that is meant for it. Nothing is repaired."
)
EXAMPLES = "  harness-tui guard pipeline\n  harness-tui guard pipeline ~/src/kiln"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure`: 3 without a control loop, 4 when a file can't be read."""
    from harness_tui.rules.pipeline import inconsistencies
    from harness_tui.workspace.control_reader import ControlReader
    from harness_tui.workspace.listing import Listing
    from harness_tui.workspace.milestones import MilestoneReader
    from harness_tui.workspace.reads import Reads
    from harness_tui.workspace.servo_layout import ServoLayout

    root = root_around(options.path)
    listing = Listing(root)
    places, reads = ServoLayout(listing), Reads(listing)
    if not places.exists():
        raise Failure(f"{root}/.servo", "there is no control loop", NOT_THERE)
    files, loop, milestones = places.files(), ControlReader(root), MilestoneReader(root)
    control = loop.read(reads, files.control)
    found = milestones.read(reads, files, control)
    unread = (problem for cache in (loop.cache, *milestones.caches) for problem in cache.stale_problems())
    refuse_unread((*listing.problems, *unread), *_FILES)
    lists = (found.backlog, found.history)
    return rule.judge(inconsistencies(control, *lists, found.milestones, loop.handback(), found.worktrack_backlog))
