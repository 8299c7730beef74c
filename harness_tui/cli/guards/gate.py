"""`guard gate` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import root_around
from harness_tui.rules.guards import gate as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Did the gate of the current worktrack pass, on all three axes? Exit 1 when not, or when an axis is missing."
EXAMPLES = "  harness-tui guard gate\n  harness-tui guard gate --worktrack WT-4"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)
    parser.add_argument("--worktrack", metavar="ID", help="this one instead of the current one")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure`: 3 without such a gate, 4 when a file can't be read."""
    from harness_tui.workspace.control_reader import ControlReader
    from harness_tui.workspace.listing import Listing
    from harness_tui.workspace.reads import Reads
    from harness_tui.workspace.servo_layout import ServoLayout
    from harness_tui.workspace.worktracks import WorktrackReader

    root = root_around(options.path)
    listing = Listing(root)
    places, reads = ServoLayout(listing), Reads(listing)
    loop, worktracks = ControlReader(root), WorktrackReader(root)
    gates = worktracks.read(reads, places.worktracks(), loop.read(reads, places.control()))
    unread = (*listing.problems, *loop.cache.stale_problems(), *worktracks.cache.stale_problems())
    refuse_unread(unread, ".servo/control-state", ".servo/worktrack/")
    wanted = options.worktrack
    found = [gate for gate in gates if (gate.id == wanted if wanted else gate.current)]
    if not found:
        from harness_tui.rules.near import did_you_mean

        which = f"of {wanted}" if wanted else "of a current worktrack"
        hint = did_you_mean(wanted or "", [gate.id for gate in gates if gate.id])
        raise Failure(f"{root}/.servo/worktrack", f"there is no gate evidence {which}{hint}", NOT_THERE)
    return rule.judge(found)
