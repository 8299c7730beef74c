"""A budget as cells and as words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.budget import Budget

GAUGE: Final = 10
"""Cells of the longest gauge."""


def gauge(budget: Budget) -> str:
    """What is left of the total as filled cells, one a unit where that fits: `■■□`; empty without a total."""
    total = budget.total or 0
    if total <= 0:
        return ""
    cells = min(total, GAUGE)
    filled = round(cells * budget.left / total) if total > GAUGE else budget.left
    return "■" * filled + "□" * (cells - filled)


def least_left(budgets: Sequence[Budget]) -> Budget:
    """The budget to be shown where there is room for one: of an epic that goes on, with least left, damaged first."""
    return min(budgets, key=lambda budget: (budget.stage == "DONE", budget.left, budget.state == "ok"))


def whose(epics: int) -> str:
    """Whose the budget with least left is, to be put behind it; empty for a single epic."""
    return f" (lowest of {epics} epics)" if epics > 1 else ""


def budget_words(budget: Budget) -> str:
    """What is left, in words: `2 of 3 left`, `0 left, unreadable`."""
    total = f" of {budget.total}" if budget.total is not None else ""
    state = "" if budget.state == "ok" else f", {budget.state}"
    return f"{budget.left}{total} left{state}"
