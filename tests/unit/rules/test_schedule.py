"""The order of dispatch, what an outcome sets free or blocks, and that both cost what hangs on the row alone."""

from __future__ import annotations

import time

from support.build import pool_of, row

from harness_tui.rules.schedule import Schedule, key_of, order


def drain(schedule, outcomes=None):
    """Ids in the order in which they are dispatched; each ends as `outcomes` says, else done."""
    order = []
    while (task := schedule.pick()) is not None:
        order.append(task.id)
        schedule.start(task)
        schedule.settle(task, (outcomes or {}).get(task.id, "done"))
    return order


def test_interrupted_rows_come_first_then_plan_order_as_dependencies_allow():
    rows = [row("T-01", needs="T-03"), row("T-02"), row("T-03", "in-progress"), row("T-04", "in-progress", "T-02")]
    assert drain(Schedule(pool_of(*rows))) == ["T-03", "T-01", "T-02", "T-04"]


def test_the_order_of_a_run_holds_what_is_tried_again_and_nothing_in_a_ring():
    rows = [row("T-01", needs="T-03"), row("T-02", "failed"), row("T-03", "in-progress"), row("T-04", "done")]
    assert [task.id for task in order(pool_of(*rows))] == ["T-03", "T-01", "T-02"]
    assert [task.id for task in order(pool_of(*rows), retry=False)] == ["T-03", "T-01"]
    assert order(pool_of(row("T-01", needs="T-02"), row("T-02", needs="T-01"), row("T-03"))) == ()


def test_each_row_is_picked_once_however_it_ends():
    schedule = Schedule(pool_of(row("T-01"), row("T-02", "failed"), row("T-03", "needs-human")))
    assert drain(schedule, {"T-01": "failed", "T-02": "failed"}) == ["T-01", "T-02", "T-03"]


def test_rows_of_the_run_and_without_retry_closed_ones_stay():
    pool = pool_of(row("T-01"), row("T-02", "failed"))
    assert drain(Schedule(pool, {key_of(pool.tasks[0])})) == ["T-02"]
    assert drain(Schedule(pool, retry=False)) == ["T-01"]


def test_a_failure_blocks_pending_rows_below_it_through_closed_ones_but_not_through_done_ones():
    rows = [
        row("T-01"),
        row("T-02", "failed", "T-01"),
        row("T-03", needs="T-02"),
        row("T-04", "done", "T-01"),
        row("T-05", needs="T-04"),
    ]
    schedule = Schedule(pool_of(*rows))
    task = schedule.pick()
    schedule.start(task)
    assert [item.id for item in schedule.settle(task, "failed")] == ["T-03"]
    assert schedule.tally["blocked"] == 1
    assert schedule.pick().id == "T-05"


def test_blocked_rows_are_told_in_plan_order_and_have_that_status():
    rows = [row("T-01"), row("T-02", needs="T-03"), row("T-03", needs="T-01"), row("T-04", needs="T-01")]
    schedule = Schedule(pool_of(*rows))
    task = schedule.pick()
    schedule.start(task)
    assert schedule.status(task) == "in-progress"
    blocked = schedule.settle(task, "failed")
    assert [item.id for item in blocked] == ["T-02", "T-03", "T-04"]
    assert {schedule.status(item) for item in blocked} == {"blocked"}


def test_a_row_that_stops_being_done_takes_back_what_it_set_free():
    pool = pool_of(row("T-01", "done"), row("T-02", needs="T-01"))
    schedule = Schedule(pool)
    schedule.settle(pool.tasks[0], "skipped")
    assert schedule.pick() is None
    schedule.settle(pool.tasks[0], "done")
    assert schedule.pick().id == "T-02"


def test_at_the_end_rows_below_closed_ones_are_stuck():
    rows = [row("T-01", "failed"), row("T-02", needs="T-01"), row("T-03", needs="T-02"), row("T-04")]
    schedule = Schedule(pool_of(*rows), retry=False)
    assert drain(schedule) == ["T-04"]
    assert [(cause, [task.id for task in tasks]) for cause, tasks in schedule.stuck()] == [("T-01", ["T-02", "T-03"])]


def test_doubled_ids_and_rings_never_run_and_meet_nothing():
    rows = [
        row("T-01"),
        row("T-01", line=99),
        row("T-02", needs="T-01"),
        row("T-03", needs="T-04"),
        row("T-04", needs="T-03"),
    ]
    assert drain(Schedule(pool_of(*rows))) == []


def test_an_outcome_costs_the_same_in_a_long_pool():
    def seconds(count):
        rows = [row(f"T-{n}", needs=(f"T-{n - 1}",) if n else (), line=n + 1) for n in range(count)]
        schedule = Schedule(pool_of(*rows))
        began = time.perf_counter()
        for _ in range(200):
            task = schedule.pick()
            schedule.start(task)
            schedule.settle(task, "done")
        return time.perf_counter() - began

    assert min(seconds(4000) for _ in range(3)) < 10 * min(seconds(400) for _ in range(3))
