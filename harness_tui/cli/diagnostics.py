"""What goes to stderr: one line, and never a traceback."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

NOT_THERE: Final = 3
NOT_READ: Final = 4
INTERNAL: Final = 70
"""A fault of the program itself (EX_SOFTWARE of sysexits)."""


class Failure(Exception):  # noqa: N818 - it is how a command ends, not a bug
    """A command can't go on. `code` is its exit code; `what` and `why` make the line on stderr."""

    def __init__(self, what: str, why: str, code: int) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
        self.why = why
        self.code = code


def complain(what: str, why: str) -> None:
    """Print `harness-tui: <what>: <why>`; names of files in it can't act on the terminal."""
    from contextlib import suppress

    from harness_tui.formats.text import clean

    with suppress(OSError, AttributeError):  # stderr may be closed, and then nobody is listening
        sys.stderr.write(f"harness-tui: {clean(what)}: {clean(why)}\n")
        sys.stderr.flush()
