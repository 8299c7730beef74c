"""The frame of what lies over a screen; its lower edge tells of signals that must not be overlooked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.containers import Vertical

from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.snapshot import Snapshot


class Window(Vertical):
    """Covers the strip of the screen below, so what is loudest there stands on the edge."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="window")
        self.border_title = literal(title)
        self._told = ""

    def on_mount(self) -> None:
        """Show what is known already."""
        app: Any = self.app
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Tell of an unread STOP, and of a signal that counts as one."""
        told = ""
        if snapshot.pending or snapshot.sent:
            from harness_tui.tui.facts_signals import loud_words  # noqa: PLC0415 - most workspaces have no signals

            app: Any = self.app
            told = "  ".join(words for words, _ in loud_words(snapshot, app.me, now))
        if told != self._told:
            self._told = told
            self.border_subtitle = literal(f" {told} ", "$text-error bold reverse") if told else ""
