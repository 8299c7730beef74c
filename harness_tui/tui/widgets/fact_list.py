"""A list of facts: lines that lead to their source."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.content import Content
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from harness_tui.tui.bindings import bindings
from harness_tui.tui.messages import FactChosen
from harness_tui.tui.text import ELLIPSIS, literal_block
from harness_tui.tui.widgets.hanging import hung

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from rich.color import Color as RichColor
    from textual.events import Click

    from harness_tui.tui.facts import Fact


LEGIBLE: Final = 4.0
"""Contrast that a text under the cursor has at least."""
DRAWN: Final = 2000
"""Characters of one fact that are drawn; its source has the rest."""


class FactList(OptionList, inherit_bindings=False):
    """Shows facts, keeps the cursor on the same one when they change, and posts `FactChosen` for the chosen one."""

    BINDINGS = bindings("list")

    def __init__(self, *, id: str | None = None, empty: str = "") -> None:  # noqa: A002 - Textual's own name
        """`empty` is shown when there is nothing to list."""
        super().__init__(id=id)
        self.facts: tuple[Fact, ...] = ()
        self.empty = empty

    def show(self, facts: Sequence[Fact], *, top: bool = False) -> None:
        """Show `facts`; nothing is drawn again when they are the same. `top` puts the cursor on the first one."""
        new = tuple(facts)
        if new == self.facts and not top and (self.option_count or not self.empty):
            return
        if new and not top and _look_alike(new, self.facts):
            self.facts = new
            return
        kept = self.current if not top else None
        at, scrolled = self.highlighted, self.scroll_y
        self.facts = new
        if not new and self.empty:
            self.set_options([Option(literal_block(self.empty), disabled=True)])
            return
        self.set_options([Option(hung(_drawn(fact.text), fact.hang), disabled=fact.heading) for fact in new])
        self.highlighted = self._place(kept, at)
        if not top:
            self.scroll_to(y=scrolled, animate=False)

    @property
    def current(self) -> Fact | None:
        """The fact under the cursor."""
        place = self.highlighted
        return self.facts[place] if place is not None and place < len(self.facts) else None

    @property
    def lines(self) -> list[str]:
        """All lines as plain text."""
        return [fact.plain for fact in self.facts]

    def find(self, text: str, *, forward: bool = True) -> bool:
        """Move the cursor to the next fact that holds `text`, in any case, around the end."""
        count = len(self.facts)
        start = self.highlighted if self.highlighted is not None else -1
        for step in range(1, count + 1):
            place = (start + step if forward else start - step) % count
            fact = self.facts[place]
            if not fact.heading and text.casefold() in fact.plain.casefold():
                self.highlighted = place
                return True
        return False

    def render_line(self, y: int) -> Strip:
        """A row; under the cursor text that would be too weak there has the colour of the rest."""
        strip = super().render_line(y)
        if all(segment.style is None or segment.style.meta.get("option") != self.highlighted for segment in strip):
            return strip
        plain = self.get_visual_style("option-list--option", "option-list--option-highlighted").rich_style.color
        return Strip([_recoloured(segment, plain) for segment in strip], strip.cell_length)

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        """A list without room has no pages: Textual does not lay it out, and fails when it looks for one."""
        if self.scrollable_content_region:
            super()._move_page(direction)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self._move(self.size.height // 2)

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self._move(-(self.size.height // 2))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Tell the screen which fact was chosen, unless the list has become another one since."""
        event.stop()
        place = event.option_index
        if place < len(self.facts) and self.options[place] is event.option:
            self.post_message(FactChosen(self.facts[place]))

    async def _on_click(self, event: Click) -> None:
        """A click on a line that is gone by now chooses nothing."""
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()

    def _move(self, by: int) -> None:
        if not self.facts:
            return
        target = max(0, min(len(self.facts) - 1, (self.highlighted or 0) + by))
        step = 1 if by > 0 else -1
        while 0 <= target < len(self.facts) and self.facts[target].heading:
            target += step
        if 0 <= target < len(self.facts):
            self.highlighted = target

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


def _look_alike(new: Sequence[Fact], old: Sequence[Fact]) -> bool:
    """Whether only the places differ to which these facts lead."""
    return len(new) == len(old) and all(a.same_text(b) for a, b in zip(new, old, strict=True))


def _recoloured(segment: Segment, plain: RichColor | None) -> Segment:
    style = segment.style
    if style is None or style.color is None or style.bgcolor is None or contrast(style.color, style.bgcolor) >= LEGIBLE:
        return segment
    return Segment(segment.text, style + Style(color=plain), segment.control)


@lru_cache(maxsize=256)
def contrast(one: RichColor, other: RichColor) -> float:
    """How much two colours differ, from 1 to 21 (the contrast ratio of WCAG 2)."""
    low, high = sorted(_luminance(Color.from_rich_color(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)  # noqa: PLR2004 - sRGB
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def _drawn(text: Content) -> Content:
    """What is drawn of a fact: to wrap a text of a megabyte takes seconds."""
    return text if len(text) <= DRAWN else Content.assemble(text[:DRAWN], ELLIPSIS)
