from __future__ import annotations

import time

import pytest
from support.build import (
    LOG,
    PLAN,
    REPORT,
    ago,
    delivery,
    entry,
    feature,
    log_of_entries,
    need,
    pool_of,
    report,
    row,
)

from harness_tui.model.intervention import Interventions, Signal
from harness_tui.model.problem import Problem
from harness_tui.model.verify import VerifyRun
from harness_tui.rules.inbox import inbox, waiting_behind


def items(*rows, log=None, signals=None, verify=None, **more):
    pool = pool_of(*rows, log=log, **more)
    logs = {"mill": log} if log is not None else {}
    return inbox([pool], logs, signals or Interventions(), verify, ())


def questions(*rows, **more):
    return [item for item in items(*rows, **more) if item.kind in ("needs-human", "clarification")]


def asked(task_id="T-01", line=2, **more):
    return entry(line, "needs-human", task_id, at=ago(hours=2), ask="Which port?", unblock="you name one", **more)


def test_nothing_waits_in_a_sound_pool():
    assert items(row("T-01", "done"), row("T-02", "blocked"), row("T-03", "failed"), row("T-04")) == ()


def test_rows_whose_status_is_no_known_word_wait_for_somebody_who_mends_the_plan():
    (item,) = items(row("T-01", "done"), row("T-02", "unknown", status_text="todo"), row("T-03"))
    assert (item.kind, item.id, item.urgency, item.task_id) == ("problem", "mill/unknown", 1, "T-02")
    assert item.title == "T-02 can't run before the plan is mended: 'todo' is no known status"
    (item,) = items(*(row(f"T-0{number}", "unknown", status_text="?") for number in range(1, 6)))
    assert item.title == (
        "5 rows can't run before the plan is mended, their status is no known word: T-01, T-02, T-03 …"
    )


# Questions


def test_a_needs_human_row_asks_in_the_words_of_the_log():
    (item,) = questions(row("T-01", "needs-human"), log=log_of_entries(entry(1, "dispatch", "T-01"), asked()))
    assert (item.kind, item.id, item.title) == ("needs-human", "mill/T-01/slug-t-01", "T-01: Which port?")
    assert (item.path, item.line, item.since, item.unblock) == (LOG, 2, ago(hours=2), "you name one")
    assert (item.pool_id, item.task_id) == ("mill", "T-01")


def test_log_and_report_that_ask_the_same_are_one_item():
    log = log_of_entries(asked())
    found = questions(row("T-01", "needs-human"), log=log, told=report(needs=[need(), need(ask="again", line=9)]))
    assert [item.path for item in found] == [LOG]


def test_without_a_log_line_the_report_asks():
    (item,) = questions(row("T-01", "needs-human"), told=report(needs=[need(unblock="a colour is named")]))
    assert (item.title, item.path, item.line) == ("T-01: Which colour?", REPORT, 4)
    assert item.unblock == "a colour is named"


def test_without_any_words_the_row_itself_asks():
    (item,) = questions(row("T-01", "needs-human", text="needs-human (which mill?)"))
    assert (item.title, item.path, item.line) == ("T-01: needs-human (which mill?)", PLAN, 11)
    (bare,) = questions(row("T-01", "needs-human"))
    assert bare.title == "T-01: Goal of T-01"


def test_a_delivery_document_that_asks_is_cited():
    document = delivery("needs-human", "BLOCKED: NEEDS-HUMAN — pick a licence")
    (item,) = questions(row("T-01", "in-progress"), features=[feature(document)])
    assert (item.path, item.line) == (document.path, 20)
    assert "pick a licence" in item.title


def test_a_line_of_an_earlier_task_with_that_id_is_not_quoted():
    log = log_of_entries(asked(slug="an-earlier-life"))
    (item,) = questions(row("T-01", "needs-human"), log=log)
    assert item.path == PLAN


def test_a_question_that_keeps_others_waiting_is_more_urgent():
    (item,) = questions(row("T-01", "needs-human"), row("T-02", needs="T-01"))
    (alone,) = questions(row("T-01", "needs-human"), row("T-02", "done", needs="T-01"))
    assert (item.urgency, alone.urgency) == (2, 1)


def test_both_rows_of_a_doubled_id_ask_under_names_of_their_own():
    found = questions(row("T-02", "needs-human", slug="a"), row("T-02", "needs-human", slug="b", line=13))
    assert len({item.id for item in found}) == 2


