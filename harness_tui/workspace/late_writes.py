"""What is still written into the intervention file after it was claimed, by somebody who had it open (`cat >> FILE`).

The writer's next words go where the file went: into the claim, or into a file that has no name any more. So the files
that were claimed last stay open here, and what comes later is put back where it was meant to stand.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.intervention import PATH
from harness_tui.workspace.atomic import ChangedError, WriteError, read_target, replace_file
from harness_tui.workspace.lock import locked
from harness_tui.workspace.mailbox import LOCK
from harness_tui.workspace.place import close, open_inside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST: Final = 8
"""Claimed files that stay open."""
_MOST_BYTES: Final = 1 << 20
_TRIES: Final = 20
_APART: Final = b"# Intervention\n\n"
"""Behind it everything is read as at the beginning of the file, and not as the text of a note."""


class LateWrites:
    """The files that one run claimed last."""

    def __init__(self) -> None:
        self._open: deque[tuple[int, int]] = deque()

    @contextmanager
    def kept(self, path: Path, root: Path, size: int) -> Iterator[None]:
        """While the block runs, the file at `path`, claimed with `size` bytes, gets another one in its place."""
        descriptor = open_inside(path, os.O_RDONLY, root=root)
        try:
            yield
        except BaseException:
            close(descriptor)
            raise
        self._open.append((descriptor, size))
        while len(self._open) > MOST:
            close(self._open.popleft()[0])

    def came(self) -> bool:
        """Whether more was written into one of them."""
        return any(_size(descriptor) != size for descriptor, size in self._open)

    def put_back(self, root: Path) -> None:
        """Have it stand unread again. Raises `WriteError`, and then it still counts as come."""
        for number, (descriptor, size) in enumerate(tuple(self._open)):
            now = _size(descriptor)
            if now == size:
                continue
            with suppress(OSError):
                data = os.pread(descriptor, _MOST_BYTES, size if now > size else 0)
                if data.strip():
                    _add(root, data)
            self._open[number] = (descriptor, now)

    def close(self) -> None:
        """Give the files back."""
        while self._open:
            close(self._open.popleft()[0])


def _size(descriptor: int) -> int:
    return os.fstat(descriptor).st_size


def _add(root: Path, data: bytes) -> None:
    """Put `data` behind all that stands unread."""
    with locked(root, LOCK):
        for _ in range(_TRIES):
            old = read_target(root / PATH, root=root)
            before = b"" if old is None else old.rstrip(b"\r\n") + b"\n\n"
            with suppress(ChangedError):
                replace_file(root / PATH, before + _APART + data.lstrip(b"\r\n"), root=root, expect=old)
                return
    raise WriteError(root / PATH, "somebody else keeps changing it")
