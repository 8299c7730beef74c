"""Which row of a pool a look at it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.pool import Task


def of_interest(tasks: Sequence[Task]) -> int:
    """Index of what runs, else of what asks, else of what may run; 0 where there is none of these."""
    rank = {"in-progress": 0, "needs-human": 1, "failed": 2, "pending": 3}
    places = [(rank[task.effective_status], index) for index, task in enumerate(tasks) if task.effective_status in rank]
    return min(places, default=(0, 0))[1]
