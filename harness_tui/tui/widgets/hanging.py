"""A line whose continuation rows stand below its value, not below its label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.strip import Strip
from textual.visual import Visual

if TYPE_CHECKING:
    from textual.content import Content
    from textual.css.styles import RulesMap
    from textual.style import Style
    from textual.visual import RenderOptions

LEAST: Final = 16
"""Cells that a value needs to stand beside its label; with fewer it wraps over the whole width."""
FRAME: Final = "│ "
"""A label that is drawn again before every row: what stands behind it is somebody else's text."""


class Hanging(Visual):
    """Draws the first `lead` characters of `content` as a label, the rest wrapped in the cells beside it.

    Every character of the label must be one cell wide.
    """

    def __init__(self, content: Content, lead: int) -> None:
        self._label = content[:lead]
        self._value = content[lead:]
        self._lead = lead
        self._content = content

    @property
    def plain(self) -> str:
        """The whole text, label and value, without styles."""
        return self._content.plain

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Cells without any wrapping."""
        return self._content.get_optimal_width(rules, container_width)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Rows in `width` cells."""
        if width < self._lead + LEAST and not self._framed:
            return self._content.get_height(rules, width)
        return max(1, self._value.get_height(rules, max(1, width - self._lead)))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """The rows, the label before the first one, its frame before each."""
        if width < self._lead + LEAST and not self._framed:
            return self._content.render_strips(width, height, style, options)
        rows = self._value.render_strips(max(1, width - self._lead), height, style, options) or [Strip.blank(0)]
        label = self._label.render_strips(max(1, self._lead), 1, style, options)[0].adjust_cell_length(
            self._lead, style.rich_style
        )
        below = label if self._framed else Strip.blank(self._lead, style.rich_style)
        return [Strip.join([below if number else label, row]) for number, row in enumerate(rows)]

    @property
    def _framed(self) -> bool:
        return self._label.plain == FRAME


def hung(content: Content, lead: int) -> Content | Hanging:
    """`content` with its continuation rows `lead` cells to the right; itself when there is nothing to do."""
    return Hanging(content, lead) if lead else content
