"""A run of our own engine over one pool: what it is asked to do, what it tells, how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from harness_tui.model.frozen import field, frozen

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.report import NeedsInput
    from harness_tui.model.work import Doing

RunEventKind = Literal[
    "started", "said", "signal", "dispatched", "doing", "result", "gate-started", "gate", "waiting", "ended"
]
RunState = Literal["drained", "hard-stop", "first-failure", "cancelled", "write-error"]


@frozen
class RunOptions:
    """How a pool is drained. `pool` None means the default pool, which is made when it is not there.

    `idle` is how many empty ticks of `tick` seconds are waited for more work, `follow` waits without end. `epic` names
    the epic whose interrupt budget counts. `tolerate` FAILs of verify_all are borne; without `gate` it is never run.
    Without `retry`, rows that an earlier run left failed, blocked or needs-human stay as they are.
    """

    pool: str | None = None
    batch: bool = False
    idle: int = 0
    tick: float = 30.0
    follow: bool = False
    epic: str | None = None
    tolerate: int = 0
    gate: bool = True
    gate_limit: float = 3600.0
    retry: bool = True


@frozen
class RunEvent:
    """Something that the run tells. `queue` counts rows by status; `text` is one line for a person.

    `elapsed` are seconds since the dispatch of the task that is meant, `status` the word that its row got.
    """

    kind: RunEventKind
    at: datetime
    text: str
    task_id: str | None = None
    slug: str | None = None
    status: str | None = None
    elapsed: float | None = None
    doing: Doing | None = None
    queue: dict[str, int] = field(default_factory=dict)


@frozen
class RunEnd:
    """How a run ended. `needs` are the questions and hard stops that wait for a person, `tally` counts rows by status.

    `report` is empty when it could not be written.
    """

    state: RunState
    reason: str
    pool_id: str
    tally: dict[str, int]
    needs: tuple[NeedsInput, ...] = ()
    dispatched: int = 0
    passes: int = 0
    report: str = ""
    digest: str = ""

    @property
    def open(self) -> int:
        """Rows that are neither done nor skipped."""
        return sum(count for status, count in self.tally.items() if status not in ("done", "skipped"))

    @property
    def code(self) -> int:
        """The exit code: 0 drained with nothing open, 1 something open, 4 could not write, 5 hard stop, 130 ended."""
        fixed = {"hard-stop": 5, "cancelled": 130, "write-error": 4}
        return fixed.get(self.state, int(bool(self.open or self.needs)))
