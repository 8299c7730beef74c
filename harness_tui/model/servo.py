"""Everything that `.servo/` says at one moment."""

from __future__ import annotations

from harness_tui.model.frozen import frozen
from harness_tui.model.guard import Guards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.control import Control
    from harness_tui.model.gates import MilestoneGate, WorktrackGate
    from harness_tui.model.handback import Handback
    from harness_tui.model.inconsistency import Inconsistency
    from harness_tui.model.milestone import Index, Milestone
    from harness_tui.model.problem import Problem


@frozen
class Servo:
    """The control loop of a workspace. `present` is False when there is no `.servo/`.

    `worktracks` begins with the current worktrack, then the newest; `milestones` with the active one. `milestone_gates`
    are those of `milestones`, in their order. `stale` names files whose last good reading is shown; `inconsistencies`
    are among the problems, too. `guards` is empty until the guards were asked.
    """

    present: bool = False
    handback: Handback | None = None
    control: Control | None = None
    worktracks: tuple[WorktrackGate, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    backlog: Index | None = None
    history: Index | None = None
    worktrack_backlog: Index | None = None
    problems: tuple[Problem, ...] = ()
    stale: tuple[str, ...] = ()
    inconsistencies: tuple[Inconsistency, ...] = ()
    guards: Guards = Guards()

    @property
    def milestone_gates(self) -> tuple[MilestoneGate, ...]:
        """The gates of all milestones, the active one first."""
        return tuple(milestone.gate for milestone in self.milestones)
