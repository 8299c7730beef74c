from __future__ import annotations

import pytest
from support.build import LOG, NOW, PLAN, ago, by_id, delivery, entry, feature, lease, log_of_entries, pool_of, row

from harness_tui.model.problem import Problem
from harness_tui.model.stream import Cause, Stream
from harness_tui.rules.stream import Signs, stream_state
from harness_tui.rules.why import root, why


def told(task_id, *rows, log=None, held=None, place=None, **more):
    """Why the task is as it is, with the state that its own pool's stream has."""
    running = held is not None and held.alive
    pool = pool_of(*rows, log=log, running=running, **more)
    stream = stream_state(pool, log, held, Signs(), ambient=False, now=NOW)
    return why(pool, pool.tasks[place] if place is not None else by_id(pool)[task_id], stream)


def texts(causes):
    return [cause.text for cause in causes]


def test_a_done_task_is_explained_by_its_witnesses_the_one_that_decided_last():
    log = log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01", text="T-01 DELIVERED"))
    causes = told("T-01", row("T-01"), log=log, features=[feature(delivery("done"))])
    assert causes[0].text == "T-01 counts as done because the delivery document says so"
    assert [(cause.path, cause.line) for cause in causes[1:]] == [
        (PLAN, 11), (LOG, 2), ("docs/features/slug-t-01/07_DELIVERY.md", 20),
    ]  # fmt: skip
    assert "says pending, which does not count here" in causes[1].text
    assert root(causes).path.endswith("07_DELIVERY.md")


def test_a_document_that_states_nothing_is_called_that():
    causes = told("T-01", row("T-01", "done"), features=[feature(delivery("unknown", "see below"))])
    assert any("states nothing that can be trusted" in text for text in texts(causes))


@pytest.mark.parametrize("status", ["failed", "needs-human", "skipped", "unknown", "blocked"])
def test_every_status_leads_down_to_a_line(status):
    causes = told("T-01", row("T-01", status, text=f"{status} (because)"))
    assert root(causes).line is not None
    assert causes[0].text.startswith(f"T-01 counts as {status}")


def test_a_waiting_task_is_followed_to_the_row_that_stands_in_the_way():
    log = log_of_entries(entry(4, "needs-human", "T-01", text="T-01 asks"))
    rows = row("T-01", "needs-human"), row("T-02", "blocked", needs="T-01"), row("T-03", needs="T-02")
    causes = told("T-03", *rows, log=log)
    assert texts(causes)[:3] == [
        "T-03 waits for T-02",
        "T-03 depends on T-02, which is blocked",
        "T-02 depends on T-01, which needs your input",
    ]
    assert root(causes) == Cause("the plan says needs-human", PLAN, 11)
    assert "T-01 asks" in " ".join(texts(causes))


def test_a_task_behind_one_that_could_run_ends_at_the_stream():
    causes = told("T-02", row("T-01"), row("T-02", needs="T-01"))
    assert texts(causes) == [
        "T-02 waits for T-01",
        "T-02 depends on T-01, which has not run yet",
        "T-01 can run: it waits for nothing",
        "no run is under way; 1 can run: T-01",
    ]


def test_a_task_behind_a_broken_row_ends_at_what_must_be_mended():
    problem = Problem(PLAN, 11, "error", "invalid-slug", "mend the slug")
    causes = told("T-02", row("T-01"), row("T-02", needs="T-01"), problems=[problem])
    assert root(causes) == Cause("mend the slug", PLAN, 11)


def test_an_unknown_dependency_is_told_in_a_whole_sentence():
    causes = told("T-05", row("T-05", needs="T-99"))
    assert texts(causes)[1:] == ["T-05 depends on T-99, which is no row of this pool"]


def test_an_ambiguous_dependency_names_every_row_that_may_be_meant():
    rows = row("T-02", "done", slug="a", line=8), row("T-02", slug="b", line=9), row("T-03", needs="T-02")
    causes = told("T-03", *rows)
    assert "which stands in 2 rows" in causes[1].text
    assert [(cause.path, cause.line) for cause in causes[2:]] == [(PLAN, 8), (PLAN, 9)]


def test_a_skipped_dependency_says_that_waiting_is_in_vain():
    causes = told("T-06", row("T-07", "skipped"), row("T-06", needs="T-07"))
    assert "never" in causes[1].text


def test_a_ring_is_named_and_the_chain_ends():
    rows = row("T-01", needs="T-02"), row("T-02", needs="T-01"), row("T-03", needs="T-01"), row("T-04", needs="T-04")
    assert "T-01 → T-02 → T-01" in " ".join(texts(told("T-01", *rows)))
    assert "itself" in " ".join(texts(told("T-04", *rows)))
    assert "in a ring" in told("T-03", *rows)[1].text
    assert len(told("T-03", *rows)) < 10


def test_a_ring_elsewhere_keeps_a_free_row_from_being_started():
    causes = told("T-09", row("T-01", needs="T-01"), row("T-09"))
    assert "no run may start" in causes[1].text
    assert root(causes).line == 11


def test_a_doubled_row_must_be_mended_first():
    rows = row("T-02", slug="a", line=8), row("T-02", slug="b", line=9)
    causes = told("", *rows, place=1)
    assert "must be mended" in causes[0].text
    assert root(causes).line == 9


def test_a_free_row_waits_its_turn_while_another_runs():
    rows = row("T-01", "in-progress"), row("T-02"), row("T-03"), row("T-04")
    log = log_of_entries(entry(1, "dispatch", "T-01", at=ago(minutes=1)))
    first = told("T-02", *rows, log=log, held=lease(alive=True))
    third = told("T-04", *rows, log=log, held=lease(alive=True))
    assert first[1].text == "one task at a time: T-01 is under way, it is next"
    assert third[1].text == "one task at a time: T-01 is under way, 2 before it can run too"
    assert "holds the run lock" in first[2].text


def test_a_task_in_progress_tells_what_is_known_of_its_run():
    causes = told("T-01", row("T-01", "in-progress"), log=log_of_entries(entry(1, "dispatch", "T-01", at=ago(hours=7))))
    assert any("7 h ago" in text for text in texts(causes))


def test_the_run_of_another_pool_explains_nothing():
    pool = pool_of(row("T-01", "in-progress"))
    stream = Stream("running", "bakery", "T-01", causes=(Cause("the bakery runs", LOG, 1),))
    assert "the bakery runs" not in texts(why(pool, pool.tasks[0], stream))


def test_a_very_long_chain_is_cut_in_the_middle():
    rows = [row("T-0", "failed", line=1)] + [row(f"T-{n}", needs=f"T-{n - 1}", line=n + 1) for n in range(1, 200)]
    causes = told("T-199", *rows)
    assert len(causes) < 40
    assert "174 more rows" in " ".join(texts(causes))
    assert root(causes) == Cause("the plan says failed", PLAN, 1)


def test_without_any_place_there_is_no_root():
    assert root((Cause("just so"),)) is None


def test_what_a_dead_run_left_is_called_interrupted_and_what_lives_is_not():
    log = log_of_entries(entry(1, "dispatch", "T-01", at=ago(hours=7)))
    dead = told("T-01", row("T-01", "in-progress"), log=log)
    assert dead[0].text == "T-01 was interrupted: the plan says that it is in progress, and its run is over"
    alive = told("T-01", row("T-01", "in-progress"), log=log, held=lease(alive=True))
    assert alive[0].text == "T-01 counts as in-progress because the plan says so"
