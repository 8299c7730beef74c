"""What epics, plans and the control loop ask of the operator, as items of the inbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.inbox import InboxItem
from harness_tui.rules.blockers import tasks_behind
from harness_tui.rules.decide import BRANCH
from harness_tui.rules.decisions import question_ids
from harness_tui.rules.inbox import BLOCKS_ALL, BLOCKS_SOME, BROKEN_BUDGET, MAY_WAIT, SOON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.blocker import Blocker
    from harness_tui.model.budget import Budget, BudgetState
    from harness_tui.model.decision import Decision, Level
    from harness_tui.model.epic import Epics
    from harness_tui.model.gates import MilestoneGate, WorktrackGate
    from harness_tui.model.guard import GuardAnswer
    from harness_tui.model.handback import Handback
    from harness_tui.model.servo import Servo
    from harness_tui.model.unknown import Unknown
    from harness_tui.model.verify import GateWord
    from harness_tui.model.work_plan import WorkPlan, WorkPlans

TITLE: Final = 200
"""Characters of a file's text that a title or a reason holds at most."""

_LEVEL: Final[dict[Level, int]] = {"critical": BLOCKS_SOME, "high": BLOCKS_SOME, "medium": SOON, "low": SOON}
_GATE: Final[dict[GateWord, int]] = {
    "hard-fail": BLOCKS_SOME,
    "blocked": BLOCKS_SOME,
    "soft-fail": SOON,
    "unknown": SOON,
}
_STOPS: Final[frozenset[GateWord | None]] = frozenset({"hard-fail", "blocked"})
_OVER: Final = frozenset({"done", "completed", "resolved", "closed", "superseded"})
_ASKED: Final = ("pending", "requested", "awaiting", "waiting", "待", "等待")
_NOT_YET: Final = frozenset({"pending", "待定"})
"""Asks for nothing as long as there is work to do: a field that nobody filled in looks like it."""
_TO_DO: Final = frozenset({"planned", "active", "pending", "in-progress", "in_progress", "in progress"})
_AT_ZERO: Final = "nothing more is asked: what is open goes on with its default, or counts as CRITICAL-BLOCKED"
_BUDGET: Final[dict[BudgetState, tuple[str, str]]] = {
    "exhausted": ("you grant more, or it is left at that", _AT_ZERO),
    "inconsistent": ("you set its numbers right", f"the smaller number counts, and at 0 {_AT_ZERO}"),
    "unreadable": ("its state file is mended", f"it counts as 0 left: {_AT_ZERO}"),
}


def epic_needs(epics: Epics) -> list[InboxItem]:
    """Open questions, unknowns that block, and budgets of which nothing is left or that can't be trusted.

    A budget whose whole file is reported as broken is not told twice, that of an epic that is DONE not at all.
    """
    names = question_ids(epics.decisions)
    items = [_question(item, name) for item, name in zip(epics.decisions, names, strict=True) if item.state == "open"]
    items += [_unknown(unknown) for unknown in epics.unknowns if unknown.critical_blocked]
    broken = {item.path for item in epics.problems if item.severity == "error" and item.code != BROKEN_BUDGET}
    items += [_budget(item) for item in epics.budgets if item.state != "ok" and _matters(item, broken)]
    return items


def plan_needs(plans: WorkPlans) -> list[InboxItem]:
    """Blockers that nobody has resolved."""
    return [_blocker(plan, blocker) for plan, blocker in plans.waiting]


def servo_needs(servo: Servo) -> list[InboxItem]:
    """The lock, gates of the current worktrack and the active milestone that do not pass, gates that stop another one.

    A gate that fails hard or is blocked stops its worktrack until that is closed, whichever is active (formats/servo
    1.7). Without a control state nobody knows which are current: gates of worktracks that are not closed and of
    milestones whose status is active then stand for them. A guard that keeps the current function from running is told
    unless the lock does so already, or a gate in the same file is told. Only a person accepts a milestone (0.5), so an
    acceptance that the file calls pending waits whatever the gate says; one that is plainly `pending` does so only when
    no worktrack is planned or under way (1.8: acceptance comes last).
    """
    handback = servo.handback
    items = [_lock(handback)] if handback is not None and handback.locked is not False else []
    items += [_gate(gate, f"worktrack {gate.id or gate.path}") for gate in _worktracks(servo) if _fails(gate)]
    items += [_gate(gate, f"milestone {gate.id}") for gate in _milestones(servo) if _fails(gate)]
    items += _guards(servo, {item.path for item in items if item.kind == "gate"})
    to_do = {item.gate for item in servo.milestones if any(_is_to_do(row.status) for row in item.worktracks)}
    return items + [_acceptance(gate) for gate in _milestones(servo) if _asks(gate, to_do=gate in to_do)]


