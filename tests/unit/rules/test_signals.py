"""Whether a signal makes sense before it is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import build

from harness_tui.model.intervention import Signal
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.model.stream import Stream
from harness_tui.rules.signals import check_add, check_redirect, check_skip, check_stage_skip, check_stop, choose_pool

IDLE = {"mill": Stream("idle", pool_id="mill")}


def pool(*rows, **more):
    return build.pool_of(*(rows or (build.row("T-01", "done"), build.row("T-02", slug="door-alarm"))), **more)


def add(slug, goal="a goal", found=None, **more):
    found = found if found is not None else pool()
    return check_add(slug, goal, found, [found], **more)


@pytest.mark.parametrize("slug", ["a", "a-b-1", "0", "x" * 40])
def test_a_good_slug_is_free(slug):
    assert add(slug).pool_id == "mill"


@pytest.mark.parametrize("slug", ["", "-a", "a-", "a--b", "A", "a_b", "a b", "ä", "a/b", "..", "x" * 41, "a\n", "а"])
def test_a_bad_slug_is_refused(slug):
    with pytest.raises(Refused) as error:
        add(slug)
    assert error.value.code in ("slug", "slug-taken")


def test_a_slug_that_looks_like_another_is_refused():
    with pytest.raises(Refused, match="can't be told from the slug of T-01"):
        add("door-alarm", found=pool(build.row("T-01", slug="Door‑Alarm")))


def test_a_slug_with_a_folder_or_an_add_that_waits_is_refused():
    with pytest.raises(Refused, match="feature folder"):
        add("old-work", folders={"old-work"})
    with pytest.raises(Refused, match="waits in the file already"):
        add("new-work", pending=[Signal("ADD", "new-work", "x", 1, "waiting")])


def test_an_unreadable_plan_and_no_pool_are_refused():
    with pytest.raises(Refused, match="can't be read now"):
        add("a", found=build.pool_of(table=False))
    with pytest.raises(Refused, match="can't be read now"):
        add("a", found=replace(pool(), stale=True))
    with pytest.raises(NotThere, match="there is no pool") as refused:
        check_add("a", "b", None, [])
    assert "harness-tui stream" in refused.value.offer


def test_a_batch_is_warned_of():
    assert add("a", found=replace(pool(), kind="batch")).warnings == (
        "pool mill is run as a batch: its loop rejects ADD",
    )


def test_a_row_is_skipped_by_its_exact_id_only():
    found = pool()
    assert check_skip("T-02", found, [found]).task.slug == "door-alarm"
    for name in ("t-02", "T-2", "T-02 ", "T\u201102", "\u0422-02", "door-alarm"):
        with pytest.raises(NotThere, match="did you mean 'T-02' door-alarm"):
            check_skip(name, found, [found])
    with pytest.raises(NotThere, match="no row has the id 'T-03'"):
        check_skip("T-03", found, [found])


def test_a_look_alike_twin_is_shown():
    found = pool(build.row("T-01"), build.row("\u0422-01", slug="twin", line=12))
    assert check_skip("T-01", found, [found]).warnings == (f"T-01 looks like '\\u0422-01' twin ({build.PLAN}:12)",)


def test_doubled_settled_and_waiting_rows_are_not_skipped():
    twice = pool(build.row("T-01"), build.row("T-01", slug="b", line=12))
    with pytest.raises(Refused, match=r"stands in 2 rows .*make it unique first"):
        check_skip("T-01", twice, [twice])
    found = pool()
    with pytest.raises(Refused, match="it is done already"):
        check_skip("T-01", found, [found])
    with pytest.raises(Refused, match="waits in the file already"):
        check_skip("T-02", found, [found], pending=[Signal("SKIP", "T-02", "", 1, "waiting")])
    others = [Signal("SKIP", "T-09", "", 1, "waiting"), Signal("ADD", "T-02", "", 2, "waiting")]
    assert check_skip("T-02", found, [found], pending=others).task.id == "T-02"


def test_an_id_of_two_pools_needs_the_pool():
    one, two = pool(), replace(pool(), id="kiln")
    with pytest.raises(Refused, match="name the pool with --pool first"):
        check_skip("T-02", None, [one, two])
    assert check_skip("T-02", two, [one, two]).pool_id == "kiln"


def test_a_row_in_progress_is_warned_of():
    found = pool(build.row("T-01", "in-progress"), running=True)
    assert "is in progress" in check_skip("T-01", found, [found], running=[found.id]).warnings[0]
    assert check_skip("T-01", found, [found]).warnings == ()  # interrupted: no run is at it


def test_redirect_and_stage_skip_are_for_single_tasks():
    for streams in (IDLE, {"mill": Stream("running")}, {"mill": Stream("unknown")}):
        with pytest.raises(Refused, match="single tasks") as error:
            check_redirect("02", "simpler", streams)
        assert error.value.code == "pool-context"
        with pytest.raises(Refused, match="single tasks"):
            check_stage_skip("05", streams)
    check_redirect("02", "simpler", {})
    check_redirect("2", "simpler", {"mill": Stream("drained")})
    check_stage_skip("06", {})
    for stage, why in (("03", "the gate review is never skipped"), ("01", "only 05 and 06 can be"), ("8", "no stage")):
        with pytest.raises(Refused, match=why):
            check_stage_skip(stage, {})
    with pytest.raises(Refused, match="needs the new brief"):
        check_redirect("02", " ", {})


def test_the_pool_that_is_meant():
    one, two = pool(), replace(pool(), id="kiln")
    assert choose_pool([], None, {}) is None
    assert choose_pool([one], None, {}) is one
    assert choose_pool([one, two], None, {}) is None
    assert choose_pool([one, two], None, {"kiln": Stream("running"), **IDLE}) is two
    assert choose_pool([one, two], "mill", {}) is one
    with pytest.raises(NotThere, match="no such pool: there is mill"):
        choose_pool([one], "kiln", {})


def test_a_stop_for_a_pool_that_does_not_run_is_warned_of_while_another_does():
    streams = {"mill": Stream("running", pool_id="mill"), "quay": Stream("idle", pool_id="quay")}
    quay = replace(pool(), id="quay")
    assert check_stop(quay, streams).warnings == ("it waits for a run of pool quay; the run of pool mill goes on",)
    for fine in (check_stop(pool(), streams), check_stop(None, streams), check_stop(quay, IDLE)):
        assert fine.warnings == ()
