"""Where a line view gets its lines from: memory only, filled by somebody else."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from harness_tui.model.frozen import frozen
from harness_tui.tui.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


@frozen
class Line:
    """One line to show: its clean text, the style name of its kind, how many bytes were cut off, and remarks.

    `marks` is said dimly after the text, such as `‹control characters shown›`.
    """

    text: str
    kind: str = ""
    dropped: int = 0
    marks: str = ""


class LineSource(Protocol):
    """Lines numbered from 0, of which some are in memory. Nothing here may wait for a file."""

    @property
    def total(self) -> int:
        """How many lines are known."""

    def get(self, line: int, /) -> Line | None:
        """The line, or None while it is not in memory."""

    def want(self, start: int, stop: int, /) -> None:
        """Ask for the lines from `start` to `stop` (exclusive); returns at once.

        When they are there the owner calls the view's `loaded`. Asked once for one range until then.
        """


class ListSource:
    """Lines that are all there: static text, tests."""

    def __init__(self, texts: Sequence[str], kind: str = "") -> None:
        self._texts = texts
        self._kind = kind
        self._kept: dict[int, tuple[str, Line]] = {}

    @property
    def total(self) -> int:
        """Number of texts; grows with the list."""
        return len(self._texts)

    def get(self, line: int, /) -> Line | None:
        """The line, cleaned."""
        if not 0 <= line < len(self._texts):
            return None
        text, kept = self._texts[line], self._kept.get(line)
        if kept is None or kept[0] is not text:
            kept = self._kept[line] = (text, Line(shown(text), self._kind))
        return kept[1]

    def want(self, start: int, stop: int, /) -> None:
        """Nothing: whatever there is can be had."""


class BlockCache:
    """A bounded memory of lines in blocks; the block that was not used for longest is dropped first."""

    def __init__(self, block: int = 256, most: int = 128) -> None:
        self._block, self._most = block, most
        self._blocks: OrderedDict[int, list[Line | None]] = OrderedDict()

    def get(self, line: int) -> Line | None:
        """The line, or None when it is not kept."""
        number, place = divmod(line, self._block)
        block = self._blocks.get(number)
        if block is None:
            return None
        self._blocks.move_to_end(number)
        return block[place]

    def put(self, start: int, lines: Sequence[Line]) -> None:
        """Keep `lines`, the first of which has the number `start`; newer ones replace older ones."""
        at = 0
        while at < len(lines):
            number, place = divmod(start + at, self._block)
            block = self._blocks.setdefault(number, [None] * self._block)
            self._blocks.move_to_end(number)
            part = lines[at : at + self._block - place]
            block[place : place + len(part)] = part
            at += len(part)
        while len(self._blocks) > self._most:
            self._blocks.popitem(last=False)

    def drop(self, line: int) -> None:
        """Forget one line, so that it is asked for again."""
        number, place = divmod(line, self._block)
        block = self._blocks.get(number)
        if block is not None:
            block[place] = None

    def missing(self, start: int, stop: int) -> tuple[int, int] | None:
        """The smallest range in `start` to `stop` that holds all lines which are not kept; None when all are."""
        gaps = [line for line in range(start, stop) if self.get(line) is None]
        return (gaps[0], gaps[-1] + 1) if gaps else None

    def around(self, start: int, stop: int) -> tuple[int, int]:
        """The range widened to whole blocks: what to load when part of it is asked for."""
        return start // self._block * self._block, -(-stop // self._block) * self._block

    def clear(self) -> None:
        """Forget all lines."""
        self._blocks.clear()

    def __len__(self) -> int:
        return len(self._blocks)
