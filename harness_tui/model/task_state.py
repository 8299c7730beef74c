"""The durable counters of a task, `.harness/state/<slug>.json` (formats/harness-kit 1.8)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen


@frozen
class TaskState:
    """Where a task stands by its own counters. `stage` is 1 to 7.

    `rollbacks` is how many rounds were needed beyond the first at each stage, all stages together. `streak` is how
    many of the newest verdicts in a row belong to the current stage: at 3 the task must ask a person. `blocked` is the
    reason for which it waits, or None.
    """

    slug: str
    mode: str
    stage: int
    rollbacks: int
    streak: int
    blocked: str | None
    path: str
