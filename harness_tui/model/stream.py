"""Whether a stream is running, and how that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.work import Doing

StreamState = Literal["running", "idle", "stopped", "drained", "interrupted", "unknown"]


@frozen
class Lease:
    """The run lock (`formats.lease`). `alive` only when pid, start time and boot all name a living process."""

    path: str
    pid: int | None
    host: str
    pool_id: str
    started_at: datetime | None
    alive: bool
    why: str
    doing: Doing | None = None


@frozen
class Owner:
    """The process that holds the run."""

    pid: int
    host: str


@frozen
class Cause:
    """One link of an explanation, from the claim down to a line of a file."""

    text: str
    path: str | None = None
    line: int | None = None


@frozen
class Stream:
    """State of the stream of one pool. `since` is when the current task or state began, as far as files tell.

    `causes` explains the state, most general first; `why` is the first of them in one sentence. `evidence_at` is the
    newest sign of life. `doing` is what the worker of our own engine is at.
    """

    state: StreamState = "unknown"
    pool_id: str | None = None
    task_id: str | None = None
    since: datetime | None = None
    ambient: bool = False
    owner: Owner | None = None
    why: str = ""
    causes: tuple[Cause, ...] = ()
    evidence_at: datetime | None = None
    doing: Doing | None = None
