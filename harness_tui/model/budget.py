"""The interrupt budget of an epic: how often a person may still be asked (formats/interrupt-budget 1, 3)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    BudgetState = Literal["ok", "exhausted", "inconsistent", "unreadable"]
    TotalSource = Literal["risk", "config", "state", ""]


@frozen
class Spend:
    """One unit that was spent, as the state file recorded it. `at` is None when it gives no time with a zone."""

    at: datetime | None
    stage: str
    packet_id: str


@frozen
class StageLimit:
    """What is meant to be spent in a stage: `least` to `most` units, None where no rule names the stage.

    Advice only: nothing stops a unit from being spent elsewhere. `spent` counts the recorded history, which may be
    shorter than what was used.
    """

    stage: str
    least: int | None
    most: int | None
    spent: int = 0


@frozen
class Numbers:
    """The three numbers as a state file holds them; None where one is absent.

    `damage` says in words why they can't be taken at their word (a fraction, text, a negative number …). `remaining`
    may be negative: an overspent budget is stored that way. `old_shape` when the budget is a bare number.
    """

    total: int | None = None
    consumed: int | None = None
    remaining: int | None = None
    damage: str = ""
    old_shape: bool = False
    history: tuple[Spend, ...] = ()


@frozen
class Budget:
    """The budget of one epic.

    `total`, `consumed` and `remaining` are what the file says, None where it does not. `left` is what may still be
    spent: the smaller of `remaining` and `total - consumed`, never below 0, and 0 when unreadable. `why` puts the
    state in words. `stale` when the file is damaged at the moment and this is its last good reading.

    `total_source` says where the total comes from: the table by risk, `config.json`, or only the state file itself.
    `epic_risk` is the risk level of the epic's own file when it names another one, else empty.
    """

    epic_id: str
    path: str
    risk_level: str
    stage: str
    total: int | None
    consumed: int | None
    remaining: int | None
    left: int
    consistent: bool
    state: BudgetState
    why: str
    history: tuple[Spend, ...] = ()
    limits: tuple[StageLimit, ...] = ()
    total_source: TotalSource = ""
    stale: bool = False
    updated_at: datetime | None = None
    title: str = ""
    epic_risk: str = ""
    old_shape: bool = False
