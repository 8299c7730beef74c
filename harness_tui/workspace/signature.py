"""What tells that a file may have changed, at the cost of one stat."""

from __future__ import annotations

import os

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

CLOCK_STEP = 50_000_000
"""Nanoseconds within which two changes of a file may carry the same time."""


@frozen
class Signature:
    """What changes when a file does: inode, size in bytes, modification and status times in nanoseconds.

    A new inode or status time shows what size and modification time hide (a file replaced by one of the same
    length with the same time stamp).
    """

    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int

    def is_fresh(self, now_ns: int) -> bool:
        """Whether it changed so shortly before `now_ns` (of the clock) that a further change may carry its times."""
        return abs(now_ns - max(self.mtime_ns, self.ctime_ns)) < CLOCK_STEP


def signature(path: Path | str) -> Signature | None:
    """Signature of the file or folder that `path` leads to; None when there is none or it may not be looked at."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for each known file, each second: no object on the way
    except (OSError, ValueError):
        return None
    return signature_of(found)


def signature_of(found: os.stat_result) -> Signature:
    """Signature within a stat result."""
    return Signature(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
