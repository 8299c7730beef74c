"""What workers wrote, kept as it came: one folder a run in our own folder, which git ignores; the oldest go first."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final

from harness_tui.model.regex import regex
from harness_tui.workspace.atomic import WriteError, opened_place
from harness_tui.workspace.lock import OWN_FOLDER, locked

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

FOLDER: Final = f"{OWN_FOLDER}/runs"
MOST_RUNS: Final = 50
"""Runs that are kept; looked at now and then, so that some more may be there for a while."""
MOST_BYTES: Final = 512 << 20
"""Bytes of all runs together that are kept; the newest run always is."""
MOST_OF_ONE: Final = 64 << 20
"""Bytes of one file of a run that are kept."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_CUT: Final = b"\n[harness-tui: the rest was not kept]\n"
_ODD: Final = regex(r"[^A-Za-z0-9._-]+")
_OURS: Final = regex(r"\d{8}T\d{6}Z-.+-[\d.]+")
_ROTATE_EVERY: Final = 10
_OPENED: Final = count()
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class RawRun:
    """Keeps the output of one run; the folder is made with the first byte. What can't be kept is let go, and said."""

    def __init__(self, root: Path, task_id: str, at: datetime, number: str, limit: int = MOST_OF_ONE) -> None:
        self._root = root
        task = _ODD.sub("-", task_id).strip(".-")[:40] or "task"
        self._name = f"{at:%Y%m%dT%H%M%SZ}-{task}-{number}"
        self._limit = limit
        self._files: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        self.why_not = ""
        """Why nothing more is kept, empty as long as all is well."""

    @property
    def path(self) -> str | None:
        """The folder relative to the root, None when nothing was written."""
        return f"{FOLDER}/{self._name}" if self._sizes else None

    def write(self, name: str, chunk: bytes) -> None:
        """Add `chunk` to the file `name` of the run."""
        if self.why_not:
            return
        try:
            size = self._sizes.get(name)
            if size is None:
                self._files[name] = self._open(name)
                size = 0
            room = self._limit - size
            if room > 0:
                kept = chunk if len(chunk) <= room else chunk[:room] + _CUT
                _write(self._files[name], kept)
            self._sizes[name] = size + len(chunk)
        except (WriteError, OSError) as error:
            self.why_not = error.why if isinstance(error, WriteError) else error.strerror or str(error)
            if isinstance(error, OSError) and error.errno in _FULL:
                self._give_room()
            self.close()

    def _give_room(self) -> None:
        """Let go of the later half of what was kept: log and plan need the disk more than the worker's output does."""
        for descriptor in self._files.values():
            with suppress(OSError):
                os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)

    def close(self) -> None:
        """Close the files."""
        for descriptor in self._files.values():
            with suppress(OSError):
                os.close(descriptor)
        self._files = {}

    def _open(self, name: str) -> int:
        if not self._sizes and (next(_OPENED) % _ROTATE_EVERY == 0 or not (self._root / FOLDER).is_dir()):
            rotate(self._root)
        with opened_place(self._root / FOLDER / self._name, root=self._root, make=True, links=False) as place:
            if not self._sizes:
                self._name = _new_folder(place.folder, self._name)
            inner = os.open(self._name, _FOLDER_FLAGS, dir_fd=place.folder)
            try:
                return os.open(name, _NEW, 0o600, dir_fd=inner)
            finally:
                os.close(inner)


def _new_folder(folder: int, name: str) -> str:
    """Make a folder of that name, or one with a number behind it where there is one already."""
    for number in count():
        wanted = f"{name}.{number}" if number else name
        with suppress(FileExistsError):
            os.mkdir(wanted, dir_fd=folder)
            return wanted
    raise AssertionError  # pragma: no cover - it counts for ever


def rotate(root: Path, most: int = MOST_RUNS, most_bytes: int = MOST_BYTES) -> None:
    """Remove the oldest runs until fewer than `most` and less than `most_bytes` are left. Raises `WriteError`.

    Only folders that are named like a run are touched, and links are never followed.
    """
    with locked(root, "runs"), opened_place(root / FOLDER / "x", root=root, make=True, links=False) as place:
        found = sorted((name for name in os.listdir(place.folder) if _OURS.fullmatch(name)), reverse=True)  # noqa: PTH208 - of an open folder
        total = 0
        for number, name in enumerate(found, 1):
            total += _size(place.folder, name)
            if number >= most or total > most_bytes:
                with suppress(OSError):
                    _remove(place.folder, name)


def _size(folder: int, name: str) -> int:
    total = 0
    with suppress(OSError):
        inner = os.open(name, _FOLDER_FLAGS, dir_fd=folder)
        try:
            for item in os.listdir(inner):  # noqa: PTH208 - of an open folder
                total += os.stat(item, dir_fd=inner, follow_symlinks=False).st_size
        finally:
            os.close(inner)
    return total


def _remove(folder: int, name: str) -> None:
    """Remove a run: a folder of plain files. Anything else in it keeps it from going."""
    inner = os.open(name, _FOLDER_FLAGS, dir_fd=folder)
    try:
        for item in os.listdir(inner):  # noqa: PTH208 - of an open folder
            if stat.S_ISREG(os.stat(item, dir_fd=inner, follow_symlinks=False).st_mode):
                os.unlink(item, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=folder)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
