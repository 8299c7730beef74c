from __future__ import annotations

import pytest
from support.build import (
    PLAN,
    board_row,
    delivery,
    feature,
    report_row,
    row,
    state,
    task_log,
)

from harness_tui.rules.status import Witnesses, judge, log_status, speaks_of, word_status


def verdict(status="pending", *, log=None, delivered=None, superseded=False, text=None, malformed=False, **more):
    """Status, deciding witness and drift of a row with these witnesses."""
    found = feature(delivered, superseded=superseded) if delivered is not None else None
    witnesses = Witnesses(feature=found, log=task_log(*log.split()) if log else None, log_path="LOG.md", **more)
    judged = judge(row(status=status, text=text, malformed=malformed), PLAN, witnesses)
    return judged.status, judged.source, judged.drift


def test_a_plan_without_other_witnesses_is_believed():
    for status in ("pending", "in-progress", "done", "failed", "blocked", "needs-human", "skipped", "unknown"):
        assert verdict(status) == (status, "plan", False)


@pytest.mark.parametrize(
    ("plan", "log", "says", "expected"),
    [
        # stale plans: the row was never written again (P11, P12)
        ("pending", "dispatch delivered", "done", ("done", "delivery", True)),
        ("pending", "dispatch delivered", "unknown", ("done", "log", True)),
        ("pending", "dispatch", None, ("in-progress", "log", True)),
        ("in-progress", "dispatch", "done", ("done", "delivery", True)),
        ("blocked", "dispatch delivered", "done", ("done", "delivery", True)),
        ("blocked", "dispatch", "done", ("done", "delivery", True)),
        # a delivery document that states a bad end outweighs everything
        ("done", "dispatch delivered", "blocked", ("blocked", "delivery", True)),
        ("pending", None, "failed", ("failed", "delivery", True)),
        # bad ends in the log
        ("pending", "dispatch needs-human", None, ("needs-human", "log", True)),
        ("done", "dispatch failed", None, ("failed", "log", True)),
        ("in-progress", "dispatch failed", "done", ("failed", "log", True)),
        ("done", "dispatch blocked", "done", ("done", "delivery", True)),
        ("failed", "dispatch failed", "done", ("failed", "plan", True)),
        ("failed", "dispatch delivered", None, ("failed", "plan", True)),
        # agreement
        ("done", "dispatch delivered", "done", ("done", "delivery", False)),
        ("done", None, None, ("done", "plan", False)),
        ("done", "dispatch", None, ("done", "plan", False)),
        ("blocked", "dispatch blocked", "blocked", ("blocked", "delivery", False)),
        # declined work counts as skipped only while nothing says more
        ("pending", None, "skipped", ("skipped", "delivery", True)),
        ("in-progress", "dispatch", "skipped", ("in-progress", "plan", True)),
        ("done", "dispatch delivered", "skipped", ("done", "plan", True)),
        # a skipped row stays skipped (P15)
        ("skipped", "dispatch delivered", "done", ("skipped", "plan", True)),
        ("skipped", "skipped", None, ("skipped", "plan", False)),
    ],
)
def test_the_worse_reading_wins_where_plan_log_and_document_differ(plan, log, says, expected):
    assert verdict(plan, log=log, delivered=delivery(says) if says else None) == expected


def test_a_promise_or_a_word_in_prose_proves_nothing():
    assert verdict("pending", delivered=delivery("unknown")) == ("pending", "plan", False)
    assert verdict("done", delivered=delivery("unknown")) == ("done", "plan", False)


def test_a_question_is_told_before_any_other_bad_end():
    assert verdict("needs-human", delivered=delivery("blocked"))[:2] == ("needs-human", "plan")
    assert verdict("blocked", log="dispatch needs-human")[:2] == ("needs-human", "log")
    assert verdict("blocked", log="dispatch failed")[:2] == ("blocked", "plan")


def test_after_a_new_dispatch_the_result_before_no_longer_counts():
    assert verdict("in-progress", log="dispatch needs-human dispatch") == ("in-progress", "plan", False)
    assert verdict("pending", log="dispatch failed dispatch") == ("in-progress", "log", True)


@pytest.mark.parametrize("plan", ["pending", "in-progress"])
def test_after_a_new_dispatch_the_document_of_the_earlier_attempt_no_longer_counts(plan):
    for result, says in (("delivered", "done"), ("blocked", "blocked"), ("failed", "needs-human")):
        found = verdict(plan, log=f"dispatch {result} dispatch", delivered=delivery(says))
        assert found[0] == "in-progress"


def test_a_document_that_differs_from_the_earlier_result_is_newer_than_it():
    assert verdict("in-progress", log="dispatch failed dispatch", delivered=delivery("done"))[0] == "done"
    assert verdict("in-progress", log="dispatch delivered dispatch", delivered=delivery("blocked"))[0] == "blocked"


def test_after_a_new_dispatch_report_and_board_no_longer_count():
    again = {"log": "dispatch delivered dispatch", "report": report_row(), "board": board_row("done")}
    assert verdict("in-progress", **again)[0] == "in-progress"


def test_after_a_new_dispatch_a_plan_that_says_done_is_final():
    assert verdict("done", log="dispatch delivered dispatch", delivered=delivery("done"))[:2] == ("done", "plan")


def test_after_a_new_dispatch_a_plan_that_still_names_the_bad_end_counts_and_is_marked():
    assert verdict("needs-human", log="dispatch needs-human dispatch") == ("needs-human", "plan", True)