def blocker_id(plan: WorkPlan, blocker: Blocker) -> str:
    """Names a blocker by its place among those of its plan and by its task: no rewording changes it."""
    place = next(place for place, item in enumerate(plan.blockers, 1) if item is blocker)
    return f"{plan.path}/blocker/{place}/{blocker.task or ''}"


def gate_id(gate: WorktrackGate | MilestoneGate) -> str:
    """Names a gate by its file and by whose it is: worktracks take turns in the same file."""
    return f"{gate.path}/gate/{gate.id or ''}"


def acceptance_id(gate: MilestoneGate) -> str:
    """Names the acceptance of a milestone by its file."""
    return f"{gate.path}/acceptance/{gate.id}"


def guard_id(name: str) -> str:
    """Names a guard by itself: there is one answer of each."""
    return f"guard/{name}"


def lock_id(handback: Handback) -> str:
    """Names a lock by the signature of the handback that it is about."""
    return f"handback/{handback.signature or ''}"


def _question(decision: Decision, name: str) -> InboxItem:
    default = _short(decision.default or "")
    return InboxItem(
        "decision",
        name,
        f"{decision.question_id}: {_short(decision.question) or '(no question)'}",
        decision.path,
        decision.line,
        decision.asked_at,
        _LEVEL[decision.severity],
        unblock="you answer",
        otherwise=f"the default: {default}" if default else "it stays open: there is no default",
    )


def _unknown(unknown: Unknown) -> InboxItem:
    return InboxItem(
        "critical-blocked",
        f"{unknown.epic_id}/{unknown.id}",
        f"{unknown.id}: {_short(unknown.description)}",
        unknown.path,
        unknown.line,
        None,
        BLOCKS_SOME,
        unblock="the unknown is resolved",
        otherwise="work goes on with a default that nobody has confirmed",
    )


def _matters(budget: Budget, broken: set[str]) -> bool:
    return budget.stage != "DONE" and not (budget.state == "unreadable" and budget.path in broken)


def _budget(budget: Budget) -> InboxItem:
    unblock, otherwise = _BUDGET[budget.state]
    title = f"{budget.epic_id}: interrupt budget {budget.state}, {budget.left} left: {budget.why}"
    name = f"{budget.epic_id}/budget"
    return InboxItem(
        "budget", name, title, budget.path, None, budget.updated_at, SOON, unblock=unblock, otherwise=otherwise
    )


def _blocker(plan: WorkPlan, blocker: Blocker) -> InboxItem:
    behind = tasks_behind(plan, blocker.task)
    waits = f"; {behind} task{'s wait' if behind > 1 else ' waits'} behind it" if behind else ""
    said = _short(blocker.trigger or blocker.heading)
    return InboxItem(
        "blocker",
        blocker_id(plan, blocker),
        f"task {blocker.task} is blocked: {said}" if blocker.task else f"a task is blocked: {said}",
        blocker.path,
        blocker.line,
        plan.modified_at,
        BLOCKS_SOME,
        task_id=blocker.task,
        unblock=_short(blocker.needed or ""),
        otherwise=f"the builder does not go on{waits}",
    )


def _lock(handback: Handback) -> InboxItem:
    if handback.locked is None:
        title, urgency = "whether the control loop is locked is not recorded", MAY_WAIT
        unblock, otherwise = "handback_lock_active says yes or no", "it is not taken for unlocked"
    else:
        rounds = f"{'?' if handback.rounds is None else handback.rounds} round{'' if handback.rounds == 1 else 's'}"
        title, urgency = f"the control loop is locked after {rounds}: {_short(handback.state)}", BLOCKS_ALL
        unblock = f"a valid unlock signal is given ({_short(handback.unlock_why) or 'none is recorded'})"
        otherwise = "the loop does nothing"
    return InboxItem(
        "lock", lock_id(handback), title, handback.path, handback.line, None, urgency,
        unblock=unblock, otherwise=otherwise,
    )  # fmt: skip


def _guard_wish(answer: GuardAnswer) -> str:
    """What the guard asks for; some name no action, or call it unknown."""
    action = _short(answer.action)
    return action if action not in ("", "unknown") else f"{answer.name} says ready: its reason no longer holds"


