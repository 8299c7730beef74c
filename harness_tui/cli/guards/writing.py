"""What the guards that write have in common."""

from __future__ import annotations

from contextlib import contextmanager

from harness_tui.cli.diagnostics import NOT_READ, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.workspace.control_writes import Edited


@contextmanager
def failures() -> Iterator[None]:
    """Turns a failed write into exit 4."""
    from harness_tui.workspace.atomic import WriteError

    try:
        yield
    except WriteError as error:
        raise Failure(str(error.path), error.why, NOT_READ) from error


def difference(edited: Edited, name: str) -> str:
    """What would change, as a unified diff; a line end that is CR LF is shown. Empty when nothing would."""
    from harness_tui.formats.byte_diff import unified

    return unified(*edited, name)
