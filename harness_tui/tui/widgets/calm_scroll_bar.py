"""A scrollbar that costs nothing while it looks the same: that of a long log moves by less than can be seen."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from textual.scrollbar import ScrollBar, ScrollBarRender

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.strip import Strip

_PARTS = 8
"""Parts of a cell in which the handle is placed."""


class CalmScrollBar(ScrollBar):
    """Keeps what it drew last until its handle stands elsewhere, or its style changes."""

    _drawn: tuple[object, list[Strip]] | None = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips for `crop`."""
        bar = self.render()
        if not isinstance(bar, ScrollBarRender):
            return super().render_lines(crop)
        look = (crop, bar.style, _handle(bar, self.outer_size.height))
        if self._drawn is None or self._drawn[0] != look:
            self._drawn = (look, super().render_lines(crop))
        return self._drawn[1]

    def notify_style_update(self) -> None:
        """Styles changed (called by Textual, also when the theme changes)."""
        super().notify_style_update()
        self._drawn = None


def _handle(bar: ScrollBarRender, size: int) -> tuple[int, int] | None:
    """Where the handle begins and how long it is, in parts of a cell, as Textual draws it; None without one."""
    if not bar.window_size or not size or not bar.virtual_size or size == bar.virtual_size:
        return None
    length = max(1.0, bar.window_size * size / bar.virtual_size)
    begin = (size - length) * bar.position / (bar.virtual_size - bar.window_size)
    return int(begin * _PARTS), ceil(length * _PARTS)
