from __future__ import annotations

from datetime import timedelta

import pytest
from support.build import (
    LOCK,
    LOG,
    NOW,
    PLAN,
    REPORT,
    ago,
    delivery,
    entry,
    feature,
    lease,
    log_of_entries,
    pool_of,
    report,
    row,
)

from harness_tui.model.problem import Problem
from harness_tui.model.stream import Stream
from harness_tui.rules.stream import BELIEVABLE, QUIET, Signs, foremost, stream_state

WORK = "docs/features/slug-t-02"
ROWS = row("T-01", "done"), row("T-02", "in-progress", needs="T-01"), row("T-03", needs="T-02")
REST = row("T-01", "done"), row("T-02"), row("T-03", needs="T-02")
OLD = timedelta(days=3)


def dispatched(at=None, day=None, **more):
    return log_of_entries(entry(1, "delivered", "T-01"), entry(2, "dispatch", "T-02", at=at, day=day), **more)


def stream(*rows, log=None, held=None, signs=None, ambient=False, now=NOW, **witnesses):
    pool = pool_of(*rows, log=log, **witnesses)
    return stream_state(pool, log, held, signs or Signs(), ambient=ambient, now=now)


def changed(at, path=WORK):
    return Signs(changed=((at, path),))


def seen(at):
    return Signs(observed=(at, PLAN))


def places(found):
    return [(cause.path, cause.line) for cause in found.causes]


# A run that holds the lock


def test_a_living_lock_holder_runs():
    found = stream(*ROWS, log=dispatched(ago(days=9)), held=lease(alive=True))
    assert (found.state, found.task_id, found.since) == ("running", "T-02", ago(days=9))
    assert (found.owner.pid, found.owner.host) == (77, "mill-host")
    assert places(found) == [(LOCK, None), (PLAN, 12)]
    assert found.why == found.causes[0].text


def test_a_living_lock_holder_runs_between_tasks_too():
    found = stream(*REST, held=lease(alive=True, started_at=ago(minutes=4)))
    assert (found.state, found.task_id, found.since) == ("running", None, ago(minutes=4))


def test_a_living_lock_holder_outweighs_an_old_stop():
    log = log_of_entries(entry(1, "stop", text="STOP"))
    assert stream(*REST, log=log, held=lease(alive=True)).state == "running"


def test_a_dead_lock_makes_a_row_in_progress_interrupted_however_fresh_its_files():
    signs = Signs(changed=((ago(seconds=9), WORK),), observed=(ago(seconds=1), PLAN))
    found = stream(*ROWS, log=dispatched(ago(seconds=30)), held=lease(), signs=signs)
    assert (found.state, found.task_id, found.owner) == ("interrupted", "T-02", None)
    assert "process 77 is gone" in found.why
    assert places(found) == [(LOCK, None), (PLAN, 12)]


def test_the_lock_of_a_stranger_without_any_log_is_interrupted():
    rows = row("T-01", "in-progress"), row("T-02")
    assert stream(*rows, held=lease(pool_id="", why="it is a stranger")).state == "interrupted"


def test_a_dead_lock_with_nothing_in_progress_only_adds_its_reason():
    for rows, state in ((REST, "idle"), ((row("T-01", "done"),), "drained"), ((), "idle")):
        found = stream(*rows, held=lease())
        assert found.state == state
        assert places(found)[0] == (LOCK, None)
        assert len(found.causes) > 1
    assert stream(row("T-01", "unknown"), held=lease()).state == "unknown"


def test_the_lock_of_another_pool_says_nothing():
    found = stream(*REST, held=lease(alive=True, pool_id="bakery"))
    assert (found.state, found.owner) == ("idle", None)


# A run without a lock: believable signs of life


@pytest.mark.parametrize(
    ("log", "signs"),
    [
        (dispatched(ago(minutes=3)), Signs()),
        (dispatched(ago(hours=5)), changed(ago(minutes=3))),
        (dispatched(ago(hours=5)), seen(ago(minutes=3))),
        (dispatched(ago(hours=5), modified_at=ago(minutes=3)), Signs()),
        (dispatched(day="2027-03-09"), changed(ago(minutes=3))),
        (dispatched(day="2027-03-08", modified_at=ago(minutes=3)), Signs()),
        (None, seen(ago(minutes=3))),
    ],
    ids=["log-time", "documents", "seen", "log-file", "day-and-documents", "day-before", "seen-without-log"],
)
def test_a_row_in_progress_with_a_fresh_sign_of_life_is_running(log, signs):
    found = stream(*ROWS, log=log, signs=signs)
    assert (found.state, found.task_id) == ("running", "T-02")
    assert "3 min ago (no run lock)" in found.why


