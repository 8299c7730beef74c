"""Opening and reading files that others write: nothing here blocks, follows a link out of the root, or writes.

A path of the workspace may be a pipe, a device, a link to anywhere or a file of ten gigabytes. `open_regular` opens
regular files only, `read_file` reads them up to a limit.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE = 32 << 20
"""Bytes of the largest file that is read whole."""

_PART = 1 << 20
_REASONS = {
    errno.ENOENT: "it is not there",
    errno.ENOTDIR: "it is not there",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "it is a link that leads nowhere or elsewhere",
    errno.ENXIO: "it is not a regular file",
    errno.EISDIR: "it is a folder",
}
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR})


class FileError(Exception):
    """A file could not be read; its text says why. `gone` when there is no such file (any more)."""

    def __init__(self, reason: str, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.gone = gone


def is_plain_file(path: Path | str) -> bool:
    """Whether `path` itself is a regular file, and no link."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def may_be_there(path: Path | str) -> bool:
    """Whether something is at `path`, a link that leads nowhere included, or nobody may look whether there is."""
    try:
        os.lstat(path)
    except OSError as error:
        return error.errno not in _GONE
    except ValueError:
        return False
    return True


def is_inside(path: Path | str, root: Path | str) -> bool:
    """Whether `path`, all links followed, lies in `root` (which is compared with its links followed, too)."""
    return _leads_into(os.path.realpath(path), root)


def open_regular(path: Path | str, *, root: Path | str | None = None) -> int:
    """Descriptor of the regular file at `path`, open for reading. Raises `FileError`.

    Opening a pipe or a device neither waits nor has an effect. With `root`, links are followed inside it only.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    try:
        if root is not None:
            path = os.path.realpath(path)
            if not _leads_into(path, root):
                raise FileError("it is a link that leaves the workspace")
            flags |= os.O_NOFOLLOW
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - a device may act when it is opened
            raise FileError("it is not a regular file")
        descriptor = os.open(path, flags)
    except OSError as error:
        raise file_error(error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError("its name is not valid", gone=True) from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise FileError("it is not a regular file")


def read_file(path: Path | str, *, limit: int = MAX_FILE, root: Path | str | None = None) -> bytes:
    """All bytes of the regular file at `path`. Raises `FileError`, also when it has more than `limit` bytes."""
    descriptor = open_regular(path, root=root)
    try:
        size = os.fstat(descriptor).st_size
        if size <= limit:
            data = _read_up_to(descriptor, size, limit + 1)
            if len(data) <= limit:
                return data
            size = len(data)
    except OSError as error:
        raise file_error(error) from error
    finally:
        os.close(descriptor)
    raise FileError(f"it is too big: {size} bytes, at most {limit} are read")


def count_lines(path: Path | str, *, root: Path | str) -> int:
    """Line ends in the regular file at `path`, however big it is. Raises `FileError`."""
    descriptor = open_regular(path, root=root)
    count = 0
    try:
        while part := os.read(descriptor, _PART):
            count += part.count(b"\n")
    except OSError as error:
        raise file_error(error) from error
    finally:
        os.close(descriptor)
    return count


def file_error(error: OSError) -> FileError:
    """The same failure in words that do not depend on the system."""
    number = error.errno or 0
    return FileError(_REASONS.get(number) or os.strerror(number), gone=number in _GONE)


def _read_up_to(descriptor: int, expected: int, most: int) -> bytes:
    parts: list[bytes] = []
    have = 0
    while have < most and (part := os.read(descriptor, min(max(expected + 1 - have, 1 << 16), most - have))):
        parts.append(part)
        have += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _leads_into(real: str, root: Path | str) -> bool:
    top = os.path.realpath(root)
    return real == top or real.startswith(top if top.endswith(os.sep) else top + os.sep)
