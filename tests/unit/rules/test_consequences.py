"""What would follow from a signal, and which id a new row takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import build

from harness_tui.model.intervention import Signal
from harness_tui.model.stream import Stream
from harness_tui.rules.consequences import as_if_read, consequences, order, unaddressed, with_row, with_statuses
from harness_tui.rules.next_id import next_id


def signal(keyword, argument="", text=""):
    return Signal(keyword, argument, text, 1, "waiting")


def chain():
    return build.pool_of(
        build.row("T-01", "done"), build.row("T-02", needs="T-01"), build.row("T-03", needs="T-02"), build.row("T-04")
    )


def test_the_order_is_that_of_the_table_among_those_that_can_run():
    assert order(chain(), running=False) == ("T-02", "T-03", "T-04")
    late = build.pool_of(build.row("T-01", needs="T-03"), build.row("T-02"), build.row("T-03"))
    assert order(late, running=False) == ("T-02", "T-03", "T-01")


def test_what_was_left_in_progress_comes_first_and_what_is_under_way_is_not_dispatched_again():
    pool = build.pool_of(build.row("T-01"), build.row("T-02", "in-progress"), build.row("T-03", needs="T-02"))
    assert order(pool, running=False) == ("T-02", "T-01", "T-03")
    assert order(pool, running=True) == ("T-01", "T-03")


def test_a_skip_orphans_what_hangs_on_the_row():
    found = consequences(chain(), signal("SKIP", "T-02"), running=False)
    assert (found.before, found.after) == (("T-02", "T-03", "T-04"), ("T-04",))
    assert [(item.id, item.waiting_on[0].id) for item in found.orphaned] == [("T-03", "T-02")]
    assert (found.blocked, found.runnable) == (("T-02",), ())
    assert found.text == "T-03 would wait for it for ever"


def test_a_skip_orphans_rows_that_an_earlier_run_left_open_behind_it():
    pool = build.pool_of(
        build.row("T-01", "needs-human"), build.row("T-02", "blocked", "T-01"), build.row("T-03", needs="T-02"),
        build.row("T-04", "failed", "T-09"),
    )  # fmt: skip
    found = consequences(pool, signal("SKIP", "T-01"), running=False)
    assert [item.id for item in found.orphaned] == ["T-02", "T-03"]
    assert found.text == "T-02, T-03 would wait for it for ever"


def test_a_skip_of_a_leaf_changes_nothing_else():
    found = consequences(chain(), signal("SKIP", "T-04"), running=False)
    assert (found.orphaned, found.text) == ((), "no row hangs on it")


def test_an_add_comes_last_with_the_next_id():
    found = consequences(chain(), signal("ADD", "glaze-export", "write it"), running=False)
    assert (found.added, found.after[-1], found.runnable) == ("T-05", "T-05", ("T-05",))
    assert "runs as number 4 of 4" in found.text


def test_a_stop_dispatches_nothing_more():
    rows = (build.row("T-01", "in-progress"), build.row("T-02"), build.row("T-03", needs="T-02"))
    found = consequences(build.pool_of(*rows, running=True), signal("STOP"), running=True)
    assert (found.after, found.blocked) == ((), ("T-02", "T-03"))
    assert found.text.endswith("2 could still run")
    assert found.text.startswith("T-01 may end first")


def test_a_ring_lets_nothing_run():
    pool = build.pool_of(build.row("T-01", needs="T-02"), build.row("T-02", needs="T-01"), build.row("T-03"))
    assert order(pool, running=False) == ()


def test_a_note_changes_no_row():
    found = consequences(chain(), signal("NOTE", text="x"), running=False)
    assert found.before == found.after


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        ([], "T-01"), (["T-01", "T-02"], "T-03"), (["T-09"], "T-10"), (["T-99"], "T-100"), (["T-007"], "T-008"),
        (["T-03", "T-01"], "T-04"), (["T-11", "T-11a"], "T-12"), (["A-1", "T-05"], "T-06"), (["x"], "T-01"),
        (["T-02", "t-09"], "t-10"), (["7"], "8"),
    ],
)  # fmt: skip
def test_the_next_id_is_free_and_in_the_pattern(ids, wanted):
    assert next_id(ids) == wanted


def test_an_id_that_rows_depend_on_is_not_given_to_another_row():
    assert next_id(["T-01"], ["T-02", "x"]) == "T-03"
    assert next_id([], ["T-01"]) == "T-02"
    assert next_id(["T-01"], ["T-99"]) == "T-02"


ids = st.sampled_from([f"T-{number:02}" for number in range(1, 7)])
statuses = st.sampled_from(["pending", "pending", "done", "skipped", "failed", "in-progress"])
rows = st.lists(st.tuples(ids, statuses, st.sets(ids, max_size=2)), min_size=1, max_size=6).map(
    lambda found: [
        build.row(name, status, sorted(needs), line=10 + at, slug=f"s-{at}")
        for at, (name, status, needs) in enumerate(found)
    ]
)


@given(rows, ids, st.booleans())
def test_the_preview_is_what_the_judge_says_of_the_changed_plan(plan, name, running):
    pool = build.pool_of(*plan, running=running)
    changed = [row._replace(status="skipped", status_text="skipped") if row.id == name else row for row in plan]
    real = build.pool_of(*changed, running=running)
    guess = with_statuses(pool, {name}, "skipped", running=running)
    assert guess.frontier == real.frontier
    assert [(task.runnable, task.waiting_on) for task in guess.tasks] == [
        (task.runnable, task.waiting_on) for task in real.tasks
    ]


@given(rows, st.booleans())
def test_a_new_row_changes_nothing_for_the_others(plan, running):
    pool = build.pool_of(*plan, running=running)
    after = with_row(pool, "new-row", "a goal", running=running)
    assert [task.waiting_on for task in after.tasks[:-1]] == [task.waiting_on for task in pool.tasks]
    assert after.tasks[-1].id not in {task.id for task in pool.tasks}
    assert after.frontier[:-1] == pool.frontier


@given(rows)
def test_the_order_is_what_a_run_that_always_delivers_would_do(plan):
    if len({row.id for row in plan}) != len(plan):
        return
    pool = build.pool_of(*plan)
    guess, real = order(pool, running=False), []
    while pool.frontier and not pool.cycles:
        at = next(at for at, row in enumerate(plan) if row.id == pool.frontier[0])
        real.append(plan[at].id)
        plan[at] = plan[at]._replace(status="done", status_text="done")
        pool = build.pool_of(*plan)
    assert list(guess) == real


def test_a_stop_while_nothing_runs_says_what_it_does_to_the_next_run():
    found = consequences(chain(), signal("STOP"), running=False)
    assert found.text == "nothing runs: the next run ends at once and reads no further row; 3 could still run"
    assert found.after == ()


def test_what_waits_already_is_counted_before_what_comes_after_it():
    unclear = Signal("", "", "halt?", 1, "unclear")
    waiting = (signal("ADD", "first", "One"), signal("SKIP", "T-02"), signal("SKIP", "T-99"), unclear)
    pool = as_if_read(chain(), waiting, running=False)
    assert [(task.id, task.slug) for task in pool.tasks[4:]] == [("T-05", "first")]
    assert pool.tasks[1].effective_status == "skipped"
    assert consequences(pool, signal("ADD", "second", "Two"), running=False).added == "T-06"
    assert as_if_read(pool, waiting[:1], running=False) is pool, "its row is there"


def test_the_row_under_way_is_not_lost_by_what_comes_after_a_signal_that_waits():
    pool = build.pool_of(build.row("T-01", "in-progress"), build.row("T-02"), running=True)
    meant = as_if_read(pool, (signal("ADD", "first", "One"),), running=True)
    found = consequences(meant, signal("ADD", "second", "Two"), running=True)
    assert (found.runnable, found.blocked, found.after) == (("T-04",), (), ("T-02", "T-03", "T-04"))


def test_a_signal_for_no_pool_in_particular_is_taken_by_whoever_reads_it_first():
    def streams(**states):
        return {name: Stream(state) for name, state in states.items()}

    assert "no run is known here" in unaddressed("STOP", {})
    assert "the next run, of whichever pool" in unaddressed("STOP", streams(mill="idle", kiln="drained"))
    both = unaddressed("STOP", streams(mill="running", kiln="running", press="idle"))
    assert "(mill, kiln); the others go on" in both
    assert "whichever run reads it first" in unaddressed("NOTE", streams(mill="running"))
    assert unaddressed("REDIRECT", streams(mill="idle")) == ""


def test_to_skip_what_is_under_way_says_what_follows_only_if_it_is_not_delivered():
    found = build.pool_of(build.row("T-01", "in-progress"), build.row("T-02", needs="T-01"))
    text = consequences(found, signal("SKIP", "T-01"), running=True).text
    assert text == "unless it is delivered: T-02 would wait for it for ever"
    assert consequences(found, signal("SKIP", "T-01"), running=False).text == "T-02 would wait for it for ever"
