"""What an epic's engine does next, by the rule that its own program follows (formats/interrupt-budget 2).

Open questions and units that are left come first: the engine waits for the operator. Else the stage decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.outlook import EpicOutlook

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.decision import Decision
    from harness_tui.model.outlook import EpicTask

WAIT: Final = "wait_user"
_STAGES: Final = ("CLARIFY", "SPEC", "PLAN", "EXECUTE", "VERIFY", "BUILD", "DEPLOY", "E2E")
_NEXT: Final = {**{stage: f"run_{stage.lower()}" for stage in _STAGES}, "FIX": "run_verify", "DONE": "complete"}
_OVER: Final = frozenset({"done", "cancelled"})
_NAMED: Final = 8


def outlook(stage: str, decisions: Iterable[Decision], left: int, tasks: Sequence[EpicTask]) -> EpicOutlook:
    """What comes next in `stage` with `left` units of the budget."""
    stage = stage.upper()
    waits_for = tuple(item.question_id or "(no id)" for item in decisions if item.state == "open")
    following = _NEXT.get(stage, WAIT)
    if stage == "EXECUTE" and tasks and all(task.status in _OVER for task in tasks):
        following = "run_verify"
    if waits_for and left > 0 and stage != "DONE":
        following = WAIT
    blocked = tuple(task.id for task in tasks if task.status == "blocked")
    if following != "run_execute":
        return EpicOutlook(following, waits_for, blocked=blocked, tasks=len(tasks))
    runnable, order = _order(tasks)
    return EpicOutlook(following, waits_for, runnable, order, blocked, len(tasks))


def outlook_words(epic: str, before: EpicOutlook, after: EpicOutlook) -> list[str]:
    """What an answer changes for the epic, a line each."""
    lines = [_next_words(epic, before, after)]
    if after.order:
        lines.append(f"its tasks then: {_ids(after.order, ' → ')}")
    elif after.next_action == "run_execute" and after.tasks:
        lines.append("none of its tasks can run")
    if after.blocked:
        lines.append(
            f"{_ids(after.blocked, ', ')} stay{'s' * (len(after.blocked) == 1)} blocked until somebody lifts that"
        )
    return lines


def _next_words(epic: str, before: EpicOutlook, after: EpicOutlook) -> str:
    if after.next_action == WAIT:
        if not after.waits_for:
            return f"{epic} waits for you whatever is answered: its stage names nothing that comes next"
        return f"{epic} still waits for you: {_ids(after.waits_for, ', ')} open"
    if before.next_action == WAIT:
        return f"{epic} waits for you no more: {after.next_action} comes next"
    return f"{epic} does not wait for it: {after.next_action} comes next, with or without it"


def _order(tasks: Sequence[EpicTask]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Pending tasks that can run at once, and all that can run one after the other; what is under way counts as met."""
    met = {task.id for task in tasks if task.status in ("done", "in_progress")}
    done = {task.id for task in tasks if task.status == "done"}
    waiting = [task for task in tasks if task.status == "pending"]
    runnable = tuple(task.id for task in waiting if done.issuperset(task.dependencies))
    order: list[str] = []
    while (ready := next((task for task in waiting if met.issuperset(task.dependencies)), None)) is not None:
        waiting.remove(ready)
        met.add(ready.id)
        order.append(ready.id)
    return runnable, tuple(order)


def _ids(names: Sequence[str], between: str) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return between.join(names[:_NAMED]) + more
