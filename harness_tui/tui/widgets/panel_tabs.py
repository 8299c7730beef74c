"""Names of the panels, where not all of them fit on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from harness_tui.tui.text import cells, cut, literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events


class PanelTabs(Widget):
    """One line of tabs; the one that has the keys is marked with brackets as well as with colour."""

    DEFAULT_CSS = "PanelTabs { height: 1; background: $panel; }"

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            self.name = name
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._tabs: dict[str, str] = {}
        self._current = ""
        self._spans: list[tuple[int, int, str]] = []

    def show(self, tabs: Mapping[str, str], current: str) -> None:
        """Show these labels by panel name, `current` marked."""
        if (tabs, current) != (self._tabs, self._current):
            self._tabs, self._current = dict(tabs), current
            self.refresh()

    def render(self) -> Content:
        """The tabs, each cut to its share of the line when not all fit."""
        whole = sum(cells(label) + 4 for label in self._tabs.values()) - 2
        share = self.size.width if whole <= self.size.width else max(6, self.size.width // max(1, len(self._tabs)) - 4)
        parts: list[Content] = []
        self._spans = []
        used = 0
        for name, label in self._tabs.items():
            text = cut(label, share)
            marked = f"[{text}]" if name == self._current else f" {text} "
            parts.append(literal(marked, "$text-accent bold" if name == self._current else "$text-muted"))
            parts.append(Content("  "))
            self._spans.append((used, used + cells(marked), name))
            used += cells(marked) + 2
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Go to the panel under the mouse."""
        for start, end, name in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(name))
                return
