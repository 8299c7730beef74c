"""A pool of tasks: what the plan file says, and what all witnesses together say."""

from __future__ import annotations

from harness_tui.model.frozen import field, frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    from harness_tui.model.document import TaskGates
    from harness_tui.model.problem import Problem
    from harness_tui.model.report import NeedsInput

    Status = Literal["pending", "in-progress", "done", "failed", "blocked", "needs-human", "skipped", "unknown"]
    ShownStatus = Status | Literal["interrupted"]
    """As it is shown: `interrupted` is what is in progress by the files though the run that was at it is over."""
    PoolKind = Literal["stream", "batch"]
    Source = Literal["plan", "delivery", "log", "board", "report", "state"]

STATUSES: tuple[Status, ...] = (
    "pending", "in-progress", "done", "failed", "blocked", "needs-human", "skipped", "unknown",
)  # fmt: skip


class PlanRow(NamedTuple):
    """One row of the plan's task table. A named tuple: ten thousand are made and compared in a few milliseconds.

    `depends_on` holds the ids found in `depends_text`, in their order and unresolved; text that is neither an id,
    a separator, a bracketed remark nor an empty mark is reported by the parser. `status` is a known word only when
    the cell starts with one (formats/harness-kit 1.1, P1); `status_text` is the whole cell. `malformed` rows have
    the wrong number of cells: id and slug are trustworthy, everything else is left empty and `unknown`.
    """

    id: str
    slug: str
    goal: str
    mode: str
    depends_on: tuple[str, ...]
    depends_text: str
    status: Status
    status_text: str
    line: int
    malformed: bool = False


class Note(NamedTuple):
    """A bullet or paragraph of the plan's Notes, with the line on which it starts."""

    line: int
    text: str


@frozen
class Plan:
    """`BATCH_PLAN.md` as it stands, before any other witness is asked (formats/harness-kit 1.1).

    `table` is False when no task table was found: such a pool is unreadable, never empty.
    """

    path: str
    title: str = ""
    rows: tuple[PlanRow, ...] = ()
    notes: tuple[Note, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    table: bool = False
    problems: tuple[Problem, ...] = ()


@frozen
class Evidence:
    """One witness of a task's status: `says` is a status word, `text` the file's own words."""

    source: Source
    says: Status
    text: str
    path: str
    line: int | None


@frozen
class Wait:
    """A dependency that is not met: `id` as written in the plan, `why` in words."""

    id: str
    why: str


@frozen
class Task:
    """A row of the plan with everything that other files say about it.

    `effective_status` weighs all witnesses, worst reading first (`rules.status`); `decided_by` names the one that
    won and `drift` says that the plan disagrees. `stage` is 0 to 7, the highest numbered stage document on disk.
    `rollbacks` is None when no file gives a number. `touched_at` is the newest time that a file gives for the task,
    `folder` the feature folder relative to the root, `documents` the names of the stage documents found in it.
    """

    id: str
    slug: str
    goal: str
    mode: str
    depends_on: tuple[str, ...]
    depends_text: str
    status: Status
    status_text: str
    effective_status: Status
    decided_by: Source
    drift: bool
    evidence: tuple[Evidence, ...]
    runnable: bool
    waiting_on: tuple[Wait, ...]
    stage: int
    rollbacks: int | None
    gates: TaskGates
    line: int
    problems: tuple[Problem, ...] = ()
    touched_at: datetime | None = None
    folder: str | None = None
    documents: tuple[str, ...] = ()
    attempts: int = 0

    @property
    def witness(self) -> Evidence | None:
        """What decided the effective status."""
        return next((item for item in self.evidence if item.source == self.decided_by), None)


@frozen
class PoolReport:
    """The pool's last written report: where it is and what it asks of the operator."""

    path: str
    needs_input: tuple[NeedsInput, ...] = ()
    verify: str = ""
    stop_reason: str = ""


@frozen
class Pool:
    """A pool of one repository. `frontier` lists the ids that may run now, in dispatch order.

    `readable` is False when the plan has no task table or could not be read; `stale` when the last good reading is
    shown in its place. `tally` counts effective statuses and adds up to the number of rows.
    """

    id: str
    path: str
    kind: PoolKind
    title: str
    tasks: tuple[Task, ...] = ()
    tally: dict[str, int] = field(default_factory=dict)
    frontier: tuple[str, ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()
    report: PoolReport | None = None
    readable: bool = True
    stale: bool = False
