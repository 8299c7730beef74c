"""One writer at a time: locks of our own, which other programs need not know (CONTRACT rules 4 and 6).

A lock is held on an open file by the kernel and goes with the process, however that ends; the file itself means
nothing and is never removed. All of ours lie in `.harness/harness-tui/`, a folder that git ignores.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from contextlib import contextmanager, suppress

from harness_tui.workspace.atomic import WriteError, leftovers, opened_place, remove_leftover, why_not
from harness_tui.workspace.place import open_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Final

    from harness_tui.workspace.atomic import Place

OWN_FOLDER: Final = ".harness/harness-tui"
"""Folder of what we keep for ourselves, relative to the root."""
CONTROL_LOCK: Final = "control"
"""The lock of all who write a file of the control loop."""
TIMEOUT: Final = 5.0
"""Seconds for which a lock is waited for."""

_FIRST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 0.02
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_BUSY: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EINTR})
_IGNORE_ALL: Final = b"*\n"


class LockedError(WriteError):
    """Somebody else held the lock for the whole time."""


@contextmanager
def locked(root: Path, name: str, timeout: float = TIMEOUT) -> Iterator[None]:
    """Hold the lock `name` of the workspace at `root`; all who use that name exclude each other.

    Raises `LockedError` when it is not free within `timeout` seconds, `WriteError` when it can't be had at all. Not
    reentrant: a second one of the same name waits for the first.
    """
    path = root / OWN_FOLDER / f"{name}.lock"
    with opened_place(path, root=root, make=True, links=False) as place:
        _ignore_in_git(place)
        descriptor = _acquire(place, time.monotonic() + timeout, timeout)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)
            with suppress(OSError):
                os.close(descriptor)


@contextmanager
def folder_locked(folder: Path) -> Iterator[None]:
    """Hold `folder` itself: unlike a lock file nobody who tidies up in it (`git clean -fdx`) takes that away.

    Raises `LockedError` when somebody else holds it. A file system that locks no folders lets everybody in.
    """
    descriptor = -1
    try:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            if not _flock(descriptor):
                raise LockedError(folder, "another program holds it")
        yield
    finally:
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)


def sweep(root: Path, paths: Iterable[Path]) -> None:
    """Remove what writers that were killed left beside `paths`; to be called under the lock of their writers only."""
    for path in paths:
        with suppress(WriteError), opened_place(path, root=root) as place:
            for token in leftovers(place):
                remove_leftover(place, token)


class KeptLock:
    """The lock of `locked`, for who takes it again and again: its file stays open in between."""

    def __init__(self, root: Path, name: str) -> None:
        self._root = root
        self._name = name
        self._path = root / OWN_FOLDER / f"{name}.lock"
        self._descriptor = -1

    @contextmanager
    def held(self, timeout: float = TIMEOUT) -> Iterator[None]:
        """Hold the lock. Raises what `locked` raises."""
        if not self._quickly():
            self.close()
            with locked(self._root, self._name, timeout):
                with suppress(WriteError):
                    self._descriptor = open_inside(self._path, os.O_RDWR, root=self._root, links=False)
                yield
            return
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give the file back."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)

    def _quickly(self) -> bool:
        """Take it if it is free and the open file is still the one of that name."""
        if self._descriptor < 0:
            return False
        try:
            if not _flock(self._descriptor):
                return False
            now, ours = os.stat(self._path, follow_symlinks=False), os.fstat(self._descriptor)  # noqa: PTH116
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == (ours.st_dev, ours.st_ino)


def _acquire(place: Place, deadline: float, timeout: float) -> int:
    pause = _FIRST_PAUSE
    while True:
        try:
            descriptor = _try(place)
        except OSError as error:
            raise WriteError(place.path, why_not(error)) from error
        if descriptor is not None:
            return descriptor
        if time.monotonic() >= deadline:
            raise LockedError(place.path, f"another program has held this lock for {timeout:g} seconds; try again")
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _try(place: Place) -> int | None:
    """A descriptor that holds the lock; None when somebody else does, or the file was replaced meanwhile."""
    descriptor = os.open(place.name, _FLAGS, 0o666, dir_fd=place.folder)
    try:
        held = os.fstat(descriptor)
        if not stat.S_ISREG(held.st_mode):
            raise WriteError(place.path, "it is not a regular file")
        if _flock(descriptor) and _same(place, held):
            found, descriptor = descriptor, -1
            return found
        return None
    finally:
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)


def _flock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True


def _same(place: Place, held: os.stat_result) -> bool:
    try:
        now = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (now.st_dev, now.st_ino) == (held.st_dev, held.st_ino)


def _ignore_in_git(place: Place) -> None:
    """A `.gitignore` that holds `*` in our own folder."""
    path = place.path.with_name(".gitignore")
    try:
        descriptor = os.open(".gitignore", _FLAGS, 0o666, dir_fd=place.folder)
        try:
            state = os.fstat(descriptor)
            if stat.S_ISREG(state.st_mode) and state.st_size < len(_IGNORE_ALL):
                os.pwrite(descriptor, _IGNORE_ALL, 0)
        finally:
            with suppress(OSError):
                os.close(descriptor)
    except OSError as error:
        raise WriteError(path, why_not(error)) from error
