"""In which order the loop decides, what stops it, and what may come next."""

from dataclasses import replace

import pytest

from harness_tui.formats.control_state import control_state
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.gates import EvidenceItems, WorktrackAxes, WorktrackGate
from harness_tui.model.guard import Claim, GuardAnswer, Guards, Route
from harness_tui.model.handback import Handback
from harness_tui.model.servo import Servo
from harness_tui.rules.decide import DECIDE, EVIDENCE, change_goal, in_order, milestone_brief, routes
from harness_tui.rules.needs import servo_needs

LEVEL = "## Current Control Level\n\n- repo_scope: active\n- worktrack_scope: {scope}\n- current_function: {function}\n"
OPEN = Handback(
    "c.md", locked=False, state="none", rounds=0, threshold=2, signature=None, last_unlock=None, unlock_valid=None
)


def control(route="none", *, scope="none", function="Decide", approval="", milestone="MS-7"):
    text = (
        f"{LEVEL.format(scope=scope, function=function)}\n## Active Milestone\n\n- active_milestone: {milestone}\n\n"
        f"## Current Next Action\n\n- recommended_next_route: {route}\n\n## Approval Boundary\n\n{approval}\n"
    )
    return control_state([read_fields(text.encode(), "c.md")])


def answer(name, state="ready", **more):
    return GuardAnswer(name, more.pop("stage", "decide"), state, f"{name} says so", path="f.md", line=3, **more)


def chain(**states):
    """Answers of all eight, ready but for those that are named with `_` for `-`."""
    return [answer(name, states.get(name.replace("-", "_"), "ready")) for name in reversed(DECIDE)]


def gate(verdict="pass", missing=()):
    return WorktrackGate(
        "WT-1", "g.md", verdict, verdict, WorktrackAxes(), EvidenceItems(), missing_axes=missing, line=4
    )


def allowed(_scope, _function):
    return Route(f"{_scope}.{_function}", legal=True, why="")


def legal(state, *, handback=OPEN, gates=(), answers=(), branch=allowed):
    return {route.name: route for route in routes(state, handback, gates, in_order(answers), branch)}


def test_the_first_no_stops_and_what_follows_is_not_reached():
    found = in_order(chain(complex_project_entry_gate_check="blocked", worktrack_intake_review_check="blocked"))
    assert [item.name for item in found] == list(DECIDE)
    assert [item.step for item in found] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [item.name for item in found if item.stops] == ["complex-project-entry-gate-check"]
    assert [item.reached for item in found] == [True, True, True, False, False, False, False, False]


@pytest.mark.parametrize(("state", "stops"), [("unreadable", True), ("doubtful", False), ("not-asked", False)])
def test_a_guard_that_gives_no_answer_is_a_no_and_one_that_is_not_asked_is_none(state, stops):
    assert in_order(chain(milestone_kind_routing=state))[0].stops == stops


def test_guards_of_other_functions_stand_around_them():
    around = [answer(EVIDENCE, "blocked"), answer("git-hash-check", "blocked"), answer("branch-context-check")]
    found = in_order([*around, *chain()])
    assert [item.name for item in found[:2]] == ["branch-context-check", "git-hash-check"]
    assert found[-1].name == EVIDENCE
    assert all(item.reached and not item.stops for item in found)


@pytest.mark.parametrize(
    ("state", "go"),
    [
        (control("RepoScope.ChangeGoal"), False), (control("repo-change-goal-skill"), False),
        (control(function="ChangeGoal"), False), (control("set the goal"), False), (control("RepoScope.Observe"), True),
    ],
)  # fmt: skip
def test_a_change_of_the_goal_is_not_decided_here(state, go):
    found = change_goal(state)
    assert (found.state == "ready") == go
    assert found.line is not None


@pytest.mark.parametrize(
    ("route", "approval", "go"),
    [
        ("RepoScope.Observe", "", True),
        ("activate milestone MS-8", "", False),
        ("milestone-init-skill", "- milestone_brief_MS_7: received on 2026-03-02; go ahead", True),
        ("activate milestone MS-8", "- milestone_brief_MS-8: received on 2026-03-02", True),
        ("activate milestone MS-8", "- milestone_brief_MS_7: received on 2026-03-02", False),
        ("append_worktracks", "- milestone_brief: pending", False),
        ("append_worktracks", "- milestone_brief: confirmed", True),
        ("append_worktracks", "- milestone_brief: not received", False),
        ("WorktrackScope.Init", "", True),
    ],
)
def test_a_milestone_is_made_or_extended_only_by_a_brief_that_was_confirmed(route, approval, go):
    found = milestone_brief(control(route, approval=approval))
    assert (found.state == "ready") == go


