from __future__ import annotations

from support.build import by_id, entry, log_of_entries, pool_of, row

from harness_tui.model.problem import Problem
from harness_tui.rules.frontier import barred


def reasons(pool, task_id):
    return {wait.id: wait.why for wait in by_id(pool)[task_id].waiting_on}


def test_rows_run_in_the_order_of_the_plan_not_of_their_ids():
    pool = pool_of(row("T-09"), row("T-02"), row("T-10", line=30), row("T-01"))
    assert pool.frontier == ("T-09", "T-02", "T-10", "T-01")


def test_only_done_meets_a_dependency():
    others = ("pending", "in-progress", "failed", "blocked", "needs-human", "skipped", "unknown")
    for status in others:
        pool = pool_of(row("T-01", status), row("T-02", needs="T-01"))
        assert not by_id(pool)["T-02"].runnable, status
        assert list(reasons(pool, "T-02")) == ["T-01"]
    done = pool_of(row("T-01", "done"), row("T-02", needs="T-01"))
    assert done.frontier == ("T-02",)
    assert reasons(done, "T-02") == {}


def test_every_reason_to_wait_continues_a_sentence_that_begins_with_the_id():
    statuses = ("pending", "in-progress", "failed", "blocked", "needs-human", "skipped", "unknown")
    pools = [pool_of(row("T-01", status), row("T-02", needs=("T-01", "T-77"))) for status in statuses]
    whys = {wait.why for pool in pools for wait in by_id(pool)["T-02"].waiting_on}
    assert len(whys) == len(statuses) + 1
    assert all(why.split()[0] in {"has", "is", "failed", "needs", "was"} for why in whys)


def test_effective_statuses_count_not_those_of_the_plan():
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01"))
    assert pool_of(row("T-01"), row("T-02", needs="T-01"), log=log).frontier == ("T-02",)


def test_a_row_behind_a_skipped_one_says_that_it_will_wait_for_ever():
    pool = pool_of(row("T-07", "skipped"), row("T-06", needs="T-07"))
    assert "never" in reasons(pool, "T-06")["T-07"]


def test_an_unknown_id_is_named():
    pool = pool_of(row("T-05", needs="T-99"))
    assert pool.frontier == ()
    assert reasons(pool, "T-05") == {"T-99": "is no row of this pool"}


def test_ids_that_differ_only_in_case_are_two_rows():
    pool = pool_of(row("T-01", "done"), row("t-01", slug="case-twin", line=20), row("T-02", needs="t-01"))
    assert pool.frontier == ("t-01",)
    assert reasons(pool, "T-02") == {"t-01": "has not run yet"}


def test_a_ring_runs_nowhere_and_what_hangs_on_it_waits():
    pool = pool_of(
        row("T-01", needs="T-03"), row("T-02", needs="T-01"), row("T-03", needs="T-02"), row("T-04", needs="T-02"),
        row("T-09"),
    )  # fmt: skip
    assert pool.frontier == ("T-09",)
    assert pool.cycles == (("T-01", "T-03", "T-02"),)
    assert reasons(pool, "T-04") == {"T-02": "is in a ring: T-01, T-03, T-02"}


def test_a_row_that_needs_itself_is_a_ring():
    pool = pool_of(row("T-04", needs="T-04"))
    assert (pool.frontier, pool.cycles) == ((), (("T-04",),))
    assert reasons(pool, "T-04") == {"T-04": "is in a ring: T-04"}


def test_a_ring_is_not_met_though_one_of_its_rows_is_done():
    pool = pool_of(row("T-01", "done", needs="T-02"), row("T-02", needs="T-01"))
    assert pool.frontier == ()


def test_a_long_ring_is_named_by_its_first_rows():
    rows = [row(f"T-{n}", needs=f"T-{(n + 1) % 500}", line=n + 1) for n in range(500)]
    pool = pool_of(*rows)
    assert pool.tasks[0].waiting_on[0].why.endswith("T-7 and 492 more")
    assert len(pool.cycles[0]) == 500


def test_both_rows_of_an_id_are_kept_from_running_and_a_dependency_on_it_is_not_met():
    pool = pool_of(
        row("T-02", slug="door-alarm"), row("T-02", "done", slug="glaze-table", line=13), row("T-03", needs="T-02")
    )
    assert pool.frontier == ()
    assert len(pool.tasks) == 3
    assert "2 rows" in reasons(pool, "T-03")["T-02"]


def test_both_rows_of_a_slug_are_kept_from_running():
    assert pool_of(row("T-01", slug="same"), row("T-02", slug="same"), row("T-03")).frontier == ("T-03",)


def test_rows_that_the_parser_could_not_take_at_face_value_do_not_run():
    codes = ("cell-count", "invalid-slug", "no-id")
    problems = [Problem("P", 10 + n, "error", code, "mend it") for n, code in enumerate(codes, 1)]
    pool = pool_of(row("T-01"), row("T-02"), row("T-03"), row("T-04"), problems=problems)
    assert pool.frontier == ("T-04",)
    assert barred(pool) == [f"T-0{n} (line {10 + n}): mend it" for n in (1, 2, 3)]


def test_what_only_waits_is_not_barred_and_what_will_wait_for_ever_is():
    pool = pool_of(
        row("T-01", "failed"), row("T-02", needs="T-01"), row("T-03", "skipped"), row("T-04", needs="T-03"),
        row("T-05", needs="T-99"), row("T-06", "unknown"), row("T-07", "done", needs="T-99"),
    )  # fmt: skip
    told = [text.partition(": ") for text in barred(pool)]
    assert [(who, why.partition(" ")[0]) for who, _, why in told] == [
        (f"T-04 (line {by_id(pool)['T-04'].line})", "T-03"), (f"T-05 (line {by_id(pool)['T-05'].line})", "T-99"),
        (f"T-06 (line {by_id(pool)['T-06'].line})", "its"),
    ]  # fmt: skip


def test_a_row_left_in_progress_is_dispatched_first_and_once():
    rows = row("T-01", "done"), row("T-09"), row("T-02", "in-progress", needs="T-01"), row("T-03", needs="T-02")
    pool = pool_of(*rows)
    assert pool.frontier == ("T-02", "T-09")
    assert by_id(pool)["T-02"].runnable
    assert not by_id(pool)["T-03"].runnable


def test_while_a_run_is_alive_a_row_in_progress_is_not_dispatched_again():
    pool = pool_of(row("T-02", "in-progress"), row("T-03"), running=True)
    assert pool.frontier == ("T-03",)
    assert not by_id(pool)["T-02"].runnable


def test_a_row_left_in_progress_waits_like_any_other():
    assert pool_of(row("T-02", "in-progress", needs="T-99")).frontier == ()


def test_a_doubled_row_is_not_dispatched_though_it_says_in_progress():
    assert pool_of(row("T-02", "in-progress", slug="a"), row("T-02", "in-progress", slug="b")).frontier == ()
