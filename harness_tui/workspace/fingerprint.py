"""Whether a file that grew or was touched still begins with what was read before.

Size and inode do not tell a log that was appended to from one that was truncated and grew past its old size, nor
from one whose earlier lines were completed in place (formats/harness-kit 2.3, L20). Its first bytes, the bytes
before its old end and, while it is small, a checksum of all old bytes do.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[int, int], bytes]
    """Bytes of the file from an offset, as many as asked for; fewer only at its end."""

HEAD = 1024
"""Bytes kept from the start of the file."""
TAIL = 256
"""Bytes kept from before its end."""
WHOLE = 4 << 20
"""Bytes up to which all of the file is checked, each time it changed: about 2 ms at this size."""
_STEP = 1 << 16


class TornError(Exception):
    """The file became shorter while it was looked at."""


@frozen
class Fingerprint:
    """What is remembered of the first `size` bytes; `checksum` is None above `WHOLE` bytes."""

    size: int
    head: bytes
    tail: bytes
    checksum: int | None


class Comparison(NamedTuple):
    """A new fingerprint, and what it says of the old bytes.

    `kept`: no difference was found. `proved`: all of them were compared. `same_start`: the first line is the same.
    """

    now: Fingerprint
    kept: bool
    proved: bool
    same_start: bool


NOTHING = Fingerprint(0, b"", b"", 0)
"""Fingerprint of an empty file: whatever follows has grown from it."""


def compare(read: Read, size: int, old: Fingerprint) -> Comparison:
    """Fingerprint of a file of `size` bytes against an older one of it. Raises `TornError`."""
    head = _exactly(read, 0, min(HEAD, size))
    tail_at = max(0, size - TAIL)
    tail = _exactly(read, tail_at, size - tail_at)
    same_start = head.split(b"\n", 1)[0] == old.head.split(b"\n", 1)[0]
    kept = (
        size >= old.size
        and head.startswith(old.head)
        and _exactly(read, old.size - len(old.tail), len(old.tail)) == old.tail
    )
    checksum: int | None = None
    if size <= WHOLE or (kept and old.checksum is not None):
        middle = min(old.size, size)
        before = _checksum(read, 0, middle, 0)
        kept = kept and old.checksum in (before, None)
        checksum = _checksum(read, middle, size, before) if size <= WHOLE else None
    return Comparison(Fingerprint(size, head, tail, checksum), kept, kept and old.checksum is not None, same_start)


def _checksum(read: Read, start: int, stop: int, value: int) -> int:
    for offset in range(start, stop, _STEP):
        value = zlib.crc32(_exactly(read, offset, min(_STEP, stop - offset)), value)
    return value


def _exactly(read: Read, offset: int, length: int) -> bytes:
    data = read(offset, length) if length > 0 else b""
    if len(data) < length:
        raise TornError
    return data
