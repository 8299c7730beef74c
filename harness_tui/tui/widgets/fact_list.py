"""A list of facts: lines that lead to their source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.visual import RenderOptions

from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import Fact
from harness_tui.tui.messages import FactChosen
from harness_tui.tui.text import ELLIPSIS, literal_block
from harness_tui.tui.widgets.hanging import hung
from harness_tui.tui.widgets.legible import legible
from harness_tui.tui.widgets.strip_view import StripView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events
    from textual.geometry import Size

    from harness_tui.tui.widgets.hanging import Hanging


DRAWN: Final = 2000
"""Characters of one fact that are drawn; its source has the rest."""
CURRENT: Final = "fact-list--current"
"""State and style of the fact under the cursor."""
_HOVER: Final = "fact-list--hover"


class FactList(StripView, can_focus=True, inherit_bindings=False):
    """Shows facts, keeps the cursor on the same one when they change, and posts `FactChosen` for the chosen one.

    The cursor never stands on a heading; from the last fact it goes on to the first one.
    """

    BINDINGS = bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = {CURRENT, _HOVER}
    DEFAULT_CSS = """
    FactList { height: auto; max-height: 100%; }
    FactList > .fact-list--hover { background: $block-hover-background; }
    FactList > .fact-list--current {
        color: $foreground; background: $block-cursor-blurred-background; text-style: $block-cursor-blurred-text-style;
    }
    FactList:focus > .fact-list--current {
        color: $block-cursor-foreground; background: $block-cursor-background; text-style: $block-cursor-text-style;
    }
    """

    class Highlighted(Message):
        """The cursor came to a fact, or the fact below it was replaced."""

        def __init__(self, fact_list: FactList) -> None:
            super().__init__()
            self.fact_list = fact_list

    def __init__(self, *, id: str | None = None, empty: str = "") -> None:  # noqa: A002 - Textual's own name
        """`empty` is shown when there is nothing to list."""
        super().__init__(id=id)
        self.facts: tuple[Fact, ...] = ()
        self.empty = empty
        self._highlighted: int | None = None
        self._hover: int | None = None
        self._shown: list[Content | Hanging] = []
        self._spots: list[tuple[int, int]] = []
        """Which fact stands on each line, and which of its rows."""
        self._tops: list[int] = []
        """The first line of each fact."""
        self._width = 0
        self._drawn: dict[tuple[int, str], list[Strip]] = {}

    # What is shown

    def show(self, facts: Sequence[Fact], *, top: bool = False) -> None:
        """Show `facts`; nothing is drawn again when they are the same. `top` puts the cursor on the first one."""
        new = tuple(facts)
        if new == self.facts and not top and (self._shown or not self.empty):
            return
        if new and not top and _look_alike(new, self.facts):
            self.facts = new
            return
        kept = self.current if not top else None
        at, scrolled = self._highlighted, self.scroll_y
        self.facts = new
        self.put(self.line(fact) for fact in new or self._nothing())
        self.highlighted = self._place(kept, at)
        if not top and new:
            self.scroll_to(y=scrolled, animate=False)

    def put(self, lines: Iterable[Content | Hanging]) -> None:
        """Show these lines, the cursor on none of them."""
        self._shown, self._highlighted, self._hover = list(lines), None, None
        self.scroll_y = 0
        self._lay_out()
        self.refresh(layout=self.is_attached and self.styles.auto_dimensions)

    def _nothing(self) -> list[Fact]:
        return [Fact(literal_block(self.empty), heading=True)] if self.empty else []

    @property
    def current(self) -> Fact | None:
        """The fact under the cursor."""
        place = self._highlighted
        return self.facts[place] if place is not None and place < len(self.facts) else None

    @property
    def current_key(self) -> str:
        """What the fact under the cursor is about; empty without one."""
        return self.current.key if self.current is not None else ""

    @property
    def current_line(self) -> str:
        """The line under the cursor as plain text; empty without one."""
        return self.current.plain if self.current is not None else ""

    @property
    def lines(self) -> list[str]:
        """All lines as plain text."""
        return [fact.plain for fact in self.facts]

    @property
    def highlighted(self) -> int | None:
        """Index of the fact under the cursor, if there is one. To set it scrolls there."""
        return self._highlighted

    @highlighted.setter
    def highlighted(self, wanted: int | None) -> None:
        place = None if wanted is None or not self.facts else max(0, min(wanted, len(self.facts) - 1))
        before, self._highlighted = self._highlighted, place
        if place == before:
            return
        self._refresh_fact(before)
        self._refresh_fact(place)
        if place is not None and not self.facts[place].heading:
            self._reveal()
            self.post_message(self.Highlighted(self))

    def find_key(self, key: str) -> bool:
        """Move the cursor to the first fact that is about `key`; False when there is none."""
        place = next((place for place, fact in enumerate(self.facts) if fact.key == key), None)
        if place is not None:
            self.highlighted = place
        return place is not None

    def find(self, text: str, *, forward: bool = True) -> bool:
        """Move the cursor to the next fact that holds `text`, in any case, around the end."""
        count = len(self.facts)
        start = self._highlighted if self._highlighted is not None else -1
        for step in range(1, count + 1):
            place = (start + step if forward else start - step) % count
            fact = self.facts[place]
            if not fact.heading and text.casefold() in fact.plain.casefold():
                self.highlighted = place
                return True
        return False

    # Keys and mouse

    def action_cursor_down(self) -> None:
        """The next fact, around the end."""
        self._step(1)

    def action_cursor_up(self) -> None:
        """The fact before, around the end."""
        self._step(-1)

    def action_first(self) -> None:
        """The first fact."""
        self.highlighted = self._from(0, 1)

    def action_last(self) -> None:
        """The last fact."""
        self.highlighted = self._from(len(self.facts) - 1, -1)

    def action_page_down(self) -> None:
        """As many lines down as there are in view."""
        self._turn(1)

    def action_page_up(self) -> None:
        """As many lines up as there are in view."""
        self._turn(-1)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self._move(self.size.height // 2)

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self._move(-(self.size.height // 2))

    def action_select(self) -> None:
        """Tell the screen which fact was chosen."""
        fact = self.current
        if fact is not None and not fact.heading:
            self.post_message(FactChosen(fact))

    def on_click(self, event: events.Click) -> None:
        """A click chooses a fact."""
        place = self._index_under(event)
        if place is not None and not self.facts[place].heading:
            self.highlighted = place
            self.action_select()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which fact a click would choose."""
        self._set_hover(self._index_under(event))

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._set_hover(None)

    def _index_under(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        line = round(self.scroll_y) + offset.y if offset is not None and offset.x < self.view.width else -1
        return self._spots[line][0] if self.facts and 0 <= line < len(self._spots) else None

    def _set_hover(self, place: int | None) -> None:
        before, self._hover = self._hover, place
        if before != place:
            self._refresh_fact(before)
            self._refresh_fact(place)

    def _step(self, by: int) -> None:
        count, at = len(self.facts), self._highlighted
        if at is None:
            self.highlighted = self._from(0 if by > 0 else count - 1, by)
            return
        around = ((at + step * by) % count for step in range(1, count + 1))
        self.highlighted = next((place for place in around if not self.facts[place].heading), at)

    def _turn(self, by: int) -> None:
        at = self._highlighted
        if at is None or not self._spots:
            self.highlighted = self._from(0, 1) if by < 0 else self._from(len(self.facts) - 1, -1)
            return
        line = max(0, min(self._tops[at] + by * self.view.height, len(self._spots) - 1))
        self.highlighted = self._from(self._spots[line][0], by)

    def _move(self, by: int) -> None:
        if self.facts:
            step = 1 if by > 0 else -1
            place = self._from(max(0, min(len(self.facts) - 1, (self._highlighted or 0) + by)), step)
            if place is not None:
                self.highlighted = place

    def _from(self, start: int, step: int) -> int | None:
        """The first fact that is no heading, from `start` on."""
        places = range(start, len(self.facts) if step > 0 else -1, step)
        return next((place for place in places if not self.facts[place].heading), None)

    def _place(self, kept: Fact | None, at: int | None) -> int | None:
        if kept is not None:
            same = (index for index, fact in enumerate(self.facts) if fact == kept)
            about = (index for index, fact in enumerate(self.facts) if kept.key and fact.key == kept.key)
            place = next(same, next(about, None))
            if place is not None:
                return place
        choices = [index for index, fact in enumerate(self.facts) if not fact.heading]
        if not choices:
            return None
        return min(choices, key=lambda index: abs(index - (at or 0)))

    # Layout

    def on_resize(self) -> None:
        """Lines wrap anew in another width."""
        if self._width != self.view.width:
            self._lay_out()
            self.refresh()

    def on_show(self) -> None:
        """What was set while there was no room is scrolled to."""
        self._reveal()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines in `width` cells."""
        del container, viewport
        return sum(self._height(line, width) for line in self._shown)

    def _lay_out(self) -> None:
        """Find out what stands on each line."""
        self._drawn.clear()
        self._width = self.view.width
        self._spots, self._tops = [], []
        if not self._width:
            return
        for place, line in enumerate(self._shown):
            self._tops.append(len(self._spots))
            self._spots += [(place, row) for row in range(self._height(line, self._width))]
        self.set_lines(len(self._spots))

    def _height(self, line: Content | Hanging, width: int) -> int:
        plain = line.plain
        if len(plain) <= width and plain.isascii() and plain.isprintable():
            return 1
        rules: Any = self.styles
        return line.get_height(rules, width)

    def _reveal(self) -> None:
        place = self._highlighted
        if place is not None and place < len(self._tops) and self.is_mounted:
            end = self._tops[place + 1] if place + 1 < len(self._tops) else len(self._spots)
            area = Region(0, self._tops[place], self._width, end - self._tops[place])
            self.scroll_to_region(area, force=True, animate=False, immediate=True)

    def _refresh_fact(self, place: int | None) -> None:
        if place is None or place >= len(self._tops):
            return
        end = self._tops[place + 1] if place + 1 < len(self._tops) else len(self._spots)
        for line in range(self._tops[place], end):
            self.refresh_row(line - round(self.scroll_y))

    # Drawing

    def forget(self) -> None:
        """Styles changed."""
        super().forget()
        self._drawn.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips for `crop`."""
        if self._width != self.view.width:
            self._lay_out()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row."""
        line = round(self.scroll_y) + y
        if line >= len(self._spots):
            return Strip.blank(self._width, self.base)
        place, row = self._spots[line]
        state = "" if not self.facts or self.facts[place].heading else self._state(place)
        strips = self._drawn.get((place, state))
        if strips is None:
            strips = self._drawn[place, state] = self.draw(self._shown[place], state)
        return strips[row] if row < len(strips) else Strip.blank(self._width, self.base)

    def _state(self, place: int) -> str:
        if place == self._highlighted:
            return CURRENT
        return _HOVER if place == self._hover else ""

    def line(self, fact: Fact) -> Content | Hanging:
        """What is drawn of a fact."""
        return hung(_drawn(fact.text), fact.hang)

    def draw(self, line: Content | Hanging, state: str) -> list[Strip]:
        """The rows of a fact; `state` is `CURRENT`, that of the mouse over it, or empty."""
        style = self.get_visual_style(state) if state else self.get_visual_style()
        rules: Any = self.styles
        options = RenderOptions(self._get_style, rules)
        plain = style.rich_style
        strips = [
            strip.extend_cell_length(self._width, plain)
            for strip in line.render_strips(self._width, None, style, options)
        ]
        if state != CURRENT:
            return strips
        # Text that would be too weak here has the colour of the rest.
        return [Strip([legible(part, plain.color) for part in strip], strip.cell_length) for strip in strips]


def _look_alike(new: Sequence[Fact], old: Sequence[Fact]) -> bool:
    """Whether only the places differ to which these facts lead."""
    return len(new) == len(old) and all(a.same_text(b) for a, b in zip(new, old, strict=True))


def _drawn(text: Content) -> Content:
    """What is drawn of a fact: to wrap a text of a megabyte takes seconds."""
    return text if len(text) <= DRAWN else Content.assemble(text[:DRAWN], ELLIPSIS)
