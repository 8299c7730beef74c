"""Drains a pool: one task at a time, by the procedure of formats/harness-kit 1.11 and 1.12.

The files that the dashboard watches are the only state. What this process knows besides is which rows it dispatched, so
that none gets a second try in the same run; after a kill everything else is found again in log, plan and documents.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.log_text import dispatch_line
from harness_tui.model.lease import OWN as LEASE
from harness_tui.model.refusal import Refused
from harness_tui.model.run import RunEnd, RunOptions
from harness_tui.model.work import Assignment, Doing, Result
from harness_tui.rules.frontier import barred
from harness_tui.rules.pool_check import HEAD_CODES
from harness_tui.rules.status import OPEN_RESULTS, SETTLED
from harness_tui.stream import entropy
from harness_tui.stream.asking import Asking
from harness_tui.stream.book import Book
from harness_tui.stream.clock import Clock
from harness_tui.stream.closing import Figures, report, tally_text
from harness_tui.stream.gate import Gate
from harness_tui.stream.lease import held
from harness_tui.stream.operator import Operator, Stop
from harness_tui.stream.pool_folder import find_pool
from harness_tui.stream.recording import Cancelled, FirstFailure, Recorder, some
from harness_tui.stream.rest import Rest
from harness_tui.workspace import mailbox
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.epic_files import find_epic
from harness_tui.workspace.lock import KeptLock, LockedError, sweep

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.model.pool import Task
    from harness_tui.model.run import RunEvent, RunState
    from harness_tui.stream.workers.base import Worker

_ENDS: Final[dict[RunState, str]] = {
    "drained": "drained", "hard-stop": "hard stop", "cancelled": "stopped", "first-failure": "first failure",
    "write-error": "stopped",
}  # fmt: skip
OPERATOR: Final = "the operator"


class Engine:
    """One run over one pool.

    `on_event` is told of everything, one event at a time, also from the worker's threads; it must return soon and raise
    nothing. `cancel` may be set, or `end` be called, from any thread: the worker's whole tree is ended, and the run.
    """

    def __init__(
        self,
        root: Path,
        worker: Worker,
        options: RunOptions | None = None,
        *,
        on_event: Callable[[RunEvent], None] = lambda _event: None,
        cancel: threading.Event | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._root = root
        self._worker = worker
        self._options = options or RunOptions()
        self._clock = clock or Clock()
        self._cancel = cancel or threading.Event()
        self._lock = threading.Lock()
        self._on_event = on_event
        self._ended_by = OPERATOR
        self._passes = 0
        self._dispatched = 0
        self._began = 0.0
        self._mailbox = KeptLock(root, mailbox.LOCK)

    def end(self, by: str = OPERATOR) -> None:
        """End the worker and the run, from any thread; the log says `by` whom."""
        self._ended_by = by
        self._cancel.set()

    def run(self) -> RunEnd:
        """Drain the pool. Raises when no run begins: `Refused` (`NotThere`: no such pool or epic), `WriteError`."""
        options = self._options
        if options.epic is not None:
            find_epic(self._root, options.epic)
        paths = find_pool(self._root, options.pool, batch=options.batch, now=self._clock.now())
        with held(self._root, paths.id, self._clock.now) as lease:
            self._began = self._clock.monotonic()
            self._lease = lease
            sweep(self._root, [paths.plan, paths.report, self._root / LEASE, self._root / entropy.STATE])
            self._book = book = Book(self._root, paths, options, self._clock, self._tell)
            self._operator = Operator(book)
            try:
                self._cadence = not options.batch and entropy.in_use(self._root)
                self._asking = Asking(options.epic, book)
                self._gate = Gate(book, lease, self._cancel)
                self._recorder = Recorder(book, self._gate, self._asking, self._cancel, cadence=self._cadence)
                if paths.made:
                    book.event("said", f"no pool was named: the default one was made in {book.layout.rel(paths.plan)}")
                self._check_pool()
                self._gate.baseline()
                return self._drain()
            finally:
                self._operator.close()
                self._mailbox.close()
                book.close()

    # Before the first task

    def _check_pool(self) -> None:
        """Raises `Refused` for a pool that can't be run (CONTRACT rule 3; formats/harness-kit 1.1)."""
        pool = self._book.pool
        if pool.cycles:
            ring = pool.cycles[0]
            names = " → ".join((*ring[:8], "…")) if len(ring) > 8 else " → ".join((*ring, ring[0]))  # noqa: PLR2004
            raise Refused("ring", pool.path, f"rows wait for each other in a ring: {names}; mend the plan first")
        bad = next((item for item in pool.problems if item.code in HEAD_CODES), None)
        if bad is not None:
            raise Refused("invalid-pool", f"{pool.path}:{bad.line}", bad.message)
        if self._options.batch and self._book.schedule.pick() is None:
            raise Refused("nothing-to-run", pool.path, "no row of this batch can run")

    def _begin(self) -> None:
        """The first lines of the log, and what a dead run left behind."""
        book = self._book
        book.write(
            "batch start" if self._options.batch else "run start", f"pool={book.paths.id}", f"pid={os.getpid()}",
        )  # fmt: skip
        if self._gate.last is not None:
            book.write(f"baseline {self._gate.last.text}")
        book.event("started", f"draining {book.paths.id}: {tally_text(book.schedule.tally)}")
        for text in self._lease.told:
            book.say(text)
        stale = [task.id for task in book.pool.tasks if task.effective_status == "in-progress"]
        if stale:
            book.say(f"left in progress by a run that is gone, dispatched again first: {some(stale)}")
        again = [
            f"{task.id} {task.effective_status}" for task in book.pool.tasks if task.effective_status in OPEN_RESULTS
        ]
        if again and self._options.retry:
            book.event("said", f"left open by an earlier run, tried again: {some(again)} (--no-retry leaves them)")
        never = barred(book.pool)
        if never:
            book.say(f"not run until the plan is mended: {some(never, '; ')}")
        if not book.pool.tasks:
            book.event("said", f"the pool has no rows: harness-tui add SLUG GOAL --pool {book.paths.id} adds one")
        self._catch_up()

    def _catch_up(self) -> None:
        """Bring cells up to date that lag behind log or documents: a dead run came no further, or nobody wrote them."""
        book = self._book
        behind = [
            task
            for task in book.pool.tasks
            if task.status in ("pending", "in-progress")
            and task.decided_by != "plan"
            and task.effective_status in (SETTLED if self._options.retry else SETTLED | OPEN_RESULTS)
            and not task.problems
        ]
        if behind and not self._options.batch:
            names = [f"{task.id} {task.effective_status} ({task.decided_by})" for task in behind]
            book.say(f"the plan is brought up to date: {some(names)}")
            for task in behind:
                book.put(task, task.effective_status, at_once=False)
            book.flush()

    # The passes

    def _drain(self) -> RunEnd:
        self._rest = Rest(self._book, self._operator, self._options, self._clock, self._cancel)
        try:
            return self._finish(*self._turns())
        except WriteError as error:
            return self._break_off(error)
        finally:
            self._rest.close()

    def _turns(self) -> tuple[RunState, str]:
        """All passes; how they ended, and why. Raises `WriteError`."""
        try:
            self._begin()
            self._operator.resume()
            while self._pass():
                pass
        except Stop as stop:
            return "hard-stop", stop.reason
        except FirstFailure as failure:
            return "first-failure", str(failure)
        except Cancelled as cancelled:
            return "cancelled", f"the run was ended by {self._ended_by}{cancelled}"
        return "drained", ""

    def _pass(self) -> bool:
        """One pass over signals and pool; whether there is another one."""
        self._passes += 1
        if self._cancel.is_set():
            raise Cancelled
        try:
            return self._turn()
        except LockedError as error:  # somebody is about to send something, and it is not known what
            self._book.event("waiting", f"nothing is dispatched: {error}")
            return True

    def _turn(self) -> bool:
        try:
            self._operator.read()
        except Stop as stop:
            if stop.unclear is not None and self._options.follow:
                self._book.flush()
                self._rest.hold(stop.reason, stop.unclear)
                return True
            raise
        book = self._book
        book.refresh()
        task = book.schedule.pick()
        if task is not None and book.delivered_meanwhile(task):
            book.refresh(force=True)
            task = book.schedule.pick()
        if task is not None:
            self._rest.reset()
            self._one(task)
            book.flush(all_of_it=False)
            return True
        book.flush()
        return self._rest.until_news()

    def _one(self, task: Task) -> None:
        """Dispatch a row, wait for its end, record it. Nothing happens when a signal has come meanwhile."""
        book = self._book
        deferred = self._asking.line()
        notes = tuple(item.signal.text for item in self._operator.notes)
        work = Assignment(book.paths.id, task.id, task.slug, task.goal, task.mode or "full", notes, deferred)
        again = book.schedule.status(task) not in ("pending", "in-progress")
        # Who sends a signal holds this lock: what was told to be sent before the dispatch is heeded before it.
        with self._mailbox.held():
            if self._operator.waiting() or self._cancel.is_set():
                return
            book.write_line(dispatch_line(self._clock.now(), work), synced=False)
        book.start(task)
        book.put(task, "in-progress", at_once=again or None)
        self._operator.handed_over()
        self._dispatched += 1
        book.event("dispatched", f"{task.id} {task.slug} is dispatched", task)
        began = self._clock.monotonic()
        result = self._work(work, task, began)
        self._recorder.record(task, result, self._clock.monotonic() - began)

    def _work(self, work: Assignment, task: Task | None, began: float) -> Result:
        book = self._book

        def heard(doing: Doing) -> None:
            elapsed = round(self._clock.monotonic() - began, 3)
            self._lease.doing(doing)
            book.event("doing", doing.text, task, doing=doing, elapsed=elapsed)

        try:
            with book.worked_on(), self._asking.watched():
                return self._worker.run(
                    work, root=self._root, cancel=self._cancel, heard=heard, born=self._lease.worker
                )
        except Exception as error:  # noqa: BLE001 - one task that can't be worked on is no reason to leave the others
            return Result("failed", f"the worker broke: {type(error).__name__}: {error}")
        finally:
            self._lease.worker(None)  # what it did last is nothing that the next one does

    # The end

    def _finish(self, state: RunState, reason: str) -> RunEnd:
        book = self._book
        if state == "drained":
            for cause, blocked in book.schedule.stuck():
                self._recorder.block(cause, blocked)
        book.flush()
        sweep = self._sweep() if state == "drained" else None
        self._log_end(state, reason)
        return self._report(state, reason, sweep)

    def _break_off(self, error: WriteError) -> RunEnd:
        """A file could not be written, so nothing more is begun: what can still be written of the end is."""
        name = self._book.layout.rel(error.path) if error.path.is_relative_to(self._root) else str(error.path)
        reason = f"{name}: {error.why}"
        with suppress(WriteError):
            self._book.flush()
        with suppress(WriteError):
            self._log_end("write-error", reason)
        return self._report("write-error", reason, None)

    def _log_end(self, state: RunState, reason: str) -> None:
        what = "batch end" if self._options.batch else "STREAM EXIT"
        tally = tally_text(self._book.schedule.tally)
        self._book.write(what, _ENDS[state], f"stop reason: {reason or 'none'}", tally)

    def _report(self, state: RunState, reason: str, sweep: entropy.Sweep | None) -> RunEnd:
        elapsed = self._clock.monotonic() - self._began
        figures = Figures(self._passes, self._dispatched, self._gate.last, elapsed)
        end = report(self._book, state, reason, figures, sweep)
        self._book.event("ended", reason or _ENDS[state], status=state)
        return end

    def _sweep(self) -> entropy.Sweep | None:
        """The entropy sweep that is due at a drain; its verdict never changes how the run ends."""
        root, book = self._root, self._book
        count = entropy.due(root) if self._cadence else 0
        if not count:
            return None
        began = self._clock.now().timestamp()
        work = entropy.assignment(book.paths.id, count, self._asking.line())
        try:
            with self._mailbox.held():  # as before the dispatch of a row
                if self._cancel.is_set() or self._operator.waiting():
                    return None
                book.say(f"an entropy sweep is due after {count} deliveries")
        except LockedError:
            return None
        self._work(work, None, self._clock.monotonic())
        found = entropy.artifact(root, began - 1.0)
        if found is None:
            book.say("the entropy sweep left no file with a verdict")
            return None
        entropy.swept(root, self._clock.now())
        book.say(f"entropy sweep: {found.verdict}, {found.path}")
        return found

    def _tell(self, event: RunEvent) -> None:
        with self._lock:
            self._on_event(event)
