"""What every place that tells of the operator's signals has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from textual.widget import Widget

    from harness_tui.model.snapshot import Snapshot

    Base = Widget
else:
    Base = object


class SignalTeller(Base):
    """Put in front of a kind of widget, which draws `told` in `tell`: words and their styles, the loudest first."""

    told: list[tuple[str, str]]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.told = []

    def on_mount(self) -> None:
        """Tell what is known already."""
        app: Any = self.app
        if app.snapshot is not None:
            self.show(app.snapshot, app.now())

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Tell of the signals of `snapshot`; drawn again only when a word changed."""
        app: Any = self.app
        told = self.words(snapshot, app.me, now) if snapshot.pending or snapshot.sent else []
        if told != self.told:
            self.told = told
            self.tell()

    def words(self, snapshot: Snapshot, me: str, now: datetime) -> list[tuple[str, str]]:
        """What is told: an unread STOP, and a signal that counts as one."""
        from harness_tui.tui.facts_signals import loud_words  # noqa: PLC0415 - most workspaces have no signals

        return loud_words(snapshot, me, now)

    def tell(self) -> None:
        """Draw `told`."""
        self.refresh()
