"""What the guards that write have in common."""

from __future__ import annotations

from contextlib import contextmanager

from harness_tui.cli.diagnostics import NOT_READ, Failure
from harness_tui.formats.text import clean

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
    from difflib import unified_diff

    old, new = ([clean(line) for line in _lines(data)] for data in edited)
    found = unified_diff(old, new, clean(name), clean(name), "as it is", "as it would be", lineterm="")
    return "".join(f"{line}\n" for line in found)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
