"""Changes of epics, plans and the control loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.change import Change
from harness_tui.rules.decisions import question_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.change import ChangeKind
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.unknown import Unknown

Shown = dict[str, tuple[str, str, int | None]]
"""By name: what is shown of it, its path and its line."""


def family_changes(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    """What changed in the families beside the pools; what appears for the first time counts as changed."""
    if old.epics is not new.epics:
        yield from _compare("budget", _budgets(old), _budgets(new))
        yield from _compare("decision", _decisions(old), _decisions(new))
        yield from _compare("unknown", _unknowns(old), _unknowns(new))
    if old.plans is not new.plans:
        yield from _compare("blocker", _blockers(old), _blockers(new))
        yield from _compare("plan", _tasks(old), _tasks(new))
    if old.servo is not new.servo:
        yield from _compare("lock", _lock(old), _lock(new))
        yield from _compare("gate", _gates(old), _gates(new))
        yield from _compare("control", _control(old), _control(new))


def _compare(kind: ChangeKind, old: Shown, new: Shown) -> Iterator[Change]:
    for name, (words, path, line) in new.items():
        before = old[name][0] if name in old else None
        if before != words:
            yield Change(kind, f"{name}: {words}", before=before, after=words, path=path, line=line)
    for name, (words, path, line) in old.items():
        if name not in new:
            yield Change(kind, f"{name} is gone", before=words, path=path, line=line)


def _budgets(snapshot: Snapshot) -> Shown:
    budgets = snapshot.epics.budgets if snapshot.epics is not None else ()
    return {item.epic_id: (f"{item.left} left, {item.state}", item.path, None) for item in budgets}


def _decisions(snapshot: Snapshot) -> Shown:
    decisions = snapshot.epics.decisions if snapshot.epics is not None else ()
    named = zip(question_ids(decisions), decisions, strict=True)
    return {name.replace("/", " ", 1): (item.state, item.path, item.line) for name, item in named}


def _unknowns(snapshot: Snapshot) -> Shown:
    if snapshot.epics is None:
        return {}
    listed = (*snapshot.epics.unknowns, *snapshot.epics.assumptions)
    return {f"{item.epic_id} {item.id}": (_unknown(item), item.path, item.line) for item in listed}


def _unknown(item: Unknown) -> str:
    marks = (("CRITICAL-BLOCKED", item.critical_blocked), ("ASSUMPTION", item.assumption))
    return ", ".join((item.state, *(mark for mark, there in marks if there)))


def _blockers(snapshot: Snapshot) -> Shown:
    plans = snapshot.plans.plans if snapshot.plans is not None else ()
    return {
        f"{plan.path} blocker {place} of task {blocker.task or '?'}": (
            "resolved" if blocker.resolved else "waits", blocker.path, blocker.line,
        )
        for plan in plans
        for place, blocker in enumerate(plan.blockers, 1)
    }  # fmt: skip


def _tasks(snapshot: Snapshot) -> Shown:
    plans = snapshot.plans.plans if snapshot.plans is not None else ()
    return {
        f"{plan.path} task {task.id or task.task_id or task.title}": (task.state, plan.path, task.line)
        for plan in plans
        for task in plan.tasks
    }


def _control(snapshot: Snapshot) -> Shown:
    control = snapshot.servo.control if snapshot.servo is not None else None
    if control is None:
        return {}
    path = control.paths[0] if control.paths else ""
    words = {
        "scope": control.scope, "function": control.function, "milestone": control.active_milestone,
        "worktrack": control.active_worktrack, "next route": control.next_route, "autonomy": control.autonomy,
        "approval": "needed" if control.needs_approval else "not needed",
        "autonomy budget": str(control.ledger.budget_remaining),
    }  # fmt: skip
    found: Shown = {f"control loop {name}": (value, path, None) for name, value in words.items()}
    chain = snapshot.servo.guards.decide if snapshot.servo is not None else ()
    if chain:
        stop = next((answer for answer in chain if answer.stops), None)
        place = (stop.path, stop.line) if stop is not None else (path, None)
        found["guard that stops Decide"] = (stop.name if stop is not None else "none", *place)
    return found


def _lock(snapshot: Snapshot) -> Shown:
    handback = snapshot.servo.handback if snapshot.servo is not None else None
    if handback is None:
        return {}
    words = {True: "locked", False: "unlocked", None: "not recorded"}[handback.locked]
    return {"handback lock": (words, handback.path, handback.line)}


def _gates(snapshot: Snapshot) -> Shown:
    if snapshot.servo is None:
        return {}
    found: Shown = {
        f"gate {item.id or item.path}": (item.verdict, item.path, item.line) for item in snapshot.servo.worktracks
    }
    found.update(
        {f"milestone {item.id}": (item.verdict, item.path, item.line) for item in snapshot.servo.milestone_gates}
    )
    return found
