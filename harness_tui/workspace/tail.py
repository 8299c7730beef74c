"""One growing text file of any size, read by pages: a gigabyte opens on its last page as fast as a kilobyte.

Only bytes that are shown are read, and each once for the line index. A file is never mapped into memory: one that is
truncated meanwhile would kill the process. All reading goes through one open descriptor, so that a file which is
renamed away stays itself and its inode number is not used again under our eyes.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from harness_tui.model.frozen import frozen
from harness_tui.workspace.files import FileError, file_error, open_regular
from harness_tui.workspace.fingerprint import NOTHING, WHOLE, Comparison, Fingerprint, TornError, compare
from harness_tui.workspace.line_index import BLOCK, LineIndex
from harness_tui.workspace.signature import Signature, signature_of

if TYPE_CHECKING:
    from pathlib import Path

MAX_LINE = 8192
"""Bytes of a line that are given; the rest is only counted."""
_TAIL_REACH = 8 << 20
_ATTEMPTS = 3

TailKind = Literal["same", "grown", "restarted", "vanished", "appeared"]


class RawLine(NamedTuple):
    """Bytes of a line without its end; `dropped` more were cut off."""

    data: bytes
    dropped: int = 0


@frozen
class TailChange:
    """What happened to the file since the last look; the bytes from `start` up to `end` are new.

    `restarted`: what was read before no longer stands and all of the file is new; `reason` is `truncated`, `rewritten`
    (its first line, too), `edited` (further down) or `replaced` (by another file).
    `vanished`: there is no readable file, `reason` says why.
    """

    kind: TailKind
    start: int = 0
    end: int = 0
    reason: str = ""


class LineFile:
    """Lines of the file at `path`, numbered from 0. Nothing here raises for what the file is or becomes.

    `refresh` looks for a change, `index` counts lines; between two looks all answers are about the same `size` bytes.
    Made for one thread. With `root`, a link out of it is treated as no file.
    """

    def __init__(self, path: Path | str, *, root: Path | str | None = None, max_line: int = MAX_LINE) -> None:
        self.path = path
        self.max_line = max_line
        self.size = 0
        self._root = root
        self._descriptor: int | None = None
        self._inode = (0, 0)
        self._signature: Signature | None = None
        self._print = NOTHING
        self._racy = False  # it changed so shortly before the last look that the next change may carry the same time
        self._absent = ""  # the reason that was given for its absence
        self._news = ""  # it was opened (anew) and not yet compared: `appeared` or `replaced`
        self._index = LineIndex()

    @property
    def exists(self) -> bool:
        """Whether a readable file was there at the last look."""
        return self._descriptor is not None

    @property
    def signature(self) -> Signature | None:
        """Inode, size and times at the last look; None without a file."""
        return self._signature

    @property
    def complete(self) -> bool:
        """Whether all lines are counted, so that numbers are final."""
        return self._index.at >= self.size

    @property
    def partial(self) -> bool:
        """Whether the last line has no end yet."""
        return self.size > 0 and not self._print.tail.endswith(b"\n")

    @property
    def total(self) -> int:
        """Number of lines, an unfinished last one included; while not `complete`, of the lines counted so far."""
        return self._index.feeds + (1 if self.complete and self.partial else 0)

    def refresh(self) -> TailChange:
        """Look at the file again: one `stat` when nothing happened."""
        for _ in range(_ATTEMPTS):
            try:
                return self._look()
            except TornError:
                continue
            except FileError as error:
                return self._lose(error.reason)
            except OSError as error:
                return self._lose(file_error(error).reason)
            except ValueError:  # a NUL in the name
                return self._lose("its name is not valid")
        self._signature = None
        self._restart(NOTHING)
        return TailChange("restarted", reason="truncated")

    def index(self, budget: int = 8 << 20) -> bool:
        """Count the lines of about `budget` further bytes; True when all are counted."""
        self._index.extend(self._read, self.size, budget)
        return self.complete

    def lines(self, start: int, stop: int) -> list[RawLine]:
        """Lines `start` to `stop` (exclusive) as far as they are counted."""
        start, stop = max(start, 0), min(stop, self.total)
        if start >= stop:
            return []
        return self._lines_from(self.offset(start), stop - start, start)

    def tail(self, count: int) -> list[RawLine]:
        """The last `count` lines; needs no index. Fewer when they take more than 8 MiB and are not indexed."""
        if count <= 0 or self.size == 0:
            return []
        if self.complete:
            return self.lines(self.total - count, self.total)
        return self._lines_from(self._back(count), count, None)

    def offset(self, line: int) -> int:
        """Byte at which `line` begins; `size` for lines that are not there or not counted yet."""
        return self._index.offset(self._read, line) if line <= self._index.feeds else self.size

    def line_at(self, offset: int) -> int:
        """Number of the line that holds byte `offset`, as far as lines are counted."""
        return self._index.line_at(self._read, min(max(offset, 0), self._index.at))

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset`, at most up to `size`; fewer when the file shrank meanwhile."""
        return self._read(offset, min(length, self.size - offset)) if offset < self.size else b""

    def close(self) -> None:
        """Give the descriptor back; the next `refresh` opens the file anew."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None
        self._signature = None
        self._news = ""
        self._restart(NOTHING)

    # Changes

    def _look(self) -> TailChange:
        found = os.stat(self.path)  # noqa: PTH116 - no object on a path that runs many times a second
        if self._descriptor is None or (found.st_dev, found.st_ino) != self._inode:
            return self._judge(self._reopen())
        if signature_of(found) == self._signature and not (self._racy and self.size <= WHOLE):
            return TailChange("same", self.size, self.size)
        return self._judge(self._descriptor)

    def _reopen(self) -> int:
        descriptor = open_regular(self.path, root=self._root)
        if self._descriptor is None:
            self._news = "appeared"
        else:
            os.close(self._descriptor)
            self._news = self._news or "replaced"
        found = os.fstat(descriptor)
        self._descriptor, self._inode, self._absent = descriptor, (found.st_dev, found.st_ino), ""
        return descriptor

    def _judge(self, descriptor: int) -> TailChange:
        """Compare the bytes of the file with what is remembered of it. `_news` stays until that has succeeded."""
        now = time.time_ns()
        found = signature_of(os.fstat(descriptor))
        old_size = self.size
        seen = compare(self._read, found.size, self._print)
        if not self._news and self._touched(found) and not seen.proved and seen.kept:
            # Too big to compare: the time stamp is believed, unless an append is just under way.
            if os.fstat(descriptor).st_size != old_size:
                raise TornError
            seen = seen._replace(kept=False)
        news, self._news = self._news, ""
        self._signature = found
        self._racy = found.is_fresh(now)
        if news == "appeared" or not seen.kept or (news and not seen.proved):
            self._restart(seen.now)
            if news == "appeared":
                return TailChange("appeared", 0, self.size)
            return TailChange("restarted", 0, self.size, news or _reason(seen, old_size))
        self._print, self.size = seen.now, found.size
        return TailChange("grown" if found.size > old_size else "same", old_size, found.size)

    def _touched(self, found: Signature) -> bool:
        """Whether the file was written to without growing, as far as its times tell."""
        before = self._signature
        return before is not None and found.size == before.size and found.mtime_ns != before.mtime_ns

    def _restart(self, now: Fingerprint) -> None:
        self._print, self.size = now, now.size
        self._index = LineIndex()

    def _lose(self, reason: str) -> TailChange:
        self.close()
        if self._absent == reason:
            return TailChange("same")
        self._absent = reason
        return TailChange("vanished", reason=reason)

    # Bytes and lines

    def _read(self, offset: int, length: int) -> bytes:
        if self._descriptor is None:
            return b""
        try:
            return os.pread(self._descriptor, length, offset)
        except OSError:  # the disk or the network failed: as if it were shorter, and `refresh` says why
            return b""

    def _lines_from(self, at: int, count: int, number: int | None) -> list[RawLine]:
        """`count` lines from byte `at`, which begins line `number` if that is known."""
        found: list[RawLine] = []
        while len(found) < count and (window := self.read(at, BLOCK)):
            *whole, rest = window.split(b"\n", count - len(found))
            found += [self._cut(line) for line in whole]
            at += len(window) - len(rest)
            if whole:
                continue
            end = self._line_end(at, None if number is None else number + len(found))
            found.append(self._long(at, end))
            at = end + 1
        return found

    def _line_end(self, at: int, number: int | None) -> int:
        """Offset of the line feed of a line that has none in the first block, or `size`."""
        if number is not None:
            following = self.offset(number + 1)
            return following - 1 if number < self._index.feeds else self.size
        while window := self.read(at, BLOCK):
            place = window.find(b"\n")
            if place >= 0:
                return at + place
            at += len(window)
        return self.size

    def _cut(self, line: bytes) -> RawLine:
        line = line.removesuffix(b"\r")
        if len(line) <= self.max_line:
            return RawLine(line)
        return RawLine(line[: self.max_line], len(line) - self.max_line)

    def _long(self, at: int, end: int) -> RawLine:
        length = end - at - (1 if self.read(end - 1, 1) == b"\r" else 0)
        return RawLine(self.read(at, min(length, self.max_line)), max(0, length - self.max_line))

    def _back(self, count: int) -> int:
        """Where the last `count` lines begin, found from the end backwards within `_TAIL_REACH` bytes."""
        end = self.size if self.partial else self.size - 1
        reach = max(0, end - _TAIL_REACH)
        first_feed = -1
        while end > reach:
            start = max(reach, (end - 1) // BLOCK * BLOCK)
            window = self._read(start, end - start)
            here = window.count(b"\n")
            if here >= count:
                return start + len(window.rsplit(b"\n", count)[0]) + 1
            if here:
                first_feed = start + window.find(b"\n")
            count -= here
            end = start
        return 0 if reach == 0 else first_feed + 1 or reach


def _reason(seen: Comparison, old_size: int) -> str:
    if seen.now.size < old_size:
        return "truncated"
    return "edited" if seen.same_start else "rewritten"
