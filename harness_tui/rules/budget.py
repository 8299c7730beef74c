"""What an interrupt budget allows (CONTRACT rules 1, 6; formats/interrupt-budget 3).

The smaller number counts, an unreadable one allows nothing, and the total is never changed by anything but a person.
"""

from __future__ import annotations

from collections import Counter

from harness_tui.model.budget import Budget, StageLimit
from harness_tui.model.problem import Problem
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from harness_tui.model.budget import BudgetState, Numbers, Spend, TotalSource
    from harness_tui.model.epic import EpicRecord, EpicState

TOTAL_BY_RISK: Final[Mapping[str, int]] = {"low": 1, "medium": 2, "high": 3}
STAGES: Final = ("CLARIFY", "SPEC", "PLAN", "EXECUTE")
"""Stages for which the number of interruptions is laid down; in the last one there is to be none."""

_LIMITS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "low": ((0, 1), (0, 0), (0, 0), (0, 0)),
    "medium": ((1, 1), (0, 1), (0, 0), (0, 0)),
    "high": ((1, 2), (1, 1), (0, 1), (0, 0)),
}


class Judgement(NamedTuple):
    """What the numbers come to: units that are left, whether they agree, the state, and the state in words."""

    left: int
    consistent: bool
    state: BudgetState
    why: str


def judge(numbers: Numbers) -> Judgement:
    """What may still be spent. Only `remaining` may be absent; it then follows from the other two."""
    total, consumed, remaining = numbers.total, numbers.consumed, numbers.remaining
    if numbers.damage:
        return _unreadable(numbers.damage)
    if total is None or consumed is None:
        missing = [name for name, value in (("total", total), ("consumed", consumed)) if value is None]
        return _unreadable(f"{' and '.join(missing)} {'are' if len(missing) > 1 else 'is'} missing")
    rest = total - consumed
    left = max(0, rest if remaining is None else min(rest, remaining))
    if rest < 0:
        return Judgement(left, consistent=False, state="inconsistent", why=f"overspent: {consumed} of {total} used")
    if remaining is not None and remaining != rest:
        why = f"{consumed} of {total} used would leave {rest}, but {remaining} is recorded as left: the smaller counts"
        return Judgement(left, consistent=False, state="inconsistent", why=why)
    if left == 0:
        return Judgement(left, consistent=True, state="exhausted", why=f"{consumed} of {total} used, nothing is left")
    return Judgement(left, consistent=True, state="ok", why=f"{left} of {total} left")


def checked(numbers: Numbers) -> tuple[int, int, int] | None:
    """Total, consumed and remaining as `budget check` tells them; None when they can't be told.

    What remains is the smaller of the two ways to get it, and negative when overspent. A budget without a total has
    none: an empty object is 0 of 0.
    """
    if numbers.damage or (numbers.total is not None and numbers.consumed is None):
        return None
    total, consumed = numbers.total or 0, numbers.consumed or 0
    rest = total - consumed
    return total, consumed, rest if numbers.remaining is None else min(rest, numbers.remaining)


def stage_limits(risk: str, history: Sequence[Spend]) -> tuple[StageLimit, ...]:
    """Advice and recorded spending by stage: the four of the table, then others in which something was spent."""
    spent = Counter(spend.stage for spend in history)
    row = _LIMITS.get(risk)
    known = []
    for index, stage in enumerate(STAGES):
        least, most = row[index] if row else (None, None)
        known.append(StageLimit(stage, least, most, spent.pop(stage, 0)))
    others = [StageLimit(stage, None, None, count) for stage, count in sorted(spent.items())]
    return (*(known if row or history else ()), *others)


def budget_of(
    epic_id: str,
    path: str,
    state: EpicState | None,
    record: EpicRecord | None = None,
    *,
    configured: int | None = None,
    stale: bool = False,
) -> Budget:
    """The budget of an epic; `path` is where its state is, or would be. Unreadable without a state.

    `configured` is the total that the configuration gives to new epics.
    """
    title, recorded_risk, stage = (record.title, record.risk_level, record.stage) if record is not None else ("",) * 3
    if state is None or state.unreadable:
        why = f"state.json can't be read: {state.unreadable}" if state is not None else "there is no state.json"
        found = _unreadable(why)
        return Budget(epic_id, path, recorded_risk, stage, None, None, None, *found, title=title)
    numbers, risk = state.numbers, state.risk_level or recorded_risk
    found = judge(numbers)
    return Budget(
        epic_id=epic_id,
        path=path,
        risk_level=risk,
        stage=state.stage or stage,
        total=numbers.total,
        consumed=numbers.consumed,
        remaining=numbers.remaining,
        left=found.left,
        consistent=found.consistent,
        state=found.state,
        why=f"{found.why} (last good reading: the file is damaged or half written now)" if stale else found.why,
        history=numbers.history,
        limits=stage_limits(risk, numbers.history),
        total_source=_source(numbers.total, risk, configured),
        stale=stale,
        updated_at=state.updated_at,
        title=title,
        epic_risk=recorded_risk if recorded_risk != risk else "",
        old_shape=numbers.old_shape,
    )


def budget_problems(budget: Budget) -> tuple[Problem, ...]:
    """What a person should know or mend. An unreadable state file has a problem of its own."""
    found: list[tuple[str, str]] = []
    if budget.state == "inconsistent":
        overrun = budget.total is not None and budget.consumed is not None and budget.consumed > budget.total
        code = "budget-overrun" if overrun else "budget-mismatch"
        found.append((code, f"the interrupt budget does not add up: {budget.why}; only a person may set it right"))
    if budget.old_shape:
        found.append(("legacy-budget-shape", "the budget is kept in an older shape: a number beside interrupts_used"))
    usual = TOTAL_BY_RISK.get(budget.risk_level)
    if budget.total_source == "state" and usual is not None:
        message = f"the total is {budget.total}, at risk {budget.risk_level} it is {usual}; it stays as it is"
        found.append(("risk-total-mismatch", message))
    if budget.epic_risk:
        message = f"the state says risk {budget.risk_level or 'unknown'}, the epic's own file {budget.epic_risk}"
        found.append(("risk-differs", message))
    if budget.consumed is not None and len(budget.history) > budget.consumed:
        message = f"the history records {len(budget.history)} as spent, but {budget.consumed} as consumed"
        found.append(("budget-history", message))
    severe = ("budget-overrun", "budget-mismatch", "budget-history")
    return tuple(Problem(budget.path, None, "warning" if code in severe else "info", code, say) for code, say in found)


def _unreadable(why: str) -> Judgement:
    return Judgement(0, consistent=False, state="unreadable", why=why)


def _source(total: int | None, risk: str, configured: int | None) -> TotalSource:
    if total is None:
        return ""
    if total == TOTAL_BY_RISK.get(risk):
        return "risk"
    return "config" if total == configured else "state"