@pytest.mark.parametrize("status", ["pending", "in-progress", "blocked", "failed", "unknown"])
def test_a_question_of_the_report_stays_while_the_task_is_open(status):
    (item,) = questions(row("T-01", status), told=report(needs=[need()]))
    assert (item.kind, item.task_id, item.line) == ("clarification", "T-01", 4)


@pytest.mark.parametrize("status", ["done", "skipped"])
def test_a_question_of_the_report_about_a_settled_task_is_over(status):
    assert questions(row("T-01", status), told=report(needs=[need()])) == []


def test_a_task_that_was_dispatched_after_its_question_has_its_answer():
    log = log_of_entries(entry(1, "dispatch", "T-01"), asked(), entry(3, "dispatch", "T-01", at=ago(minutes=1)))
    assert questions(row("T-01", "in-progress"), log=log, told=report(needs=[need()])) == []
    delivered = log_of_entries(asked(), entry(3, "dispatch", "T-01"), entry(4, "delivered", "T-01"))
    assert questions(row("T-01", "needs-human"), log=delivered, features=[feature(delivery())]) == []


def test_a_question_asked_after_the_last_dispatch_is_still_open():
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "blocked", "T-01"))
    assert len(questions(row("T-01", "blocked"), log=log, told=report(needs=[need()]))) == 1


def test_a_task_that_was_merely_dispatched_still_asks():
    log = log_of_entries(entry(1, "dispatch", "T-01"))
    assert len(questions(row("T-01", "in-progress"), log=log, told=report(needs=[need()]))) == 1


def test_no_question_without_an_id_is_lost():
    needs = [need("", "First?"), need("", "Second?", line=6), need("T-77", "Third?", line=8)]
    found = questions(row("T-01"), told=report(needs=needs))
    assert [item.title for item in found] == ["T-77: Third?", "mill: First?", "mill: Second?"]
    assert [item.task_id for item in found] == ["T-77", None, None]


def test_two_questions_about_one_open_task_are_two_items():
    needs = [need(ask="First?"), need(ask="Second?", line=6)]
    assert len(questions(row("T-01"), told=report(needs=needs))) == 2


def test_a_question_is_matched_by_its_slug_where_it_names_no_id():
    (item,) = questions(row("T-01", "needs-human"), told=report(needs=[need("", slug="slug-t-01")]))
    assert (item.kind, item.task_id) == ("needs-human", "T-01")
    assert questions(row("T-01", "done"), told=report(needs=[need("", slug="slug-t-01")])) == []


def test_a_question_about_another_task_that_had_the_id_belongs_to_no_row():
    (item,) = questions(row("T-01", "done"), told=report(needs=[need(slug="an-earlier-life")]))
    assert item.kind == "clarification"


# Everything else


def test_rows_that_differ_are_one_item_that_may_wait():
    log = log_of_entries(*(entry(n, "delivered", f"T-0{n}") for n in range(1, 6)))
    (item,) = items(*(row(f"T-0{n}") for n in range(1, 6)), log=log)
    assert (item.kind, item.urgency, item.line) == ("drift", 0, 11)
    assert item.title == "5 rows differ from what log and documents say: T-01, T-02, T-03 …"


def test_rows_that_the_live_run_has_still_to_write_do_not_differ():
    log = log_of_entries(entry(1, "delivered", "T-01"), entry(2, "run"), entry(3, "delivered", "T-02"))
    pool = pool_of(row("T-01"), row("T-02", "in-progress"), log=log)
    found = [inbox([pool], {"mill": log}, Interventions(), None, (), held=held) for held in (["mill"], ["other"])]
    assert [item.title.partition(": ")[2] for items in found for item in items] == ["T-01", "T-01, T-02"]


def ring(line, names):
    return Problem(PLAN, line, "error", "dependency-ring", f"is in a ring of dependencies: {names}")


def test_a_ring_is_one_item_at_its_first_row_and_each_ring_has_its_own():
    rings = (ring(5, "T-01 → T-02 → T-01"), ring(6, "T-03 → T-04 → T-03"), ring(7, "T-01 → T-02 → T-01"))
    found = items(row("T-01"), problems=rings)
    assert [(item.kind, item.line) for item in found] == [("problem", 5), ("problem", 6)]


