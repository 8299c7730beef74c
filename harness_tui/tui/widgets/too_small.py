"""Says that the terminal is too small to show anything useful; a STOP that has no effect yet is told all the same."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.text import literal
from harness_tui.tui.widgets.signal_teller import SignalTeller


class TooSmall(SignalTeller, Widget):
    """Covers the screen while it carries the class `-too-small`."""

    DEFAULT_CSS = """
    TooSmall {
        display: none; layer: cover; width: 100%; height: 100%; content-align: center middle; text-align: center;
    }
    """

    def __init__(self, least: tuple[int, int]) -> None:
        super().__init__()
        self._least = least

    def render(self) -> Content:
        """What is needed and what there is, below what must not be overlooked."""
        width, height = self.screen.size
        words = literal(f"{width}×{height}: at least {self._least[0]}×{self._least[1]} is needed")
        loud = [part for text, style in self.told for part in (literal(text, style), Content("\n"))]
        return Content.assemble(*loud, words)
