"""The run of the demo: the real engine over the sample pool, in a thread, with the scripted worker.

A run ends as any does: drained, or stopped. What the operator sends after that begins the next one.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from harness_tui.demo import epic, loop, past
from harness_tui.demo.worker import ScriptedWorker
from harness_tui.formats.intervention import PATH as INTERVENTION
from harness_tui.formats.log_text import log_line
from harness_tui.model.refusal import Refused
from harness_tui.model.run import RunOptions
from harness_tui.stream.clock import Clock
from harness_tui.stream.engine import Engine
from harness_tui.workspace.atomic import append_line
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.workspace.signature import Signature

FIRST_REST: Final = 0.85
"""Seconds before the first change, so that a dashboard can show the workspace at rest."""
LOOK: Final = 0.2
"""Seconds between two looks for what the operator sent, while nothing runs."""
WAITS: Final = "note · demo: send a task (A) or answer (D), and the next run begins"


class Run(threading.Thread):
    """Drains the pool of `folder`, which `workspace.build` made, until `stop`.

    `speed` divides all rests: at 1.0 a whole run takes about 100 seconds. `errors` holds what went wrong, `finished`
    is set when the thread has ended, `rested` whenever a run has ended and the next one is waited for.
    """

    def __init__(self, folder: Path, *, speed: float = 1.0, clock: Clock | None = None) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be greater than 0, not {speed}")
        super().__init__(name="harness-tui-demo", daemon=True)
        self.finished = threading.Event()
        self.rested = threading.Event()
        self.errors: list[Exception] = []
        self._folder = folder
        self._speed = speed
        self._clock = clock or Clock()
        self._cancel = threading.Event()
        self._worker = ScriptedWorker(folder, speed=speed, clock=self._clock)

    def run(self) -> None:
        """Run until `stop`. Never raises and never prints."""
        try:
            over = self._clock.wait(self._cancel, FIRST_REST / self._speed)
            while not over:
                over = self._once()
        except Exception as error:  # noqa: BLE001 - the dashboard goes on without the run and can tell why
            self.errors.append(error)
        finally:
            self.rested.set()
            self.finished.set()

    def stop(self, timeout: float = 5.0) -> None:
        """End the run where it stands and wait at most `timeout` seconds for the thread. May be called twice."""
        self._cancel.set()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(timeout)

    def _once(self) -> bool:
        """Drain once, then wait for something to do; whether the demo is over."""
        options = RunOptions(past.POOL, epic=epic.EPIC)
        stopped = False
        try:
            end = Engine(self._folder, self._worker, options, cancel=self._cancel, clock=self._clock).run()
            stopped = end.state != "drained"
            self._say(WAITS)
        except Refused as error:  # the operator changed the files so that no run can begin, or began one himself
            stopped = True
            if error.code != "running":
                self._say(f"note · demo: no run begins: {error}")
        return self._wait(self._state(stopped=stopped), answered=stopped and self._worker.answered())

    def _say(self, text: str) -> None:
        if not self._cancel.is_set():
            log = self._folder / past.POOL_FOLDER / "STREAM_LOG.md"
            append_line(log, log_line(self._clock.now(), *text.split(" · ")).encode(), root=self._folder)

    def _wait(self, before: tuple[Signature | None, ...], *, answered: bool) -> bool:
        """Wait until there is something to do, which is not the case `before`; whether the demo is over.

        `answered` says that the question's answer was there already when the operator stopped the run.
        """
        lock = None
        self.rested.set()
        while not self._clock.wait(self._cancel, LOOK):
            if self._state(stopped=True) != before or (self._worker.answered() and not answered):
                self.rested.clear()
                return False
            seen = signature(self._folder / loop.CONTROL)
            if seen != lock:
                lock = seen
                loop.lift_lock(self._folder)
        return True

    def _state(self, *, stopped: bool) -> tuple[Signature | None, ...]:
        """What begins a run when it changes: the pool, and the unread signals.

        A run that drained has read them all: what stands there afterwards is new. One that stopped has not.
        """
        unread = signature(self._folder / INTERVENTION) if stopped else None
        return unread, signature(self._folder / past.POOL_FOLDER / "BATCH_PLAN.md")
