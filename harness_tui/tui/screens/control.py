"""The page of the control loop: what holds now, and beside or below it what the files hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from textual.content import Content

from harness_tui.tui.actions import actions_of
from harness_tui.tui.facts_control import lock_words
from harness_tui.tui.facts_loop import loop_facts, now_facts, record_facts
from harness_tui.tui.screens.page import Page
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.actions import Action
    from harness_tui.tui.facts import Fact

WIDE: Final = 160
"""Columns from which there are two lists beside each other."""
_UNLOCK: Final = 76  # place of the signal among the hints


class ControlPage(Page, inherit_bindings=False):
    """Lock, state, guards, routes; gates, evidence and every field. One list, or two where there is room."""

    DETAIL = True

    def __init__(self) -> None:
        super().__init__("control", _title, lambda snapshot, _now: loop_facts(snapshot.servo), _NO_SERVO)

    def on_resize(self) -> None:
        """Two lists where there is room for both."""
        if self._ready:
            self.on_screen_resume()

    def show(self, snapshot: Snapshot, now: datetime) -> None:
        """Show a new snapshot; the cursors stay."""
        if not self._ready:
            return
        records = record_facts(snapshot.servo) if self._wide else []
        if not records and self.detail.has_focus:
            self.list.focus()
        self.detail.display = bool(records)
        self.detail.show(self._laid_out(records))
        super().show(snapshot, now)

    def _hints(self) -> Sequence[Action]:
        """With the signal that a lock waits for."""
        app: Any = self.app
        servo = app.snapshot.servo if app.snapshot is not None else None
        if servo is None or servo.handback is None or servo.handback.locked is False:
            return super()._hints()
        return [
            *super()._hints(),
            *(replace(item, footer=_UNLOCK) for item in actions_of("app") if item.id == "unlock"),
        ]

    def _shown(self, snapshot: Snapshot, now: datetime) -> Sequence[Fact]:
        return now_facts(snapshot.servo) if self._wide else super()._shown(snapshot, now)

    @property
    def step(self) -> Callable[[int], None] | None:
        """What goes between the lists; None while there is only one."""
        return self._turn if self.detail.display else None

    def _turn(self, _by: int) -> None:
        (self.list if self.detail.has_focus else self.detail).focus()

    @property
    def _wide(self) -> bool:
        return self.app.size.width >= WIDE


def _title(snapshot: Snapshot) -> Content:
    servo = snapshot.servo
    handback = servo.handback if servo is not None else None
    lock = literal(*lock_words(handback)) if handback is not None else Content("")
    control = servo.control if servo is not None else None
    where = literal(f"{control.scope}.{control.function}  ", "$text-accent") if control is not None else Content("")
    return Content.assemble(literal("Control loop  ", "bold"), where, lock)


_NO_SERVO: Final = """No control loop here.

Looked below the workspace for
  .servo/control-state.md   the lock and the state of the loop

Write it and it appears here."""
