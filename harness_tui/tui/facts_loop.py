"""All lines about the control loop, in the order in which an operator asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.rules.decide import EVIDENCE
from harness_tui.tui.facts_control import (
    control_facts,
    gate_facts,
    index_facts,
    lock_facts,
    no_handback_facts,
    open_lock_facts,
    power_facts,
    stand_facts,
)
from harness_tui.tui.facts_guards import checkout_facts, decide_facts, item_facts, pipeline_facts, route_facts

if TYPE_CHECKING:
    from harness_tui.model.servo import Servo
    from harness_tui.tui.facts import Fact


def loop_facts(servo: Servo | None) -> list[Fact]:
    """Everything about the control loop, the lock first; nothing where there is none."""
    return [*now_facts(servo), *record_facts(servo)]


def now_facts(servo: Servo | None) -> list[Fact]:
    """What holds now: the lock, where the loop stands, what its guards allow, where its files disagree."""
    if servo is None or not servo.present:
        return []
    control, guards = servo.control, servo.guards
    facts = lock_facts(servo.handback) if servo.handback is not None else no_handback_facts()
    facts += [*stand_facts(control), *checkout_facts(guards)] if control is not None else []
    facts += decide_facts(guards, control)
    facts += route_facts(guards, control) if control is not None else []
    return facts + pipeline_facts(servo.inconsistencies)


def record_facts(servo: Servo | None) -> list[Fact]:
    """What the files hold: gates, evidence, the last handback, every field, the lists."""
    if servo is None or not servo.present:
        return []
    evidence = servo.guards.named(EVIDENCE)
    itemised = evidence.path if evidence is not None and evidence.items else ""
    facts = gate_facts(servo.worktracks, servo.milestones, itemised)
    facts += item_facts(servo.guards)
    facts += open_lock_facts(servo.handback) if servo.handback is not None else []
    if servo.control is not None:
        facts += [*power_facts(servo.control), *control_facts(servo.control)]
    names = (("Milestone backlog", servo.backlog), ("Milestone history", servo.history))
    return facts + index_facts((*names, ("Worktrack backlog", servo.worktrack_backlog)))
