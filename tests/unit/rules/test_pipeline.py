"""Files of the control loop that disagree are named; those that agree are left in peace."""

from harness_tui.formats.control_state import control_state
from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_index import parse_milestone_index, parse_worktrack_index
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.handback import Handback
from harness_tui.rules.guards.pipeline import judge
from harness_tui.rules.pipeline import INCOMPLETE, STALE, as_problems, inconsistencies

CONTROL = "## Active Milestone\n\n- active_milestone: MS-2\n- milestone_status: active\n"
CONTROL += "- milestone_pipeline_summary: planned=1 active=1 completed=1\n"
BACKLOG = "## Active\n\n### MS-2\n\n- status: active\n\n## Planned\n\n### MS-3\n\n- status: planned\n"
HISTORY = "## Completed\n\n### MS-1\n\n- status: completed\n"
NOTHING_ACTIVE = "## Planned\n\n### MS-3\n\n- status: planned\n"
FILE = "## Metadata\n\n- milestone_id: MS-1\n- status: completed\n\n## worktrack_list\n\n- WT-1 (done)\n"


def problems(
    *, control=CONTROL, backlog=BACKLOG, history=HISTORY, file=FILE, handback=None, worktracks=None, without=()
):
    """What is found when each milestone that is listed has a file that agrees, but `file`, and those `without`."""
    lists = [
        parse_milestone_index(text.encode(), name) if text is not None else None
        for name, text in (("backlog", backlog), ("history", history))
    ]
    entries = (entry for index in lists if index is not None for entry in index.entries)
    milestones = {entry.id: f"- milestone_id: {entry.id}\n- status: {entry.status}\n" for entry in entries}
    milestones[parse_milestone(file.encode(), "file").id] = file
    return inconsistencies(
        control_state([read_fields(control.encode(), "control")]) if control else None,
        *lists,
        [
            parse_milestone(text.encode(), "file" if text is file else f"{name}.md")
            for name, text in milestones.items()
            if name not in without
        ],
        handback,
        parse_worktrack_index(worktracks.encode(), "worktracks") if worktracks is not None else None,
    )


def only(found):
    (problem,) = found
    return problem.code, problem.path, problem.line


def test_files_that_agree_have_no_problem():
    assert problems() == ()


def test_missing_and_damaged_files_are_not_compared():
    assert problems(backlog=None, history=None, control="") == ()
    assert problems(control=None) == ()
    assert problems(history="words\n", control="") == ()


def test_an_active_milestone_without_any_backlog_is_told_and_counted_ones_say_no():
    def found(control):
        return [(item.recovery, item.severity, item.line) for item in problems(control=control, backlog=None)]

    assert found(CONTROL) == [("rebuild-pipeline", "warning", 3)]
    assert found(CONTROL.replace("planned=1 active=1", "planned=0 active=0")) == [("rebuild-pipeline", "info", 3)]
    assert found(CONTROL.replace("planned=1 active=1", "")) == [("rebuild-pipeline", "info", 3)]
    assert found(CONTROL.replace("MS-2", "none")) == []


def test_a_completed_entry_must_not_stay_marked_as_planned():
    for text in (
        HISTORY.replace("MS-1", "MS-1 (planned)"),
        HISTORY + "- worktrack_list:\n  - WT-1 (done)\n  - WT-2 (active): dig\n",
    ):
        (marked,) = problems(history=text)
        assert (marked.code, marked.recovery, marked.path, marked.line) == (
            INCOMPLETE,
            "rebuild-pipeline",
            "history",
            3,
        )
    assert marked.message == "MS-1 is completed, but still marked as planned or active: WT-2"
    many = "".join(f"  - WT-{number} (planned)\n" for number in range(5))
    (marked,) = problems(history=f"{HISTORY}- worktrack_list:\n{many}")
    assert marked.message.endswith(": WT-0, WT-1, WT-2 and 2 more")
    assert problems(history=HISTORY + "- worktrack_list:\n  - WT-1 (done)\n") == ()
    assert (
        problems(
            history=HISTORY.replace("completed", "superseded").replace("MS-1", "MS-1 (planned)"),
            control="",
            file=FILE.replace("completed", "superseded"),
        )
        == ()
    )


