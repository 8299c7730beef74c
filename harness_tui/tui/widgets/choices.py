"""One of several answers; a sign marks the chosen one, whatever the colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import Fact
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.fact_list import CURRENT, FactList
from harness_tui.tui.widgets.hanging import hung

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.tui.widgets.hanging import Hanging

_OPEN: Final = "○ "
_CHOSEN: Final = "●"


class Choices(FactList, inherit_bindings=False):
    """Choices of another kind stand at both ends: the cursor stops there. PgDn and PgUp are the preview's."""

    BINDINGS = bindings("list", without=("page_down", "page_up", "half_page_down", "half_page_up"))

    def offer(self, choices: Sequence[tuple[str, str]], chosen: str) -> None:
        """Show `choices`, each a value and its words, the cursor on the value `chosen` or on none."""
        self.show([Fact(literal(words), key=value) for value, words in choices])
        values = [value for value, _ in choices]
        self.highlighted = values.index(chosen) if chosen in values else None

    def action_cursor_down(self) -> None:
        """One down, not around the end."""
        if self.highlighted != len(self.facts) - 1:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """One up, not around the end."""
        if self.highlighted:
            super().action_cursor_up()

    def line(self, fact: Fact) -> Content | Hanging:
        """A sign and the words, which stand below each other."""
        return hung(Content.assemble(literal(_OPEN), fact.text), len(_OPEN))

    def draw(self, line: Content | Hanging, state: str) -> list[Strip]:
        """The rows of a choice, the chosen one with its sign."""
        strips = super().draw(line, state)
        if state == CURRENT:
            (first, *more), *others = strips
            marked = Segment(_CHOSEN + first.text[len(_CHOSEN) :], first.style)
            return [Strip([marked, *more], strips[0].cell_length), *others]
        return strips