def test_a_locked_loop_has_no_legal_route_and_one_that_is_not_recorded_neither():
    for locked in (True, None):
        found = legal(control(), handback=replace(OPEN, locked=locked, line=9), answers=chain())
        assert {route.legal for route in found.values()} == {False}
        assert {route.line for route in found.values()} == {9}


def test_a_worktrack_is_set_up_only_when_no_guard_of_decide_says_no():
    state = control()
    assert legal(state, answers=chain())["WorktrackScope.Init"].legal is True
    held = legal(state, answers=chain(milestone_review_gate_check="blocked"))
    assert {name for name, route in held.items() if route.legal is False} == {"WorktrackScope.Init"}
    assert (
        held["WorktrackScope.Init"].why == "guard 4, milestone-review-gate-check: milestone-review-gate-check says so"
    )
    unknown = legal(state, answers=chain(worktrack_intake_review_check="not-asked"))["WorktrackScope.Init"]
    assert unknown.legal is None


def test_a_worktrack_is_judged_with_evidence_and_closed_with_a_gate_that_passes():
    state = control(scope="judging", function="Judge")
    evidence = answer(EVIDENCE, "blocked", stage="judge")
    found = legal(state, gates=(gate("hard-fail"),), answers=[evidence])
    assert {name for name, route in found.items() if route.legal is False} == {
        "WorktrackScope.Judge", "WorktrackScope.Close",
    }  # fmt: skip
    assert found["WorktrackScope.Close"].why == "the gate of WT-1 says hard-fail"
    assert legal(state, gates=(gate(),))["WorktrackScope.Close"].legal is True
    assert legal(state, gates=(gate(missing=("policy",)),))["WorktrackScope.Close"].legal is False
    assert legal(state)["WorktrackScope.Close"].legal is None


def test_the_branch_holds_what_no_other_guard_does():
    def elsewhere(scope, function):
        return Route(f"{scope}.{function}", legal=False, why="it must run on wt/WT-1")

    found = legal(control(), answers=chain(worktrack_intake_review_check="not-asked"), branch=elsewhere)
    assert {route.why for route in found.values()} == {"it must run on wt/WT-1"}


def test_an_unknown_scope_has_no_routes():
    assert legal(control(scope="someday", function="Dream")) == {}


def holding(*answers, function="Decide", scope="none", handback=OPEN):
    servo = Servo(
        present=True, control=control(scope=scope, function=function), handback=handback,
        guards=Guards(in_order(answers)),
    )  # fmt: skip
    return {item.id: item for item in servo_needs(servo) if item.id.startswith("guard/")}


def test_a_guard_that_holds_the_current_function_needs_the_operator():
    asked = chain(pre_milestone_intake_guard="blocked", milestone_review_gate_check="blocked")
    (item,) = holding(*asked).values()
    assert (item.kind, item.id, item.path, item.line) == ("gate", "guard/pre-milestone-intake-guard", "f.md", 3)
    assert "RepoScope.Decide" in item.title
    assert holding(*asked, function="Observe") == {}
    wrong = answer("branch-context-check", "blocked", stage="observe")
    assert set(holding(wrong, function="Observe")) == {"guard/branch-context-check"}
    late = answer(EVIDENCE, "blocked", stage="judge")
    assert set(holding(late, function="Judge", scope="judging")) == {f"guard/{EVIDENCE}"}
    assert holding(late, function="Verify", scope="verifying") == {}


def test_a_guard_is_not_told_behind_a_lock_or_twice_with_a_gate_of_the_same_file():
    asked = chain(pre_milestone_intake_guard="blocked")
    assert holding(*asked, handback=replace(OPEN, locked=True)) == {}
    late = replace(answer(EVIDENCE, "blocked", stage="judge"), path="g.md")
    servo = Servo(
        present=True, control=control(scope="judging", function="Judge"), handback=OPEN,
        worktracks=(replace(gate("hard-fail"), current=True),), guards=Guards((late,)),
    )  # fmt: skip
    assert [item.id for item in servo_needs(servo)] == ["g.md/gate/WT-1"]


def test_what_the_file_says_instead_is_told_with_it():
    differs = Claim("intake_status: ready", "f.md", 5, differs=True)
    (item,) = holding(replace(answer(DECIDE[0], "blocked"), claim=differs)).values()
    assert item.title.endswith("(but the file says intake_status: ready)")