@pytest.mark.parametrize(
    ("log", "signs"),
    [
        (None, Signs()),
        (None, changed(ago(minutes=1))),
        (dispatched(ago(hours=5)), Signs()),
        (dispatched(ago(minutes=31)), changed(ago(minutes=31))),
        (dispatched(ago(days=40), modified_at=ago(minutes=1)), changed(ago(minutes=1))),
        (dispatched(day="2027-02-01"), changed(ago(minutes=1))),
        (dispatched(day="someday"), changed(ago(minutes=1))),
        (dispatched(ago(hours=5)), seen(ago(hours=2))),
    ],
    ids=["nothing", "no-log", "old-log", "too-quiet", "checkout", "day-long-past", "no-day", "seen-long-ago"],
)
def test_a_row_in_progress_without_a_believable_sign_is_interrupted(log, signs):
    assert stream(*ROWS, log=log, signs=signs).state == "interrupted"


def test_the_limits_of_a_sign_of_life():
    at = ago(hours=20)
    assert stream(*ROWS, log=dispatched(NOW - QUIET)).state == "running"
    assert stream(*ROWS, log=dispatched(NOW - QUIET - timedelta(seconds=1))).state == "interrupted"
    assert stream(*ROWS, log=dispatched(at), signs=changed(at + BELIEVABLE), now=at + BELIEVABLE).state == "running"
    late = at + BELIEVABLE + timedelta(seconds=1)
    assert stream(*ROWS, log=dispatched(at), signs=changed(late), now=late).state == "interrupted"


@pytest.mark.parametrize("hours", [1, 9, 24 * 300])
def test_a_time_that_lies_ahead_is_no_sign_of_life(hours):
    found = stream(
        *ROWS, log=dispatched(ago(hours=-hours), modified_at=ago(hours=-hours)), signs=seen(ago(hours=-hours))
    )
    assert (found.state, found.since) == ("interrupted", None)
    assert "lies ahead" in found.causes[1].text


def test_mislabelled_local_times_do_not_hide_real_signs():
    log = dispatched(ago(hours=-9))
    found = stream(*ROWS, log=log, signs=changed(ago(minutes=2)))
    assert (found.state, found.since) == ("running", None)


def test_a_clock_that_is_a_little_ahead_is_believed():
    found = stream(*ROWS, log=dispatched(ago(seconds=-20)))
    assert found.state == "running"
    assert "less than a minute ago" in found.why


def test_no_text_counts_seconds():
    texts = {stream(*ROWS, log=dispatched(ago(seconds=seconds))).why for seconds in range(0, 60, 7)}
    assert len(texts) == 1


def test_the_age_of_the_last_log_line_is_told_of_an_interrupted_row():
    found = stream(*ROWS, log=dispatched(ago(hours=7)))
    assert places(found) == [(PLAN, None), (LOG, 2), (PLAN, 12)]
    assert "7 h ago" in found.causes[1].text
    assert found.since == ago(hours=7)
    dated = stream(*ROWS, log=dispatched(day="2027-03-01"))
    assert "2027-03-01" in dated.causes[1].text
    assert "no log line" in stream(*ROWS).causes[1].text


def test_of_several_rows_in_progress_the_one_dispatched_last_is_current():
    rows = row("T-01", "in-progress"), row("T-02", "in-progress"), row("T-03", "in-progress")
    log = log_of_entries(entry(1, "dispatch", "T-03"), entry(2, "dispatch", "T-02", at=ago(minutes=2)))
    assert stream(*rows, log=log).task_id == "T-02"
    assert stream(*rows, log=log, held=lease(alive=True)).task_id == "T-02"
    assert stream(*rows).task_id == "T-01"


def test_log_lines_of_another_slug_do_not_date_the_task():
    log = log_of_entries(entry(1, "dispatch", "T-02", at=ago(minutes=5), slug="an-earlier-life"))
    found = stream(*ROWS, log=log, held=lease(alive=True))
    assert found.since is None


def test_a_run_without_a_lock_goes_on_between_two_tasks():
    log = log_of_entries(
        entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01", at=ago(minutes=2), text="T-01 is out")
    )
    found = stream(*REST, log=log)
    assert (found.state, found.task_id) == ("running", None)
    assert found.causes[1].text == "T-01 is out"


@pytest.mark.parametrize(
    ("rows", "more"),
    [
        (REST, [entry(3, "exit", text="STREAM EXIT", at=ago(minutes=1))]),
        ((row("T-01", "done"), row("T-02", "needs-human"), row("T-03", needs="T-02")), []),
        ((row("T-01", "done"),), []),
    ],
    ids=["told-its-end", "nothing-can-run", "nothing-left"],
)
def test_a_run_that_has_no_more_to_do_rests(rows, more):
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01", at=ago(minutes=2)), *more)
    assert stream(*rows, log=log).state in ("idle", "drained")


def test_a_plan_that_somebody_edits_is_no_run():
    assert stream(*REST, signs=seen(ago(seconds=5))).state == "idle"
    opened = log_of_entries(entry(1, "run", at=ago(minutes=1)))
    assert stream(*REST, log=opened, signs=seen(ago(seconds=5))).state == "idle"


# Ends