def test_rows_that_lack_the_same_dependency_are_items_of_their_own():
    lacking = [Problem(PLAN, line, "error", "unknown-dependency", "depends on 'T-99'") for line in (5, 6)]
    assert [item.line for item in items(row("T-01"), problems=(ring(5, "T-01 → T-02"), *lacking))] == [5, 5, 6]


def test_errors_of_pools_and_files_are_items_and_remarks_are_not():
    error = Problem(PLAN, 7, "error", "cell-count", "count the pipes")
    remark = Problem(PLAN, 8, "warning", "unknown-status", "no known word")
    found = inbox([pool_of(row("T-01"), problems=[error, remark])], {}, Interventions(), None, ())
    assert [(item.kind, item.title, item.line, item.pool_id) for item in found] == [
        ("problem", "count the pipes", 7, "mill")
    ]
    loose = inbox([], {}, Interventions(), None, [error, remark])
    assert [(item.title, item.pool_id) for item in loose] == [("count the pipes", None)]


@pytest.mark.parametrize(
    ("verdict", "failed", "title"),
    [("hard-fail", 3, "verify_all fails: 3 of its checks"), ("blocked", None, "verify_all fails")],
)
def test_a_red_gate_holds_up_everything(verdict, failed, title):
    run = VerifyRun(verdict, 9, 0, failed, 0, 2, ago(hours=1), "history.log", 4)
    (item,) = items(verify=run)
    assert (item.kind, item.urgency, item.title, item.path, item.line) == ("gate", 3, title, "history.log", 4)


@pytest.mark.parametrize("verdict", ["pass", "soft-fail", "unknown"])
def test_other_gates_ask_for_nothing(verdict):
    assert items(verify=VerifyRun(verdict, 9, 0, 0, 0, 0, None, "history.log")) == ()


def test_a_signal_that_cannot_be_understood_holds_up_everything():
    unclear = Signal("", "", "please wait a bit", 3, "unclear")
    fine = Signal("NOTE", "", "hello", 9, "waiting")
    (item,) = items(signals=Interventions(present=True, signals=(unclear, fine), safest="STOP"))
    assert (item.kind, item.urgency, item.line) == ("intervention", 3, 3)
    assert "counts as STOP: please wait a bit" in item.title


def test_the_most_urgent_comes_first_then_the_oldest_then_what_has_no_date():
    log = log_of_entries(
        entry(1, "needs-human", "T-03", at=ago(hours=1)), entry(2, "needs-human", "T-02", at=ago(hours=9)),
        entry(3, "needs-human", "T-01"),
    )  # fmt: skip
    red = VerifyRun("hard-fail", 1, 0, 1, 0, 2, ago(minutes=1), "history.log")
    rows = row("T-01", "needs-human"), row("T-02", "needs-human"), row("T-03", "needs-human")
    found = items(*rows, log=log, verify=red)
    assert [item.task_id for item in found] == [None, "T-02", "T-03", "T-01"]


# Who waits behind whom


def test_rows_that_wait_through_others_are_counted_once():
    rows = (
        row("T-01", "needs-human"), row("T-02", needs="T-01"), row("T-03", needs=("T-01", "T-02")),
        row("T-04", "done", needs="T-01"), row("T-05", "skipped", needs="T-03"), row("T-06"),
    )  # fmt: skip
    assert waiting_behind(pool_of(*rows), "T-01") == 2
    assert waiting_behind(pool_of(*rows), "T-06") == 0
    assert waiting_behind(pool_of(*rows), "T-99") == 0


def test_a_ring_and_a_row_that_needs_itself_end_the_count():
    ring = row("T-01", needs="T-02"), row("T-02", needs="T-01"), row("T-03", needs="T-03")
    assert waiting_behind(pool_of(*ring), "T-01") == 1
    assert waiting_behind(pool_of(*ring), "T-03") == 0


def test_thousands_of_questions_are_listed_at_once():
    rows = [row(f"T-{n}", "needs-human", needs=f"T-{n - 1}", line=n) for n in range(1, 4001)]
    pool = pool_of(*rows)
    before = time.process_time()
    found = inbox([pool], {}, Interventions(), None, ())
    assert time.process_time() - before < 2.0
    assert sum(item.kind == "needs-human" for item in found) == 4000
