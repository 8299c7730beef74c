"""Things that need the operator are told once, and only when they last."""

from harness_tui.model.inbox import InboxItem
from harness_tui.rules.settling import SETTLE
from harness_tui.store.needs import Needs


def item(name="kiln/T-01", kind="needs-human"):
    return InboxItem(kind, name, f"title of {name}", "a.md", 3, None, 1, "kiln", "T-01")


def told(changes):
    return [(change.kind, change.title) for change in changes]


def started(*items):
    needs = Needs()
    assert needs.changes(items, 0.0) == ()
    return needs


def test_a_question_is_told_at_once_and_once():
    needs = started()
    assert told(needs.changes([item()], 1.0)) == [("inbox-added", "title of kiln/T-01")]
    assert needs.changes([item()], 2.0) == ()
    assert needs.wait(2.0) is None
    assert told(needs.changes([], 3.0)) == [("inbox-removed", "title of kiln/T-01")]


def test_what_is_there_at_first_is_known_and_its_end_is_told():
    needs = started(item("kiln/drift", "drift"))
    assert needs.changes([item("kiln/drift", "drift")], 90.0) == ()
    assert told(needs.changes([], 91.0)) == [("inbox-removed", "title of kiln/drift")]


def test_what_is_over_in_a_moment_is_told_neither_when_it_comes_nor_when_it_goes():
    needs = started()
    assert needs.changes([item("kiln/drift", "drift")], 1.0) == ()
    assert needs.changes([], 1.5) == ()
    assert needs.changes([item("kiln/drift", "drift")], 1.0 + SETTLE) == ()


def test_what_lasts_is_told_when_it_has_settled():
    needs = started()
    needs.changes([item("a.md:1:cut", "problem")], 1.0)
    assert needs.wait(2.0) == SETTLE - 1.0
    assert told(needs.changes([item("a.md:1:cut", "problem")], 1.0 + SETTLE)) == [
        ("inbox-added", "title of a.md:1:cut")
    ]
    assert needs.wait(99.0) is None
