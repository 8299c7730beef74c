"""What an epic does not know: its ledger, and the tasks that were built on an assumption."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    from harness_tui.model.problem import Problem

    UnknownState = Literal["open", "resolved", "deferred", "assumed"]


@frozen
class Unknown:
    """One entry of the ledger, or with `task_id` one task that carries the ASSUMPTION sign.

    `critical_blocked` while it is marked CRITICAL-BLOCKED and not resolved. `discovered_at` is the name of a stage.
    `linked_decision` is the id of the question that it stands for.
    """

    epic_id: str
    id: str
    description: str
    impact: str
    state: UnknownState
    critical_blocked: bool
    path: str
    line: int | None = None
    assumption: bool = False
    linked_decision: str | None = None
    discovered_at: str = ""
    classification: str = ""
    resolution: str | None = None
    resolved_at: datetime | None = None
    task_id: str | None = None
    task_status: str = ""


@frozen
class Ledger:
    """`unknowns-ledger.json`. `unreadable` says why nothing could be read."""

    path: str
    entries: tuple[Unknown, ...] = ()
    unreadable: str = ""
    problems: tuple[Problem, ...] = ()
