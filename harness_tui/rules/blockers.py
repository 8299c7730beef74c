"""What a PLAN.md comes to: which tasks may be worked on, what a blocker stops, when reviews are stuck.

Rules: formats/hard-stop 1 (ready task), 3 (reviewer deadlock) and hole 12 (a blocker without a task).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.frozen import replace
from harness_tui.model.pool import PlanRow
from harness_tui.model.problem import Problem
from harness_tui.rules.graph import find_rings
from harness_tui.rules.plan_review import contradictions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness_tui.model.blocker import Blocker
    from harness_tui.model.work_plan import ReviewRound, WorkPlan, WorkTask

STRIKES = 3
"""Refusals of one task, with no approval between, after which its reviewer stops."""


def judge(plan: WorkPlan) -> WorkPlan:
    """`plan` with its ready tasks, the task of each blocker and what it says against itself."""
    needs = _needs(plan.tasks)
    ready = tuple(
        place
        for place, task in enumerate(plan.tasks)
        if task.state in {"open", "in-progress"}
        and all(found and all(plan.tasks[other].state == "done" for other in found) for found in needs[place])
    )
    problems = (*plan.problems, *_dependency_problems(plan, needs), *contradictions(plan))
    blockers = tuple(_with_task(plan, blocker) for blocker in plan.blockers)
    return replace(plan, ready=ready, blockers=blockers, problems=tuple(sorted(problems, key=_place)))


def find_task(tasks: Iterable[WorkTask], name: str) -> WorkTask | None:
    """The first task that is called `name`: by its number, else by its `Task ID`."""
    wanted, listed = name.casefold(), list(tasks)
    by_number = (task for task in listed if task.id and task.id.casefold() == wanted)
    by_field = (task for task in listed if task.task_id and task.task_id.casefold() == wanted)
    return next(by_number, None) or next(by_field, None)


def strikes(rounds: Iterable[ReviewRound]) -> dict[str, int]:
    """Refusals by task since its last approval, tasks without any left out. Rounds without a task count as ``""``."""
    found: dict[str, int] = {}
    for item in rounds:
        for name in item.tasks or ("",):
            if item.refused:
                found[name] = found.get(name, 0) + 1
            elif item.approved:
                found.pop(name, None)
    return found


def deadlocked(plan: WorkPlan) -> tuple[str, ...]:
    """Tasks that the code review refused `STRIKES` times in a row. The plan review has a limit of its own."""
    return tuple(name for name, number in strikes(plan.code_reviews).items() if name and number >= STRIKES)


def tasks_behind(plan: WorkPlan, name: str | None) -> int:
    """How many tasks that are not done wait for the task called `name`.

    In a plan without dependencies tasks are taken in turn, so all others that are not done wait, as they do when the
    task is not known.
    """
    blocked = find_task(plan.tasks, name) if name else None
    waiting = {place for place, task in enumerate(plan.tasks) if task.state != "done" and task is not blocked}
    if blocked is None or not any(task.depends_on for task in plan.tasks):
        return len(waiting)
    waits: dict[int, list[int]] = {}
    for place, groups in enumerate(_needs(plan.tasks)):
        for other in (other for group in groups for other in group):
            waits.setdefault(other, []).append(place)
    behind: set[int] = set()
    fresh = [place for place, task in enumerate(plan.tasks) if task is blocked]
    while fresh:
        more = [place for place in waits.get(fresh.pop(), ()) if place not in behind]
        behind.update(more)
        fresh += more
    return len(behind & waiting)


def _with_task(plan: WorkPlan, blocker: Blocker) -> Blocker:
    """A blocker that names its task keeps it; else the one in progress; else the only one that its text speaks of."""
    if blocker.task is not None:
        known = find_task(plan.tasks, blocker.task)
        return replace(blocker, task=_name(known)) if known is not None else blocker
    active = [task for task in plan.tasks if task.state == "in-progress"]
    mentioned = [task for name in blocker.mentions if (task := find_task(plan.tasks, name)) is not None]
    likely = [task for task in active if task in mentioned] or active or mentioned
    if len(likely) != 1:
        return blocker
    return replace(blocker, task=_name(likely[0]), task_inferred=True)


def _name(task: WorkTask) -> str:
    return task.id or task.task_id or task.title


def _needs(tasks: Sequence[WorkTask]) -> list[list[tuple[int, ...]]]:
    """For each task and each of its dependencies the places of the tasks that are called so."""
    by_name: dict[str, list[int]] = {}
    by_field: dict[str, list[int]] = {}
    for place, task in enumerate(tasks):
        if task.id:
            by_name.setdefault(task.id.casefold(), []).append(place)
        if task.task_id:
            by_field.setdefault(task.task_id.casefold(), []).append(place)

    def places(name: str) -> tuple[int, ...]:
        key = name.casefold()
        return tuple(by_field.get(key) or by_name.get(key) or ())

    return [[places(name) for name in task.depends_on] for task in tasks]


def _dependency_problems(plan: WorkPlan, needs: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[Problem]:
    for task, groups in zip(plan.tasks, needs, strict=True):
        unknown = [name for name, group in zip(task.depends_on, groups, strict=True) if not group]
        if unknown:
            message = f"no task is called {', '.join(unknown)}; this task counts as not ready until that is mended"
            yield Problem(plan.path, task.line, "warning", "unknown-dependency", message)
    for ring in _rings(plan.tasks, needs):
        names = ", ".join(_name(task) for task in ring)
        message = f"these tasks wait for each other and none can start: {names}; take one of the dependencies out"
        yield Problem(plan.path, ring[0].line, "warning", "dependency-cycle", message)


def _rings(tasks: Sequence[WorkTask], needs: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[list[WorkTask]]:
    """Groups of tasks that wait for each other. Ids may be missing or double, so places stand for them."""
    edges = [tuple(str(other) for group in groups for other in group) for groups in needs]
    rows = [PlanRow(str(place), "", "", "", needed, "", "pending", "", 0) for place, needed in enumerate(edges)]
    for ring in find_rings(rows):
        yield [tasks[int(place)] for place in ring]


def _place(problem: Problem) -> int:
    return problem.line or 0
