"""Moving about in lines with keys and the mouse: what tables and line views have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.tui.widgets.strip_view import StripView

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Offset


class CursorView(StripView):
    """Drawn lines of which one is the current one."""

    _cursor = 0
    _had_focus = False

    # What a subclass is asked

    @property
    def count(self) -> int:
        """How many lines can be current."""
        raise NotImplementedError

    @property
    def page(self) -> int:
        """How many lines a page is, at least 1."""
        return max(1, self.view.height)

    def index_at(self, y: int) -> int | None:
        """Index of the line at row `y` of the screen, None where there is none."""
        raise NotImplementedError

    def move_to(self, index: int) -> None:
        """Make the line at `index` the current one, or the nearest there is, and scroll to it."""
        raise NotImplementedError

    def action_select(self) -> None:
        """Select the current line."""
        raise NotImplementedError

    def near(self) -> int:
        """The line from which keys move on."""
        return self._cursor

    def clicked_beside(self, offset: Offset) -> None:
        """A click where there is no line."""

    # What it gets

    @property
    def cursor(self) -> int:
        """Index of the current line; 0 when there are none."""
        return self._cursor

    def turn(self, by: int) -> None:
        """Scroll by `by` lines and take the cursor along."""
        near = self.near()
        self.put_scroll(round(self.scroll_y) + by)
        self.move_to(near + by)

    def action_cursor_up(self) -> None:
        """One line up."""
        self.move_to(self.near() - 1)

    def action_cursor_down(self) -> None:
        """One line down."""
        self.move_to(self.near() + 1)

    def action_page_up(self) -> None:
        """One page up."""
        self.turn(-self.page)

    def action_page_down(self) -> None:
        """One page down."""
        self.turn(self.page)

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self.turn(-max(1, self.page // 2))

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self.turn(max(1, self.page // 2))

    def action_first(self) -> None:
        """To the first line."""
        self.move_to(0)

    def action_last(self) -> None:
        """To the last line."""
        self.move_to(self.count - 1)

    def focus_on_click(self) -> bool:
        """As ever; remembers whether the click only came to focus the widget."""
        self._had_focus = self.has_focus
        return super().focus_on_click()

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor; a double click, or one on the current line of the focused widget, selects."""
        offset = event.get_content_offset(self)
        if offset is None or offset.x >= self.view.width:
            return
        event.stop()
        index = self.index_at(offset.y)
        if index is None:
            self.clicked_beside(offset)
            return
        again = index == self._cursor and self._had_focus
        if event.chain <= 2:  # noqa: PLR2004 - the third click of a row has no meaning
            self.move_to(index)
        if event.chain == 2 or (event.chain == 1 and again):  # noqa: PLR2004 - a double click
            self.action_select()
