from __future__ import annotations

import pytest
from support.build import NOW, pool_of, row, snapshot

from harness_tui.model.inbox import InboxItem
from harness_tui.rules.recap import recap, seen


def waits(kind, name):
    return InboxItem(kind, name, name, "P", 1, NOW, 1)


def since(before, after):
    return recap(seen(before), after)


def ids(pairs):
    return [task.id for _, task in pairs]


def test_nothing_happened():
    same = snapshot(pool_of(row("T-01", "done"), row("T-02", "failed")), inbox=(waits("decision", "q"),))
    found = since(same, same)
    assert not found
    assert (found.done, found.broken, found.asking, found.added) == ((), (), (), 0)


def test_done_and_newly_broken_tasks_are_told_by_effective_status():
    before = snapshot(pool_of(row("T-01"), row("T-02"), row("T-03"), row("T-04"), row("T-05", "failed")))
    after = snapshot(
        pool_of(row("T-01", "done"), row("T-02", "failed"), row("T-03", "blocked"), row("T-04", "unknown"),
                row("T-05", "failed"))
    )  # fmt: skip
    found = since(before, after)
    assert ids(found.done) == ["T-01"]
    assert ids(found.broken) == ["T-02", "T-03", "T-04"]
    assert found


@pytest.mark.parametrize("status", ["pending", "in-progress", "skipped", "needs-human"])
def test_other_changes_are_neither(status):
    found = since(snapshot(pool_of(row("T-01", "failed"))), snapshot(pool_of(row("T-01", status))))
    assert (found.done, found.broken) == ((), ())


def test_rows_added_since_are_counted_and_their_end_is_told():
    before = snapshot(pool_of(row("T-01")))
    after = snapshot(pool_of(row("T-01"), row("T-02"), row("T-03", "done"), row("T-04", "failed")))
    found = since(before, after)
    assert (found.added, ids(found.done), ids(found.broken)) == (3, ["T-03"], ["T-04"])


def test_an_id_that_was_given_out_again_is_a_new_task():
    before = snapshot(pool_of(row("T-01", "done", slug="old")))
    found = since(before, snapshot(pool_of(row("T-01", "done", slug="new"))))
    assert (found.added, ids(found.done)) == (1, ["T-01"])


def test_equal_rows_are_told_apart():
    twins = snapshot(pool_of(row("T-01", "done", slug="a"), row("T-01", "pending", slug="a", line=13)))
    assert not since(twins, twins)


def test_only_new_questions_are_asked():
    kinds = ("decision", "needs-human", "clarification", "lock", "critical-blocked", "drift", "problem", "gate")
    after = snapshot(inbox=tuple(waits(kind, kind) for kind in kinds))
    before = snapshot(inbox=(waits("decision", "decision"),))
    assert [item.kind for item in since(before, after).asking] == [
        "needs-human", "clarification", "lock", "critical-blocked",
    ]  # fmt: skip
