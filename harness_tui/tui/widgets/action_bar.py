"""The line at the bottom: what can be done here, as many hints as fit, help always among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.actions import footer_order, key_sign
from harness_tui.tui.text import cells, literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from harness_tui.tui.actions import Action


class ActionBar(Widget):
    """Hints of the focused panel and of the app; a click does what the hint says."""

    DEFAULT_CSS = "ActionBar { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._actions: tuple[Action, ...] = ()
        self._spans: list[tuple[int, int, Action]] = []

    def show(self, actions: Sequence[Action]) -> None:
        """Offer these actions, the most useful first; none that writes where nothing may be written."""
        app: Any = self.app
        ordered = footer_order(action for action in actions if not (action.writes and app.read_only))
        if ordered != self._actions:
            self._actions = ordered
            self.refresh()

    def render(self) -> Content:
        """The hints, cut off between two of them and never within one."""
        parts: list[Content] = []
        self._spans = []
        used = 1
        for action in self._actions:
            sign = key_sign(action.keys[0])
            width = cells(sign) + 1 + cells(action.label)
            if used + width > self.size.width:
                break
            parts += [Content(" "), literal(sign, "$text-accent bold"), literal(f" {action.label} ", "$text-muted")]
            self._spans.append((used, used + width, action))
            used += width + 2
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Do what the hint under the mouse says, for the focused panel."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                self.app.simulate_key(action.keys[0])
                return
