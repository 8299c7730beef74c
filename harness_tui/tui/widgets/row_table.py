"""A table that draws only the rows in view: its cost does not depend on how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from rich.segment import Segment
from textual.cache import LRUCache
from textual.message import Message

from harness_tui.tui.text import cut, fit
from harness_tui.tui.widgets.columns import GAP, Column, Place, place
from harness_tui.tui.widgets.cursor_view import CursorView
from harness_tui.tui.widgets.highlight import matches, pattern_of, segments

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from rich.style import Style
    from textual import events
    from textual.geometry import Offset
    from textual.strip import Strip

Row = TypeVar("Row")
Cell = tuple[str, str]
"""Text and style name."""

_HEADER = 1
_GUTTER = 1
_CURSOR = "row-table--cursor"
_HOVER = "row-table--hover"


class RowTable(CursorView, Generic[Row], can_focus=True):
    """Rows of any objects in columns, one line each.

    `key` names a row, so that the cursor stays on it when rows come and go; of rows with one key the n-th stays the
    n-th. `cells` gives text and style name for each of `columns`, in their order. Rows are compared by identity: an
    unchanged row object is not drawn again, so an object must never change. Texts are shown literally.

    `empty` (lines) is shown when there are no rows.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-table--header",
        "row-table--cursor",
        "row-table--hover",
        "row-table--match",
        "row-table--empty",
    }
    DEFAULT_CSS = """
    RowTable {
        & > .row-table--header { text-style: bold; background: $panel; }
        & > .row-table--cursor { background: $block-cursor-blurred-background; }
        & > .row-table--hover { background: $block-hover-background; }
        & > .row-table--match { text-style: bold underline; }
        & > .row-table--empty { color: $text-muted; }
        &:focus > .row-table--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
    }
    """

    class RowHighlighted(Message):
        """The cursor stands on another row, or its row was replaced by a newer one."""

        def __init__(self, index: int, row: Any) -> None:
            super().__init__()
            self.index, self.row = index, row

    class RowSelected(RowHighlighted):
        """Enter, a double click, or a click on the row of the cursor."""

    class HeaderSelected(Message):
        """A click on the label of a sortable column."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        key: Callable[[Row], Hashable],
        cells: Callable[[Row], Sequence[Cell]],
        rows: Sequence[Row] = (),
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(id=id)
        self._columns = tuple(columns)
        self._key, self._cells = key, cells
        self._rows: Sequence[Row] = rows
        self._empty = empty
        self._hover = -1  # line of the screen
        self._sort: tuple[str, bool] | None = None
        self._pattern: re.Pattern[str] | None = None
        self._told: tuple[int, object] | None = None
        self._places: tuple[int, tuple[Place, ...]] = (-1, ())
        self._strips: LRUCache[tuple[int, str], tuple[Row, Strip]] = LRUCache(1024)
        self.set_lines(len(rows) + _HEADER)

    # What is shown

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as given."""
        return self._rows

    @property
    def current(self) -> Row | None:
        """The current row, or None when there are none."""
        return self._rows[self._cursor] if self._rows else None

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    @property
    def page(self) -> int:
        """How many rows are in view, at least 1."""
        return max(1, self.view.height - _HEADER)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show `rows`. The cursor stays on its row, on the same line of the screen; only what differs is drawn."""
        old, self._rows = self._rows, rows
        if rows is old:
            return
        top, before = round(self.scroll_y), self._cursor
        line = before - top
        self._cursor = self._find(old, rows)
        self.set_lines(len(rows) + _HEADER)
        if self.size:
            self.put_scroll(self._cursor - line if 0 <= line < self.page else top)
        if len(old) and len(rows) and top == round(self.scroll_y):
            self._refresh_changed(old, top)
            if before != self._cursor:
                self._refresh_index(before)
                self._refresh_index(self._cursor)
        else:
            self.refresh()
        self._tell()

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns; `cells` must give what they need."""
        self._columns = tuple(columns)
        self.redraw()

    def set_sort(self, key: str | None, *, descending: bool = False) -> None:
        """Show an arrow at the column by which the owner sorted; None shows none. Rows stay as they are."""
        self._sort = None if key is None else (key, descending)
        self.refresh_row(0)

    def set_highlight(self, wanted: str | re.Pattern[str] | None) -> None:
        """Underline what matches in the visible cells; a str is taken literally, at no regard of case."""
        self._pattern = pattern_of(wanted)
        self.redraw()

    def set_empty(self, text: str) -> None:
        """Say something else when there are no rows."""
        self._empty = text
        if not self._rows:
            self.refresh()

    def move_to(self, index: int) -> None:
        """Put the cursor on the row at `index`, as near as there is one, and scroll to it."""
        old, self._cursor = self._cursor, max(0, min(index, len(self._rows) - 1))
        self._reveal()
        for row in {old, self._cursor}:
            self._refresh_index(row)
        self._tell()

    # Actions

    def action_select(self) -> None:
        """Select the current row."""
        if self._rows:
            self.post_message(self.RowSelected(self._cursor, self._rows[self._cursor]))

    # Events

    def on_mount(self) -> None:
        """Say where the cursor stands."""
        self._tell()

    def on_resize(self) -> None:
        """Keep the current row in view."""
        self._strips.clear()
        self._reveal()
        self.refresh()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which row a click would take."""
        offset = event.get_content_offset(self)
        self._set_hover(-1 if offset is None else offset.y)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._set_hover(-1)

    # Drawing

    def forget(self) -> None:
        """Styles changed."""
        super().forget()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """The line at row `y` of the screen area."""
        if y < _HEADER:
            return self._header()
        if not self._rows:
            return self._empty_line(y)
        index = self.index_at(y)
        if index is None:
            return self.finish([], 0, self.base)
        row, state = self._rows[index], self._state(index, y)
        drawn = self._strips.get((id(row), state))
        if drawn is None or drawn[0] is not row:
            drawn = self._strips[id(row), state] = (row, self._draw(row, state))
        return drawn[1]

    def _state(self, index: int, y: int) -> str:
        if index == self._cursor:
            return _CURSOR
        return _HOVER if y == self._hover else ""

    def _draw(self, row: Row, state: str) -> Strip:
        plain = self.mixed("", state)
        contents = self._cells(row)
        line, width = [Segment(self.MARK if state == _CURSOR else " ", plain)], _GUTTER
        for column, x, space in self._layout():
            text, name = contents[column]
            style = self.mixed(name, state) if name else plain
            text = fit(text, space, self._columns[column].align)
            if x and (style.underline or style.reverse or style.strike):
                line.append(Segment(" " * GAP, plain))
            elif x:
                text = " " * GAP + text
            line.extend(self._cell(text, style))
            width = _GUTTER + x + space
        return self.finish(line, width, plain)

    def _cell(self, text: str, style: Style) -> Iterable[Segment]:
        found = matches(self._pattern, text)
        if not found:
            return (Segment(text, style),)
        return segments(text, (0, len(text)), [(len(text), style)], found, self.component("row-table--match"))

    def _header(self) -> Strip:
        style = self.mixed("", "row-table--header")
        line, width = [Segment(" ", style)], _GUTTER
        for column, x, space in self._layout():
            line.append(Segment(" " * (GAP if x else 0) + self._label(self._columns[column], space), style))
            width = _GUTTER + x + space
        return self.finish(line, width, style)

    def _label(self, column: Column, width: int) -> str:
        if self._sort is None or self._sort[0] != column.key:
            return fit(column.label, width, column.align)
        arrow = "▼" if self._sort[1] else "▲"
        return fit(cut(column.label, width - 1) + arrow, width, column.align)

    def _empty_line(self, y: int) -> Strip:
        lines = self._empty.split("\n")
        room = self.view
        at = y - _HEADER - max(0, (room.height - _HEADER - len(lines)) // 2)
        text = lines[at] if 0 <= at < len(lines) else ""
        style = self.mixed("", "row-table--empty")
        return self.finish([Segment(fit(text, room.width, "center"), style)], room.width, style)

    def _layout(self) -> tuple[Place, ...]:
        room = self.view.width - _GUTTER
        if self._places[0] != room:
            self._places = (room, place(self._columns, room))
            self._strips.clear()
        return self._places[1]

    def redraw(self) -> None:
        """Draw everything anew, because other text came of the same rows."""
        self._places = (-1, ())
        self._strips.clear()
        self.refresh()

    def redraw_rows(self, wanted: Callable[[Row], bool]) -> None:
        """Draw anew those rows in view of which other text came."""
        self._strips.clear()
        top = round(self.scroll_y)
        for index in range(top, min(top + self.page, len(self._rows))):
            if wanted(self._rows[index]):
                self._refresh_index(index)

    # Places

    def index_at(self, y: int) -> int | None:
        """Index of the row on screen line `y`, None where there is none."""
        index = round(self.scroll_y) + y - _HEADER
        return index if y >= _HEADER and index < len(self._rows) else None

    def _refresh_index(self, index: int) -> None:
        y = index - round(self.scroll_y) + _HEADER
        if y >= _HEADER:
            self.refresh_row(y)

    def _refresh_changed(self, old: Sequence[Row], top: int) -> None:
        for index in range(top, top + self.page):
            before = old[index] if index < len(old) else None
            after = self._rows[index] if index < len(self._rows) else None
            if before is not after:
                self._refresh_index(index)

    def _reveal(self) -> None:
        if not self.size:
            return
        top = round(self.scroll_y)
        if self._cursor < top:
            self.put_scroll(self._cursor)
        elif self._cursor >= top + self.page:
            self.put_scroll(self._cursor - self.page + 1)

    def clicked_beside(self, offset: Offset) -> None:
        """A label, or the room below the rows."""
        if offset.y >= _HEADER:
            return
        for index, start, width in self._layout():
            if start <= offset.x - _GUTTER < start + width and self._columns[index].sortable:
                self.post_message(self.HeaderSelected(self._columns[index].key))

    def _set_hover(self, y: int) -> None:
        old, self._hover = self._hover, y
        if old != y:
            self.refresh_row(old)
            self.refresh_row(y)

    def _find(self, old: Sequence[Row], new: Sequence[Row]) -> int:
        """Where the row of the cursor is now: the same object near by, else its key, else the nearest place."""
        if not old or not new:
            return 0
        at = self._cursor
        row = old[at]
        for near in (at, at + len(new) - len(old)):
            if 0 <= near < len(new) and new[near] is row:
                return near
        key = self._key(row)
        if len(old) == len(new) and self._key(new[at]) == key:
            return at
        places = [index for index, other in enumerate(map(self._key, new)) if other == key]
        if not places:
            return min(at, len(new) - 1)
        nth = sum(other == key for other in map(self._key, old[:at]))
        return places[min(nth, len(places) - 1)]

    def _tell(self) -> None:
        if not self._rows:
            self._told = None
            return
        row = self._rows[self._cursor]
        if self.is_attached and (self._told is None or self._told[0] != self._cursor or self._told[1] is not row):
            self._told = (self._cursor, row)
            self.post_message(self.RowHighlighted(self._cursor, row))