def test_worktracks_that_are_listed_in_one_line_are_bound_too():
    control = WORKTRACK.replace("WT-5", "WT-1")
    for line in ("[WT-5, `WT-6`]", "WT-5, WT-6", "[WT-5]", "[]"):
        file = f"---\nmilestone_id: MS-2\nstatus: active\nworktrack_list: {line}\n---\n"
        assert recoveries(control=control, file=file) == (
            [("repair-binding", ("control", "file"))] if "WT" in line else []
        )
        assert recoveries(control=WORKTRACK, file=file) == []


def test_a_damaged_backlog_is_made_anew():
    (problem,) = problems(backlog="words\n", history="words\n")
    assert (problem.recovery, problem.files) == ("rebuild-pipeline", ("backlog",))


def test_an_active_milestone_of_the_backlog_has_a_file():
    found = problems(without=("MS-2",))
    assert [(item.recovery, item.severity, item.line) for item in found] == [("rebuild-pipeline", "warning", 3)]
    assert problems(without=("MS-3",)) == ()  # planned
    assert problems(without=("MS-1", "MS-2", "MS-3")) == ()  # the folder of the milestones is not there


def test_a_file_of_a_milestone_is_in_a_list():
    stray = FILE.replace("MS-1", "MS-4")
    assert recoveries(file=stray) == [("clear-stale-reference", ("file", "backlog", "history"))]
    assert recoveries(file=stray, history=None) == []  # where the past is not kept, it may be over
    active = stray.replace("completed", "active")
    assert recoveries(file=active, history=None) == [("clear-stale-reference", ("file", "backlog"))]
    assert recoveries(file=active, backlog=None, control="") == []
    control = CONTROL.replace("MS-2", "MS-4").replace("active=1", "active=0")
    (named,) = problems(control=control, backlog=NOTHING_ACTIVE, file=active)
    assert (named.path, named.recovery) == ("file", "clear-stale-reference")


def test_a_worktrack_of_no_milestone_is_an_orphan():
    listed = "## Worktracks\n\n### WT-1\n\n- milestone_id: MS-1\n- status: done\n\n### WT-2\n\n- milestone_id: {}\n"
    assert problems(worktracks=listed.format("MS-2")) == problems(worktracks=listed.format("none")) == ()
    (orphan,) = problems(worktracks=listed.format("MS-9"))
    assert (orphan.recovery, orphan.path, orphan.line) == ("repair-binding", "worktracks", 8)
    assert orphan.message == "WT-2 is bound to MS-9, which does not exist"
    assert problems(worktracks=listed.format("MS-9"), history=None) == ()
    many = listed.format("MS-9") + "".join(f"\n### WT-{n}\n\n- milestone_id: MS-9\n" for n in range(3, 8))
    (orphans,) = problems(worktracks=many)
    assert orphans.message == "WT-2, WT-3, WT-4 and 3 more are bound to MS-9, which does not exist"


def test_the_active_milestone_must_be_the_active_one_of_the_backlog():
    found = problems(control=CONTROL.replace("MS-2", "MS-3"))
    assert {(p.code, p.path, p.line) for p in found} == {(STALE, "control", 3)}
    assert "as planned" in found[0].message
    (nowhere,) = problems(control=CONTROL.replace("MS-2", "MS-9"))
    assert ("there is none" in nowhere.message, nowhere.recovery) == (True, "reconcile-active")
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


def test_an_active_milestone_that_is_over_is_not_the_active_one():
    (over,) = problems(control=CONTROL.replace("MS-2", "MS-1").replace("active=1", "active=0"), backlog=NOTHING_ACTIVE)
    assert (over.recovery, over.files) == ("reconcile-active", ("control", "backlog", "history"))
    assert "over by history" in over.message


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
