"""What a task's status really is: several witnesses, one answer (CONTRACT rules 1 and 2, formats/harness-kit 2.5).

The plan is often stale, the log may be rewritten, a delivery document may promise what it does not prove. Each is
asked, all answers are kept as evidence, and where they differ the worse reading counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import frozen
from harness_tui.model.pool import Evidence
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.board import BoardRow
    from harness_tui.model.feature import Feature
    from harness_tui.model.log import Log, LogEntry, TaskLog
    from harness_tui.model.pool import PlanRow, Source, Status, Task
    from harness_tui.model.report import ReportRow
    from harness_tui.model.task_state import TaskState

OPEN_RESULTS: Final[frozenset[Status]] = frozenset({"failed", "blocked", "needs-human"})
"""Closing words that leave work to do."""

SETTLED: Final[frozenset[Status]] = frozenset({"done", "skipped"})

_CLOSING: Final[tuple[Source, ...]] = ("delivery", "plan", "log")
_SETTLING: Final[tuple[Source, ...]] = ("log", "board", "report")
_AROUND_SLUG: Final = " *`'\",;.)"

_RESULT_STATUS: Final[dict[str, Status]] = {
    "delivered": "done",
    "failed": "failed",
    "blocked": "blocked",
    "needs-human": "needs-human",
    "skipped": "skipped",
}
_NAMED: Final[dict[str, Status]] = {
    "DELIVERED": "done",
    "DONE": "done",
    "EXPLORED": "done",
    "GOAL ACHIEVED": "done",
    "NEEDS-HUMAN": "needs-human",
    "NEEDS HUMAN": "needs-human",
    "BLOCKED: NEEDS-HUMAN": "needs-human",
    "BLOCKED": "blocked",
    "FAILED": "failed",
    "SKIPPED": "skipped",
    "DECLINED": "skipped",
    "IN PROGRESS": "in-progress",
    "IN-PROGRESS": "in-progress",
}
_WORD = regex(rf"({'|'.join(sorted(_NAMED, key=len, reverse=True))})(?![\w-])(?!\s*\?)")


@frozen
class Witnesses:
    """Everything besides the plan row that may speak about one task; None where nothing does."""

    feature: Feature | None = None
    log: TaskLog | None = None
    log_path: str = ""
    board: BoardRow | None = None
    board_path: str = ""
    report: ReportRow | None = None
    report_path: str = ""
    state: TaskState | None = None


@frozen
class Judgement:
    """The status that counts, the witness that decided, all evidence, and whether they differ."""

    status: Status
    source: Source
    drift: bool
    evidence: tuple[Evidence, ...]


def judge(row: PlanRow, plan_path: str, witnesses: Witnesses) -> Judgement:
    """The effective status of `row`. The evidence lists the plan first, then the others in order of weight."""
    evidence = _evidence(row, plan_path, witnesses)
    says: dict[Source, Status] = {item.source: item.says for item in evidence}
    again = _started_again(witnesses.log)
    if _is_old_news(says, witnesses):
        del says["delivery"]
    status, source = _decide(says, witnesses, again=again)
    closing = {say for origin, say in says.items() if origin in ("delivery", "log") and say in OPEN_RESULTS | SETTLED}
    drift = row.status != status or bool(closing - {status}) or (again and status in OPEN_RESULTS)
    return Judgement(status, source, drift, evidence)


def word_status(text: str) -> Status:
    """The status that a verdict cell such as `DELIVERED (v0.3, 1 rollback)` means; `unknown` for other words."""
    match = _WORD.match(text.strip(" *`_").upper())
    return _NAMED[match[1]] if match else "unknown"


def log_status(log: TaskLog) -> tuple[Status, LogEntry] | None:
    """What the last event of a task in its log means, and that event: a dispatch after the last result is open."""
    dispatch, result = log.dispatch, log.result
    if dispatch is not None and (result is None or dispatch.line > result.line):
        return "in-progress", dispatch
    if result is not None:
        return _RESULT_STATUS.get(result.kind, "unknown"), result
    return None


def speaks_of(log: TaskLog, slug: str) -> bool:
    """Whether the log speaks of the task `slug`, not of another that once had its id: its newest slug decides."""
    entries = [entry for entry in (log.dispatch, log.result, log.last) if entry is not None and entry.slug]
    newest = max(entries, key=lambda entry: entry.line, default=None)
    return newest is None or newest.slug.strip(_AROUND_SLUG) == slug


def log_of(log: Log | None, task: Task) -> TaskLog | None:
    """What the log says about `task`; None where its lines are about another task, or nobody knows which one."""
    found = log.tasks.get(task.id) if log is not None else None
    if found is None or not speaks_of(found, task.slug):
        return None
    return None if any(problem.code == "duplicate-id" for problem in task.problems) else found


def _decide(says: Mapping[Source, Status], witnesses: Witnesses, *, again: bool) -> tuple[Status, Source]:
    plan, delivery, log = says["plan"], says.get("delivery"), says.get("log")
    if plan == "skipped":
        return plan, "plan"
    open_results = _open_results(says)
    if open_results and not _outweighed(plan, delivery, log):
        return min(open_results, key=lambda item: item[0] != "needs-human")
    if delivery == "done":
        return "done", "delivery"
    if plan == "done":
        return plan, "plan"
    for source in ("log",) if again else _SETTLING:
        if says.get(source) in SETTLED:
            return says[source], source
    if says.get("state") == "blocked":
        return "blocked", "state"
    board = witnesses.board
    if board is not None and board.active and board.says in OPEN_RESULTS:
        return board.says, "board"
    if "in-progress" in (plan, log):
        return "in-progress", "plan" if plan == "in-progress" else "log"
    if delivery == "skipped":
        return delivery, "delivery"
    return plan, "plan"


def _open_results(says: Mapping[Source, Status]) -> list[tuple[Status, Source]]:
    """The witnesses that call the work closed but not finished, by weight."""
    return [(says[source], source) for source in _CLOSING if says.get(source) in OPEN_RESULTS]


def _outweighed(plan: Status, delivery: Status | None, log: Status | None) -> bool:
    """Whether a delivery that states success has only one witness against it: a stale plan, or an older log line."""
    return delivery == "done" and (plan == "done" or log not in OPEN_RESULTS)


def _started_again(log: TaskLog | None) -> bool:
    """Whether the task was dispatched once more after its last result."""
    return (
        log is not None and log.dispatch is not None and log.result is not None and log.dispatch.line > log.result.line
    )


def _is_old_news(says: Mapping[Source, Status], witnesses: Witnesses) -> bool:
    """Whether the delivery document speaks of an earlier attempt, or of an earlier task of that name.

    After a new dispatch a document that agrees with the result before it is the one that belongs to that result.
    """
    feature, log = witnesses.feature, witnesses.log
    if "delivery" not in says or feature is None:
        return False
    if feature.superseded:
        return True
    if log is None or log.result is None or not _started_again(log):
        return False
    before = _RESULT_STATUS.get(log.result.kind, "unknown")
    return any(says["delivery"] in kind and before in kind for kind in (OPEN_RESULTS, SETTLED))


def _evidence(row: PlanRow, plan_path: str, witnesses: Witnesses) -> tuple[Evidence, ...]:
    found = [Evidence("plan", row.status, row.status_text, plan_path, row.line)]
    delivery = witnesses.feature.delivery if witnesses.feature else None
    if delivery is not None:
        found.append(Evidence("delivery", delivery.says, delivery.text, delivery.path, delivery.line))
    logged = log_status(witnesses.log) if witnesses.log else None
    if logged is not None:
        found.append(Evidence("log", logged[0], logged[1].text, witnesses.log_path, logged[1].line))
    board = witnesses.board
    if board is not None:
        found.append(Evidence("board", board.says, board.text, witnesses.board_path, board.line))
    report = witnesses.report
    if report is not None:
        found.append(
            Evidence("report", word_status(report.verdict), report.verdict, witnesses.report_path, report.line)
        )
    state = witnesses.state
    if state is not None:
        says: Status = "blocked" if state.blocked else "in-progress"
        found.append(Evidence("state", says, state.blocked or f"stage {state.stage}", state.path, None))
    return tuple(found)
