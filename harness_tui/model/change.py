"""A difference between two snapshots."""

from __future__ import annotations

from typing import Literal

from harness_tui.model.frozen import frozen

ChangeKind = Literal[
    "pool-added", "pool-removed", "task-added", "task-removed", "task-status", "task-stage", "task-edited",
    "task-gate", "log", "stream", "git", "intervention", "sent", "verify", "inbox-added", "inbox-removed", "problem",
    "problem-gone", "ambient", "budget", "decision", "lock", "gate", "unknown", "blocker", "plan", "control",
]  # fmt: skip


@frozen
class Change:
    """One change. `before` and `after` are short texts (a status word, a stage, a title); `title` says it in words."""

    kind: ChangeKind
    title: str
    pool_id: str | None = None
    task_id: str | None = None
    before: str | None = None
    after: str | None = None
    path: str | None = None
    line: int | None = None
