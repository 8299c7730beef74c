"""What the engine hands to a worker, what it hears while the worker is busy, and how the work ended."""

from datetime import datetime
from typing import Literal

from harness_tui.model.frozen import frozen

Outcome = Literal["delivered", "failed", "blocked", "needs-human", "hard-stop", "cancelled"]
"""`hard-stop` is one of the triggers of formats/hard-stop 3; `cancelled` says that the engine ended the work."""

DoingKind = Literal["started", "tool", "said", "step", "denied", "usage", "quiet", "noise", "ended"]


@frozen
class Assignment:
    """One row given to a worker (formats/harness-kit 1.11 d)."""

    pool_id: str
    task_id: str
    slug: str
    goal: str
    mode: str
    notes: tuple[str, ...] = ()
    """Texts of NOTE interventions that were claimed before this dispatch, oldest first."""
    deferred_human: str = ""
    """The line that tells the worker to defer what needs a person, empty when it may ask (rule 7)."""


@frozen
class Doing:
    """One thing that a worker did or said; a figure it did not give is null, never invented.

    `since` is when it began, where that is known: of `quiet` the last sign of life.
    """

    kind: DoingKind
    text: str = ""
    tool: str | None = None
    path: str | None = None
    step: int | None = None
    steps: int | None = None
    cost_usd: float | None = None
    tokens: int | None = None
    since: datetime | None = None


@frozen
class Result:
    """How an assignment ended."""

    outcome: Outcome
    reason: str = ""
    """One line for the log and the operator; for `needs-human` what is asked of the person."""
    trigger: str | None = None
    """For `hard-stop`: the trigger of formats/hard-stop 3."""
    signature: str | None = None
    guard_blocked: bool = False
    """A destructive command was attempted and refused by a guard: the stream halts (formats/harness-kit 1.11)."""
    tried: str = ""
    needed: str = ""
    exit_code: int | None = None
    raw_path: str | None = None
    """Where the raw output of the worker is kept, relative to the root."""
