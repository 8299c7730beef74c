"""Drains a pool: one task at a time, by the procedure of formats/harness-kit 1.11 and 1.12.

The files that the dashboard watches are the only state. What this process knows besides is which rows it dispatched, so
that none gets a second try in the same run; after a kill everything else is found again in log, plan and documents.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.log_text import dispatch_line, needs_human_line
from harness_tui.model.lease import OWN as LEASE
from harness_tui.model.refusal import Refused
from harness_tui.model.run import RunEnd, RunOptions
from harness_tui.model.work import Assignment, Doing, Result
from harness_tui.rules.frontier import barred
from harness_tui.rules.status import OPEN_RESULTS, SETTLED
from harness_tui.stream import entropy
from harness_tui.stream.asking import deferred_line
from harness_tui.stream.book import Book
from harness_tui.stream.clock import Clock
from harness_tui.stream.closing import Figures, report, tally_text
from harness_tui.stream.gate import verify
from harness_tui.stream.lease import held
from harness_tui.stream.operator import Operator, Stop
from harness_tui.stream.outcome import Outcome, outcome_of
from harness_tui.stream.pool_folder import find_pool
from harness_tui.stream.rest import Rest
from harness_tui.workspace import mailbox
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.blocker_file import blocker_of, write_blocker
from harness_tui.workspace.epic_files import find_epic
from harness_tui.workspace.lock import KeptLock, LockedError, sweep

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.model.pool import Task
    from harness_tui.model.run import RunEvent, RunState
    from harness_tui.model.verify import VerifyRun
    from harness_tui.stream.workers.base import Worker

AGENT: Final = "pm-orchestrator"
_GREEN: Final = ("pass", "soft-fail")
_FRESH: Final = ("pending", "in-progress")


class _Cancelled(Exception):  # noqa: N818 - it ends a run, it is no fault
    """The operator ended the run from outside."""


class _FirstFailure(Exception):  # noqa: N818 - it ends a batch, it is no fault
    """A batch ends with its first failure."""


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
        self._passes = 0
        self._dispatched = 0
        self._began = 0.0
        self._verified: VerifyRun | None = None
        self._mailbox = KeptLock(root, mailbox.LOCK)

    def end(self) -> None:
        """End the worker and the run, from any thread."""
        self._cancel.set()

    def run(self) -> RunEnd:
        """Drain the pool. Raises `Refused` when no run begins (`NotThere`: no such pool or epic), and `WriteError`."""
        options = self._options
        if options.epic is not None:
            find_epic(self._root, options.epic)
        paths = find_pool(self._root, options.pool, batch=options.batch, now=self._clock.now())
        with held(self._root, paths.id) as lease:
            self._began = self._clock.monotonic()
            self._lease = lease
            sweep(self._root, [paths.plan, paths.report, self._root / LEASE, self._root / entropy.STATE])
            self._book = book = Book(self._root, paths, options, self._clock, self._tell)
            try:
                self._operator = Operator(book)
                self._cadence = not options.batch and entropy.in_use(self._root)
                self._script = book.layout.verify_script() if options.gate else None
                if paths.made:
                    book.event("said", f"no pool was named: the default one was made in {book.layout.rel(paths.plan)}")
                self._check_pool()
                self._baseline()
                return self._drain()
            finally:
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
        bad = next((item for item in pool.problems if item.code in ("missing-column", "no-task-table")), None)
        if bad is not None:
            raise Refused("invalid-pool", f"{pool.path}:{bad.line}", bad.message)
        if self._options.batch and self._book.schedule.pick() is None:
            raise Refused("nothing-to-run", pool.path, "no row of this batch can run")

    def _baseline(self) -> None:
        """verify_all before anything is done. Raises `Refused` when it is red."""
        if self._script is None:
            return
        run = self._verify("baseline")
        if self._cancel.is_set():
            raise Refused("cancelled", "verify_all", "it was ended before it was through")
        if not self._is_green(run):
            raise Refused(
                "red-baseline", self._book.layout.rel(self._script),
                f"the tree is not green before the run: {run.text}; its output is in {run.path}",
            )  # fmt: skip

    def _begin(self) -> None:
        """The first lines of the log, and what a dead run left behind."""
        book = self._book
        book.write(
            "batch start" if self._options.batch else "run start", f"pool={book.paths.id}", f"pid={os.getpid()}",
        )  # fmt: skip
        if self._verified is not None:
            book.write(f"baseline {self._verified.text}")
        book.event("started", f"draining {book.paths.id}: {tally_text(book.schedule.tally)}")
        for text in self._lease.told:
            book.say(text)
        stale = [task for task in book.pool.tasks if task.effective_status == "in-progress"]
        if stale:
            names = ", ".join(task.id for task in stale[:8]) + (" …" if len(stale) > 8 else "")  # noqa: PLR2004
            book.say(f"left in progress by a run that is gone, dispatched again first: {names}")
        never = barred(book.pool)
        if never:
            book.say(f"not run until the plan is mended: {'; '.join(never[:8])}{' …' if len(never) > 8 else ''}")  # noqa: PLR2004
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
            names = ", ".join(f"{task.id} {task.effective_status} ({task.decided_by})" for task in behind[:8])
            book.say(f"the plan is brought up to date: {names}{' …' if len(behind) > 8 else ''}")  # noqa: PLR2004
            for task in behind:
                book.put(task, task.effective_status, at_once=False)
            book.flush()

    # The passes

    def _drain(self) -> RunEnd:
        self._rest = Rest(self._book, self._operator, self._options, self._clock, self._cancel)
        try:
            self._begin()
            self._operator.resume()
            while self._pass():
                pass
        except Stop as stop:
            return self._finish("hard-stop", stop.reason)
        except _FirstFailure as failure:
            return self._finish("first-failure", str(failure))
        except _Cancelled as cancelled:
            return self._finish("cancelled", str(cancelled))
        except WriteError as error:
            with suppress(WriteError):
                self._book.write(
                    "batch end" if self._options.batch else "STREAM EXIT", "stopped", f"stop reason: {error}"
                )
            raise
        else:
            return self._finish("drained", "")
        finally:
            self._rest.close()

    def _pass(self) -> bool:
        """One pass over signals and pool; whether there is another one."""
        self._passes += 1
        if self._cancel.is_set():
            raise _Cancelled("the run was ended by the operator")
        try:
            return self._turn()
        except LockedError as error:  # somebody is about to send something, and it is not known what
            self._book.event("waiting", f"nothing is dispatched: {error}")
            return True

    def _turn(self) -> bool:
        try:
            self._operator.read()
        except Stop as stop:
            if stop.hold and self._options.follow:
                self._book.flush()
                self._rest.hold(stop.reason)
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
        deferred = deferred_line(self._root, self._options.epic, book)
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
        self._record(task, result, self._clock.monotonic() - began)

    def _work(self, work: Assignment, task: Task | None, began: float) -> Result:
        book = self._book

        def heard(doing: Doing) -> None:
            self._lease.doing(doing)
            book.event("doing", doing.text, task, doing=doing, elapsed=round(self._clock.monotonic() - began, 3))

        try:
            with book.worked_on():
                return self._worker.run(
                    work, root=self._root, cancel=self._cancel, heard=heard, born=self._lease.worker
                )
        except Exception as error:  # noqa: BLE001 - one task that can't be worked on is no reason to leave the others
            return Result("failed", f"the worker broke: {type(error).__name__}: {error}")
        finally:
            self._lease.worker(None)  # what it did last is nothing that the next one does

    # What became of it

    def _record(self, task: Task, result: Result, took: float) -> None:
        book = self._book
        if result.outcome == "cancelled":
            book.write(task.id, "cancelled: the run was ended, and its worker with it", result.reason)
            raise _Cancelled(f"the run was ended by the operator while {task.id} was worked on")
        found = outcome_of(book, task, result)
        if result.outcome == "hard-stop":
            self._write_blocker(task, result)
        self._log_result(task, found, took, result.raw_path)
        if self._script is not None and not self._regression_gate(task):
            raise Stop(f"verify_all FAIL after {task.id}: {self._verified.text if self._verified else ''}")
        said = book.put(task, found.status)
        book.refresh()
        row = book.schedule.like(task)
        if row is not None:
            # An editor that still held the row as it was before proves nothing of its end; the log does.
            settled = found.status if said in _FRESH else said or row.effective_status
            self._block(task.id, book.schedule.settle(row, settled))
        if found.status == "done" and self._cadence:
            entropy.delivered(self._root)
        why = f" · {found.reason}" if found.reason and found.status != "done" else ""
        text = f"{task.id} {found.word} · queue: {tally_text(book.schedule.tally)}{why}"
        book.event("result", text, task, status=found.status, elapsed=round(took, 3))
        if result.guard_blocked:
            raise Stop(f"a destructive command was blocked in {task.id}: {result.signature or result.reason}")
        if self._options.batch and found.status == "failed":
            raise _FirstFailure(f"{task.id} failed: {found.reason}")

    def _block(self, cause: str, blocked: tuple[Task, ...]) -> None:
        for other in blocked:
            self._book.put(other, "blocked", at_once=False)
        if blocked:
            names = ", ".join(other.id for other in blocked[:8]) + (" …" if len(blocked) > 8 else "")  # noqa: PLR2004
            self._book.write(
                cause, f"blocks {len(blocked)} row{'s' if len(blocked) > 1 else ''} waiting for it: {names}"
            )

    def _log_result(self, task: Task, found: Outcome, took: float, raw: str | None) -> None:
        book = self._book
        if found.status == "needs-human":
            line = needs_human_line(self._clock.now(), task.id, task.slug, AGENT, found.reason, found.needed)
            book.write_line(line)
            return
        book.write(task.id, found.word, f"slug={task.slug}", found.link, f"{took:.0f} s", found.reason, raw or "")

    def _write_blocker(self, task: Task, result: Result) -> None:
        try:
            write_blocker(self._root, task.slug, blocker_of(result))
        except WriteError as error:
            self._book.say(f"the Blocker of {task.id} could not be written: {error}")

    def _regression_gate(self, task: Task) -> bool:
        run = self._verify(task.id)
        if self._cancel.is_set() and run.exit is None:
            self._book.write(task.id, "regression gate was ended by the operator")
            raise _Cancelled("the run was ended by the operator")
        self._book.write(task.id, "regression gate", run.text)
        return self._is_green(run)

    def _verify(self, why: str) -> VerifyRun:
        book = self._book
        book.event("gate-started", f"verify_all ({why})")
        assert self._script is not None  # noqa: S101 - asked by both callers
        run = verify(
            self._root, self._script, cancel=self._cancel, limit=self._options.gate_limit, born=self._lease.worker,
            now=self._clock.now,
        )  # fmt: skip
        self._verified = run
        book.event("gate", run.text)
        return run

    def _is_green(self, run: VerifyRun) -> bool:
        borne = run.verdict == "hard-fail" and run.failed is not None and 0 < run.failed <= self._options.tolerate
        return run.verdict in _GREEN or borne

    # The end

    def _finish(self, state: RunState, reason: str) -> RunEnd:
        book = self._book
        if state == "drained":
            for cause, blocked in book.schedule.stuck():
                self._block(cause, blocked)
        book.flush()
        sweep = self._sweep() if state == "drained" else None
        words = {
            "drained": "drained",
            "hard-stop": "hard stop",
            "cancelled": "stopped",
            "first-failure": "first failure",
        }
        stop = f"stop reason: {reason or 'none'}"
        book.write(
            "batch end" if self._options.batch else "STREAM EXIT", words[state], stop, tally_text(book.schedule.tally)
        )
        elapsed = self._clock.monotonic() - self._began
        end = report(book, state, reason, Figures(self._passes, self._dispatched, self._verified, elapsed), sweep)
        book.event("ended", reason or words[state], status=state)
        return end

    def _sweep(self) -> entropy.Sweep | None:
        """The entropy sweep that is due at a drain; its verdict never changes how the run ends."""
        root, book = self._root, self._book
        count = entropy.due(root) if self._cadence else 0
        if not count or self._cancel.is_set() or self._operator.waiting():
            return None
        began = self._clock.now().timestamp()
        work = entropy.assignment(book.paths.id, count, deferred_line(root, self._options.epic, book))
        book.say(f"an entropy sweep is due after {count} deliveries")
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
