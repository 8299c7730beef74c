"""Paints less: of the widgets of a screen only those that can be seen in what is to be drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._compositor import Compositor
from textual.geometry import Region

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual._compositor import ChopsUpdate
    from textual.strip import Strip


class NarrowCompositor(Compositor):
    """Differs from its base in what it asks widgets for when a part of the screen changed.

    The base has every widget drawn that overlaps the smallest rectangle around all changes, from its first line to its
    last, and then keeps what is in front. Here each is asked for the lines that changed, the foremost first, until
    nothing of them is open any more. What gets written is the same.
    """

    _open: list[Region] | None = None
    """What is still to be covered, during a partial update."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """What changed, as an update."""
        self._open = [*self._dirty_regions]
        try:
            return super().render_partial_update()
        finally:
            self._open = None

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        if self._open is None:
            yield from super()._get_renders(crop)
            return
        for widget, (region, clip) in self.visible_widgets.items():
            shown = region.intersection(clip)
            touched = [part for part in self._open if part.overlaps(shown)]
            if not touched:
                continue
            top = max(shown.y, min(part.y for part in touched))
            bottom = min(shown.bottom, max(part.bottom for part in touched))
            rows = Region(shown.x, top, shown.width, bottom - top)
            yield region, rows, widget.render_lines(rows.translate(-region.offset))
            self._open = [part for part in self._open if part not in touched or not shown.contains_region(part)]
            if not self._open:
                return
