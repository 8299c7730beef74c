"""Where a file of the workspace really is: an open folder and a name in it, reached without a link that leads out.

Folders are opened one by one without following links, so that a link that is swapped in at the last moment leads
nowhere. What fails is told with the name of the file.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Final

_ROOT: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER: Final = _ROOT | os.O_NOFOLLOW
_MAYBE_LINKS: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""What opening a folder fails with when it is a link and links are not followed, depending on the system."""
_NO_FOLDER_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})
_WHY: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EIO: "the disk reports an error",
    errno.ENOENT: "its folder is not there",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.ELOOP: "a part of its path is a link",
    errno.ENXIO: "it is not a regular file",
    errno.EISDIR: "it is a folder",
    errno.ENAMETOOLONG: "its name is too long",
}


class WriteError(Exception):
    """A file could not be written; `path` is the file, `why` the reason in words.

    `undone` says that the file is as it was before. When it is False, the new bytes may stand there.
    """

    def __init__(self, path: Path, why: str, *, undone: bool = True) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why
        self.undone = undone


class Place:
    """An open folder, and the name of a file in there. `path` is how the caller named it."""

    __slots__ = ("folder", "name", "path")

    def __init__(self, path: Path, folder: int, name: str) -> None:
        self.path = path
        self.folder = folder
        self.name = name


@contextmanager
def opened_place(path: Path, *, root: Path, make: bool = False, links: bool = True) -> Iterator[Place]:
    """The place of `path`, which may not be there yet. Raises `WriteError` when it is not inside `root`.

    With `make`, folders that are missing are made. Without `links` the file itself must not be a link.
    """
    with told(path):
        folder, name = _open_straight(path, root, make=make, links=links) or _open_resolved(path, root, make, links)
    try:
        yield Place(path, folder, name)
    finally:
        close(folder)


def open_inside(path: Path, flags: int, *, root: Path, links: bool = True) -> int:
    """Descriptor of the file at `path`, which is there. Raises `WriteError`, also when it is not inside `root`."""
    with opened_place(path, root=root, links=links) as place, told(path):
        return os.open(place.name, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=place.folder)


def why_not(error: OSError) -> str:
    """The reason of a failed write in words that do not depend on the system."""
    return _WHY.get(error.errno or 0) or os.strerror(error.errno or 0)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """System errors become a `WriteError` that names `path`."""
    try:
        yield
    except OSError as error:
        raise WriteError(path, why_not(error)) from error
    except ValueError as error:  # a NUL in the name
        raise WriteError(path, "its name is not valid") from error


def sync_folder(folder: int) -> None:
    """Bring the names in an open folder to the disk. A file system that can't is left alone."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise


def close(descriptor: int) -> None:
    """Give a file back. Failures are no news: what matters has been synced, and there is nothing to try again."""
    with suppress(OSError):
        os.close(descriptor)


def _is_below(path: str, top: str) -> bool:
    return path.startswith(top if top.endswith(os.sep) else top + os.sep)


def _open_straight(path: Path, root: Path, *, make: bool, links: bool) -> tuple[int, str] | None:
    """Folder and name of a path without a link below `root`, as most are; None when there is one, or there may be.

    No folder is entered that is a link, so the path itself is where it leads, and nothing has to be resolved.
    """
    top = os.fspath(root)
    below = os.fspath(path).removeprefix(top if top.endswith(os.sep) else top + os.sep)
    *folders, name = below.split(os.sep)  # noqa: PTH206 - for each write, and `Path` takes dots out
    if below == os.fspath(path) or not {"", ".", ".."}.isdisjoint((*folders, name)):
        return None
    try:
        folder = _open_folders(top, folders, make=make)
    except OSError as error:
        if error.errno in _MAYBE_LINKS:
            return None
        raise
    if links and _is_link(folder, name):
        close(folder)
        return None
    return folder, name


def _is_link(folder: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except (OSError, ValueError):  # gone, or a NUL in the name
        return False


def _open_resolved(path: Path, root: Path, make: bool, links: bool) -> tuple[int, str]:  # noqa: FBT001 - private
    top = os.path.realpath(root)
    real = os.path.realpath(path) if links else os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118
    if not _is_below(real, top):
        raise WriteError(path, "it is a link that leaves the workspace")
    if links and path.is_symlink() and not os.path.lexists(real):
        raise WriteError(path, "it is a link that leads nowhere")
    *folders, name = os.path.relpath(real, top).split(os.sep)  # noqa: PTH206 - as above
    return _open_folders(top, folders, make=make), name


def _open_folders(top: str, names: list[str], *, make: bool) -> int:
    folder = os.open(top, _ROOT)
    try:
        for name in names:
            try:
                inner = os.open(name, _FOLDER, dir_fd=folder)
            except FileNotFoundError:
                if not make:
                    raise
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
                sync_folder(folder)
                inner = os.open(name, _FOLDER, dir_fd=folder)
            folder, outer = inner, folder
            close(outer)
    except BaseException:
        close(folder)
        raise
    return folder
