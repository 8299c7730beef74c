"""Files of an epic, and all epics of a workspace together (formats/interrupt-budget 1)."""

from __future__ import annotations

from harness_tui.model.budget import Numbers
from harness_tui.model.frozen import field, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.budget import Budget
    from harness_tui.model.decision import Decision, Packet, Question
    from harness_tui.model.problem import Problem
    from harness_tui.model.unknown import Unknown


@frozen
class EpicState:
    """`state.json` of a feature folder. `unreadable` says why nothing could be read."""

    path: str
    stage: str = ""
    risk_level: str = ""
    numbers: Numbers = field(default_factory=Numbers)
    pending: tuple[Question, ...] = ()
    updated_at: datetime | None = None
    unreadable: str = ""
    problems: tuple[Problem, ...] = ()


@frozen
class EpicRecord:
    """`epics/<epic>.json`: title, stage, risk level at creation. Its copy of the budget is never kept up to date."""

    path: str
    title: str = ""
    risk_level: str = ""
    stage: str = ""
    unreadable: str = ""
    problems: tuple[Problem, ...] = ()


@frozen
class EpicConfig:
    """`config.json`: the total that new epics get instead of the one by risk, None when it sets none."""

    path: str
    interrupt_budget: int | None = None
    unreadable: str = ""
    problems: tuple[Problem, ...] = ()


@frozen
class Epics:
    """Budgets, questions and unknowns of all epics, by epic.

    `assumptions` are tasks that carry the ASSUMPTION sign. A budget is there for every epic and every feature folder,
    `unreadable` when it has no state.
    """

    budgets: tuple[Budget, ...] = ()
    packets: tuple[Packet, ...] = ()
    decisions: tuple[Decision, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    assumptions: tuple[Unknown, ...] = ()
    problems: tuple[Problem, ...] = ()
