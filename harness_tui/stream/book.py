"""What a run knows of its pool and what it writes about it: log, plan and schedule, kept in step with the disk.

Files are judged as everywhere else (`workspace.reader`); they are read again only when somebody else changed them.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.log_text import log_line
from harness_tui.model.run import RunEvent
from harness_tui.rules.schedule import Schedule, key_of
from harness_tui.stream.deadline import Deadline
from harness_tui.stream.journal import Journal
from harness_tui.stream.plan_file import LAG, PlanFile
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.signature import CLOCK_STEP, signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool, Status, Task
    from harness_tui.model.run import RunEventKind, RunOptions
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.rules.schedule import Key
    from harness_tui.stream.clock import Clock
    from harness_tui.stream.pool_folder import PoolPaths

SETTLE: Final = 3.0
"""Seconds for which a plan that can't be read, or looks half written, is waited for."""
_PAUSE: Final = 0.05
_DELIVERY: Final = "07_DELIVERY.md"


class Book:
    """The pool that is drained. `tell` gets events; `attempted` are the rows that this run dispatched."""

    def __init__(
        self, root: Path, paths: PoolPaths, options: RunOptions, clock: Clock, tell: Callable[[RunEvent], None]
    ) -> None:
        self.root = root
        self.paths = paths
        self.options = options
        self.clock = clock
        self.attempted: set[Key] = set()
        self._tell = tell
        self._reader = Reader(root)
        self.layout = self._reader.layout
        self._journal = Journal(paths.log, root, f"{'Batch' if options.batch else 'Stream'} Log — {paths.id}")
        self._plan = PlanFile(paths.plan, self.layout.rel(paths.plan), root, self.say)
        self._read_at = 0
        self._never = threading.Event()
        self._meanwhile = Deadline(LAG, self._flush_meanwhile)
        self.pool, self.log = self._read()
        self.schedule = Schedule(self.pool, retry=options.retry)

    @property
    def log_name(self) -> str:
        """The log as it is shown."""
        return self.layout.rel(self.paths.log)

    def close(self) -> None:
        """Give the open files back."""
        self._meanwhile.close()
        self._journal.close()
        self._reader.close()

    def event(self, kind: RunEventKind, text: str, task: Task | None = None, **more: object) -> None:
        """Tell of something, with the queue as it is."""
        found = RunEvent(
            kind, self.clock.now(), text, task.id if task else None, task.slug if task else None,
            queue={word: count for word, count in self.schedule.tally.items() if count}, **more,  # type: ignore[arg-type]
        )  # fmt: skip
        self._tell(found)

    def write(self, *fields: str, synced: bool = True) -> None:
        """Add an event to the log."""
        self._journal.write(log_line(self.clock.now(), *fields), synced=synced)

    def write_line(self, line: str, *, synced: bool = True) -> None:
        """Add a finished line to the log."""
        self._journal.write(line, synced=synced)

    def say(self, text: str) -> None:
        """Note something in the log, and tell of it."""
        self.write("note", text)
        self.event("said", text)

    def put(self, task: Task, status: Status, *, at_once: bool | None = None) -> Status | None:
        """Have the plan's cell say so; returns what it says then (`PlanFile.put`).

        By default it is written at once when somebody else has changed the plan, who may have changed just this cell.
        """
        if at_once is None:
            at_once = self.options.batch or self._plan.changed()
        return self._plan.put(task, status, now=self.clock.monotonic(), at_once=at_once)

    def flush(self, *, all_of_it: bool = True) -> None:
        """Write the cells that wait: all, or those that have waited long enough."""
        now = self.clock.monotonic()
        if all_of_it or self._plan.due(now):
            self._plan.flush(now)

    @contextmanager
    def worked_on(self) -> Iterator[None]:
        """While a task is worked on, which may take long: cells that still wait are written soon, by another thread."""
        with self._meanwhile.watched() if self._plan.waiting else nullcontext():
            yield

    def _flush_meanwhile(self) -> None:
        with suppress(WriteError):  # they wait on, and who writes them next hears of it
            self.flush()

    @property
    def plan(self) -> PlanFile:
        """The plan on the disk."""
        return self._plan

    def news(self) -> bool:
        """Whether somebody else changed the plan or the log."""
        return self._plan.changed() or self._journal.foreign()

    def refresh(self, *, force: bool = False) -> None:
        """Judge the pool again if somebody else changed something. A batch keeps the plan that it began with."""
        if not force and not self.news():
            return
        self.flush()
        pool, self.log = self._read()
        if not self.options.batch:
            self.pool = pool
            self.schedule = Schedule(pool, self.attempted, retry=self.options.retry)

    def delivered_meanwhile(self, task: Task) -> bool:
        """Whether a delivery document of the row came, or changed, since the pool was judged."""
        for folder in ("docs/features", "docs/features/_archived"):
            found = signature(f"{self.root}{os.sep}{folder}{os.sep}{task.slug}{os.sep}{_DELIVERY}")
            if found is not None and found.mtime_ns > self._read_at:
                return True
        return False

    def start(self, task: Task) -> None:
        """The row is being worked on, and gets no second try in this run."""
        self.attempted.add(key_of(task))
        self.schedule.start(task)

    def snapshot(self) -> Snapshot:
        """Everything, read anew."""
        return self._reader.read_all()

    def _read(self) -> tuple[Pool, Log | None]:
        """The pool as it is now, waited for while its plan looks half written. Raises `WriteError`."""
        deadline = self.clock.monotonic() + SETTLE
        while True:
            self._plan.look()
            self._journal.look()
            self._read_at = time.time_ns() - CLOCK_STEP
            snapshot = self._reader.read_all()
            pool = next((item for item in snapshot.pools if item.id == self.paths.id), None)
            if pool is not None and pool.readable and not pool.stale:
                log = next((item for item in snapshot.logs if item.path == self.log_name), None)
                return pool, log
            if self.clock.monotonic() >= deadline or not self._plan.young(SETTLE):
                name = self.layout.rel(self.paths.plan)
                wrong = [item for item in snapshot.problems if item.path == name and item.severity == "error"]
                wrong.sort(key=lambda item: item.code != "unreadable")  # what could not be read looks empty, too
                raise WriteError(self.paths.plan, wrong[0].message if wrong else "the plan can't be read")
            self.clock.wait(self._never, _PAUSE)
