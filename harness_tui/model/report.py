"""What a written report asks of the operator (formats/harness-kit 1.3, 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from harness_tui.model.problem import Problem

HARD_STOP: Final = "hard stop"
"""As the stage that raised a question: a row was ended by a hard stop, and its Blocker says what it needs."""


@frozen
class NeedsInput:
    """One question under `Needs your input`. Empty texts where the file gives none."""

    task_id: str
    slug: str
    stage: str
    ask: str
    unblock: str
    path: str
    line: int


@frozen
class ReportRow:
    """One row of the report's task table."""

    task_id: str
    slug: str
    verdict: str
    line: int


@frozen
class Report:
    """`STREAM_REPORT.md` or `BATCH_REPORT.md`; only its newest run counts."""

    path: str
    needs_input: tuple[NeedsInput, ...] = ()
    rows: tuple[ReportRow, ...] = ()
    verify: str = ""
    stop_reason: str = ""
    problems: tuple[Problem, ...] = ()
