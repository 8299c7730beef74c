"""Says that the terminal is too small to show anything useful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget

from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from textual.content import Content


class TooSmall(Widget):
    """Covers the screen while it carries the class `-too-small`."""

    DEFAULT_CSS = """
    TooSmall { display: none; layer: cover; width: 100%; height: 100%; content-align: center middle; }
    """

    def __init__(self, least: tuple[int, int]) -> None:
        super().__init__()
        self._least = least

    def render(self) -> Content:
        """What is needed and what there is."""
        width, height = self.screen.size
        return literal(f"{width}×{height}: at least {self._least[0]}×{self._least[1]} is needed")
