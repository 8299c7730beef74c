"""The frame of a panel: a title that tells what is in it, and a border that tells where the keys go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.geometry import Region

from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from textual.strip import Strip


class Panel(Vertical):
    """A numbered panel; `name_panel` puts words behind its number."""

    DEFAULT_CSS = """
    Panel { border: round $border-blurred; border-title-color: $text-muted; border-subtitle-color: $text-muted; }
    Panel:focus-within { border: round $border; border-title-color: $text-accent; border-title-style: bold; }
    """

    def __init__(self, number: int, title: str, *, id: str) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.number = number
        self.name_panel(title)

    def name_panel(self, title: str, note: str = "") -> None:
        """Say what the panel shows, and at its lower edge a note on how."""
        wanted = f"{self.number} {title}"
        if getattr(self, "_named", None) != (wanted, note):
            self._named = (wanted, note)
            self.border_title = literal(wanted)
            self.border_subtitle = literal(note)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The frame. Its lines between the first and the last are the same, and drawn once: children cover the rest."""
        last = self.outer_size.height - 1
        drawn: dict[int, Strip] = {}
        strips = []
        for y in crop.line_range:
            like = y if y in (0, last) else 1
            if like not in drawn:
                drawn[like] = super().render_lines(Region(crop.x, like, crop.width, 1))[0]
            strips.append(drawn[like])
        return strips
