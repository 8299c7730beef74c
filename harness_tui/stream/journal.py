"""The log of the run: what happened, a line at a time, before anything that follows from it (formats/harness-kit 1.2).

Each line is one append. Results are brought to the disk at once; a dispatch line comes there with them, and until then
outlives this process, which is all that it has to.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from harness_tui.workspace.atomic import WriteError, append_line, why_not
from harness_tui.workspace.place import open_inside

if TYPE_CHECKING:
    from pathlib import Path


_State = tuple[int, int, int]
"""Device, inode and size in bytes."""

_sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync


class Journal:
    """`STREAM_LOG.md` or `BATCH_LOG.md` of a pool, opened with its first line."""

    def __init__(self, path: Path, root: Path, title: str) -> None:
        self._path = path
        self._root = root
        self._title = title
        self._descriptor = -1
        self._place = (0, 0)
        self._size = 0
        self._noted: _State | None = None
        self._missed = False

    def write(self, line: str, *, synced: bool = True) -> None:
        """Add one line. Raises `WriteError`, and then the line is not there."""
        data = line.encode("utf-8", "backslashreplace")
        if self._descriptor >= 0 and self._is_ours():
            self._append(data + b"\n", synced=synced)
            self._noted = (*self._place, self._size)
            return
        self._missed = self.foreign()
        self.close()
        if not os.path.lexists(self._path):
            append_line(self._path, f"# {self._title}".encode(), root=self._root)
            append_line(self._path, b"", root=self._root)
        append_line(self._path, data, root=self._root)
        self._open()

    def foreign(self) -> bool:
        """Whether somebody else has changed it since it was last taken note of."""
        return self._missed or (self._descriptor >= 0 and self._state() != self._noted)

    def look(self) -> None:
        """Take note of the file as it is now."""
        self._noted, self._missed = self._state(), False

    def close(self) -> None:
        """Give the file back."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.close(self._descriptor)
        self._descriptor = -1

    def _open(self) -> None:
        try:
            descriptor = open_inside(self._path, os.O_WRONLY | os.O_APPEND, root=self._root)
        except WriteError:  # the slow way still works
            return
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode):
            self._descriptor, self._place, self._size = descriptor, (found.st_dev, found.st_ino), found.st_size
            self._noted = (*self._place, self._size)
        else:
            os.close(descriptor)

    def _is_ours(self) -> bool:
        """Whether the open file is still the one of that name, with nothing behind our last line."""
        return self._state() == (*self._place, self._size)

    def _state(self) -> _State | None:
        try:
            found = os.stat(self._path)  # noqa: PTH116 - once a pass
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_size

    def _append(self, data: bytes, *, synced: bool) -> None:
        try:
            if os.write(self._descriptor, data) != len(data):
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
                raise WriteError(self._path, "the disk is full")
            if synced:
                _sync(self._descriptor)
        except OSError as error:
            raise WriteError(self._path, why_not(error)) from error
        self._size += len(data)
