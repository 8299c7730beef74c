from __future__ import annotations

import time
from dataclasses import replace

import pytest
from support.build import (
    LOG,
    NOW,
    PLAN,
    delivery,
    entry,
    feature,
    log_of_entries,
    pool_of,
    row,
    snapshot,
    stage_doc,
)

from harness_tui.model.git import Git
from harness_tui.model.inbox import InboxItem
from harness_tui.model.intervention import Interventions, Signal
from harness_tui.model.problem import Problem
from harness_tui.model.stream import Cause, Stream
from harness_tui.model.verify import VerifyRun
from harness_tui.store.diff import diff


def between(before, after):
    """The changes between two pools, as kind, id, before and after."""
    return [(item.kind, item.task_id, item.before, item.after) for item in diff(snapshot(before), snapshot(after))]


def only(before, after):
    (change,) = diff(before, after)
    return change


# Pools and tasks


def test_equal_snapshots_have_no_difference():
    def world():
        return snapshot(
            pool_of(row("T-01"), row("T-02", needs="T-01")),
            git=Git("main", "abc"),
            logs=(log_of_entries(entry(1, "run")),),
        )

    assert diff(world(), replace(world(), generated_at=NOW.replace(year=2028))) == ()


def test_a_status_is_told_with_its_line():
    change = only(snapshot(pool_of(row("T-01"), row("T-02"))), snapshot(pool_of(row("T-01"), row("T-02", "done"))))
    assert (change.kind, change.title) == ("task-status", "T-02 pending → done")
    assert (change.pool_id, change.task_id, change.path, change.line) == ("mill", "T-02", PLAN, 12)


def test_a_status_that_only_a_witness_gives_is_told_too():
    log = log_of_entries(entry(1, "delivered", "T-01"))
    assert between(pool_of(row("T-01")), pool_of(row("T-01"), log=log)) == [
        ("task-status", "T-01", "pending", "done"),
    ]


@pytest.mark.parametrize(("stages", "title"), [((2, 3), "T-01 reached stage 3"), ((5, 4), "T-01 went back to stage 4")])
def test_a_stage_is_told_with_its_direction(stages, title):
    before, after = (snapshot(pool_of(row("T-01"), features=[feature(None, stage_doc(stage))])) for stage in stages)
    assert only(before, after).title == title


def test_a_verdict_is_told_when_it_appears_and_when_it_changes():
    def judged(*documents, delivered=None):
        return pool_of(row("T-01", "done"), features=[feature(delivered, stage_doc(6), *documents)])

    assert between(judged(), judged(stage_doc(3, "APPROVED"))) == [("task-gate", "T-01", None, "APPROVED")]
    assert between(judged(stage_doc(5, "CHANGES REQUIRED")), judged(stage_doc(5, "APPROVED"))) == [
        ("task-gate", "T-01", "CHANGES REQUIRED", "APPROVED"),
    ]
    assert between(judged(stage_doc(5, "APPROVED")), judged(stage_doc(5, "APPROVED"))) == []
    assert between(judged(stage_doc(5, "APPROVED")), judged()) == []


def test_an_edit_names_its_cell():
    old = row("T-01", needs="T-02")
    assert between(pool_of(old), pool_of(old._replace(goal="Grind finer"))) == [
        ("task-edited", "T-01", "Goal of T-01", "Grind finer"),
    ]
    change = only(snapshot(pool_of(old)), snapshot(pool_of(old._replace(depends_text="T-02 (soon)"))))
    assert change.title == "T-01 was edited: depends on"
    assert between(pool_of(row("T-01", "done")), pool_of(row("T-01", "done", text="done (by hand)"))) == [
        ("task-edited", "T-01", "done", "done (by hand)"),
    ]


def test_an_edit_beside_a_new_status_is_not_lost():
    after = row("T-01", "done", goal="Grind finer")
    assert [kind for kind, *_ in between(pool_of(row("T-01")), pool_of(after))] == ["task-status", "task-edited"]


def test_rows_that_come_and_go():
    before, after = pool_of(row("T-01"), row("T-02", "done")), pool_of(row("T-01"), row("T-03", "blocked"))
    assert between(before, after) == [
        ("task-added", "T-03", None, "blocked"), ("task-removed", "T-02", "done", None),
    ]  # fmt: skip


def test_a_row_that_moves_is_no_change():
    before = pool_of(row("T-01", line=1), row("T-02", line=2))
    after = pool_of(row("T-02", line=1), row("T-01", line=2))
    assert between(before, after) == []


def test_an_id_that_was_given_out_again_is_another_task():
    assert [kind for kind, *_ in between(pool_of(row("T-01", slug="a")), pool_of(row("T-01", slug="b")))] == [
        "task-added", "task-removed",
    ]  # fmt: skip


def test_equal_rows_are_told_apart():
    twins = row("T-01", slug="a", line=1), row("T-01", "done", slug="a", line=2)
    assert between(pool_of(*twins), pool_of(row("T-00", line=9), *twins)) == [("task-added", "T-00", None, "pending")]


def test_ten_thousand_equal_rows_are_compared_at_once():
    rows = [row("T-01", slug="a", line=line) for line in range(10_000)]
    before, after = snapshot(pool_of(*rows)), snapshot(pool_of(*rows, row("T-02", line=10_001)))
    start = time.process_time()
    assert only(before, after).kind == "task-added"
    assert time.process_time() - start < 2.0


def test_pools_that_come_and_go():
    assert only(snapshot(), snapshot(pool_of())).kind == "pool-added"
    assert only(snapshot(pool_of()), snapshot()).kind == "pool-removed"


# Streams, logs, git


