"""Where the tasks of a PLAN.md and its review logs say different things: both are shown, nothing is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness_tui.model.work_plan import ReviewRound, WorkPlan, WorkTask

_NAMED = 8


def contradictions(plan: WorkPlan) -> Iterator[Problem]:
    """Problems of the plan as a whole, by the line of the task or round that they are about."""
    yield from _by_task(plan)
    yield from _unnamed_refusal(plan)
    yield from _unreviewed(plan)
    yield from _plan_review(plan)
    active = [task for task in plan.tasks if task.state == "in-progress"]
    if len(active) > 1:
        message = f"{len(active)} tasks are in progress at once: {_names(active)}"
        yield Problem(plan.path, active[1].line, "info", "several-in-progress", message)


def _by_task(plan: WorkPlan) -> Iterator[Problem]:
    for task in plan.tasks:
        last = _last(plan.reviews_of(task))
        if last is None:
            continue
        if task.state == "done" and last.refused:
            message = f"this task is [x], but its last review in line {last.line} says {last.verdict}; look at both"
            yield Problem(plan.path, task.line, "warning", "done-but-refused", message)
        elif task.state in {"open", "in-progress"} and last.approved:
            message = f"its last review in line {last.line} says {last.verdict}, but the task is not [x]"
            yield Problem(plan.path, task.line, "info", "approved-not-done", message)


def _unnamed_refusal(plan: WorkPlan) -> Iterator[Problem]:
    """The last round refuses and names no task, and no task is in progress that it could be about."""
    last = _last(plan.code_reviews)
    done = [task for task in plan.tasks if task.state == "done"]
    if last is None or not last.refused or last.tasks or not done:
        return
    if not any(task.state == "in-progress" for task in plan.tasks):
        message = f"the last review says {last.verdict} and names no task, yet marked [x]: {_names(done)}"
        yield Problem(plan.path, last.line, "warning", "done-but-refused", message)


def _unreviewed(plan: WorkPlan) -> Iterator[Problem]:
    """Tasks are [x], which only a review may set, and no round speaks of them."""
    done = [task for task in plan.tasks if task.state == "done"]
    if not done:
        return
    held = [item for item in plan.code_reviews if not item.blank]
    if not held:
        if len(done) == len(plan.tasks):
            line = plan.code_reviews[0].line if plan.code_reviews else done[-1].line
            message = "all tasks are [x], but no code review is recorded"
            yield Problem(plan.path, line, "warning", "done-unreviewed", message)
        return
    if any(not item.tasks for item in held):  # it may speak of any task
        return
    left_out = [task for task in done if not plan.reviews_of(task)]
    if left_out:
        message = f"no review names these tasks that are [x]: {_names(left_out)}"
        yield Problem(plan.path, left_out[0].line, "info", "done-unreviewed", message)


def _plan_review(plan: WorkPlan) -> Iterator[Problem]:
    last = _last(plan.plan_reviews)
    started = any(task.state in {"in-progress", "done"} for task in plan.tasks)
    if last is not None and last.refused and started:
        since = f"round {last.number}" if last.number else "a review"
        message = f"work has begun, but no review has approved the plan since {since} said {last.verdict}"
        yield Problem(plan.path, last.line, "warning", "plan-not-approved", message)


def _last(rounds: Sequence[ReviewRound]) -> ReviewRound | None:
    """The last round that decided: what cannot be read takes back no refusal."""
    return next((item for item in reversed(rounds) if item.approved or item.refused), None)


def _names(tasks: Sequence[WorkTask]) -> str:
    names = [task.id or task.title for task in tasks[:_NAMED]]
    return ", ".join(names) + (f" and {len(tasks) - _NAMED} more" if len(tasks) > _NAMED else "")
