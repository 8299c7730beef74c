"""A pool that people, the engine and signals change at the same time, against a plain reference.

The engine runs in a thread and stands still whenever its worker has a task; then the machine edits, sends signals, and
says how the task ends. The reference says which row comes next, and what the plan holds.
"""

from __future__ import annotations

import queue
import tempfile
import threading
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.runs import Mill

from harness_tui.formats.mailbox import new_signal
from harness_tui.workspace import mailbox

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
OPEN = ("failed", "blocked", "needs-human")
OUTCOMES = {"delivered": "done", "failed": "failed", "blocked": "blocked", "needs-human": "needs-human"}


class Row:
    def __init__(self, task_id, needs, status="pending", slug=None):
        self.id, self.needs, self.status = task_id, needs, status
        self.slug = slug or f"slug-{task_id.lower()}"
        self.tried = False


class Reference:
    """What should happen, in the plainest words."""

    def __init__(self, rows):
        self.rows = rows
        self.signals = []

    def row(self, task_id):
        return next((row for row in self.rows if row.id == task_id), None)

    def ready(self):
        met = {row.id for row in self.rows if row.status == "done"}
        for row in self.rows:
            if row.status in ("pending", "in-progress", *OPEN) and not row.tried and set(row.needs) <= met:
                return row
        return None

    def block(self, task_id):
        for row in self.rows:
            if task_id in row.needs:
                if row.status == "pending":
                    row.status = "blocked"
                    self.block(row.id)
                elif row.status != "done":
                    self.block(row.id)

    def heed(self):
        """Act on the signals; whether there is a STOP."""
        stop = False
        for keyword, name in self.signals:
            if keyword == "STOP":
                stop = True
            elif keyword == "ADD" and name not in [row.slug for row in self.rows]:
                number = max(int(row.id[2:]) for row in self.rows) + 1
                self.rows.append(Row(f"T-{number:02}", [], slug=name))
            elif keyword == "SKIP" and (row := self.row(name)) is not None and row.status not in ("done", "skipped"):
                row.status = "skipped"
        self.signals = []
        return stop


class Turns:
    """A worker that stands still until it is told how its task ends."""

    def __init__(self):
        self.begun = queue.SimpleQueue()
        self.ends = queue.SimpleQueue()

    def run(self, assignment, *, root, cancel, heard, born):
        from harness_tui.model.work import Result

        self.begun.put(assignment.task_id)
        return Result(self.ends.get(timeout=20), "as the machine says")


class Machine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.thread = None
        self.now = None
        self.end = []
        self.number = 0

    @initialize(
        count=st.integers(2, 7),
        needs=st.lists(st.integers(0, 6), min_size=7, max_size=7),
        statuses=st.lists(st.sampled_from(["pending"] * 3 + ["done", "failed", "skipped"]), min_size=7, max_size=7),
    )  # fmt: skip
    def start(self, count, needs, statuses):
        rows = []
        for number in range(count):
            wanted = [f"T-{needs[number]:02}"] if needs[number] < number else []
            rows.append(Row(f"T-{number:02}", wanted, statuses[number]))
        self.reference = Reference(rows)
        self.mill = Mill(Path(self.folder.name), *((row.id, ", ".join(row.needs), row.status) for row in rows))
        self.turns = Turns()

        def drain():
            self.end.append(self.mill.run(self.turns))
            self.turns.begun.put(None)

        self.thread = threading.Thread(target=drain, daemon=True)
        self.thread.start()
        self.expect(stop=False)

    def expect(self, *, stop):
        """The engine has come to its next task or its end: just as the reference says."""
        got = self.turns.begun.get(timeout=20)
        wanted = None if stop else self.reference.ready()
        assert got == (wanted.id if wanted else None)
        self.now = wanted
        if wanted is None:
            self.thread.join(20)
            for row in self.reference.rows if not stop else ():
                if row.status in OPEN:
                    self.reference.block(row.id)
            assert self.end[0].code == (
                5 if stop else int(any(r.status not in ("done", "skipped") for r in self.reference.rows))
            )
            assert self.statuses() == {row.id: row.status for row in self.reference.rows}
        else:
            wanted.status, wanted.tried = "in-progress", True

    def statuses(self):
        return {name: cell.split(" (")[0] for name, cell in self.mill.statuses().items()}

    def running(self):
        return self.now is not None

    @precondition(running)
    @rule(outcome=st.sampled_from([*OUTCOMES, "delivered", "delivered"]))
    def finish(self, outcome):
        row = self.now
        self.turns.ends.put(outcome)
        if row in self.reference.rows and row.status == "in-progress":
            row.status = OUTCOMES[outcome]
            if row.status in OPEN:
                self.reference.block(row.id)
        self.expect(stop=self.reference.heed())

    @rule()
    def nothing(self):
        """So that there is a step when the run has ended."""

    @precondition(running)
    @rule(keyword=st.sampled_from(["ADD", "SKIP", "STOP", "NOTE", "ADD", "SKIP"]), pick=st.integers(0, 9))
    def signal(self, keyword, pick):
        self.number += 1
        name = {"ADD": f"new-{pick}", "SKIP": f"T-{pick:02}"}.get(keyword, "")
        mailbox.send(self.mill.root, new_signal(keyword, name, f"number {self.number}"))
        if keyword == "STOP":
            self.reference.signals.insert(0, (keyword, name))
        else:
            self.reference.signals.append((keyword, name))

    def edit(self, change):
        text = self.mill.plan.read_text("utf-8")
        fresh = self.mill.plan.with_name("fresh")
        fresh.write_text(change(text), "utf-8")
        fresh.replace(self.mill.plan)

    @precondition(running)
    @rule(needs=st.integers(0, 9))
    def add_by_hand(self, needs):
        number = max(int(row.id[2:]) for row in self.reference.rows) + 1
        wanted = [f"T-{needs:02}"] if self.reference.row(f"T-{needs:02}") else []
        row = Row(f"T-{number:02}", wanted)
        line = f"| {row.id} | {row.slug} | By hand. | full | {', '.join(wanted) or '—'} | pending |\n"
        self.edit(lambda text: text.replace("\n\n## Notes", f"\n{line}\n## Notes"))
        self.reference.rows.append(row)

    @precondition(running)
    @rule(pick=st.integers(0, 9), status=st.sampled_from(["skipped", "done", "wip", "skipped (by hand)"]))
    def set_by_hand(self, pick, status):
        row = self.reference.row(f"T-{pick:02}")
        if row is None or row.status not in ("pending", "in-progress") or (row is self.now and status != "skipped"):
            return

        def change(text):
            lines = text.split("\n")
            for number, line in enumerate(lines):
                if line.startswith(f"| {row.id} |"):
                    lines[number] = line.rstrip(" |").rpartition("|")[0] + f"| {status} |"
            return "\n".join(lines)

        self.edit(change)
        row.status = status.split(" (")[0]

    @precondition(running)
    @rule(pick=st.integers(0, 9))
    def reword(self, pick):
        self.number += 1
        self.edit(lambda text: text.replace(f"Goal of T-{pick:02}.", f"Goal of T-{pick:02}. Number {self.number}!"))

    @invariant()
    def nothing_but_its_own_cells(self):
        if self.thread is not None and self.now is not None:
            assert list(self.mill.statuses()) == [row.id for row in self.reference.rows]

    def teardown(self):
        while self.thread is not None and self.thread.is_alive():
            self.turns.ends.put("failed")
            self.thread.join(0.05)
        self.folder.cleanup()


Machine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
)
test_people_engine_and_signals = Machine.TestCase
