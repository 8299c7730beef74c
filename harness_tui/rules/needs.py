"""What epics, plans and the control loop ask of the operator, as items of the inbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.inbox import InboxItem
from harness_tui.rules.inbox import BLOCKS_ALL, BLOCKS_SOME, MAY_WAIT, SOON

if TYPE_CHECKING:
    from harness_tui.model.decision import Decision, Level
    from harness_tui.model.epic import Epics
    from harness_tui.model.gates import MilestoneGate, WorktrackGate
    from harness_tui.model.servo import Servo
    from harness_tui.model.verify import GateWord
    from harness_tui.model.work_plan import WorkPlans

_LEVEL: Final[dict[Level, int]] = {"critical": BLOCKS_SOME, "high": BLOCKS_SOME, "medium": SOON, "low": SOON}
_GATE: Final[dict[GateWord, int]] = {"hard-fail": BLOCKS_SOME, "blocked": BLOCKS_SOME, "soft-fail": SOON}


def epic_needs(epics: Epics) -> list[InboxItem]:
    """Open questions, unknowns that block, and budgets of which nothing is left or that can't be trusted."""
    items = [_question(decision) for decision in epics.decisions if decision.state == "open"]
    items += [
        InboxItem(
            "critical-blocked",
            f"{unknown.epic_id}/{unknown.id}",
            f"{unknown.id}: {unknown.description}",
            unknown.path,
            unknown.line,
            None,
            BLOCKS_SOME,
            unblock="the unknown is resolved; until then work goes on with a default",
        )
        for unknown in epics.unknowns
        if unknown.critical_blocked
    ]
    items += [
        InboxItem(
            "budget",
            f"{budget.epic_id}/budget",
            f"{budget.epic_id}: interrupt budget {budget.state}, {budget.left} left: {budget.why}",
            budget.path,
            None,
            budget.updated_at,
            SOON,
        )
        for budget in epics.budgets
        if budget.state != "ok"
    ]
    return items


def plan_needs(plans: WorkPlans) -> list[InboxItem]:
    """Blockers that nobody has resolved."""
    return [
        InboxItem(
            "blocker",
            f"{plan.path}/blocker",
            f"task {blocker.task or '?'} is blocked: {_first_line(blocker.trigger or blocker.heading)}",
            blocker.path,
            blocker.line,
            plan.modified_at,
            BLOCKS_SOME,
            task_id=blocker.task,
            unblock=_first_line(blocker.needed or ""),
        )
        for plan, blocker in plans.waiting
    ]


def servo_needs(servo: Servo) -> list[InboxItem]:
    """The lock, and gates of the current worktrack and the active milestone that do not pass."""
    items: list[InboxItem] = []
    handback = servo.handback
    if handback is not None and handback.locked:
        title = f"the control loop is locked after {handback.rounds or '?'} rounds: {handback.state}"
        unblock = f"a valid unlock signal is given ({handback.unlock_why or 'none is recorded'})"
        items.append(
            InboxItem("lock", "handback", title, handback.path, handback.line, None, BLOCKS_ALL, unblock=unblock)
        )
    elif handback is not None and handback.locked is None:
        title = "whether the control loop is locked is not recorded"
        items.append(InboxItem("lock", "handback", title, handback.path, handback.line, None, MAY_WAIT))
    items += [_worktrack(gate) for gate in servo.worktracks if gate.current and gate.verdict in _GATE]
    active = servo.control.active_milestone if servo.control is not None else ""
    items += [_milestone(gate) for gate in servo.milestone_gates if gate.id == active and gate.verdict in _GATE]
    return items


def _question(decision: Decision) -> InboxItem:
    default = f"; without an answer: {_first_line(decision.default)}" if decision.default else "; it has no default"
    return InboxItem(
        "decision",
        f"{decision.epic_id}/{decision.question_id}",
        f"{decision.question_id}: {_first_line(decision.question)}",
        decision.path,
        decision.line,
        decision.asked_at,
        _LEVEL[decision.severity],
        unblock=f"you answer{default}",
    )


def _worktrack(gate: WorktrackGate) -> InboxItem:
    name = gate.id or "current worktrack"
    title = f"gate of {name}: {gate.verdict}"
    return InboxItem("gate", f"{gate.path}/gate", title, gate.path, gate.line, None, _GATE[gate.verdict])


def _milestone(gate: MilestoneGate) -> InboxItem:
    title = f"gate of milestone {gate.id}: {gate.verdict}"
    return InboxItem("gate", f"{gate.path}/gate", title, gate.path, gate.line, None, _GATE[gate.verdict])


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0][:200]
