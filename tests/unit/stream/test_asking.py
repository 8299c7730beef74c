"""Workers of a stream ask people only while the interrupt budget lasts; then the rule for used-up budgets applies."""

from __future__ import annotations

import pytest
from support import epic_tree
from support.runs import Mill

from harness_tui.model.refusal import NotThere
from harness_tui.stream.asking import NOBODY

EPIC = epic_tree.EPIC


def with_epic(root, **numbers):
    return epic_tree.epic(root, state=epic_tree.state(**numbers))


def test_without_an_epic_nobody_is_asked(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.run()
    assert mill.worker.seen[0].deferred_human == NOBODY


def test_while_something_is_left_the_worker_may_ask(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_epic(tmp_path, total=2, consumed=1)
    mill.run(epic=EPIC)
    assert mill.worker.seen[0].deferred_human == ""


def test_with_nothing_left_it_is_told_and_what_is_open_is_settled_without_asking(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_epic(tmp_path, total=1, consumed=1)
    before = epic_tree.budget(tmp_path)
    mill.run(epic=EPIC)
    assert "used up" in mill.worker.seen[0].deferred_human
    assert "⚠️ ASSUMPTION" in mill.worker.seen[0].deferred_human
    assert epic_tree.budget(tmp_path) == before
    found = epic_tree.decisions(tmp_path)
    assert (found["Q-1"]["status"], found["Q-1"]["resolution"]) == ("assumed", "A: turn it")
    ledger = epic_tree.read(tmp_path, f"{epic_tree.HOME}/unknowns-ledger.json")
    assert [item["id"] for item in ledger["entries"] if item.get("critical_blocked")]
    assert any("settled without asking" in line for line in mill.lines())


def test_a_budget_that_can_not_be_read_has_nothing_left_and_its_files_stay(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_epic(tmp_path, total=1, consumed=1)
    path = tmp_path / f".harness/features/{EPIC}/state.json"
    path.write_text("{")
    before = epic_tree.contents(tmp_path / ".harness/features")
    mill.run(epic=EPIC)
    assert "used up" in mill.worker.seen[0].deferred_human
    assert epic_tree.contents(tmp_path / ".harness/features") == before


def test_an_epic_that_is_not_there_is_an_error(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with pytest.raises(NotThere):
        mill.run(epic="nosuch")
