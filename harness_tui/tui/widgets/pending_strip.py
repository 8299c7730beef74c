"""The line that tells on every screen what is written and not yet in effect; gone when there is nothing to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.text import cells, cut, literal
from harness_tui.tui.widgets.signal_teller import SignalTeller

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.snapshot import Snapshot

_GAP = "  "


class PendingStrip(SignalTeller, Widget):
    """Shows the operator's unread signals; a click opens the page of all signals."""

    DEFAULT_CSS = """
    PendingStrip { height: 1; display: none; padding: 0 1; background: $panel; }
    PendingStrip.-told { display: block; }
    """

    def words(self, snapshot: Snapshot, me: str, now: datetime) -> list[tuple[str, str]]:
        """All that is written and unread, and what has no effect yet."""
        from harness_tui.tui.facts_signals import strip_words  # noqa: PLC0415 - most workspaces have no signals

        return strip_words(snapshot, me, now)

    def tell(self) -> None:
        """Come up, or go."""
        self.set_class(bool(self.told), "-told")
        self.refresh()

    def render(self) -> Content:
        """As many of the parts as fit, the loudest first, and where there is more about them."""
        hint = "" if self.screen.name == "page-signals" else "8: all signals"
        room = self.content_size.width
        pieces: list[Content] = []
        for words, style in self.told:
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
