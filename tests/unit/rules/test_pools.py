from __future__ import annotations

from support.build import (
    REPORT,
    ago,
    board,
    board_row,
    by_id,
    delivery,
    entry,
    feature,
    inputs,
    log_of_entries,
    need,
    plan,
    pool_of,
    report,
    report_row,
    row,
    stage_doc,
    state,
)

from harness_tui.model.pool import Note
from harness_tui.model.problem import Problem
from harness_tui.rules.pools import PoolJudge

LIVE = "docs/features/slug-t-01"
ARCHIVED = "docs/features/_archived/slug-t-01"


def first(**witnesses):
    return pool_of(row("T-01"), **witnesses).tasks[0]


def test_the_tally_counts_effective_statuses_and_adds_up():
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01"), entry(3, "failed", "T-02"))
    pool = pool_of(row("T-01"), row("T-02"), row("T-03"), row("T-04", "unknown", text="wip"), log=log)
    assert pool.tally == {"done": 1, "failed": 1, "pending": 1, "unknown": 1}


def test_a_pool_keeps_the_words_of_its_plan():
    remark = Problem("P", None, "info", "bom", "starts with a mark")
    told = report(needs=[need()], stop_reason="red gate")
    pool = pool_of(row("T-01"), problems=[remark], notes=[Note(40, "the mill is old")], told=told)
    assert (pool.id, pool.kind, pool.title, pool.readable) == ("mill", "stream", "Mill pool", True)
    assert pool.notes == (Note(40, "the mill is old"),)
    assert remark in pool.problems
    assert (pool.report.path, pool.report.needs_input, pool.report.stop_reason) == (REPORT, (need(),), "red gate")


def test_a_plan_without_a_table_is_unreadable_not_empty():
    assert not pool_of(table=False).readable
    assert pool_of().readable


def test_an_empty_pool_has_nothing_to_tell():
    pool = pool_of()
    assert (pool.tasks, pool.tally, pool.frontier, pool.cycles) == ((), {}, (), ())


def test_the_stage_is_that_of_the_newest_document_or_counter():
    assert first().stage == 0
    assert first(features=[feature(None, stage_doc(2), stage_doc(4))]).stage == 4
    assert first(features=[feature(delivery())]).stage == 7
    assert first(features=[feature(None, stage_doc(2))], states=[state(stage=5)]).stage == 5


def test_gates_are_the_verdicts_of_the_stage_documents():
    documents = stage_doc(3, "APPROVED"), stage_doc(5, "CHANGES REQUIRED"), stage_doc(6), stage_doc(2, "READY")
    gates = first(features=[feature(delivery(), *documents)]).gates
    assert (gates.gate_review.verdict, gates.code_review.verdict) == ("APPROVED", "CHANGES REQUIRED")
    assert (gates.qa, gates.delivery.verdict) == (None, "DELIVERED")


def test_documents_of_an_earlier_task_of_that_name_tell_nothing_about_this_one():
    old = stage_doc(5, "APPROVED", folder=ARCHIVED), stage_doc(7, "DELIVERED", folder=ARCHIVED)
    found = first(features=[feature(delivery(rollbacks=3), stage_doc(2, "READY"), *old, superseded=True)])
    assert (found.effective_status, found.stage, found.rollbacks) == ("pending", 2, None)
    assert (found.gates.code_review, found.gates.delivery) == (None, None)
    assert found.documents == (f"{LIVE}/02_DOC.md",)


def test_archived_documents_count_while_the_live_folder_holds_no_stage_document():
    left = stage_doc(0)
    archived = stage_doc(6, "APPROVED FOR DELIVERY", folder=ARCHIVED)
    found = first(features=[feature(delivery(), left, archived)])
    assert (found.stage, found.gates.qa.verdict) == (7, "APPROVED FOR DELIVERY")
    moved = first(features=[feature(delivery(), archived, archived=True)])
    assert (moved.gates.qa.verdict, moved.folder) == ("APPROVED FOR DELIVERY", ARCHIVED)


def test_rollbacks_come_from_the_delivery_else_from_the_worse_of_log_and_counters():
    log = log_of_entries(entry(1, "dispatch", "T-01"), rollbacks=1)
    assert first().rollbacks is None
    assert first(log=log).rollbacks == 1
    assert first(log=log, states=[state(rollbacks=3)]).rollbacks == 3
    assert first(log=log, states=[state(rollbacks=3)], features=[feature(delivery(rollbacks=0))]).rollbacks == 0


