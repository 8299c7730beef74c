"""Says that the terminal is too small to show anything useful; a STOP that has no effect yet is told all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.snapshot import Snapshot


class TooSmall(Widget):
    """Covers the screen while it carries the class `-too-small`."""

    DEFAULT_CSS = """
    TooSmall {
        display: none; layer: cover; width: 100%; height: 100%; content-align: center middle; text-align: center;
    }
    """

    def __init__(self, least: tuple[int, int]) -> None:
        super().__init__()
        self._least = least
        self._told: list[tuple[str, str]] = []

    def on_mount(self) -> None:
        """It is made when it is first needed, maybe after the signal was seen."""
        app: Any = self.app
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Tell of an unread STOP, and of a signal that counts as one."""
        told: list[tuple[str, str]] = []
        if snapshot.pending or snapshot.sent:
            from harness_tui.tui.facts_signals import loud_words  # noqa: PLC0415 - most workspaces have no signals

            app: Any = self.app
            told = loud_words(snapshot, app.me, now)
        if told != self._told:
            self._told = told
            self.refresh()

    def render(self) -> Content:
        """What is needed and what there is, below what must not be overlooked."""
        width, height = self.screen.size
        words = literal(f"{width}×{height}: at least {self._least[0]}×{self._least[1]} is needed")
        loud = [part for text, style in self._told for part in (literal(text, style), Content("\n"))]
        return Content.assemble(*loud, words)
