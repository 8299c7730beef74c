"""Milestones and worktracks: the files of the single ones, and the lists that name them (formats/servo 1.8)."""

from __future__ import annotations

from harness_tui.model.frozen import field, frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.gates import MilestoneGate
    from harness_tui.model.problem import Problem


class WorktrackRow(NamedTuple):
    """A worktrack as a milestone lists it. `status` is the file's word, empty when it gives none."""

    id: str
    title: str
    status: str
    line: int

    @property
    def completed(self) -> bool:
        """Whether the row counts as completed: done, completed or resolved."""
        return self.status in {"done", "completed", "resolved"}


class Progress(NamedTuple):
    """The counter that the file keeps; None where it gives no number."""

    total: int | None = None
    completed: int | None = None
    blocked: int | None = None
    deferred: int | None = None


@frozen
class Milestone:
    """One milestone file. `priority` is text, as files hold `10.5` and the like; `worktracks` are in file order."""

    id: str
    path: str
    title: str
    purpose: str
    priority: str
    gate: MilestoneGate
    worktracks: tuple[WorktrackRow, ...] = ()
    progress: Progress = field(default_factory=Progress)
    depends_on: tuple[str, ...] = ()
    handback: str = ""
    review: str = ""
    problems: tuple[Problem, ...] = ()


class IndexEntry(NamedTuple):
    """One milestone or worktrack of a list. `status` is the word of the entry, or of the heading above it.

    `unfinished` are the names in it, its own or of worktracks, that are marked `(planned)` or `(active)`.
    """

    id: str
    status: str
    title: str
    line: int
    milestone_id: str = ""
    verdict: str = ""
    kind: str = ""
    unfinished: tuple[str, ...] = ()


@frozen
class Index:
    """A backlog or history. `summary` holds the counts by status that the file itself gives.

    `readable` is False for a file that has text but no entry and does not say that it is empty: it is damaged, and
    must not be taken for an empty list.
    """

    path: str
    entries: tuple[IndexEntry, ...] = ()
    summary: tuple[tuple[str, int], ...] = ()
    readable: bool = True
    problems: tuple[Problem, ...] = ()
