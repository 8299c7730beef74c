"""The one place that changes files: whole and at once, or not at all (DESIGN, facts that cost others days).

New content is written beside its target under a name of its own, brought to the disk, and then takes the target's
place; a file that grows by lines gets each line by one append. What can't be written safely is refused, and the refusal
names the file.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress

from harness_tui.workspace.files import MAX_FILE, may_be_there
from harness_tui.workspace.place import Place, WriteError, close, opened_place, sync_folder, told, why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Final

__all__ = [
    "ANY", "TEMPORARY", "ChangedError", "Expected", "Place", "Stage", "WriteError", "append_line", "leftovers",
    "move_file", "opened_place", "read_target", "remove_file", "remove_leftover", "replace_file", "staged", "why_not",
]  # fmt: skip

TEMPORARY: Final = ".harness-tui.tmp"
"""How the name of new content ends until it takes its place: `.<target>.<token>.harness-tui.tmp`."""

_QUIET: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_CHUNK: Final = 1 << 20
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})


class ChangedError(WriteError):
    """The file is not as it was when it was read; it was left alone."""


class _Any:
    """Stands for any content."""


ANY: Final = _Any()
"""As `expect`: whatever stands there is replaced."""

Expected = bytes | _Any | None


class Stage:
    """New content of a file, on the disk beside it, that has not taken its place yet."""

    def __init__(self, place: Place, temporary: str) -> None:
        self._place = place
        self._temporary: str | None = temporary

    def commit(self, expect: Expected) -> None:
        """Put the new content in place. Raises `ChangedError` unless the file still holds `expect` (None: no file)."""
        place, temporary = self._place, self._temporary
        if temporary is None:
            raise WriteError(place.path, "nothing is staged")
        with told(place.path):
            if not isinstance(expect, _Any):
                _compare(place, expect)
            if expect is None:
                _put_new(place, temporary)
            else:
                _check_target(place)
                os.replace(temporary, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
            self._temporary = None
        _confirm(place)

    def discard(self) -> None:
        """Remove the new content; the file stays as it is."""
        if self._temporary is not None:
            with suppress(OSError):
                os.unlink(self._temporary, dir_fd=self._place.folder)
        self._temporary = None

    def keep(self) -> None:
        """Leave the new content beside the file, for whoever finds out later what happened."""
        self._temporary = None


@contextmanager
def staged(path: Path, data: bytes, *, root: Path, token: str | None = None) -> Iterator[Stage]:
    """`data` on the disk beside `path`, ready to take its place; discarded at the end unless it was committed or kept.

    `token` makes the temporary name; it must be one that nobody else uses.
    """
    with opened_place(path, root=root, make=True) as place:
        with told(path):
            stage = _stage(place, data, token or os.urandom(8).hex())
        try:
            yield stage
        finally:
            stage.discard()


def replace_file(path: Path, data: bytes, *, root: Path, expect: Expected) -> None:
    """Make `data` the content of `path`: afterwards it holds all of it, or is as it was and `WriteError` is raised.

    `expect` is what the file must still hold: its bytes as they were read, None when it must not exist, or `ANY`.
    The mode is kept, a link inside `root` stays one. Folders that are missing are made.
    """
    with staged(path, data, root=root) as stage:
        stage.commit(expect)


def remove_file(path: Path, *, root: Path, expect: bytes) -> None:
    """Remove the file while it holds `expect`. Raises `ChangedError` when it does not, `WriteError` on failure."""
    with opened_place(path, root=root) as place:
        with told(path):
            _compare(place, expect)
            _check_target(place)
            os.unlink(place.name, dir_fd=place.folder)
        _confirm(place)


def move_file(path: Path, to: Path, *, root: Path) -> None:
    """Give the regular file at `path` the name `to`, which nobody has. Raises `WriteError`."""
    with opened_place(path, root=root, links=False) as old, opened_place(to, root=root, make=True, links=False) as new:
        with told(path):
            _check_target(old)
            if _check_target(new) is not None:
                raise ChangedError(to, "it was made by somebody else")
            os.replace(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder)
        _confirm(new)
        _confirm(old)


def append_line(path: Path, line: bytes, *, root: Path, links: bool = True) -> None:
    """Add one line, which holds no line feed, at the end of `path`; the file is made when it is not there.

    A last line without its end, left by a writer that was killed, is ended first. Raises `WriteError`.
    """
    if b"\n" in line:
        raise WriteError(path, "a line to append holds a line feed")
    with opened_place(path, root=root, make=True, links=links) as place, told(path):
        _check_target(place)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _QUIET
        descriptor = os.open(place.name, flags, 0o666, dir_fd=place.folder)
        try:
            _append(place, descriptor, line)
        finally:
            close(descriptor)


def read_target(path: Path, *, root: Path) -> bytes | None:
    """All bytes of the regular file at `path`, None when there is none. Raises `WriteError` for anything else."""
    with told(path):
        if not may_be_there(path):
            return None
    with opened_place(path, root=root) as place, told(path):
        return _read(place)


def leftovers(place: Place) -> dict[str, bool]:
    """Tokens of new content beside the file whose writers died, each with whether it did take its place.

    To be asked under the lock of the file's writers only: without it, a writer may be at work.
    """
    head = f".{place.name}."
    found: dict[str, bool] = {}
    with told(place.path):
        for name in os.listdir(place.folder):  # noqa: PTH208 - of an open folder
            if name.startswith(head) and name.endswith(TEMPORARY):
                token = name[len(head) : -len(TEMPORARY)]
                state = os.stat(name, dir_fd=place.folder, follow_symlinks=False)
                found[token] = state.st_nlink > 1  # it was linked to its place, and not yet unlinked here
    return found


def remove_leftover(place: Place, token: str) -> None:
    """Remove one of `leftovers`."""
    with told(place.path), suppress(FileNotFoundError):
        os.unlink(_temporary(place, token), dir_fd=place.folder)


def _temporary(place: Place, token: str) -> str:
    return f".{place.name}.{token}{TEMPORARY}"


def _stage(place: Place, data: bytes, token: str) -> Stage:
    """Write `data` under a temporary name and bring it and the name to the disk."""
    before = _check_target(place)
    temporary = _temporary(place, token)
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _QUIET, 0o666 if before is None else 0o600,
        dir_fd=place.folder,
    )  # fmt: skip
    stage = Stage(place, temporary)
    try:
        try:
            _write(descriptor, data)
            if before is not None:
                _take_over(descriptor, before)
            os.fsync(descriptor)
        finally:
            close(descriptor)
        sync_folder(place.folder)
    except BaseException:
        stage.discard()
        raise
    return stage


def _take_over(descriptor: int, before: os.stat_result) -> None:
    """Owner and mode as they were; who may not give files away keeps them."""
    fresh = os.fstat(descriptor)
    if (fresh.st_uid, fresh.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)


def _put_new(place: Place, temporary: str) -> None:
    """Give new content its name only if nobody has it."""
    try:
        os.link(temporary, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder, follow_symlinks=False)
    except FileExistsError:
        raise ChangedError(place.path, "somebody else has just made it") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _compare(place, None)  # a file system without hard links: look, then rename
        os.replace(temporary, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    else:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=place.folder)


def _confirm(place: Place) -> None:
    """Bring the change of a name to the disk."""
    try:
        sync_folder(place.folder)
    except OSError as error:
        text = f"it was written, but the disk did not confirm it: {why_not(error)}"
        raise WriteError(place.path, text, undone=False) from error


def _check_target(place: Place) -> os.stat_result | None:
    """The file that is to be changed; None when there is none. Raises `WriteError` when it must not be changed."""
    try:
        state = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(state.st_mode):
        raise WriteError(place.path, "it is a link")
    if not stat.S_ISREG(state.st_mode):
        raise WriteError(place.path, "it is a folder" if stat.S_ISDIR(state.st_mode) else "it is not a regular file")
    if not state.st_mode & 0o222 or not os.access(place.name, os.W_OK, dir_fd=place.folder):
        raise WriteError(place.path, "it is read-only")
    return state


def _compare(place: Place, expect: bytes | None) -> None:
    found = _read(place)
    if found == expect:
        return
    if found is None:
        raise ChangedError(place.path, "it has gone since it was read")
    raise ChangedError(place.path, "it was made by somebody else" if expect is None else "it has changed since")


def _read(place: Place) -> bytes | None:
    try:
        state = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        if not stat.S_ISREG(state.st_mode):
            raise WriteError(place.path, "it is not a regular file")
        descriptor = os.open(place.name, os.O_RDONLY | _QUIET, dir_fd=place.folder)
    except FileNotFoundError:
        return None
    parts: list[bytes] = []
    size = 0
    try:
        while part := os.read(descriptor, _CHUNK):
            parts.append(part)
            size += len(part)
            if size > MAX_FILE:
                raise WriteError(place.path, f"it is too big: more than {MAX_FILE} bytes")
    finally:
        close(descriptor)
    return b"".join(parts)


def _append(place: Place, descriptor: int, line: bytes) -> None:
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        raise WriteError(place.path, "it is not a regular file")
    size = state.st_size
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    try:
        _write(descriptor, (b"\n" if torn else b"") + line + b"\n")
        os.fsync(descriptor)
        if not size:
            sync_folder(place.folder)
    except OSError as error:
        raise WriteError(place.path, why_not(error), undone=_cut(descriptor, size)) from error


def _cut(descriptor: int, size: int) -> bool:
    """Take a failed append back; whether that worked."""
    try:
        os.ftruncate(descriptor, size)
        os.fsync(descriptor)
    except OSError:
        return False
    return True


def _write(descriptor: int, data: bytes) -> None:
    """All of `data`, however little the system takes at once."""
    rest = memoryview(data)
    while rest:
        taken = os.write(descriptor, rest)
        if taken <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[taken:]
