"""What epics, plans and the control loop ask of the operator: what, where, since when, and what if nobody acts."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from harness_tui.formats.control_state import control_state
from harness_tui.formats.gate_evidence import parse_gate
from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_index import parse_worktrack_index
from harness_tui.formats.servo_fields import read_fields
from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.model.budget import Budget
from harness_tui.model.decision import Decision
from harness_tui.model.epic import Epics
from harness_tui.model.handback import Handback
from harness_tui.model.inbox import InboxItem
from harness_tui.model.intervention import Interventions
from harness_tui.model.problem import Problem
from harness_tui.model.servo import Servo
from harness_tui.model.unknown import Unknown
from harness_tui.model.work_plan import WorkPlans
from harness_tui.rules.blockers import judge
from harness_tui.rules.inbox import BLOCKS_ALL, BLOCKS_SOME, MAY_WAIT, SOON, inbox
from harness_tui.rules.needs import blocker_id, epic_needs, gate_id, plan_needs, servo_needs

ASKED = datetime(2027, 1, 2, 8, 0, tzinfo=UTC)
STATE = ".harness/features/sh-1-fog/state.json"
GATES = "---\nworktrack_id: {id}\n---\n- implementation_gate: {0}\n- validation_gate: {1}\n- policy_gate: {2}\n"


def decision(name="D-1", state="open", **more):
    base = Decision(
        "sh-1-fog", "DP-1", name, "Sound the horn?", ("yes", "no"), "no", "fog", "high", state, "packet.json", line=7,
        asked_at=ASKED,
    )  # fmt: skip
    return replace(base, **more)


def budget(state="exhausted", **more):
    base = Budget("sh-1-fog", STATE, "low", "PLAN", 1, 1, 0, 0, True, state, "1 of 1 used", updated_at=ASKED)
    return replace(base, **more)


def unknown(**more):
    return replace(Unknown("sh-1-fog", "U-1", "Who owns the horn", "high", "open", True, "ledger.json", 4), **more)


def handback(locked: bool | None = True, **more):  # noqa: FBT001, FBT002 - three values
    base = Handback(
        ".servo/control-state.md", locked, "waiting", 3, 2, "MS-1/x", None, None, unlock_why="none is there", line=9
    )
    return replace(base, **more)


def gate(*words, name="WT-1", path=".servo/worktrack/gate-evidence.md", **more):
    return replace(parse_gate(GATES.format(*words, id=name).encode(), path), **more)


def control(milestone="MS-1"):
    text = f"## Active Milestone\n\n- active_milestone: {milestone}\n"
    return control_state((read_fields(text.encode(), ".servo/control-state.md"),))


def milestone(name="MS-1", status="active", gate_text=""):
    text = f"## Metadata\n\n- milestone_id: {name}\n- status: {status}\n{gate_text}"
    return parse_milestone(text.encode(), f".servo/milestone/{name}.md")


def worktracks(name, status):
    text = f"# Worktracks\n\n### {name}\n\n- worktrack_id: {name}\n- status: {status}\n"
    return parse_worktrack_index(text.encode(), ".servo/repo/worktrack-backlog.md")


def plans(text, path="PLAN.md", slug=None):
    return WorkPlans(
        (replace(judge(parse_work_plan(text.encode(), path, archived=False, slug=slug)), modified_at=ASKED),)
    )


PLAN = "# Plan\n\n## Tasks\n\n- [/] Task 1: Horn\n- [ ] Task 2: Bell\n- [ ] Task 3: Flag\n"
BLOCKER = "\n## Blocker\n\n- Trigger: permission wall\n- What is needed: leave to install it\n"


def one(items) -> InboxItem:
    (item,) = items
    return item


# Epics


def test_an_open_question_says_what_where_since_when_and_what_its_default_is():
    item = one(epic_needs(Epics(decisions=(decision(),))))
    assert (item.kind, item.id, item.title) == ("decision", "sh-1-fog/D-1", "D-1: Sound the horn?")
    assert (item.path, item.line, item.since, item.urgency) == ("packet.json", 7, ASKED, BLOCKS_SOME)
    assert (item.unblock, item.otherwise) == ("you answer", "the default: no")


def test_a_question_without_default_says_that_it_stays_open():
    assert "no default" in one(epic_needs(Epics(decisions=(decision(default=None),)))).otherwise


@pytest.mark.parametrize("state", ["answered", "assumed", "deferred"])
def test_only_open_questions_wait(state):
    assert epic_needs(Epics(decisions=(decision(state=state),))) == []


@pytest.mark.parametrize(("severity", "urgency"), [("critical", 2), ("high", 2), ("medium", 1), ("low", 1)])
def test_the_worse_the_risk_the_more_urgent_the_question(severity, urgency):
    assert one(epic_needs(Epics(decisions=(decision(severity=severity),)))).urgency == urgency


def test_questions_with_the_same_id_or_none_have_names_of_their_own():
    same = (
        decision("D-1"),
        decision("D-1", question="Another?"),
        decision(""),
        decision(""),
        decision("D-1", epic_id="sh-2"),
    )
    names = [item.id for item in epic_needs(Epics(decisions=same))]
    assert len(set(names)) == 5


def test_the_name_of_a_question_does_not_hang_on_answered_ones_before_it():
    before = epic_needs(Epics(decisions=(decision("D-1"), decision("D-1"))))[1].id
    assert one(epic_needs(Epics(decisions=(decision("D-1", "answered"), decision("D-1"))))).id == before


def test_a_question_of_a_megabyte_gives_a_short_title():
    assert len(one(epic_needs(Epics(decisions=(decision(question="x" * 10**6, default="y" * 10**6),)))).title) < 250


def test_a_critical_blocked_unknown_waits_and_others_do_not():
    item = one(epic_needs(Epics(unknowns=(unknown(), unknown(id="U-2", critical_blocked=False)))))
    assert (item.kind, item.path, item.line, item.urgency) == ("critical-blocked", "ledger.json", 4, BLOCKS_SOME)
    assert "default" in item.otherwise
    assert item.unblock


@pytest.mark.parametrize("state", ["exhausted", "inconsistent", "unreadable"])
def test_a_budget_that_is_used_up_or_not_to_be_trusted_waits(state):
    item = one(epic_needs(Epics(budgets=(budget(state), budget("ok")))))
    assert (item.kind, item.path, item.since, item.urgency) == ("budget", STATE, ASKED, SOON)
    assert state in item.title
    assert "0 left" in item.title
    assert item.unblock
    assert item.otherwise


def test_the_budget_of_a_finished_epic_waits_for_nobody():
    assert epic_needs(Epics(budgets=(budget(stage="DONE"),))) == []


def test_an_unreadable_budget_is_not_told_again_beside_its_broken_file():
    broken = Problem(STATE, None, "error", "unreadable-state", "cut")
    warned = Problem(STATE, None, "warning", "no-epic-state", "none")
    assert epic_needs(Epics(budgets=(budget("unreadable"),), problems=(broken,))) == []
    assert len(epic_needs(Epics(budgets=(budget("unreadable"),), problems=(warned,)))) == 1
    assert len(epic_needs(Epics(budgets=(budget("exhausted"),), problems=(broken,)))) == 1


def test_a_budget_with_unreadable_numbers_waits_as_a_budget_and_not_as_a_problem():
    damaged = Problem(STATE, None, "error", "unreadable-budget", "total is two, no whole number")
    needs = epic_needs(Epics(budgets=(budget("unreadable"),), problems=(damaged,)))
    found = inbox([], {}, Interventions(), None, [damaged], needs)
    assert [item.kind for item in found] == ["budget"]


# Plans


def test_a_blocker_says_what_is_needed_and_how_many_tasks_wait_behind_it():
    item = one(plan_needs(plans(PLAN + BLOCKER)))
    assert (item.kind, item.title, item.task_id) == ("blocker", "task 1 is blocked: permission wall", "1")
    assert (item.path, item.line, item.since, item.urgency) == ("PLAN.md", 9, ASKED, BLOCKS_SOME)
    assert item.unblock == "leave to install it"
    assert "2 tasks wait behind it" in item.otherwise


def test_a_blocker_without_a_task_is_told_as_one():
    assert one(plan_needs(plans("# Plan\n" + BLOCKER))).title == "a task is blocked: permission wall"


def test_a_resolved_blocker_waits_for_nobody():
    assert plan_needs(plans(PLAN + BLOCKER.replace("## Blocker", "## Blocker (resolved)"))) == []


def test_a_reworded_or_moved_blocker_keeps_its_name_and_a_second_one_has_its_own():
    first = one(plan_needs(plans(PLAN + BLOCKER))).id
    assert one(plan_needs(plans("\n\n" + PLAN + BLOCKER.replace("wall", "wall again")))).id == first
    second = PLAN + BLOCKER.replace("## Blocker", "## Blocker (resolved)") + BLOCKER
    assert one(plan_needs(plans(second))).id != first


def test_a_blocker_is_found_by_identity_even_beside_an_equal_one():
    found = plans(PLAN + BLOCKER + BLOCKER).plans[0]
    assert blocker_id(found, found.blockers[1]) != blocker_id(found, found.blockers[0])


# Control loop


def test_a_lock_is_the_most_urgent_thing_and_says_what_lifts_it():
    item = one(servo_needs(Servo(present=True, handback=handback())))
    assert (item.kind, item.path, item.line, item.urgency) == ("lock", ".servo/control-state.md", 9, BLOCKS_ALL)
    assert "3 rounds" in item.title
    assert "none is there" in item.unblock
    assert item.otherwise == "the loop does nothing"


def test_zero_rounds_are_a_number_and_unknown_ones_are_not():
    assert "after 0 rounds" in one(servo_needs(Servo(handback=handback(rounds=0)))).title
    assert "after ? rounds" in one(servo_needs(Servo(handback=handback(rounds=None)))).title


def test_a_lock_that_is_not_recorded_is_listed_but_may_wait():
    item = one(servo_needs(Servo(present=True, handback=handback(None))))
    assert (item.kind, item.urgency) == ("lock", MAY_WAIT)
    assert "not recorded" in item.title


def test_an_open_lock_waits_for_nobody():
    assert servo_needs(Servo(present=True, handback=handback(locked=False))) == []


def test_a_new_lock_has_a_name_of_its_own_and_a_rewritten_one_has_not():
    name = one(servo_needs(Servo(handback=handback()))).id
    assert one(servo_needs(Servo(handback=handback(rounds=9, line=40)))).id == name
    assert one(servo_needs(Servo(handback=handback(signature="MS-2/y")))).id != name


@pytest.mark.parametrize(
    ("word", "urgency"), [("hard-fail", BLOCKS_SOME), ("blocked", BLOCKS_SOME), ("soft-fail", SOON)]
)
def test_a_current_gate_that_does_not_pass_waits(word, urgency):
    item = one(servo_needs(Servo(control=control(), worktracks=(gate("pass", word, "pass", current=True),))))
    assert (item.kind, item.urgency) == ("gate", urgency)
    assert f"WT-1: {word}" in item.title
    assert item.unblock
    assert item.otherwise


def test_gates_that_pass_wait_for_nobody_nor_do_milder_ones_that_are_not_current():
    passing, old = gate("pass", "pass", "pass", current=True), gate("soft-fail", "pass", "pass", name="WT-0")
    assert servo_needs(Servo(control=control(), worktracks=(passing, old))) == []


@pytest.mark.parametrize("word", ["hard-fail", "blocked"])
def test_a_gate_that_stops_a_worktrack_waits_whichever_worktrack_is_active(word):
    passing, other = gate("pass", "pass", "pass", current=True), gate("pass", word, "pass", name="WT-0")
    item = one(servo_needs(Servo(control=control(), worktracks=(passing, other))))
    assert (item.kind, item.urgency) == ("gate", BLOCKS_SOME)
    assert f"WT-0: {word}" in item.title


def failed_earlier(**more):
    """What a failed gate of a worktrack that is not the active one asks."""
    failing = gate("hard-fail", "pass", "pass", name="WT-0", **more.pop("gate", {}))
    return servo_needs(Servo(control=control(), worktracks=(failing,), **more))


@pytest.mark.parametrize("status", ["done", "resolved", "Completed"])
def test_a_failed_gate_of_a_worktrack_that_the_backlog_calls_over_waits_for_nobody(status):
    assert failed_earlier(worktrack_backlog=worktracks("WT-0", status)) == []


@pytest.mark.parametrize("status", ["deferred", "blocked", "maybe"])
def test_a_failed_gate_of_a_worktrack_that_is_not_over_goes_on_waiting(status):
    assert len(failed_earlier(worktrack_backlog=worktracks("WT-0", status))) == 1


def test_what_a_milestone_expects_of_a_worktrack_does_not_end_it():
    rows = "\n## Worktracks\n\n- worktrack_id: WT-0\n  - expected_status: done\n"
    listed = milestone(gate_text=rows)
    assert [row.status for row in listed.worktracks] == ["done"]
    assert len(failed_earlier(milestones=(listed,))) == 1


def test_of_two_spellings_of_an_id_the_one_that_is_not_over_counts():
    over, still = worktracks("wt-0", "done"), worktracks("WT-0", "blocked")
    both = replace(over, entries=(*over.entries, *still.entries))
    assert len(failed_earlier(worktrack_backlog=both)) == 1


def test_a_closeout_record_ends_the_wait_unless_it_says_itself_that_the_gate_failed():
    assert failed_earlier(gate={"closeout": "closeout.md", "closeout_verdict": "pass"}) == []
    assert failed_earlier(gate={"closeout": "closeout.md", "closeout_verdict": "unknown"}) == []
    assert len(failed_earlier(gate={"closeout": "closeout.md", "closeout_verdict": "hard-fail"})) == 1


def test_without_a_control_state_a_closed_worktrack_waits_for_nobody_though_each_may_be_current():
    closed = gate("hard-fail", "pass", "pass", current=True, closeout="closeout.md")
    assert servo_needs(Servo(present=True, worktracks=(closed,))) == []


def test_a_current_gate_with_a_word_that_is_no_verdict_waits_in_the_words_of_the_file():
    item = one(servo_needs(Servo(control=control(), worktracks=(gate("pass", "pass-ish", "pass", current=True),))))
    assert (item.kind, item.urgency) == ("gate", SOON)
    assert "unknown" in item.title


def test_a_gate_that_says_nothing_yet_does_not_wait():
    empty = parse_gate(b"# Gate Evidence\n", ".servo/worktrack/gate-evidence.md")
    assert servo_needs(Servo(control=control(), worktracks=(replace(empty, current=True),))) == []


def test_without_a_control_state_the_gates_that_are_not_closed_count():
    failing = gate("hard-fail", "pass", "pass")
    closed = gate("hard-fail", "pass", "pass", name="WT-0", path="other.md", closeout="closeout.md")
    assert "WT-1" in one(servo_needs(Servo(present=True, worktracks=(failing, closed)))).title


def test_worktracks_that_take_turns_in_the_same_file_are_different_items():
    names = {
        one(servo_needs(Servo(worktracks=(gate("blocked", "pass", "pass", name=name),)))).id
        for name in ("WT-1", "WT-2")
    }
    assert len(names) == 2


@pytest.mark.parametrize(
    "text",
    ["- milestone_acceptance_verdict: pending_programmer_decision", "- residual_confirmation_status: **pending_you**"],
)
def test_an_acceptance_that_is_pending_waits_for_the_active_milestone_alone(text):
    active, other = (milestone(name, gate_text=f"\n## Handback\n\n{text}\n") for name in ("MS-1", "MS-2"))
    item = one(servo_needs(Servo(control=control("MS-1"), milestones=(active, other))))
    assert (item.kind, item.path) == ("gate", ".servo/milestone/MS-1.md")
    assert item.title.startswith("milestone MS-1 waits to be accepted: pending_")
    assert item.id != gate_id(active.gate)


@pytest.mark.parametrize(
    "text",
    [
        "- milestone_acceptance_verdict: accepted",
        "- residual_confirmation_status: confirmed",
        "- acceptance_verdict: N/A",
    ],
)
def test_an_acceptance_that_is_given_or_not_asked_for_waits_for_nobody(text):
    given = milestone(gate_text=f"\n## Handback\n\n{text}\n")
    assert servo_needs(Servo(control=control("MS-1"), milestones=(given,))) == []


@pytest.mark.parametrize("status", ["planned", "active", "in-progress"])
@pytest.mark.parametrize("text", ["pending", "**pending**", "待定"])
def test_an_acceptance_that_nobody_asks_for_yet_waits_for_nobody(status, text):
    rows = "\n## Worktrack List\n\n- WT-1 (done): Horn\n- WT-2 ({}): Bell\n\n## Handback\n\n"
    for word, waits in ((status, False), ("done", True)):
        made = milestone(gate_text=f"{rows.format(word)}- milestone_acceptance_verdict: {text}\n")
        assert [row.status for row in made.worktracks] == ["done", word]
        assert bool(servo_needs(Servo(control=control("MS-1"), milestones=(made,)))) is waits
    asked = milestone(gate_text=f"{rows.format(status)}- milestone_acceptance_verdict: pending_programmer\n")
    assert one(servo_needs(Servo(control=control("MS-1"), milestones=(asked,))))


def test_only_the_gate_of_the_active_milestone_waits():
    failing = "\n## Gate\n\n- blackbox_verdict: hard-fail\n"
    active, other = milestone("MS-1", gate_text=failing), milestone("MS-2", gate_text=failing)
    verdicts = {item.gate.verdict for item in (active, other)}
    items = servo_needs(Servo(control=control("MS-1"), milestones=(active, other)))
    assert verdicts != {"pass"}
    assert [item.path for item in items] == [".servo/milestone/MS-1.md"]
