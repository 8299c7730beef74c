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
    """Differs from its base in what it asks widgets for.

    The base has every widget drawn that overlaps the smallest rectangle around all changes, from its first line to its
    last, and then keeps what is in front. Here each is asked for the lines that are to be drawn, the foremost first,
    until nothing of them is open any more: containers that their children cover are never asked. What gets written is
    the same.
    """

    _changed: tuple[Region, ...] | None = None
    """What is to be drawn, during a partial update."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """What changed, as an update."""
        self._changed = tuple(self._dirty_regions)
        try:
            return super().render_partial_update()
        finally:
            self._changed = None

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        screen = self.size.region
        changed = (crop or screen,) if self._changed is None else self._changed
        still_open: dict[int, int] = {}  # by line: a bit for each column that nothing was drawn in yet
        for part in changed:
            for y in part.intersection(screen).line_range:
                still_open[y] = still_open.get(y, 0) | _columns(part.intersection(screen))
        for widget, (region, clip) in self.visible_widgets.items():
            shown = region.intersection(clip)
            columns = _columns(shown)
            lines = [y for y in shown.line_range if still_open.get(y, 0) & columns]
            if not lines:
                continue
            rows = Region(shown.x, lines[0], shown.width, lines[-1] + 1 - lines[0])
            yield region, rows, widget.render_lines(rows.translate(-region.offset))
            for y in lines:
                still_open[y] &= ~columns
                if not still_open[y]:
                    del still_open[y]
            if not still_open:
                return


def _columns(region: Region) -> int:
    return ((1 << region.width) - 1) << max(region.x, 0)