def _guards(servo: Servo, told: set[str]) -> list[InboxItem]:
    """The guards that keep the current function from running."""
    control, locked = servo.control, servo.handback is not None and servo.handback.locked
    if control is None or locked:
        return []
    now = (control.scope, control.function)
    stops = [answer for answer in servo.guards.answers if answer.state == "blocked" and _decides(answer, *now)]
    return [_guard(answer, ".".join(now)) for answer in stops if answer.path not in told]


def _decides(answer: GuardAnswer, scope: str, function: str) -> bool:
    """Whether a no of the guard keeps this function from running."""
    if answer.stage == "observe":
        return answer.name == BRANCH
    if answer.stage == "decide":
        return answer.stops and (scope, function) == ("RepoScope", "Decide")
    return (scope, function) == ("WorktrackScope", "Judge")


def _guard(answer: GuardAnswer, function: str) -> InboxItem:
    differs = answer.claim is not None and answer.claim.differs
    beside = f" (but the file says {_short(answer.claim.text)})" if answer.claim is not None and differs else ""
    return InboxItem(
        "gate", guard_id(answer.name), f"guard {answer.name} holds {function}: {_short(answer.reason)}{beside}",
        answer.path, answer.line, None, SOON,
        unblock=_guard_wish(answer),
        otherwise=f"{function} may not run",
    )  # fmt: skip


def _worktracks(servo: Servo) -> Iterator[WorktrackGate]:
    known = servo.control is not None
    over = _over(servo)
    for gate in servo.worktracks:
        current = known and gate.current
        if current or ((not known or gate.verdict in _STOPS) and not _is_closed(gate, over)):
            yield gate


def _over(servo: Servo) -> frozenset[str]:
    """Ids, case folded, of the worktracks that their backlog calls over.

    Rows of milestones are no witness: some give the status that is expected (formats/servo 1.8).
    """
    entries = servo.worktrack_backlog.entries if servo.worktrack_backlog is not None else ()
    over = {entry.id.casefold() for entry in entries if entry.status.casefold() in _OVER}
    return frozenset(over - {entry.id.casefold() for entry in entries if entry.status.casefold() not in _OVER})


def _is_closed(gate: WorktrackGate, over: frozenset[str]) -> bool:
    """Whether the worktrack is over: by the backlog, or by a closeout record that does not itself tell of a failure."""
    return (gate.id or "").casefold() in over or (gate.closeout is not None and gate.closeout_verdict not in _STOPS)


def _milestones(servo: Servo) -> Iterator[MilestoneGate]:
    active = servo.control.active_milestone if servo.control is not None else None
    gates = servo.milestone_gates
    return (gate for gate in gates if (gate.status.casefold() == "active" if active is None else gate.id == active))


def _fails(gate: WorktrackGate | MilestoneGate) -> bool:
    """Whether it fails or is blocked, or says something that is no verdict: one that says nothing is not over yet."""
    said = bool(gate.text) or any(word.verdict == "unknown" for word in gate.axis_words)
    return gate.verdict in _GATE and (gate.verdict != "unknown" or said)


def _gate(gate: WorktrackGate | MilestoneGate, name: str) -> InboxItem:
    words = f" (“{_short(gate.text)}”)" if gate.text and gate.text != gate.verdict else ""
    return InboxItem(
        "gate", gate_id(gate), f"gate of {name}: {gate.verdict}{words}", gate.path, gate.line, None,
        _GATE[gate.verdict],
        unblock="its gate passes, or you decide otherwise",
        otherwise="it does not count as passed and nothing that needs it goes on",
    )  # fmt: skip


def _asks(gate: MilestoneGate, *, to_do: bool) -> bool:
    text = (gate.acceptance or "").casefold().strip("*`_ .")
    return text.startswith(_ASKED) and not (to_do and text in _NOT_YET)


def _is_to_do(status: str) -> bool:
    return status.casefold() in _TO_DO


def _acceptance(gate: MilestoneGate) -> InboxItem:
    return InboxItem(
        "gate", acceptance_id(gate), f"milestone {gate.id} waits to be accepted: {_short(gate.acceptance or '')}",
        gate.path, gate.line, None, SOON,
        unblock="you accept it, or say what is missing",
        otherwise="the milestone stays open: nobody else may close it",
    )  # fmt: skip


def _short(text: str) -> str:
    return text.split("\n", 1)[0][:TITLE]
