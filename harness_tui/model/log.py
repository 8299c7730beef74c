"""The stream log: one event a line, kept as written (formats/harness-kit 1.2, 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from harness_tui.model.frozen import field, frozen

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.problem import Problem

Precision = Literal["second", "minute", "day", "none"]
EntryKind = Literal[
    "run", "dispatch", "delivered", "failed", "blocked", "needs-human", "skipped", "regression-gate", "stop", "exit",
    "note",
]  # fmt: skip


class LogEntry(NamedTuple):
    """One event. `at` is None unless the line gives a time of day; `at_text` is what it gives.

    `text` is the whole line as written, cleaned. `slug`, `stage`, `ask` and `unblock` are filled where the line
    names them (`key=value`).
    """

    line: int
    at: datetime | None
    at_text: str
    precision: Precision
    task_id: str | None
    kind: EntryKind
    text: str
    slug: str = ""
    stage: str = ""
    ask: str = ""
    unblock: str = ""


@frozen
class TaskLog:
    """What a log says about one task id: the last event of each sort, and how often it was dispatched.

    `attempts` counts dispatches; `result` is the last closing event (delivered, failed, blocked, needs-human,
    skipped), `dispatch` the last dispatch, `last` the last event of any kind that carries the id. `rollbacks` is the
    last number given for it.
    """

    attempts: int = 0
    dispatch: LogEntry | None = None
    result: LogEntry | None = None
    last: LogEntry | None = None
    rollbacks: int | None = None


@frozen
class Log:
    """A log's facts; its text is read by the page, never kept.

    `run` is the last event that belongs to no task and opens, pauses, resumes or closes a run; `gate` the last
    regression gate. `partial` is the text of an unfinished last line, not counted as an entry. `restarts` counts how
    often the file was seen to shrink or be replaced by other content while it was watched.
    """

    pool_id: str
    path: str
    entries: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    last: LogEntry | None = None
    problems: tuple[Problem, ...] = ()
    lines: int = 0
    size: int = 0
    modified_at: datetime | None = None
    tasks: dict[str, TaskLog] = field(default_factory=dict)
    run: LogEntry | None = None
    gate: LogEntry | None = None
    baseline: LogEntry | None = None
    partial: str = ""
    restarts: int = 0
    complete: bool = True
