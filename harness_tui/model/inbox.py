"""What waits for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

InboxKind = Literal[
    "decision", "needs-human", "clarification", "blocker", "lock", "gate", "critical-blocked", "budget", "drift",
    "intervention", "problem",
]  # fmt: skip


@frozen
class InboxItem:
    """One thing that needs a person. `urgency` runs from 0 (may wait) to 3 (everything waits for it).

    `unblock` says what settles it, `otherwise` what happens while nobody acts; empty where nothing is known.
    """

    kind: InboxKind
    id: str
    title: str
    path: str
    line: int | None
    since: datetime | None
    urgency: int
    pool_id: str | None = None
    task_id: str | None = None
    unblock: str = ""
    otherwise: str = ""
