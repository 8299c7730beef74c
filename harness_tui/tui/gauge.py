"""A budget as cells and as words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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


def budget_words(budget: Budget) -> str:
    """What is left, in words: `2 of 3 left`, `0 left, unreadable`."""
    total = f" of {budget.total}" if budget.total is not None else ""
    state = "" if budget.state == "ok" else f", {budget.state}"
    return f"{budget.left}{total} left{state}"
