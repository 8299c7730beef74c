"""All signals: what waits unread, and the history of those that were sent from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts_signals import EMPTY, sent_key, signal_facts, waiting_key
from harness_tui.tui.screens.page import Page
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.content import Content

    from harness_tui.model.sent import PendingSignal, SentSignal
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.actions import Action


class SignalPage(Page, inherit_bindings=False):
    """Enter opens the line that shows what became of a signal."""

    AREAS = ("app", "list", "signals")
    BINDINGS = bindings("signals")

    def __init__(self, me: str) -> None:
        super().__init__("signals", _title, lambda snapshot, now: signal_facts(snapshot, me, now), EMPTY)

    def on_fact_list_highlighted(self) -> None:
        """Another signal is chosen, with which something else can be done."""
        self._offer()

    def _hints(self) -> Sequence[Action]:
        """Without what can't be done with the chosen signal."""
        barred = {"resend"} if self._sent is None else set()
        barred |= {"withdraw", "change"} if self._waiting is None else set()
        return [action for action in super()._hints() if action.id not in barred]

    def action_withdraw(self) -> None:
        """Take the chosen signal back."""
        waiting = self._waiting
        app: Any = self.app
        if waiting is None:
            self._not_waiting("take back")
        else:
            app.withdraw(waiting)

    def action_change(self) -> None:
        """Change the chosen signal."""
        waiting = self._waiting
        app: Any = self.app
        if waiting is None:
            self._not_waiting("change")
        else:
            app.change(waiting)

    def action_resend(self) -> None:
        """Send the chosen signal once more."""
        sent = self._sent
        app: Any = self.app
        if sent is None:
            self.notify("choose a signal of the history", markup=False)
        else:
            app.resend(sent)

    @property
    def _waiting(self) -> PendingSignal | None:
        """The chosen one of those that wait; in the history, the same signal where it waits."""
        app: Any = self.app
        snapshot: Snapshot | None = app.snapshot
        found = snapshot.pending if snapshot is not None else ()
        key = self.current_key
        return next((item for item in found if key in (waiting_key(item), f"sent/{item.id}")), None)

    @property
    def _sent(self) -> SentSignal | None:
        app: Any = self.app
        snapshot: Snapshot | None = app.snapshot
        found = snapshot.sent if snapshot is not None else ()
        return next((item for item in found if sent_key(item) == self.current_key), None)

    def _not_waiting(self, verb: str) -> None:
        words = "it was read already" if self._sent is not None else f"choose a signal that waits, to {verb} it"
        self.notify(words, markup=False)


def _title(snapshot: Snapshot) -> Content:
    unread = len(snapshot.pending)
    words = f"{unread} unread, " if unread else ""
    return literal(f"Signals · {words}{len(snapshot.sent)} sent", "bold")
