"""Which rows of pools an answer sets free, and which go on as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import build

from harness_tui.model.answer import AnswerPlan, Settled
from harness_tui.model.decision import Decision
from harness_tui.model.epic import Epics
from harness_tui.model.inbox import InboxItem
from harness_tui.model.snapshot import Snapshot
from harness_tui.model.stream import Stream
from harness_tui.rules.answer_effects import NOBODY, effects

QUESTION = Decision("ep", "P", "D-1", "Cash or card?", (), None, "", "", "open", "packet.json")


def plan(status="resolved", *, spends=True, left=1):
    settled = (Settled("D-1", status, "cash" if status == "resolved" else None),)
    return AnswerPlan("ep", "P", settled, (), "", spends, left)


def snapshot(*rows, unblock="an answer to D-1 of ep", decisions=(QUESTION,), asks=("T-02",), running=False):
    pool = build.pool_of(*rows, running=running)
    needs = tuple(
        InboxItem("needs-human", f"mill/{name}", f"{name}: how?", "log", 3, None, 2, pool.id, name, unblock)
        for name in asks
    )
    stream = Stream("running" if running else "idle", pool.id)
    return Snapshot(
        "/w", build.NOW, pools=(pool,), stream=stream, streams={pool.id: stream}, inbox=needs,
        epics=Epics(decisions=decisions),
    )  # fmt: skip


ROWS = (
    build.row("T-01"), build.row("T-02", "needs-human"), build.row("T-03", "blocked", "T-02"),
    build.row("T-04", "blocked", "T-03"), build.row("T-05", "blocked"), build.row("T-06", needs="T-04"),
)  # fmt: skip


def test_the_row_that_asked_runs_again_and_what_was_blocked_behind_it():
    found = effects(plan(), snapshot(*ROWS))
    (pool,) = found.pools
    assert (pool.before, pool.after) == (("T-01",), ("T-01", "T-02", "T-03", "T-04", "T-06"))
    assert (pool.runnable, pool.blocked, pool.orphaned) == (("T-02",), (), ())
    assert found.text == ("pool mill: T-02 asked this: the next run dispatches it again",)


def test_a_run_that_is_on_tries_no_row_twice():
    assert "so the next one dispatches it again" in effects(plan(), snapshot(*ROWS, running=True)).text[0]


def test_a_question_that_is_put_off_sets_nothing_free():
    found = effects(plan("deferred"), snapshot(*ROWS))
    assert found.text == ("pool mill: T-02 asked this and still waits: the question is put off",)
    assert found.pools[0].before == found.pools[0].after == ("T-01",)


@pytest.mark.parametrize("unblock", ["", "an answer to D-10", "an answer to ZD-1", "word from the bank"])
def test_a_row_that_asks_something_else_is_not_set_free(unblock):
    assert effects(plan(), snapshot(*ROWS, unblock=unblock)).text == (NOBODY,)


def test_where_two_epics_have_the_id_the_row_must_name_the_epic():
    both = (QUESTION, replace(QUESTION, epic_id="other"))
    assert effects(plan(), snapshot(*ROWS, decisions=both)).pools
    assert effects(plan(), snapshot(*ROWS, decisions=both, unblock="D-1")).text == (NOBODY,)


def test_a_row_that_no_longer_needs_a_person_is_not_told():
    assert effects(plan(), snapshot(build.row("T-02", "done"))).text == (NOBODY,)


def test_a_row_that_the_question_names_goes_by_the_plan():
    asked = replace(QUESTION, why_now="T-03 builds on it")
    found = effects(plan(), snapshot(build.row("T-01"), build.row("T-03"), decisions=(asked,), asks=()))
    assert found.text == ("pool mill: T-03, named in the question, runs by the plan with or without it",)
    assert found.pools[0].after == ("T-01", "T-03")


def test_the_last_unit_is_told():
    assert effects(plan(left=0), snapshot()).text[0].startswith("no unit is left then")
    assert effects(plan(spends=False, left=0), snapshot()).text == (NOBODY,)
