"""Epics, plans and the control loop as lines of the plain status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.budget import Budget
    from harness_tui.model.epic import Epics
    from harness_tui.model.servo import Servo
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.unknown import Unknown
    from harness_tui.model.work_plan import WorkPlan


def family_lines(snapshot: Snapshot) -> Iterator[Text]:
    """What is there of each family; nothing for those that the workspace has not."""
    if snapshot.servo is not None and snapshot.servo.present:
        yield Text("")
        yield from _servo_lines(snapshot.servo)
    if snapshot.epics is not None and (snapshot.epics.budgets or snapshot.epics.assumptions):
        yield Text("")
        yield from _epic_lines(snapshot.epics)
    plans = snapshot.plans.plans if snapshot.plans is not None else ()
    if plans:
        yield Text("")
        yield from (_plan_line(plan) for plan in plans)


def _servo_lines(servo: Servo) -> Iterator[Text]:
    handback, control = servo.handback, servo.control
    locked = handback.locked if handback is not None else None
    words = {True: "LOCKED", False: "unlocked", None: "lock not recorded"}[locked]
    loop = f", {control.function} in {control.scope}, next: {control.next_route}" if control is not None else ""
    yield Text(f"control loop: {words}{loop}", {True: "bold red", False: "", None: "yellow"}[locked])
    if control is not None:
        yield Text(f"  milestone {control.active_milestone}, worktrack {control.active_worktrack}")
    yield from _guard_lines(servo)
    for gate in servo.worktracks:
        if gate.current or gate.verdict != "pass":
            yield Text(f"  gate of {gate.id or gate.path}: {gate.verdict}", "" if gate.verdict == "pass" else "yellow")


def _guard_lines(servo: Servo) -> Iterator[Text]:
    """The guard of Decide that stops the loop, or that none does, and what may come next."""
    chain = servo.guards.decide
    if not chain:
        return
    first = next((answer for answer in chain if answer.stops), None)
    unasked = sum(answer.state == "not-asked" for answer in chain)
    more = f", {unasked} not asked" if unasked else ""
    if first is None:
        yield Text(f"  guards of Decide: none stops it{more}")
    else:
        yield Text(f"  guards of Decide: {first.step} {first.name} stops it: {first.reason}{more}", "yellow")
    if servo.guards.routes:
        legal = [route.name for route in servo.guards.routes if route.legal]
        yield Text(f"  legal next: {', '.join(legal) or 'nothing'}")


def _epic_lines(epics: Epics) -> Iterator[Text]:
    for budget in epics.budgets:
        yield _budget_line(budget)
        asked = [item for item in epics.decisions if item.epic_id == budget.epic_id]
        if asked:
            states = [item.state for item in asked]
            counts = (f"{states.count(state)} {state}" for state in dict.fromkeys(states))
            yield Text(f"  decisions: {', '.join(counts)}")
        for unknown in epics.unknowns:
            if unknown.epic_id == budget.epic_id and unknown.critical_blocked:
                yield _unknown_line("CRITICAL-BLOCKED", unknown, "bold red")
    for item in epics.assumptions:
        yield _unknown_line("⚠️ ASSUMPTION", item, "yellow")


def _budget_line(budget: Budget) -> Text:
    total = f" of {budget.total}" if budget.total is not None else ""
    state = "" if budget.state == "ok" else f", {budget.state}: {budget.why}"
    where = ", ".join(part for part in (budget.stage, budget.risk_level) if part)
    style = "" if budget.state == "ok" else "bold red"
    return Text(f"epic {budget.epic_id} ({where or 'stage unknown'}): {budget.left}{total} left{state}", style)


def _unknown_line(mark: str, item: Unknown, style: str) -> Text:
    place = f"{item.path}:{item.line}" if item.line is not None else item.path
    line = Text(f"  {mark} {item.id}: {item.description}", style)
    line.append(f"  ({place})", "dim")
    return line


def _plan_line(plan: WorkPlan) -> Text:
    done = sum(task.state == "done" for task in plan.tasks)
    active = [task.id or task.title for task in plan.tasks if task.state == "in-progress"]
    words = f"plan {plan.path}: {done} of {len(plan.tasks)} tasks done" if plan.tasks else f"plan {plan.path}: no tasks"
    return Text(words + (f", in progress: {', '.join(active)}" if active else ""))
