"""The line that tells on every screen what is written and not yet in effect; gone when there is nothing to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.text import cells, cut, literal

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.snapshot import Snapshot

_GAP = "  "


class PendingStrip(Widget):
    """Shows the operator's unread signals; a click opens the page of all signals."""

    DEFAULT_CSS = """
    PendingStrip { height: 1; display: none; padding: 0 1; background: $panel; }
    PendingStrip.-told { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[tuple[str, str]] = []

    def on_mount(self) -> None:
        """Show what is known already."""
        app: Any = self.app
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show the signals of `snapshot`; drawn again only when a word changed."""
        parts: list[tuple[str, str]] = []
        if snapshot.pending or snapshot.sent:
            from harness_tui.tui.facts_signals import strip_words  # noqa: PLC0415 - most workspaces have no signals

            app: Any = self.app
            parts = strip_words(snapshot, app.me, now)
        if parts != self._parts:
            self._parts = parts
            self.set_class(bool(parts), "-told")
            self.refresh()

    def render(self) -> Content:
        """As many of the parts as fit, the loudest first, and where there is more about them."""
        hint = "" if self.screen.name == "page-signals" else "8: all signals"
        room = self.content_size.width
        pieces: list[Content] = []
        for words, style in self._parts:
            shown = cut(words, room)
            pieces += [literal(shown, style), literal(_GAP)]
            room -= cells(shown) + len(_GAP)
            if room < len(hint):
                break
        if room >= len(hint):
            pieces.append(literal(hint, "$text-muted"))
        return Content.assemble(*pieces)

    def on_click(self) -> None:
        """Open the page of all signals."""
        self.app.simulate_key("8")
