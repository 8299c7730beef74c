"""Where the lines of a file of any size begin: the number of line feeds before each 64 KiB block, 8 bytes a block."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness_tui.workspace.fingerprint import Read

BLOCK = 1 << 16
_SAMPLE = 1024
_SPARSE = 32


class LineIndex:
    """Counts line feeds from the start of a file onwards, some bytes at a time.

    `at` is the offset up to which they are counted, `feeds` their number so far: the number of complete lines.
    """

    def __init__(self) -> None:
        self._before = array("Q", [0])  # line feeds before block i, for each block that is wholly counted and the next
        self.at = 0
        self.feeds = 0

    def extend(self, read: Read, size: int, budget: int) -> None:
        """Count on towards `size`, at most about `budget` bytes; stops where the file ends sooner."""
        stop = min(size, self.at + max(budget, BLOCK))
        while self.at < stop:
            block_end = (self.at // BLOCK + 1) * BLOCK
            data = read(self.at, min(block_end, size) - self.at)
            if not data:
                return
            self.at += len(data)
            self.feeds += count_feeds(data)
            if self.at == block_end:
                self._before.append(self.feeds)

    def offset(self, read: Read, line: int) -> int:
        """Where line `line` begins, counted from 0; at most line `feeds`, which may be an unfinished or empty one."""
        if line <= 0:
            return 0
        block = bisect_left(self._before, line) - 1
        data = read(block * BLOCK, BLOCK)
        after = data.split(b"\n", line - self._before[block])[-1]
        return block * BLOCK + len(data) - len(after)

    def line_at(self, read: Read, offset: int) -> int:
        """Number of the line that holds the byte at `offset`, which must not lie beyond `at`."""
        block = min(offset // BLOCK, len(self._before) - 1)
        return self._before[block] + count_feeds(read(block * BLOCK, offset - block * BLOCK))


def count_feeds(data: bytes) -> int:
    """Number of line feeds in `data`.

    `bytes.count` looks at each byte by itself (before Python 3.13); where lines are long, dropping the line feeds
    is faster, for it jumps from one to the next.
    """
    if data.count(b"\n", 0, _SAMPLE) * _SPARSE > _SAMPLE:
        return data.count(b"\n")
    return len(data) - len(data.replace(b"\n", b""))
