"""Runs of the engine with workers that a test scripts, and pools for them."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime, timedelta

from harness_tui.model.run import RunOptions
from harness_tui.model.work import Result
from harness_tui.stream.clock import Clock
from harness_tui.stream.engine import Engine

POOL = "docs/batches/mill"
HEAD = """\
# Batch Plan — mill

## Tasks

| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |
|---|---|---|---|---|---|
"""
NOTES = "\n## Notes (optional)\n\n- The mill rests on Sundays.\n"


def plan_text(*rows, notes=NOTES):
    """A plan; each row is (id, needs, status), the slug is made of the id."""
    lines = []
    for task_id, needs, status in rows:
        slug = f"slug-{task_id.lower()}"
        lines.append(f"| {task_id} | {slug} | Goal of {task_id}. | full | {needs or '—'} | {status} |\n")
    return HEAD + "".join(lines) + notes


class Script:
    """A worker: for each slug or id what it answers, a `Result`, an outcome word, or a function of the assignment."""

    def __init__(self, answers=None, default="delivered"):
        self.answers = answers or {}
        self.default = default
        self.seen = []

    def run(self, assignment, *, root, cancel, heard, born):
        self.seen.append(assignment)
        answer = self.answers.get(assignment.task_id, self.default)
        if callable(answer):
            answer = answer(assignment, root=root, cancel=cancel, heard=heard, born=born)
        if answer is None:
            answer = "delivered"
        return answer if isinstance(answer, Result) else Result(answer, "as scripted")

    @property
    def ids(self):
        return [item.task_id for item in self.seen]


class StepClock(Clock):
    """Time that goes by one second at each look, and at once while somebody waits."""

    def __init__(self):
        self.time = 0.0

    def now(self):
        self.time += 1.0
        return datetime(2027, 3, 9, 12, 0, tzinfo=UTC) + timedelta(seconds=self.time)

    def monotonic(self):
        return self.time

    def wait(self, event, seconds):
        self.time += seconds
        return event.is_set()


class Mill:
    """A workspace with the pool `mill`."""

    def __init__(self, root, *rows, notes=NOTES):
        self.root = root
        self.plan = root / POOL / "BATCH_PLAN.md"
        self.log = root / POOL / "STREAM_LOG.md"
        self.report = root / POOL / "STREAM_REPORT.md"
        self.mail = root / ".harness/intervention.md"
        self.events = []
        self.plan.parent.mkdir(parents=True)
        (root / ".harness").mkdir(exist_ok=True)
        self.plan.write_text(plan_text(*rows, notes=notes), "utf-8")

    def run(self, worker=None, *, clock=None, cancel=None, on_event=None, **options):
        self.worker = worker if worker is not None else Script()

        def told(event):
            self.events.append(event)
            if on_event is not None:
                on_event(event)

        options.setdefault("pool", "mill")
        engine = Engine(
            self.root, self.worker, RunOptions(**options), on_event=told,
            cancel=cancel or threading.Event(), clock=clock,
        )  # fmt: skip
        return engine.run()

    def statuses(self):
        lines = self.plan.read_text("utf-8").split("\n")
        cells = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| T-")]
        return {row[1]: row[-2] for row in cells}

    def lines(self):
        """The log without its times."""
        return [line.partition(" · ")[2] for line in self.log.read_text("utf-8").split("\n") if " · " in line]

    def send(self, text, *, age=0):
        """Write the intervention file by hand, `age` seconds ago."""
        self.mail.write_text(text, "utf-8")
        changed = time.time() - age
        os.utime(self.mail, (changed, changed))
