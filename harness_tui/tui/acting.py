"""What the operator writes: each key opens the dialog of one act, and what was sent is followed."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from harness_tui.formats.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from textual.app import App

    from harness_tui.model.decision import Decision
    from harness_tui.model.sent import PendingSignal, SentSignal
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.acts.form import Act
    from harness_tui.tui.screens.main import MainScreen

    Base = App[None]
else:
    Base = object


def why_read_only(root: Path, *, wanted: bool) -> str:
    """Why nothing may be written here, in words; empty when it may. `wanted` is the operator's own wish."""
    if wanted:
        return "the dashboard was started with --read-only"
    folder = root / ".harness"
    target = folder if folder.is_dir() else root
    return "" if os.access(target, os.W_OK | os.X_OK) else f"{clean(str(target))} can't be written to"


class Acting(Base):
    """The part of the dashboard that writes. It never changes what is shown: that comes back from the files."""

    root: Path
    snapshot: Snapshot | None
    main: MainScreen
    read_only: str
    """Why nothing may be written, in words; empty when it may."""
    now: Callable[[], datetime]

    def begin_acting(self) -> None:
        """Set up."""
        self.read_only = ""
        self._drafts: dict[str, dict[str, str]] = {}
        self._followed: object = None
        self._last_launch: dict[str, str] = {}

    def action_add(self) -> None:
        """Ask for a new task."""
        self._signal("ADD")

    def action_skip(self) -> None:
        """Ask whether to skip the selected task."""
        task = self.main.selected
        self._signal("SKIP", task.id if task is not None else "")

    def action_stop(self) -> None:
        """Ask whether to stop: the run that is under way, whichever pool is looked at."""
        streams = self.snapshot.streams if self.snapshot is not None else {}
        running = {name: stream for name, stream in streams.items() if stream.state == "running"}
        meant = [name for name, stream in running.items() if stream.owner is not None] or list(running)
        self._signal("STOP", pool_id=meant[0] if len(meant) == 1 else None)

    def action_note(self) -> None:
        """Ask for a note."""
        self._signal("NOTE")

    def action_redirect(self) -> None:
        """Ask for a new brief of a stage."""
        self._signal("REDIRECT")

    def action_launch(self) -> None:
        """Ask with which worker to drain the pool."""

        def make(snapshot: Snapshot) -> Act:
            from harness_tui.tui.acts.run import LaunchAct  # noqa: PLC0415 - until it is asked for

            epics = tuple(item.epic_id for item in snapshot.epics.budgets) if snapshot.epics is not None else ()
            return LaunchAct(self.main.pool_id, self._last_launch, self._run_ended, epics)

        self._open(make)

    def action_end_run(self) -> None:
        """Ask whether to end the run and its worker at once."""

        def make(_snapshot: Snapshot) -> Act:
            from harness_tui.stream.ending import run_to_end  # noqa: PLC0415 - until it is asked for
            from harness_tui.tui.acts.run import EndRunAct  # noqa: PLC0415 - as above

            run_to_end(self.root)
            return EndRunAct()

        self._open(make)

    def action_unlock(self) -> None:
        """Ask for what is new."""

        def make(snapshot: Snapshot) -> Act:
            from harness_tui.model.refusal import NotThere  # noqa: PLC0415 - until it is asked for
            from harness_tui.tui.acts.control import UnlockAct  # noqa: PLC0415 - as above

            control = snapshot.servo.control if snapshot.servo is not None else None
            if control is None:
                raise NotThere("unlock", "there is no control state, and nothing to unlock")
            return UnlockAct(control.active_milestone)

        self._open(make)

    def answer(self, decision: Decision, waiting: Sequence[Decision]) -> None:
        """Ask for the answer to a question; `waiting` are the open ones of its epic."""

        def make(_snapshot: Snapshot) -> Act:
            from harness_tui.tui.acts.epics import AnswerAct  # noqa: PLC0415 - until it is asked for

            return AnswerAct(decision, waiting)

        self._open(make)

    def withdraw(self, waiting: PendingSignal) -> None:
        """Ask whether to take a signal back."""

        def make(_snapshot: Snapshot) -> Act:
            from harness_tui.tui.acts.signals import WithdrawAct  # noqa: PLC0415 - until it is asked for

            return WithdrawAct(waiting)

        self._open(make)

    def change(self, waiting: PendingSignal) -> None:
        """Ask for what a signal is to say instead; one that can't be read is to be said plainly."""

        def make(snapshot: Snapshot) -> Act:
            from harness_tui.tui.acts.signals import ChangeAct, RewriteAct  # noqa: PLC0415 - until it is asked for

            sent = next((item for item in snapshot.sent if item.id == waiting.id), None)
            kind = ChangeAct if waiting.signal.state == "waiting" else RewriteAct
            return kind(waiting, sent.pool_id if sent is not None else self.main.pool_id)

        self._open(make)

    def resend(self, sent: SentSignal) -> None:
        """Ask whether to send a signal once more."""
        self._signal(sent.keyword, sent.argument, sent.text, pool_id=sent.pool_id, key=f"again {sent.id}")

    def follow_signals(self, snapshot: Snapshot) -> None:
        """Keep in the history what was seen of sent signals, so that it outlives the files that showed it."""
        states = tuple((item.id, item.state) for item in snapshot.sent)
        if self.read_only or not states or states == self._followed:
            return
        self._followed = states
        from harness_tui.tui.acts.signals import keep_news  # noqa: PLC0415 - most workspaces have no signals

        def keep() -> None:
            if not keep_news(self.root, snapshot):
                self._followed = None  # what can't be written now is seen again with the next reading

        self.run_worker(keep, thread=True, exit_on_error=False)

    def _signal(
        self, keyword: str, argument: str = "", text: str = "", *, pool_id: str | None = None, key: str = ""
    ) -> None:
        def make(snapshot: Snapshot) -> Act:
            from harness_tui.rules.signals import check_redirects, in_pool_context  # noqa: PLC0415 - when asked for
            from harness_tui.tui.acts.signals import SendAct  # noqa: PLC0415 - as above

            if keyword == "REDIRECT":
                check_redirects(snapshot.streams)
            stages = not in_pool_context(snapshot.streams)
            pool = pool_id or self.main.pool_id
            return SendAct(keyword, pool, argument=argument, text=text, key=key, stages=stages)

        self._open(make)

    def _open(self, make: Callable[[Snapshot], Act]) -> None:
        """The dialog of an act, or why there is none; `make` may refuse."""
        if self.read_only:
            self.notify(f"read-only: {self.read_only}; nothing is written", severity="warning", markup=False)
            return
        if self.snapshot is None:
            self.notify("nothing was read yet", markup=False)
            return
        from harness_tui.model.refusal import Refused  # noqa: PLC0415 - until it is asked for
        from harness_tui.tui.acts.form import Scene  # noqa: PLC0415 - as above
        from harness_tui.tui.screens.dialog import ActDialog  # noqa: PLC0415 - as above

        try:
            act = make(self.snapshot)
        except Refused as error:
            self.notify(error.why, severity="warning", markup=False)
            return
        scene = Scene(self.root, self._newest, self.now)
        self.clear_notifications()  # they would lie over the dialog
        self.push_screen(ActDialog(act, scene, self._drafts.setdefault(act.key, {})), self._told)

    def _newest(self) -> Snapshot:
        assert self.snapshot is not None  # noqa: S101 - a dialog opens only after the first reading
        return self.snapshot

    def _run_ended(self, words: str) -> None:
        """A run that was started from here is over; called from another thread, perhaps after the dashboard's end."""
        with suppress(RuntimeError):
            self.call_later(self._told, words)

    def _told(self, words: str | None) -> None:
        if words:
            self.notify(words, timeout=6, markup=False)