@pytest.mark.parametrize("rows", [ROWS, REST])
def test_a_hard_stop_is_told_with_its_gate_and_the_row_it_left(rows):
    log = log_of_entries(
        entry(1, "dispatch", "T-02", at=ago(minutes=9)),
        entry(2, "regression-gate", text="verify_all FAIL (3 checks)", at=ago(minutes=2)),
        entry(3, "exit", text="STREAM EXIT: hard stop", at=ago(minutes=1)),
    )
    found = stream(*rows, log=log)
    assert (found.state, found.since) == ("stopped", ago(minutes=1))
    assert [cause.line for cause in found.causes][:3] == [3, 3, 2]


def test_a_hard_stop_is_told_though_the_plan_cannot_be_read():
    log = log_of_entries(entry(1, "dispatch", "T-02"), entry(2, "exit", text="STREAM EXIT: hard stop"))
    assert stream(log=log, table=False).state == "stopped"


@pytest.mark.parametrize("text", ["STREAM EXIT: drained. No hard stop fired.", "batch end · stop reason: 计划完成"])
def test_an_exit_that_denies_a_stop_is_none(text):
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "exit", text=text, at=ago(hours=1)))
    found = stream(row("T-01", "done"), log=log)
    assert (found.state, found.since) == ("drained", ago(hours=1))
    assert found.causes[-1].text == text
    assert stream(*REST, log=log).state == "idle"


def test_the_report_tells_of_a_stop_where_the_exit_is_silent():
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "exit", text="STREAM EXIT"))
    found = stream(*REST, log=log, told=report(stop_reason="the gate went red"))
    assert (found.state, found.causes[0].path) == ("stopped", REPORT)


def test_after_a_stop_a_new_dispatch_runs_again():
    log = log_of_entries(entry(1, "stop", text="STOP"), entry(2, "dispatch", "T-02", at=ago(minutes=1)))
    assert stream(*ROWS, log=log).state == "running"


def test_a_row_left_in_progress_by_a_run_that_told_its_end_is_interrupted_however_fresh_its_files():
    log = log_of_entries(
        entry(1, "dispatch", "T-02", at=ago(minutes=3)), entry(2, "exit", text="STREAM EXIT", at=ago(minutes=1))
    )
    found = stream(*ROWS, log=log, signs=seen(ago(seconds=3)))
    assert (found.state, found.task_id) == ("interrupted", "T-02")
    assert (found.causes[-1].path, found.causes[-1].line) == (LOG, 2)


# Rest


def test_an_idle_pool_names_what_can_run():
    found = stream(*[row(f"T-0{n}") for n in range(1, 6)])
    assert found.state == "idle"
    assert found.why == "no run is under way; 5 can run: T-01, T-02, T-03 …"
    assert places(found) == [(PLAN, 11)]


def test_an_idle_pool_whose_rows_all_wait_says_so():
    found = stream(row("T-01", "failed"), row("T-02", needs="T-01"))
    assert found.state == "idle"
    assert "none of 1 pending rows can run" in found.why


def test_a_pool_with_nothing_pending_is_drained_though_something_needs_a_person():
    assert stream(row("T-01", "done"), row("T-02", "needs-human"), row("T-03", "blocked")).state == "drained"


def test_a_drained_pool_tells_what_it_left_open():
    rows = (row("T-01", "failed"), row("T-02", "done"), row("T-03", "needs-human"), row("T-04", "failed"))
    assert stream(*rows).causes[0].text == "no row is left to run; left open: 1 needs-human, 2 failed"
    assert stream(row("T-01", "done"), row("T-02", "skipped")).causes[0].text == "no row is left to run"


def test_a_status_that_is_no_word_makes_a_pool_unknown_only_when_nothing_is_pending():
    found = stream(row("T-01", "done"), row("T-02", "unknown", text="wip"))
    assert (found.state, found.causes[0].line) == ("unknown", 12)
    assert "wip" in found.why
    assert stream(row("T-01"), row("T-02", "unknown")).state == "idle"


def test_an_empty_pool_is_idle_and_an_unreadable_one_unknown():
    assert stream().state == "idle"
    assert stream(table=False, problems=[Problem(PLAN, 1, "error", "no-task-table", "none")]).state == "unknown"


def test_a_row_that_documents_prove_done_is_not_in_progress():
    log = log_of_entries(entry(1, "dispatch", "T-02", at=ago(days=2)))
    found = stream(*ROWS, log=log, features=[feature(delivery("done"), slug="slug-t-02")])
    assert found.state == "idle"


def test_every_state_carries_pool_ambient_mode_and_newest_evidence():
    log = dispatched(ago(hours=5), modified_at=ago(hours=4))
    signs = Signs(changed=((ago(hours=3), WORK),), observed=(ago(hours=2), PLAN))
    found = stream(*ROWS, log=log, signs=signs, ambient=True)
    assert (found.pool_id, found.ambient, found.evidence_at) == ("mill", True, ago(hours=2))
    assert stream().evidence_at is None


def test_what_runs_is_seen_first():
    states = ("drained", "unknown", "idle", "stopped", "interrupted", "running")
    assert foremost(Stream(state) for state in states).state == "running"
    assert foremost([Stream("drained"), Stream("stopped"), Stream("idle")]).state == "stopped"
    assert foremost([]) is None
