from __future__ import annotations

from dataclasses import replace

import pytest
from support.build import NOW, log_of_entries, pool_of, row, snapshot

from harness_tui.model.pool import Note
from harness_tui.model.stream import Cause, Stream
from harness_tui.model.verify import VerifyRun
from harness_tui.store.store import Store


class Ear:
    """Remembers what it heard: revision and kinds of the changes."""

    def __init__(self):
        self.heard = []

    def __call__(self, given, changes, revision):
        self.heard.append((revision, [change.kind for change in changes]))


@pytest.fixture
def store():
    return Store()


def test_a_new_store_holds_nothing(store):
    assert (store.snapshot, store.revision) == (None, 0)


def test_the_first_snapshot_is_news_without_changes(store):
    ear = Ear()
    store.subscribe(ear)
    first = snapshot(pool_of(row("T-01")))
    assert store.replace(first) == ()
    assert store.snapshot is first
    assert ear.heard == [(1, [])]


def test_a_difference_is_counted_and_told(store):
    ear = Ear()
    store.subscribe(ear)
    store.replace(snapshot(pool_of(row("T-01"))))
    changes = store.replace(snapshot(pool_of(row("T-01", "done"))))
    assert [change.kind for change in changes] == ["task-status"]
    assert ear.heard[1:] == [(2, ["task-status"])]


def test_a_reading_that_says_the_same_replaces_the_old_one_in_silence(store):
    ear = Ear()
    store.subscribe(ear)
    store.replace(snapshot(pool_of(row("T-01"))))
    later = snapshot(pool_of(row("T-01")), generated_at=NOW.replace(year=2030))
    assert store.replace(later) == ()
    assert store.snapshot is later
    assert (store.revision, len(ear.heard)) == (1, 1)


RUN = VerifyRun("pass", 1, 0, 0, 0, 0, NOW, "history.log")


@pytest.mark.parametrize(
    "after",
    [
        snapshot(pool_of(row("T-01"), notes=[Note(4, "be careful")])),
        snapshot(pool_of(row("T-01")), streams={"mill": Stream("unknown", causes=(Cause("other words"),))}),
        snapshot(pool_of(row("T-01")), verify_baseline=RUN),
        snapshot(pool_of(row("T-01")), logs=(log_of_entries(),)),
    ],
    ids=["a-note", "a-reason", "the-start-of-the-run", "an-empty-log"],
)
def test_what_a_screen_shows_is_news_though_no_change_has_a_name(store, after):
    streams = {"mill": Stream("unknown", causes=(Cause("words"),))} if after.streams else {}
    store.replace(snapshot(pool_of(row("T-01")), streams=streams))
    ear = Ear()
    store.subscribe(ear)
    assert store.replace(after) == ()
    assert ear.heard == [(2, [])]


def test_all_listeners_hear_until_they_leave(store):
    first, second = Ear(), Ear()
    leave = store.subscribe(first)
    store.subscribe(second)
    store.replace(snapshot())
    leave()
    leave()
    store.replace(snapshot(pool_of()))
    assert (len(first.heard), len(second.heard)) == (1, 2)


def test_a_listener_may_leave_while_it_is_told(store):
    after = Ear()
    leave = store.subscribe(lambda *_: leave())
    store.subscribe(after)
    store.replace(snapshot())
    assert len(after.heard) == 1


def test_a_listener_sees_the_store_in_its_new_state(store):
    states = []
    store.subscribe(
        lambda given, _changes, revision: states.append((store.snapshot is given, store.revision == revision))
    )
    store.replace(snapshot())
    store.replace(replace(snapshot(), pools=(pool_of(),)))
    assert states == [(True, True), (True, True)]
