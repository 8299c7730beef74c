"""Changes of epics, plans and the control loop, as `watch` prints them."""

from dataclasses import replace

from support.build import snapshot

from harness_tui.model.blocker import Blocker
from harness_tui.model.budget import Budget
from harness_tui.model.control import Control, Ledger
from harness_tui.model.decision import Decision
from harness_tui.model.epic import Epics
from harness_tui.model.gates import EvidenceItems, MilestoneGate, WorktrackAxes, WorktrackGate
from harness_tui.model.guard import GuardAnswer, Guards
from harness_tui.model.handback import Handback
from harness_tui.model.milestone import Milestone
from harness_tui.model.servo import Servo
from harness_tui.model.unknown import Unknown
from harness_tui.model.work_plan import WorkPlan, WorkPlans, WorkTask
from harness_tui.store.diff import diff

BUDGET = Budget("sh-1", "state.json", "low", "PLAN", 2, 1, 1, 1, True, "ok", "1 of 2 left")
DECISION = Decision("sh-1", "DP-1", "D-1", "Which?", (), None, "", "high", "open", "packet.json", line=4)
UNKNOWN = Unknown("sh-1", "U-1", "Which", "high", "open", False, "ledger.json", 3)
BLOCKER = Blocker("PLAN.md", 9, "2", "wall")
PLAN = WorkPlan("PLAN.md", tasks=(WorkTask("1", "Horn", "open", 3),), blockers=(BLOCKER,))
HANDBACK = Handback(".servo/control-state.md", False, "none", 0, 2, None, None, None, line=8)
CONTROL = Control("RepoScope", "Observe", "MS-1", "WT-1", "refresh", paths=(".servo/control-state.md",))
GATE = WorktrackGate("WT-1", "gate.md", "pass", "pass", WorktrackAxes(), EvidenceItems(), line=5)
MILESTONE = Milestone("MS-1", "MS-1.md", "", "", "", MilestoneGate("MS-1", "MS-1.md", "active", "goal", "unknown"))
SERVO = Servo(True, HANDBACK, CONTROL, (GATE,), (MILESTONE,))


def changes(old, new):
    found = diff(snapshot(**old), snapshot(**new))
    return [(item.kind, item.title, item.before, item.after) for item in found]


def epics(**parts):
    return {"epics": Epics(**{"budgets": (BUDGET,), "decisions": (DECISION,), "unknowns": (UNKNOWN,), **parts})}


def plans(plan=PLAN):
    return {"plans": WorkPlans((plan,))}


def servo(**parts):
    return {"servo": replace(SERVO, **parts)}


def test_nothing_changed_gives_nothing():
    both = {**epics(), **plans(), **servo()}
    assert changes(both, both) == []
    assert changes(both, {**epics(), **plans(), **servo()}) == []


def test_a_family_that_appears_and_goes_is_told_item_by_item():
    kinds = ["budget", "decision", "unknown"]
    assert [item[0] for item in changes({}, epics())] == kinds
    assert [item[1].endswith("is gone") for item in changes(epics(), {})] == [True] * 3
    assert {item[0] for item in changes({}, plans())} == {"blocker", "plan"}
    assert {item[0] for item in changes({}, servo())} == {"lock", "gate", "control"}


def test_a_spent_unit_is_a_change_of_the_budget():
    spent = replace(BUDGET, left=0, state="exhausted")
    (item,) = diff(snapshot(**epics()), snapshot(**epics(budgets=(spent,))))
    assert (item.kind, item.before, item.after, item.path) == (
        "budget",
        "1 left, ok",
        "0 left, exhausted",
        "state.json",
    )


def test_an_answered_question_is_a_change_with_its_place():
    (item,) = diff(snapshot(**epics()), snapshot(**epics(decisions=(replace(DECISION, state="answered"),))))
    assert (item.kind, item.before, item.after, item.path, item.line) == (
        "decision",
        "open",
        "answered",
        "packet.json",
        4,
    )


def test_questions_that_share_an_id_are_followed_apart():
    old = epics(decisions=(DECISION, DECISION))
    new = epics(decisions=(DECISION, replace(DECISION, state="answered")))
    assert len(changes(old, new)) == 1


def test_an_unknown_that_blocks_and_a_task_that_assumes_are_changes():
    blocked = replace(UNKNOWN, critical_blocked=True)
    assumed = Unknown("sh-1", "sh-1.2", "⚠️", "", "assumed", False, "task.json", assumption=True, task_id="sh-1.2")
    found = changes(epics(), epics(unknowns=(blocked,), assumptions=(assumed,)))
    assert [(kind, after) for kind, _, _, after in found] == [
        ("unknown", "open, CRITICAL-BLOCKED"), ("unknown", "assumed, ASSUMPTION"),
    ]  # fmt: skip


def test_a_resolved_blocker_and_a_ticked_task_are_changes():
    done = replace(PLAN, tasks=(replace(PLAN.tasks[0], state="done"),), blockers=(replace(BLOCKER, resolved=True),))
    assert [(kind, before, after) for kind, _, before, after in changes(plans(), plans(done))] == [
        ("blocker", "waits", "resolved"), ("plan", "open", "done"),
    ]  # fmt: skip


def test_lines_that_only_moved_are_no_change():
    moved = replace(PLAN, tasks=(replace(PLAN.tasks[0], line=7),), blockers=(replace(BLOCKER, line=30),))
    assert changes(plans(), plans(moved)) == []


def test_each_state_of_the_lock_has_its_word():
    words = {}
    for value in (True, None):
        (item,) = changes(servo(), servo(handback=replace(HANDBACK, locked=value)))
        assert (item[0], item[2]) == ("lock", "unlocked")
        words[value] = item[3]
    assert words == {True: "locked", None: "not recorded"}


def test_verdicts_of_both_kinds_of_gate_are_followed():
    failed = replace(GATE, verdict="hard-fail")
    judged = replace(MILESTONE, gate=replace(MILESTONE.gate, verdict="blocked"))
    found = changes(servo(), servo(worktracks=(failed,), milestones=(judged,)))
    assert [(item[0], item[3]) for item in found] == [("gate", "hard-fail"), ("gate", "blocked")]


def test_what_the_loop_does_next_and_may_do_is_followed():
    moved = replace(CONTROL, next_route="close", needs_approval=False, ledger=Ledger(3))
    found = {(item[1], item[2], item[3]) for item in changes(servo(), servo(control=moved))}
    assert found == {
        ("control loop next route: close", "refresh", "close"),
        ("control loop approval: not needed", "needed", "not needed"),
        ("control loop autonomy budget: 3", "0", "3"),
    }


def test_the_guard_that_stops_the_loop_is_followed():
    ready = GuardAnswer("milestone-kind-routing", "decide", "ready", "", step=1)
    stopped = replace(ready, state="blocked", stops=True, path="m.md", line=4)
    before, after = (servo(guards=Guards((answer,))) for answer in (ready, stopped))
    assert changes(before, after) == [
        ("control", "guard that stops Decide: milestone-kind-routing", "none", "milestone-kind-routing")
    ]
    assert changes(before, servo(guards=Guards((replace(ready, reason="other words"),)))) == []