def test_attempts_and_age_come_from_the_log():
    log = log_of_entries(
        entry(1, "dispatch", "T-01", at=ago(hours=5)), entry(2, "failed", "T-01", at=ago(hours=4)),
        entry(3, "dispatch", "T-01", at=ago(hours=3)),
    )  # fmt: skip
    assert (first(log=log).attempts, first(log=log).touched_at) == (2, ago(hours=3))


def test_a_task_in_progress_is_as_old_as_its_newest_document():
    log = log_of_entries(entry(1, "dispatch", "T-01", at=ago(hours=3)))
    work = feature(None, stage_doc(2), modified_at=ago(hours=1))
    assert first(log=log, features=[work]).touched_at == ago(hours=1)
    assert first(features=[work]).touched_at == ago(hours=1)


def test_log_lines_of_another_slug_are_about_another_task():
    log = log_of_entries(entry(1, "dispatch", "T-01", slug="first-life"), entry(2, "delivered", "T-01"))
    found = first(log=log)
    assert (found.effective_status, found.attempts) == ("pending", 0)


def test_a_doubled_id_shares_no_log_lines():
    log = log_of_entries(entry(1, "dispatch", "T-02"), entry(2, "delivered", "T-02"))
    pool = pool_of(row("T-02", slug="a"), row("T-02", slug="b", line=13), log=log)
    assert [task.effective_status for task in pool.tasks] == ["pending", "pending"]


def test_a_doubled_slug_shares_no_documents_board_rows_or_counters():
    pool = pool_of(
        row("T-01", slug="twin"), row("T-02", slug="twin"),
        features=[feature(delivery(), slug="twin")], boards=[board(board_row("done", slug="twin"))],
        states=[state(slug="twin", stage=6, blocked="rounds")],
    )  # fmt: skip
    assert [(task.effective_status, task.stage) for task in pool.tasks] == [("pending", 0), ("pending", 0)]


def test_a_report_row_belongs_to_id_and_slug_together():
    told = report(report_row("T-01", slug="twin"), report_row("T-02", "BLOCKED", slug="twin"))
    pool = pool_of(row("T-01", slug="twin"), row("T-02", slug="twin"), row("T-03", slug="other"), told=told)
    assert [task.effective_status for task in pool.tasks] == ["done", "pending", "pending"]
    assert first(told=report(report_row("T-01", slug="other"))).effective_status == "pending"


def test_the_first_of_two_report_rows_counts():
    told = report(report_row("T-01", "DELIVERED"), report_row("T-01", "PENDING", line=90))
    assert first(told=told).effective_status == "done"


def test_an_active_board_row_counts_before_a_completed_one():
    rows = board_row("done"), board_row("in-progress", active=True, line=2)
    assert first(boards=[board(*rows)]).effective_status == "pending"


def test_problems_of_a_row_are_found_with_it():
    mark = Problem("P", 11, "warning", "hidden-characters", "shown as marks")
    pool = pool_of(row("T-01", needs="T-99"), row("T-02"), problems=[mark])
    assert [problem.code for problem in by_id(pool)["T-01"].problems] == ["hidden-characters", "unknown-dependency"]
    assert by_id(pool)["T-02"].problems == ()


def test_every_doubled_row_is_shown_and_near_twins_are_noted():
    pool = pool_of(
        row("T-01", "done", slug="ramp"), row("T-02", slug="door"), row("T-02", "done", slug="glaze", line=13),
        row("T-03", needs="T-02", slug="door", line=14), row("t-01", slug="twin", line=15),
    )  # fmt: skip
    assert [task.id for task in pool.tasks] == ["T-01", "T-02", "T-02", "T-03", "t-01"]
    codes = [{problem.code for problem in task.problems} for task in pool.tasks]
    assert codes == [{"near-id"}, {"duplicate-id", "duplicate-slug"}, {"duplicate-id"}, {"duplicate-slug"}, {"near-id"}]
    assert pool.tasks[3].effective_status == "pending"


def test_unchanged_rows_stay_the_same_objects():
    judge = PoolJudge("mill", "stream")
    rows = row("T-01"), row("T-02", needs="T-01"), row("T-03")
    before = judge.judge(plan(*rows), inputs(log=log_of_entries(entry(1, "run"))))
    after = judge.judge(plan(*rows), inputs(log=log_of_entries(entry(1, "run"), entry(2, "delivered", "T-01"))))
    assert [a is b for a, b in zip(before.tasks, after.tasks, strict=True)] == [False, False, True]
    assert after.tasks[1].runnable


def test_nothing_new_gives_the_same_pool():
    judge = PoolJudge("mill", "batch")
    same, witnesses = plan(row("T-01")), inputs()
    assert judge.judge(same, witnesses) is judge.judge(same, witnesses)