def test_after_an_answer_the_delivery_closes_the_question():
    found = verdict("needs-human", log="dispatch needs-human dispatch delivered", delivered=delivery("done"))
    assert found == ("done", "delivery", True)


@pytest.mark.parametrize("says", ["done", "blocked", "failed", "needs-human", "skipped"])
@pytest.mark.parametrize("plan", ["pending", "in-progress", "done"])
def test_a_superseded_delivery_decides_nothing_and_is_no_drift(plan, says):
    assert verdict(plan, delivered=delivery(says), superseded=True) == (plan, "plan", False)


def test_a_superseded_delivery_stays_among_the_evidence():
    judged = judge(row(), PLAN, Witnesses(feature=feature(delivery("done"), superseded=True)))
    assert [item.source for item in judged.evidence] == ["plan", "delivery"]


def test_a_completed_board_row_closes_a_row_left_in_progress():
    assert verdict("in-progress", log="dispatch", board=board_row("done")) == ("done", "board", True)


def test_a_report_row_closes_a_row_when_nothing_else_speaks():
    assert verdict("pending", report=report_row(verdict="DELIVERED (1 rollback)")) == ("done", "report", True)


def test_an_active_board_row_that_asks_is_heard():
    assert verdict("in-progress", board=board_row("needs-human", active=True))[:2] == ("needs-human", "board")


def test_a_completed_board_row_with_a_bad_end_is_about_an_earlier_attempt():
    assert verdict("pending", board=board_row("blocked"))[0] == "pending"


def test_counters_that_say_blocked_are_heard_while_the_row_is_open():
    waiting = state(blocked="three rounds at stage 5")
    assert verdict("in-progress", log="dispatch", state=waiting)[:2] == ("blocked", "state")
    assert verdict("done", state=waiting)[0] == "done"


def test_counters_without_a_blocker_change_nothing():
    assert verdict("pending", state=state()) == ("pending", "plan", False)


def test_unknown_words_of_the_plan_give_way_to_proof_and_are_never_done_by_themselves():
    assert verdict("unknown", text="wip", log="dispatch delivered")[0] == "done"
    assert verdict("unknown", text="not done")[0] == "unknown"


def test_a_malformed_row_that_is_worked_on_shows_it():
    assert verdict("unknown", text="", malformed=True, log="dispatch")[:2] == ("in-progress", "log")


def test_the_evidence_names_each_witness_with_its_place():
    witnesses = Witnesses(
        feature=feature(delivery("done")), log=task_log("dispatch", "delivered"), log_path="LOG.md",
        board=board_row("done"), board_path="docs/tasks.md", report=report_row(), report_path="R.md",
        state=state(stage=7),
    )  # fmt: skip
    found = judge(row(), PLAN, witnesses).evidence
    assert [(item.source, item.says, item.path, item.line) for item in found] == [
        ("plan", "pending", PLAN, 11),
        ("delivery", "done", "docs/features/slug-t-01/07_DELIVERY.md", 20),
        ("log", "done", "LOG.md", 2),
        ("board", "done", "docs/tasks.md", 5),
        ("report", "done", "R.md", 30),
        ("state", "in-progress", ".harness/state/slug-t-01.json", None),
    ]
    assert found[5].text == "stage 7"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("DELIVERED", "done"),
        ("**DELIVERED** (v1.2, 1 rollback)", "done"),
        ("`done`", "done"),
        ("EXPLORED", "done"),
        ("GOAL ACHIEVED", "done"),
        ("BLOCKED: NEEDS-HUMAN — which port?", "needs-human"),
        ("NEEDS HUMAN", "needs-human"),
        ("BLOCKED", "blocked"),
        ("Failed after 3 rounds", "failed"),
        ("skipped", "skipped"),
        ("Declined", "skipped"),
        ("IN PROGRESS", "in-progress"),
        ("NOT DELIVERED", "unknown"),
        ("~~DELIVERED~~", "unknown"),
        ("DELIVERED?", "unknown"),
        ("DONE-ISH", "unknown"),
        ("UNDELIVERED", "unknown"),
        ("pending", "unknown"),
        ("", "unknown"),
    ],
)
def test_verdict_cells_of_a_report(text, status):
    assert word_status(text) == status


def test_the_last_event_of_a_task_counts():
    assert log_status(task_log("dispatch"))[0] == "in-progress"
    assert log_status(task_log("dispatch", "failed"))[0] == "failed"
    assert log_status(task_log("delivered"))[0] == "done"
    assert log_status(task_log("note")) is None
    status, event = log_status(task_log("dispatch", "failed", "dispatch"))
    assert (status, event.line) == ("in-progress", 3)


def test_a_log_line_of_another_slug_is_about_another_task():
    assert speaks_of(task_log("dispatch", "delivered"), "slug-t-01")
    assert speaks_of(task_log("dispatch", slug="slug-t-01"), "slug-t-01")
    assert speaks_of(task_log("dispatch", slug="`slug-t-01`,"), "slug-t-01")
    assert not speaks_of(task_log("dispatch", "delivered", slug="old-name"), "slug-t-01")


def test_the_newest_slug_in_the_log_decides_whose_lines_they_are():
    old = task_log("dispatch", "needs-human", slug="old-name")
    renewed = old.result._replace(line=9, slug="slug-t-01")
    assert speaks_of(type(old)(1, old.dispatch, renewed, renewed), "slug-t-01")
