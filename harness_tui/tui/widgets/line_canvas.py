"""The drawing half of a line view: which line stands where, and what it looks like there."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.cache import LRUCache

from harness_tui.tui.text import fit
from harness_tui.tui.widgets.cursor_view import CursorView
from harness_tui.tui.widgets.highlight import matches, segments
from harness_tui.tui.widgets.line_text import REMARK, LineText, Piece, assemble, clip, fold

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from textual.geometry import Region
    from textual.strip import Strip

    from harness_tui.tui.widgets.line_source import Line, LineSource
    from harness_tui.tui.widgets.line_text import Part

_MARK_WIDTH = 1
_LOOK_BACK = 256
_POINTS_PER_CELL = 4
_CURSOR = "line-view--cursor"
_EMPTY = "line-view--empty"
_UNKNOWN = "…"

Spot = tuple[int, int]
"""Index of a line, and which of its rows."""


class LineCanvas(CursorView):
    """Draws the visible lines of `source` and asks for those that are not in memory.

    Lines have two numbers: the line number of the source, and the index among the lines that pass the filter.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-view--cursor",
        "line-view--number",
        "line-view--match",
        "line-view--mark",
        "line-view--empty",
    }

    def __init__(
        self,
        source: LineSource,
        *,
        wrap: bool = False,
        numbers: bool = False,
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(id=id)
        self._source = source
        self._total = source.total
        self._mapping: Sequence[int] | None = None
        self._x = 0
        self._wrap, self._numbers, self._empty = wrap, numbers, empty
        self._pattern: re.Pattern[str] | None = None
        self._wide: int | None = None  # what `text_width` is, while many lines are drawn
        self._missing: set[int] = set()
        self._asked: list[tuple[int, int]] = []
        self._folded: LRUCache[tuple[int, int], tuple[Line, LineText, list[Piece]]] = LRUCache(512)
        self._strips: LRUCache[tuple[Spot, bool, int], tuple[Line, Strip]] = LRUCache(1024)
        self._spots: tuple[tuple[int, int, int], list[Spot]] | None = None

    # Hooks

    def decorate(self, line_no: int, line: Line) -> list[Part]:
        """The parts of a line and their style names: all of it in the style of its kind. For subclasses."""
        del line_no
        return [(line.text, line.kind)]

    def label(self, line_no: int) -> str:
        """What stands for the number of a line. For subclasses; changes need `redraw`."""
        return str(line_no + 1)

    # Lines

    @property
    def count(self) -> int:
        """How many lines can be shown: all that are known, or those that pass the filter."""
        return self._total if self._mapping is None else len(self._mapping)

    def number(self, index: int) -> int:
        """The line number of the line at `index`."""
        return index if self._mapping is None else self._mapping[index]

    def index_of(self, line: int) -> int:
        """Index of the line with this number, or of the next one that is shown; the last one at most."""
        index = line if self._mapping is None else bisect_left(self._mapping, line)
        return max(0, min(index, self.count - 1))

    # Places

    @property
    def text_width(self) -> int:
        """Cells for the text of a line: beside the mark and the number."""
        return max(0, self.view.width - _MARK_WIDTH - self._number_width)

    @property
    def _number_width(self) -> int:
        return len(str(self._total)) + 1 if self._numbers else 0

    def index_at(self, y: int) -> int | None:
        """Index of the line at row `y` of the screen, None below the last one."""
        if self._wrap:
            spots = self._layout()
            return spots[y][0] if 0 <= y < len(spots) else None
        index = round(self.scroll_y) + y
        return index if 0 <= index < self.count else None

    def rows_of(self, index: int) -> list[int]:
        """The rows of the screen on which the line at `index` stands."""
        if self._wrap:
            return [y for y, spot in enumerate(self._layout()) if spot[0] == index]
        y = index - round(self.scroll_y)
        return [y] if 0 <= y < self.view.height else []

    def height_of(self, index: int) -> int:
        """Rows that the line at `index` takes; 1 while it is not in memory."""
        line = self._source.get(self.number(index)) if self._wrap else None
        return 1 if line is None else len(self._fold(self.number(index), line)[1])

    def top_for(self, index: int, room: int) -> int:
        """The line to have on top so that the one at `index` ends within `room` rows."""
        if not self._wrap:
            return max(0, index - room + 1)
        used, top = self.height_of(index), index
        while top > 0 and (used := used + self.height_of(top - 1)) <= room:
            top -= 1
        return top

    def fit_height(self) -> None:
        """Let the scrollbar reach from the first line on top to the last one at the bottom."""
        self._spots = None
        if self._wrap and self.count:
            self.set_lines(self.top_for(self.count - 1, self.view.height) + self.view.height)
        else:
            self.set_lines(self.count)

    def refresh_index(self, index: int) -> None:
        """Draw the line at `index` again."""
        for y in self.rows_of(index):
            self.refresh_row(y)

    def _layout(self) -> list[Spot]:
        """What stands on each row of a wrapping view; at the end the last line stands at the bottom."""
        top, height = round(self.scroll_y), self.view.height
        key = (top, height, self.text_width)
        if self._spots is None or self._spots[0] != key:
            at_end = 0 < self.max_scroll_y <= top
            self._spots = (key, self._spots_up(height) if at_end else self._spots_down(top, height))
        return self._spots[1]

    def _spots_down(self, top: int, height: int) -> list[Spot]:
        spots: list[Spot] = []
        index = top
        while len(spots) < height and index < self.count:
            spots += [(index, row) for row in range(self.height_of(index))]
            index += 1
        return spots[:height]

    def _spots_up(self, height: int) -> list[Spot]:
        spots: list[Spot] = []
        index = self.count
        while len(spots) < height and index > 0:
            index -= 1
            spots[:0] = [(index, row) for row in range(self.height_of(index))]
        return spots[-height:] if height else []

    def _fold(self, line_no: int, line: Line) -> tuple[LineText, list[Piece]]:
        width, height = self.text_width, max(1, self.view.height)
        kept = self._folded.get((line_no, width))
        if kept is None or kept[0] != line:
            text = assemble(self.decorate(line_no, line), line, _POINTS_PER_CELL * width * height + _LOOK_BACK)
            kept = self._folded[line_no, width] = (line, text, fold(text, width, height))
        return kept[1], kept[2]

    # Drawing

    def drop(self) -> None:
        """Forget what was drawn."""
        self._folded.clear()
        self._strips.clear()
        self._spots = None

    def forget(self) -> None:
        """Styles changed."""
        super().forget()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips for `crop`; what was missing for them is asked for."""
        self._wide = self.text_width
        strips = super().render_lines(crop)
        self._wide = None
        if self._missing:
            self._ask()
        return strips

    def render_line(self, y: int) -> Strip:
        """The line at row `y` of the screen area."""
        if not self.count:
            return self._empty_line(y)
        index = self.index_at(y)
        if index is None:
            return self.finish([], 0, self.base)
        line_no = self.number(index)
        line = self._source.get(line_no)
        if line is None:
            self._missing.add(line_no)
            return self._unknown(line_no, index == self._cursor)
        row = self._layout()[y][1] if self._wrap else 0
        key = ((line_no, row), index == self._cursor, self.text_width if self._wide is None else self._wide)
        drawn = self._strips.get(key)
        if drawn is None or drawn[0] != line:
            drawn = self._strips[key] = (line, self._draw(line_no, line, row, key[1]))
        return drawn[1]

    def _draw(self, line_no: int, line: Line, row: int, current: bool) -> Strip:  # noqa: FBT001 - a state
        over = _CURSOR if current else ""
        if self._wrap:
            text, pieces = self._fold(line_no, line)
            piece = pieces[min(row, len(pieces) - 1)]
        else:
            most = _POINTS_PER_CELL * (self._x + self.text_width) + _LOOK_BACK
            text = assemble(self.decorate(line_no, line), line, most)
            piece = clip(text, self._x, self.text_width)
        drawn = self._gutter(line_no, row, over)
        if piece.pad:
            drawn.append(Segment(" " * piece.pad, self.mixed("", over)))
        found = matches(self._pattern, text.text, max(0, piece.begin - _LOOK_BACK), piece.end)
        runs = [(end, self.mixed(name, over)) for end, name in text.runs]
        drawn += segments(text.text, (piece.begin, piece.end), runs, found, self.component("line-view--match"))
        if piece.mark:
            drawn.append(Segment(piece.mark, self.mixed(REMARK, over)))
        return self.finish(drawn, _MARK_WIDTH + self._number_width + piece.cells, self.mixed("", over))

    def _gutter(self, line_no: int, row: int, over: str) -> list[Segment]:
        drawn = [Segment(self.MARK if over else " ", self.mixed("", over))]
        if self._number_width:
            label = "" if row else self.label(line_no)
            text = fit(label, self._number_width - 1, "right") + " "
            drawn.append(Segment(text, self.mixed(".line-view--number", over)))
        return drawn

    def _unknown(self, line_no: int, current: bool) -> Strip:  # noqa: FBT001 - a state
        over = _CURSOR if current else ""
        drawn = [*self._gutter(line_no, 0, over), Segment(_UNKNOWN, self.mixed(REMARK, over))]
        return self.finish(drawn, _MARK_WIDTH + self._number_width + len(_UNKNOWN), self.mixed("", over))

    def set_empty(self, text: str) -> None:
        """Say something else while there are no lines."""
        if text != self._empty:
            self._empty = text
            if not self.count:
                self.refresh()

    def _empty_line(self, y: int) -> Strip:
        lines = self._empty.split("\n")
        room = self.view
        at = y - max(0, (room.height - len(lines)) // 2)
        text = lines[at] if 0 <= at < len(lines) else ""
        style = self.mixed("", _EMPTY)
        return self.finish([Segment(fit(text, room.width, "center"), style)], room.width, style)

    def _ask(self) -> None:
        """Ask the source for what was not there, a range at a time, each once."""
        lines = sorted(self._missing)
        self._missing.clear()
        start = last = lines[0]
        for line in [*lines[1:], None]:
            if line is not None and line - last <= _LOOK_BACK:
                last = line
                continue
            if not any(begin <= start and last < end for begin, end in self._asked):
                self._asked.append((start, last + 1))
                self._source.want(start, last + 1)
            if line is not None:
                start = last = line
