"""The frame of what lies over a screen; its lower edge tells of signals that must not be overlooked."""

from __future__ import annotations

from textual.containers import Vertical

from harness_tui.tui.text import literal
from harness_tui.tui.widgets.signal_teller import SignalTeller


class Window(SignalTeller, Vertical):
    """Covers the strip of the screen below, so what is loudest there stands on the edge."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="window")
        self.border_title = literal(title)

    def tell(self) -> None:
        """On the lower edge."""
        told = "  ".join(words for words, _ in self.told)
        self.border_subtitle = literal(f" {told} ", "$text-error bold reverse") if told else ""
