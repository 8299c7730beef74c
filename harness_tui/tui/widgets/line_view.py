"""A viewer of lines that come from elsewhere: logs of any length, documents, transcripts."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from textual.message import Message

from harness_tui.tui.text import cells
from harness_tui.tui.widgets.highlight import pattern_of
from harness_tui.tui.widgets.line_canvas import LineCanvas

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from textual import events
    from textual.geometry import Region
    from textual.strip import Strip

    from harness_tui.tui.widgets.line_source import LineSource

NO_SEARCH = "nothing to look for yet: / asks for a text"
_STEP = 8
_MEASURED = 4096


class LineView(LineCanvas, can_focus=True):
    """Shows what `source` has in memory and asks it for what is missing; never waits.

    The owner of the source calls `grew`, `loaded` and `restarted`. A source that puts new lines into memory before
    `grew` is called is drawn without gaps. While it follows, the view stays at the end and the last line is the
    current one; moving up ends that, `action_last` and `action_follow` begin it again.
    """

    DEFAULT_CSS = """
    LineView {
        & > .line-view--cursor { background: $block-cursor-blurred-background; }
        & > .line-view--number { color: $text-muted; }
        & > .line-view--match { text-style: bold underline reverse; }
        & > .line-view--mark { color: $text-muted; }
        & > .line-view--empty { color: $text-muted; }
        &:focus > .line-view--cursor { background: $primary 40%; }
    }
    """

    class FollowChanged(Message):
        """The view began or ceased to follow the end."""

        def __init__(self, *, following: bool) -> None:
            super().__init__()
            self.following = following

    class LineSelected(Message):
        """Enter, a double click, or a click on the current line; `line` is a line number of the source."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    class FindRequested(Message):
        """Somebody wants the next match after `line`, or the one before it; the owner answers with `goto`."""

        def __init__(self, line: int, *, forward: bool) -> None:
            super().__init__()
            self.line, self.forward = line, forward

    def __init__(
        self,
        source: LineSource,
        *,
        follow: bool = False,
        wrap: bool = False,
        numbers: bool = False,
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(source, wrap=wrap, numbers=numbers, empty=empty, id=id)
        self._follow = follow
        self._pinning = False
        self._seen = 0  # lines that there were when the view ceased to follow
        self._laid_out = (0, 0)  # lines and cells of their numbers, when last drawn
        self._stale = True

    # What the owner of the source tells

    def set_source(self, source: LineSource) -> None:
        """Show other lines, from their beginning or, when following, their end."""
        self._source, self._mapping, self._cursor, self._x = source, None, 0, 0
        self.put_scroll(0)
        self.restarted()

    def grew(self, total: int) -> None:
        """There are `total` lines now, no fewer than before. Costs nothing while nobody looks."""
        self._total = total
        self._stale = True
        if self.is_showing:
            self._sync()

    def loaded(self, start: int, stop: int) -> None:
        """The lines from `start` to `stop` are in memory now, or are others than before."""
        self._asked.clear()
        if not self.is_showing:
            self._stale = self._stale or self._wrap
        elif self._wrap:
            self._stale = True
            self._sync()
            self.refresh()
        else:
            for y in range(self.view.height):
                index = self.index_at(y)
                if index is not None and start <= self.number(index) < stop:
                    self.refresh_row(y)

    def shifted(self, by: int) -> None:
        """All lines have numbers higher by `by` now, as lines before them became known; the view stays where it is."""
        self._total = self._source.total
        self._seen += by
        self._cursor += by
        top = round(self.scroll_y) + by
        self.redraw()
        self.put_scroll(top)

    def restarted(self) -> None:
        """All lines are others now."""
        self._asked.clear()
        self._total, self._seen = self._source.total, 0
        self.redraw()

    def set_mapping(self, mapping: Sequence[int] | None) -> None:
        """Show only the lines with these ascending numbers; it may grow before `grew` is called. None shows all."""
        line = self.cursor_line
        self._mapping = mapping
        self._cursor = self.index_of(line)
        self.redraw()
        self._reveal()

    def redraw(self) -> None:
        """Draw everything anew, because other text or other places came of it."""
        self.drop()
        self._stale = True
        if self.is_showing:
            self._sync()
        self.refresh()

    # What is shown

    @property
    def following(self) -> bool:
        """Whether the view stays at the end."""
        return self._follow

    @property
    def new_lines(self) -> int:
        """Lines that came since the view ceased to follow, of those that are shown; 0 while it follows."""
        known = self._seen if self._mapping is None else bisect_left(self._mapping, self._seen)
        return 0 if self._follow else max(0, self.count - known)

    @property
    def page(self) -> int:
        """Lines in view, at least 1."""
        first, last = self.index_at(0), self._last_shown()
        return super().page if not self._wrap or first is None or last is None else max(1, last - first)

    @property
    def cursor_line(self) -> int:
        """Line number of the current line; 0 when there are none."""
        return self.number(self._cursor) if self._cursor < self.count else 0

    def search(self, wanted: str | re.Pattern[str] | None) -> None:
        """Mark what matches in the visible lines; a str is taken literally, at no regard of case. None ends it."""
        self._pattern = pattern_of(wanted)
        self._strips.clear()
        self.refresh()

    def goto(self, line: int) -> None:
        """Make `line` (a line number) or the next shown one the current one, in the middle of the view."""
        index = self.index_of(line)
        self._set_cursor(index)
        if not self._follow:
            above = (self.view.height - 1) // 2
            self.put_scroll(self.top_for(index, above + self.height_of(index)))
            self._reveal()

    def move_to(self, index: int) -> None:
        """Make the line at `index` the current one and scroll to it."""
        self._set_cursor(max(0, min(index, self.count - 1)))
        self._reveal()

    def set_follow(self, *, follow: bool) -> None:
        """Follow the end, or stay here."""
        if follow == self._follow:
            return
        self._follow, self._seen = follow, self._total
        self._stale = self._stale or follow
        if self._stale and self.is_showing:
            self._sync()
        self.post_message(self.FollowChanged(following=follow))

    # Actions

    def action_last(self) -> None:
        """To the last line, and follow."""
        self.move_to(self.count - 1)
        self.set_follow(follow=True)

    def action_select(self) -> None:
        """Select the current line."""
        if self.count:
            self.post_message(self.LineSelected(self.cursor_line))

    def action_follow(self) -> None:
        """Follow the end, or stop following."""
        self.set_follow(follow=not self._follow)

    def action_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self._wrap, self._x = not self._wrap, 0
        self.redraw()
        self._reveal()

    def action_numbers(self) -> None:
        """Show or hide line numbers."""
        self._numbers = not self._numbers
        self.redraw()
        self._reveal()

    def action_scroll_left(self) -> None:
        """Scroll to the left."""
        self._shift(-_STEP)

    def action_scroll_right(self) -> None:
        """Scroll to the right, as far as a visible line goes."""
        self._shift(_STEP)

    def action_next_match(self) -> None:
        """Ask for the next match."""
        self.post_message(self.FindRequested(self.cursor_line, forward=True))

    def action_previous_match(self) -> None:
        """Ask for the match before."""
        self.post_message(self.FindRequested(self.cursor_line, forward=False))

    # Events

    def on_resize(self) -> None:
        """Stay at the end, or keep the current line in view."""
        self.drop()
        self._stale = True
        self._sync()
        self._reveal()
        self.refresh()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """With shift: to the left."""
        self._shift_by_wheel(event, -_STEP)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """With shift: to the right."""
        self._shift_by_wheel(event, _STEP)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Whoever scrolls away from the end no longer follows it."""
        super().watch_scroll_y(old_value, new_value)
        if self._follow and not self._pinning and new_value < old_value and round(new_value) < self.max_scroll_y:
            self.set_follow(follow=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips for `crop`. Whoever draws is seen: what came in while nobody looked is taken in next."""
        strips = super().render_lines(crop)
        if self._stale:
            self.call_next(self._sync)
        return strips

    # Following and moving

    def _sync(self) -> None:
        """Take in how many lines there are now."""
        if not self._stale or not self.size:
            return
        self._stale = False
        before, now = self._laid_out, (self.count, self._number_width)
        self._laid_out = now
        top, cursor = round(self.scroll_y), self._cursor
        self._cursor = max(0, self.count - 1) if self._follow else min(cursor, max(0, self.count - 1))
        self._pinning = True
        self.fit_height()
        if self._follow:
            self.put_scroll(self.max_scroll_y)
        self._pinning = False
        if before[1] != now[1]:
            self.redraw()
        elif self._wrap or not before[0]:
            self.refresh()
        elif top == round(self.scroll_y):
            for index in {cursor, self._cursor, *range(max(before[0], top), min(now[0], top + self.view.height))}:
                self.refresh_index(index)

    def _set_cursor(self, index: int) -> None:
        old, self._cursor = self._cursor, index
        self.refresh_index(old)
        self.refresh_index(index)
        if self._follow and index < self.count - 1:
            self.set_follow(follow=False)

    def near(self) -> int:
        """The current line, or the visible line next to it."""
        shown = [index for index in (self.index_at(0), self._last_shown()) if index is not None]
        return max(shown[0], min(self._cursor, shown[-1])) if shown else self._cursor

    def _last_shown(self) -> int | None:
        bottom = self.view.height - 1
        return next((index for y in range(bottom, -1, -1) if (index := self.index_at(y)) is not None), None)

    def _reveal(self) -> None:
        if self._follow or not self.size or not self.count:
            return
        lowest = self.top_for(self._cursor, max(1, self.view.height))
        top = round(self.scroll_y)
        if self._cursor < top or lowest > top:
            self.put_scroll(self._cursor if self._cursor < top else lowest)

    def _shift(self, by: int) -> None:
        if self._wrap:
            return
        most = max((self._reach(y) for y in range(self.view.height)), default=0)
        x = max(0, min(self._x + by, max(self._x if by < 0 else 0, most - self.text_width // 2)))
        if x != self._x:
            self._x = x
            self._strips.clear()
            self.refresh()

    def _reach(self, y: int) -> int:
        """Cells of the line at row `y`, at most: a very long one of wide characters is not measured."""
        index = self.index_at(y)
        line = None if index is None else self._source.get(self.number(index))
        if line is None:
            return 0
        text = "".join(text for text, _ in self.decorate(self.number(index or 0), line))
        return cells(text) if text.isascii() or len(text) <= _MEASURED else 2 * len(text)

    def _shift_by_wheel(self, event: events.MouseScrollUp | events.MouseScrollDown, by: int) -> None:
        if event.shift or event.ctrl:
            event.stop()
            self._shift(by)
