"""A file as guards read it."""

from __future__ import annotations

from harness_tui.formats.text import decode
from harness_tui.workspace.files import FileError, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def guard_text(path: Path | str) -> str | None:
    """Text with LF line ends only and no byte-order mark, None when there is no such file.

    Bytes that are no UTF-8 are lone surrogates. Raises `FileError` when the file is there and can't be read.
    """
    try:
        data = read_file(path)
    except FileError as error:
        if error.gone:
            return None
        raise
    return decode(data).replace("\r\n", "\n").replace("\r", "\n")
