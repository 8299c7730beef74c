"""Which rows may run now, in which order, and what the others wait for (CONTRACT rule 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import replace
from harness_tui.model.pool import Pool, Task, Wait
from harness_tui.rules.status import SETTLED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness_tui.model.pool import PlanRow, Status

BLOCKING_CODES: Final = frozenset(
    {"cell-count", "no-id", "duplicate-id", "duplicate-slug", "invalid-slug", "dependency-ring"}
)
"""Problems of a row that keep it from running until a person has mended the plan."""

_WORDS: Final[dict[Status, str]] = {
    "pending": "has not run yet",
    "in-progress": "is in progress",
    "failed": "failed",
    "blocked": "is blocked",
    "needs-human": "needs your input",
    "skipped": "was skipped, so it will never be done: take it out of Depends on, or un-skip it",
    "unknown": "has a status that is no known word",
}


def waits(
    row: PlanRow, index: Mapping[str, Sequence[int]], status: Callable[[int], Status], rings: Mapping[str, str]
) -> tuple[Wait, ...]:
    """The dependencies of `row` that are not met. Only a row that is effectively done meets one.

    Each `why` continues a sentence that begins with the id. `index` gives the positions of each id, `status` the
    effective status at a position, `rings` the ring of each id that is in one.
    """
    found: list[Wait] = []
    for name in row.depends_on:
        places = index.get(name, ())
        if not places:
            found.append(Wait(name, "is no row of this pool"))
        elif len(places) > 1:
            found.append(Wait(name, f"stands in {len(places)} rows, so it is not clear which one is meant"))
        elif name in rings:
            found.append(Wait(name, f"is in a ring: {rings[name]}"))
        elif status(places[0]) != "done":
            found.append(Wait(name, _WORDS[status(places[0])]))
    return tuple(found)


def with_frontier(pool: Pool, *, running: bool) -> Pool:
    """`pool` with its frontier filled in. Rows left in progress by a run that is over come first."""
    tasks = pool.tasks
    left = [] if running else [task for task in tasks if task.effective_status == "in-progress"]
    interrupted = tuple(task for task in left if _can_go_on(task))
    if interrupted:
        names = {id(task) for task in interrupted}
        tasks = tuple(replace(task, runnable=True) if id(task) in names else task for task in tasks)
    frontier = [task.id for task in interrupted]
    frontier += [task.id for task in tasks if task.runnable and task.effective_status == "pending"]
    return replace(pool, tasks=tasks, frontier=tuple(frontier))


def barred(pool: Pool) -> list[str]:
    """Why open rows can't run before somebody mends the plan, its id first; not what merely waits for them."""
    can_end = {task.id for task in pool.tasks if task.effective_status != "skipped"}
    found: list[str] = []
    for task in pool.tasks:
        if task.effective_status in SETTLED:
            continue
        why = [problem.message for problem in task.problems if problem.code in BLOCKING_CODES]
        if task.effective_status == "unknown":
            why.append(f"its status is no known word: {task.status_text or 'nothing'}")
        why += [f"{wait.id} {wait.why}" for wait in task.waiting_on if wait.id not in can_end]
        if why:
            found.append(f"{task.id} (line {task.line}): {why[0]}")
    return found


def _can_go_on(task: Task) -> bool:
    if task.waiting_on:
        return False
    return not any(problem.code in BLOCKING_CODES for problem in task.problems)
