"""Files of the control loop that disagree are named; those that agree are left in peace."""

from harness_tui.formats.control_state import control_state
from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_index import parse_milestone_index
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.handback import Handback
from harness_tui.rules.guards.pipeline import judge
from harness_tui.rules.pipeline import INCOMPLETE, STALE, as_problems, inconsistencies

CONTROL = "## Active Milestone\n\n- active_milestone: MS-2\n- milestone_status: active\n"
CONTROL += "- milestone_pipeline_summary: planned=1 active=1 completed=1\n"
BACKLOG = "## Active\n\n### MS-2\n\n- status: active\n\n## Planned\n\n### MS-3\n\n- status: planned\n"
HISTORY = "## Completed\n\n### MS-1\n\n- status: completed\n"
FILE = "## Metadata\n\n- milestone_id: MS-1\n- status: completed\n\n## worktrack_list\n\n- WT-1 (done)\n"


def problems(control=CONTROL, backlog=BACKLOG, history=HISTORY, file=FILE, handback=None):
    return inconsistencies(
        control_state([read_fields(control.encode(), "control")]) if control else None,
        parse_milestone_index(backlog.encode(), "backlog") if backlog is not None else None,
        parse_milestone_index(history.encode(), "history") if history is not None else None,
        (parse_milestone(file.encode(), "file"),),
        handback,
    )


def only(found):
    (problem,) = found
    return problem.code, problem.path, problem.line


def test_files_that_agree_have_no_problem():
    assert problems() == ()


def test_missing_and_damaged_files_are_not_compared():
    assert problems(backlog=None, history=None) == ()
    assert problems(control=None) == ()
    assert problems(backlog="words\n", history="words\n") == ()


def test_the_active_milestone_must_be_the_active_one_of_the_backlog():
    found = problems(control=CONTROL.replace("MS-2", "MS-3"))
    assert {(p.code, p.path, p.line) for p in found} == {(STALE, "control", 3)}
    assert "as planned" in found[0].message
    assert "not at all" in problems(control=CONTROL.replace("MS-2", "MS-9"))[0].message
    assert only(problems(control=CONTROL.replace("MS-2", "none"))) == (STALE, "control", 3)


def test_two_active_milestones_are_one_too_many():
    found = problems(backlog=BACKLOG.replace("status: planned", "status: active"), control="")
    assert only(found) == (STALE, "backlog", 9)


def test_status_and_counts_must_agree():
    assert only(problems(control=CONTROL.replace("status: active", "status: completed"))) == (STALE, "control", 3)
    found = problems(control=CONTROL.replace("planned=1", "planned=4"))
    assert only(found) == (STALE, "control", 3)
    assert "counts 4 planned" in found[0].message


def test_a_milestone_in_both_lists_was_moved_by_half():
    assert only(problems(history=HISTORY + "\n### MS-3\n", control=""))[:2] == (INCOMPLETE, "backlog")


def test_a_finished_milestone_in_the_live_list_is_a_remark():
    (problem,) = problems(backlog=BACKLOG.replace("status: planned", "status: completed"), control="")
    assert (problem.code, problem.severity) == (STALE, "info")


def test_a_completed_milestone_must_not_keep_planned_worktracks():
    found = problems(file=FILE.replace("(done)", "(planned)"))
    assert only(found) == (INCOMPLETE, "file", 8)


def test_file_and_list_must_agree_about_the_end():
    assert only(problems(file=FILE.replace("status: completed", "status: active"))) == (INCOMPLETE, "file", 4)


def test_a_handback_of_another_milestone_may_be_stale():
    handback = Handback("control", False, "waiting", 0, 2, "MS-1/accept", None, None, line=9)
    (problem,) = problems(handback=handback)
    assert (problem.code, problem.severity) == ("handback-stale", "info")


ACTIVE = (
    "## Metadata\n\n- milestone_id: MS-2\n- status: active\n\n## worktrack_list\n\n- WT-5 (active)\n- WT-6 (planned)\n"
)
WORKTRACK = CONTROL + "\n## Active Worktrack\n\n- active_worktrack: WT-5\n"


def recoveries(**more):
    return [(item.recovery, item.files) for item in problems(**more)]


def test_each_finding_names_its_recovery_and_the_files_that_disagree():
    assert recoveries(control=CONTROL.replace("MS-2", "none")) == [("reconcile-active", ("control", "backlog"))]
    assert recoveries(control=CONTROL.replace("status: active", "status: completed")) == [
        ("reconcile-active", ("control", "backlog"))
    ]
    assert recoveries(control=CONTROL.replace("planned=1", "planned=4")) == [
        ("rebuild-pipeline", ("control", "backlog"))
    ]
    assert recoveries(history=HISTORY + "\n### MS-3\n", control="") == [("rebuild-pipeline", ("backlog", "history"))]
    assert recoveries(file=FILE.replace("(done)", "(planned)")) == [("repair-binding", ("file",))]


def test_an_active_milestone_that_is_over_is_a_stale_reference():
    found = problems(control=CONTROL.replace("MS-2", "MS-1"), backlog="## Planned\n\n### MS-3\n\n- status: planned\n")
    (stale,) = (item for item in found if item.recovery == "clear-stale-reference")
    assert stale.files == ("control", "backlog", "history")
    assert "over by history" in stale.message


def test_a_worktrack_belongs_to_the_active_milestone():
    assert recoveries(control=WORKTRACK, file=ACTIVE) == []
    assert recoveries(control=WORKTRACK.replace("WT-5", "WT-1"), file=ACTIVE) == [
        ("repair-binding", ("control", "file"))
    ]
    assert recoveries(control=WORKTRACK + "- target_milestone_id: MS-3\n", file=ACTIVE) == [
        ("repair-binding", ("control",))
    ]
    assert recoveries(control=WORKTRACK + "- target_milestone_id: MS-2\n", file=ACTIVE) == []


def test_an_artifact_of_another_milestone_is_a_stale_reference():
    named = CONTROL + "- milestone_artifact: .servo/milestone/MS-1.md\n"
    assert recoveries(control=named) == [("clear-stale-reference", ("control",))]
    assert recoveries(control=named.replace("MS-1.md", "MS-2.md")) == []


def test_as_a_problem_a_finding_says_how_to_recover():
    (problem,) = as_problems(problems(control=CONTROL.replace("MS-2", "none")))
    assert (problem.code, problem.path, problem.line, problem.severity) == (STALE, "control", 3, "warning")
    assert problem.message.endswith("; recovery: reconcile-active")


def test_the_guard_says_no_for_all_but_remarks():
    assert judge(problems()).document == {"consistent": True, "recoveries": [], "findings": []}
    found = judge(problems(control=CONTROL.replace("MS-2", "MS-3")))
    assert (found.go, found.document["recoveries"]) == (False, ["reconcile-active"])
    assert found.document["findings"][0]["files"] == ["control", "backlog"]
    remark = judge(problems(backlog=BACKLOG.replace("status: planned", "status: completed"), control=""))
    assert (remark.go, len(remark.document["findings"])) == (True, 1)