def test_a_stream_is_told_when_state_or_task_changes_with_its_cause():
    def world(state, task, text="why"):
        stream = Stream(state, "mill", task, causes=(Cause(text, LOG, 4),))
        return snapshot(streams={"mill": stream}, stream=stream)

    change = only(world("idle", None), world("running", "T-01"))
    assert (change.kind, change.title, change.before, change.after) == (
        "stream", "stream mill: running T-01", "idle", "running",
    )  # fmt: skip
    assert (change.path, change.line) == (LOG, 4)
    assert only(world("running", "T-01"), world("running", "T-02")).task_id == "T-02"
    assert diff(world("idle", None), world("idle", None, "other words")) == ()


def test_ambient_mode_is_told():
    change = only(snapshot(stream=Stream(ambient=False)), snapshot(stream=Stream(ambient=True)))
    assert (change.kind, change.title) == ("ambient", "ambient mode is on")


def test_a_log_that_grows_tells_its_last_line():
    short = log_of_entries(entry(1, "dispatch", "T-01"))
    long = log_of_entries(
        entry(1, "dispatch", "T-01"), entry(2, "note", "T-01"), entry(3, "delivered", "T-01", text="out")
    )
    change = only(snapshot(logs=(short,)), snapshot(logs=(long,)))
    assert (change.kind, change.title, change.task_id, change.line) == ("log", "out", "T-01", 3)
    assert (change.before, change.after) == ("1", "3")
    assert only(snapshot(), snapshot(logs=(short,))).before is None


def test_a_log_that_was_only_touched_tells_nothing():
    log = log_of_entries(entry(1, "dispatch", "T-01"))
    assert diff(snapshot(logs=(log,)), snapshot(logs=(replace(log, modified_at=NOW, size=9),))) == ()


def test_a_line_that_was_completed_later_is_told():
    log = log_of_entries(entry(1, "delivered", "T-01", text="commit pending"))
    again = log_of_entries(entry(1, "delivered", "T-01", text="commit 12ab"))
    assert only(snapshot(logs=(log,)), snapshot(logs=(again,))).title == "commit 12ab"


def test_a_log_that_was_cut_is_told_even_when_it_is_empty_now():
    log = log_of_entries(entry(1, "dispatch", "T-01"))
    change = only(snapshot(logs=(log,)), snapshot(logs=(replace(log_of_entries(), restarts=1),)))
    assert (change.kind, change.before, change.after) == ("log", "1", "0")
    assert "was cut or replaced" in change.title


def test_git_is_told_with_branch_head_and_state_of_the_tree():
    change = only(snapshot(git=Git("main", "a" * 40)), snapshot(git=Git("main", "b" * 40, dirty=True)))
    assert (change.kind, change.title) == ("git", "git: main bbbbbbbbb with uncommitted changes")
    assert (change.before, change.after) == ("a" * 40, "b" * 40)
    assert only(snapshot(), snapshot(git=Git(error="no git"))).title == "git: no git"
    assert only(snapshot(), snapshot(git=Git(head="c" * 40, detached=True))).title == "git: detached ccccccccc"
    assert diff(snapshot(git=Git("main")), snapshot()) == ()


# Signals, gates, the inbox, problems


def test_a_signal_that_appears_and_is_taken():
    waiting = Interventions(present=True, signals=(Signal("SKIP", "T-01", "", 3, "waiting"),), safest="SKIP")
    change = only(snapshot(), snapshot(interventions=waiting))
    assert (change.kind, change.title, change.before, change.after) == (
        "intervention", "an unread signal: SKIP", None, "SKIP",
    )  # fmt: skip
    taken = only(snapshot(interventions=waiting), snapshot())
    assert (taken.title, taken.before, taken.after) == ("the signal was taken", "SKIP", None)


def test_a_new_gate_run_is_told():
    runs = [
        VerifyRun(verdict, 1, 0, 0, 0, 0, NOW, "history.log", line)
        for line, verdict in enumerate(("pass", "hard-fail"), 1)
    ]
    change = only(snapshot(verify_runs=(runs[0],)), snapshot(verify_runs=tuple(runs)))
    assert (change.kind, change.after, change.path, change.line) == ("verify", "hard-fail", "history.log", 2)
    assert diff(snapshot(verify_runs=tuple(runs)), snapshot(verify_runs=(runs[1],))) == ()


def test_items_that_come_and_go():
    item = InboxItem("needs-human", "mill/T-01/a", "T-01: which?", LOG, 4, None, 2, "mill", "T-01")
    change = only(snapshot(), snapshot(inbox=(item,)))
    assert (change.kind, change.title, change.after, change.line) == ("inbox-added", "T-01: which?", "needs-human", 4)
    assert only(snapshot(inbox=(item,)), snapshot()).kind == "inbox-removed"
    assert diff(snapshot(inbox=(item,)), snapshot(inbox=(replace(item, urgency=1),))) == ()


def test_problems_of_files_and_of_pools_come_and_go_in_the_order_of_their_places():
    found = tuple(
        Problem("P", line, "error", "cell-count", text) for line, text in ((None, "c"), (9, "b"), (2, "z"), (2, "a"))
    )
    after = diff(snapshot(), snapshot(problems=found))
    assert [(item.kind, item.title, item.line) for item in after] == [
        ("problem", "c", None), ("problem", "a", 2), ("problem", "z", 2), ("problem", "b", 9),
    ]  # fmt: skip
    gone = diff(snapshot(pool_of(problems=found[:1])), snapshot(pool_of()))
    assert [(item.kind, item.before) for item in gone] == [("problem-gone", "cell-count")]


def test_documents_that_prove_a_task_done_tell_status_stage_and_verdict():
    after = pool_of(row("T-01"), features=[feature(delivery("done"))])
    assert [kind for kind, *_ in between(pool_of(row("T-01")), after)] == ["task-status", "task-stage", "task-gate"]
