"""What a task's status really is: several witnesses, one answer (CONTRACT rules 1 and 2, formats/harness-kit 2.5).

The plan is often stale, the log may be rewritten, a delivery document may promise what it does not prove. Each is
asked, all answers are kept as evidence, and where they differ the worse reading counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.model.pool import Evidence, Source, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.board import BoardRow
    from harness_tui.model.feature import Feature
    from harness_tui.model.log import LogEntry, TaskLog
    from harness_tui.model.pool import PlanRow
    from harness_tui.model.report import ReportRow
    from harness_tui.model.task_state import TaskState

OPEN_RESULTS: Final[frozenset[Status]] = frozenset({"failed", "blocked", "needs-human"})
"""Closing words that leave work to do."""

SETTLED: Final[frozenset[Status]] = frozenset({"done", "skipped"})

_RESULT_STATUS: Final[dict[str, Status]] = {
    "delivered": "done",
    "failed": "failed",
    "blocked": "blocked",
    "needs-human": "needs-human",
    "skipped": "skipped",
}
_NAMED: Final[tuple[tuple[str, Status], ...]] = (
    ("NOT DELIVERED", "unknown"),
    ("DELIVERED", "done"),
    ("DONE", "done"),
    ("GOAL ACHIEVED", "done"),
    ("NEEDS-HUMAN", "needs-human"),
    ("NEEDS HUMAN", "needs-human"),
    ("BLOCKED: NEEDS-HUMAN", "needs-human"),
    ("BLOCKED", "blocked"),
    ("FAILED", "failed"),
    ("SKIPPED", "skipped"),
    ("DECLINED", "skipped"),
)


class Witnesses(NamedTuple):
    """Everything besides the plan row that may speak about one task; None where nothing does."""

    feature: Feature | None = None
    log: TaskLog | None = None
    log_path: str = ""
    board: BoardRow | None = None
    board_path: str = ""
    report: ReportRow | None = None
    report_path: str = ""
    state: TaskState | None = None


@dataclass(frozen=True, slots=True)
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
    status, source = _decide(row, says, witnesses)
    closing = {say for origin, say in says.items() if origin in ("delivery", "log") and say in OPEN_RESULTS | SETTLED}
    drift = row.status != status or bool(closing - {status})
    return Judgement(status, source, drift, evidence)


def word_status(text: str) -> Status:
    """The status that a verdict cell such as `DELIVERED (v0.3, 1 rollback)` means; `unknown` for other words."""
    plain = text.strip(" *`~").upper()
    return next((status for word, status in _NAMED if plain.startswith(word)), "unknown")


def log_status(log: TaskLog) -> tuple[Status, LogEntry] | None:
    """What the last event of a task in its log means, and that event: a dispatch after the last result is open."""
    dispatch, result = log.dispatch, log.result
    if dispatch is not None and (result is None or dispatch.line > result.line):
        return "in-progress", dispatch
    if result is not None:
        return _RESULT_STATUS.get(result.kind, "unknown"), result
    return None


def _decide(row: PlanRow, says: Mapping[Source, Status], witnesses: Witnesses) -> tuple[Status, Source]:
    plan, delivery, log = row.status, says.get("delivery"), says.get("log")
    if plan == "skipped":
        return plan, "plan"
    if delivery in OPEN_RESULTS:
        return delivery, "delivery"
    if log in OPEN_RESULTS and plan not in OPEN_RESULTS and not (plan == "done" and delivery == "done"):
        return log, "log"
    if delivery == "done" and not _started_again(plan, log, witnesses):
        return "done", "delivery"
    if plan == "done" or plan in OPEN_RESULTS:
        return plan, "plan"
    for source in ("log", "board", "report"):
        if says.get(source) in SETTLED:
            return says[source], source
    if says.get("state") == "blocked":
        return "blocked", "state"
    if plan == "in-progress":
        return plan, "plan"
    if log == "in-progress" and not row.malformed:
        return log, "log"
    if delivery == "skipped" and plan != "in-progress":
        return delivery, "delivery"
    return plan, "plan"


def _started_again(plan: Status, log: Status | None, witnesses: Witnesses) -> bool:
    """Whether work began anew after the delivery document was written, so that it proves nothing about now."""
    feature = witnesses.feature
    if feature is not None and feature.superseded:
        return plan != "done"
    again = log == "in-progress" and witnesses.log is not None and witnesses.log.result is not None
    return again and plan == "in-progress"


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
