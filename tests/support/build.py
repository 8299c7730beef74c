"""Builders for model objects: a test names only what it is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from harness_tui.model.board import Board, BoardRow
from harness_tui.model.document import Delivery, StageDoc, Verdict
from harness_tui.model.feature import Feature
from harness_tui.model.log import Log, LogEntry, TaskLog
from harness_tui.model.pool import Evidence, Plan, PlanRow, Pool, Task
from harness_tui.model.report import NeedsInput, Report, ReportRow
from harness_tui.model.snapshot import Snapshot
from harness_tui.model.stream import Lease
from harness_tui.model.task_state import TaskState
from harness_tui.rules.frontier import with_frontier
from harness_tui.rules.pools import PoolInputs, PoolJudge

NOW = datetime(2027, 3, 9, 12, 0, tzinfo=UTC)
FOLDER = "docs/batches/mill"
PLAN = f"{FOLDER}/BATCH_PLAN.md"
LOG = f"{FOLDER}/STREAM_LOG.md"
REPORT = f"{FOLDER}/STREAM_REPORT.md"
LOCK = ".harness/stream.lock"


def ago(**length):
    """The moment that long before `NOW`; negative lengths lie ahead."""
    return NOW - timedelta(**length)


def row(task_id="T-01", status="pending", needs=(), *, slug=None, text=None, line=None, **cells):
    """A plan row; `needs` are the ids that it depends on. The line is made of the number in the id."""
    digits = "".join(char for char in task_id if char.isdigit())
    line = line if line is not None else 10 + int(digits or 0)
    needs = (needs,) if isinstance(needs, str) else tuple(needs)
    base = PlanRow(
        task_id, slug or f"slug-{task_id.lower()}", f"Goal of {task_id}", "full", needs, ", ".join(needs) or "—",
        status, text if text is not None else status, line,
    )  # fmt: skip
    return base._replace(**cells)


def plan(*rows, problems=(), table=True, notes=()):
    return Plan(PLAN, "Mill pool", tuple(rows), tuple(notes), table=table, problems=tuple(problems))


def entry(line, kind, task_id=None, *, at=None, day=None, text=None, **values):
    """A log line. `day` stands for a line that gives a date and no time of day."""
    at_text = day or (at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else "")
    words = text if text is not None else f"{task_id or 'run'} {kind}"
    return LogEntry(line, at, at_text, "day" if day else "second" if at else "none", task_id, kind, words, **values)


_RESULTS = ("delivered", "failed", "blocked", "needs-human", "skipped")


def log_of_entries(*entries, modified_at=None, path=LOG, rollbacks=None, pool_id="mill"):
    """The facts of a log with these lines, in their order."""
    tasks: dict[str, TaskLog] = {}
    for item in entries:
        if item.task_id is None:
            continue
        known = tasks.get(item.task_id, TaskLog(rollbacks=rollbacks))
        known = replace(known, last=item)
        if item.kind == "dispatch":
            known = replace(known, dispatch=item, attempts=known.attempts + 1)
        elif item.kind in _RESULTS:
            known = replace(known, result=item)
        tasks[item.task_id] = known
    dated = [item.at for item in entries if item.at is not None]
    runs = [item for item in entries if item.task_id is None and item.kind in ("run", "exit", "stop")]
    gates = [item for item in entries if item.kind == "regression-gate"]
    return Log(
        pool_id, path, len(entries), dated[0] if dated else None, dated[-1] if dated else None,
        entries[-1] if entries else None, modified_at=modified_at, tasks=tasks, run=runs[-1] if runs else None,
        gate=gates[-1] if gates else None,
    )  # fmt: skip


def task_log(*kinds, slug="", rollbacks=None):
    """The log of one task, T-01, whose lines are of these kinds from line 1 on."""
    entries = [entry(line, kind, "T-01", slug=slug if kind == "dispatch" else "") for line, kind in enumerate(kinds, 1)]
    return log_of_entries(*entries, rollbacks=rollbacks).tasks["T-01"]


def delivery(says="done", word=None, *, path="docs/features/slug-t-01/07_DELIVERY.md", rollbacks=None):
    words = word or {"done": "DELIVERED"}.get(says, says.upper())
    return Delivery(path, says, Verdict(words, words, path, 20), 20, words, rollbacks=rollbacks)


def stage_doc(stage, verdict=None, *, folder="docs/features/slug-t-01"):
    path = f"{folder}/0{stage}_DOC.md"
    return StageDoc(path, stage, Verdict(verdict, verdict, path, 9) if verdict else None)


def feature(
    delivered=None, *documents, slug="slug-t-01", superseded=False, archived=False, modified_at=None, folder=None
):
    home = folder or (f"docs/features/_archived/{slug}" if archived else f"docs/features/{slug}")
    return Feature(slug, home, archived, tuple(documents), delivered, superseded, modified_at)


def board_row(says, *, slug="slug-t-01", active=False, line=5):
    return BoardRow("T-900", slug, says, says.capitalize(), line, active)


def board(*rows):
    return Board.of("docs/tasks.md", tuple(rows))


def report(*rows, needs=(), stop_reason=""):
    return Report(REPORT, tuple(needs), tuple(rows), stop_reason=stop_reason)


def report_row(task_id="T-01", verdict="DELIVERED", slug=None, line=30):
    return ReportRow(task_id, slug or f"slug-{task_id.lower()}", verdict, line)


def need(task_id="T-01", ask="Which colour?", *, slug="", line=4, unblock=""):
    return NeedsInput(task_id, slug, "", ask, unblock, REPORT, line)


def state(*, slug="slug-t-01", stage=4, rollbacks=0, blocked=None):
    return TaskState(slug, "full", stage, rollbacks, 1, blocked, f".harness/state/{slug}.json")


def inputs(*, features=(), log=None, boards=(), told=None, states=()):
    return PoolInputs(
        {item.slug: item for item in features}, log, tuple(boards), told, {item.slug: item for item in states}
    )


def pool_of(*rows, running=False, problems=(), table=True, notes=(), **witnesses) -> Pool:
    """The judged pool `mill` with its frontier."""
    judged = PoolJudge("mill", "stream").judge(
        plan(*rows, problems=problems, table=table, notes=notes), inputs(**witnesses)
    )
    return with_frontier(judged, running=running)


def by_id(pool: Pool) -> dict[str, Task]:
    return {task.id: task for task in pool.tasks}


def evidence(task: Task, source) -> Evidence:
    return next(item for item in task.evidence if item.source == source)


def lease(*, alive=False, pool_id="mill", why="process 77 is gone", started_at=None):
    return Lease(LOCK, 77, "mill-host", pool_id, started_at, alive, why)


def snapshot(*pools, **parts) -> Snapshot:
    return Snapshot("/mill", parts.pop("generated_at", NOW), pools=tuple(pools), **parts)
