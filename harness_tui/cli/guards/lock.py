"""`guard lock` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import root_around
from harness_tui.rules.guards import lock as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from harness_tui.formats.servo_fields import ServoDocument
    from harness_tui.rules.guards.verdict import Verdict

_FILE: Final = ".servo/control-state.md"

ABOUT = "Is the handback lock open? Exit 1 while it holds, and when no file says plainly that it does not."
EXAMPLES = "  harness-tui guard lock\n  harness-tui guard lock ~/src/kiln && run-the-loop"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure` (3) when it has no control state."""
    from harness_tui.formats.handback_guard import guard_record
    from harness_tui.rules.handback import judge_handback

    root = root_around(options.path)
    documents = _documents(root)
    if not documents:
        raise Failure(f"{root}/{_FILE}", "there is no control state", NOT_THERE)
    record = guard_record(documents, _FILE)
    active = _active_milestone(documents) if record.unlocks else "none"  # only an unlock signal is held against it
    return rule.judge(judge_handback(record, active))


def _documents(root: str) -> list[ServoDocument]:
    """The fields of each file of the control state. Raises `Failure` (4) when one can't be read."""
    from harness_tui.formats.servo_fields import read_fields
    from harness_tui.workspace.files import FileError, read_file
    from harness_tui.workspace.listing import Listing
    from harness_tui.workspace.servo_layout import ServoLayout

    listing = Listing(root)
    found = []
    for path in ServoLayout(listing).control():
        try:
            found.append(read_fields(read_file(path, root=root), listing.rel(path)))
        except FileError as error:
            if not error.gone:
                raise Failure(path, error.reason, NOT_READ) from error
    refuse_unread(listing.problems, ".servo/control-state", ".servo/operator-config")
    return found


def _active_milestone(documents: list[ServoDocument]) -> str:
    from harness_tui.formats.control_state import control_state

    return control_state(documents).active_milestone
