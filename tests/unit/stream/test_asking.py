"""Workers of a stream ask people only while the interrupt budget lasts; then the rule for used-up budgets applies."""

from __future__ import annotations

import pytest
from support import epic_tree
from support.processes import wait_for
from support.runs import Mill, Script

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import NotThere
from harness_tui.stream.asking import NOBODY
from harness_tui.workspace.answers import record_answer

EPIC, NOW = epic_tree.EPIC, epic_tree.NOW


def with_epic(root, **numbers):
    return epic_tree.epic(root, state=epic_tree.state(**numbers))


def test_without_an_epic_nobody_is_asked(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.run()
    assert mill.worker.seen[0].deferred_human == NOBODY


def test_while_something_is_left_the_worker_may_ask(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    epic_tree.epic(tmp_path, state=epic_tree.state(total=2, consumed=1, pending_decisions=[]), decision_packet=None)
    mill.run(epic=EPIC)
    assert mill.worker.seen[0].deferred_human == ""
    assert [event.text for event in mill.events if "budget" in event.text] == [f"interrupt budget of {EPIC}: 1 left"]


def test_while_a_packet_waits_no_other_takes_its_place_and_when_it_is_answered_the_next_may(tmp_path):
    """Else the unit of the first would never be spent, and more were asked than the budget allows."""
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    with_epic(tmp_path, total=2)

    def answered(_work, **_):
        for question, choice in (("Q-1", "A"), ("Q-2", "straw"), ("Q-3", "nine")):
            record_answer(tmp_path, Answer(EPIC, question, "free" if question == "Q-3" else "choice", choice), NOW)

    mill.run(Script({"T-01": answered}), epic=EPIC)
    told = [work.deferred_human for work in mill.worker.seen]
    assert told[0].startswith(f"Packet DP-SPEC-001 (Q-1, Q-2, Q-3) of epic {EPIC} still waits")
    assert told[1] == ""
    assert epic_tree.budget(tmp_path)["consumed"] == 1


def test_what_a_worker_asks_is_told_while_it_waits_for_the_answer(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    home = epic_tree.epic(tmp_path, decision_packet=None)

    def asks(_work, **_):
        epic_tree.put(home, f"{epic_tree.HOME}/decision-packet.json", epic_tree.packet())
        wait_for(lambda: any("asks" in event.text for event in mill.events))

    mill.run(Script({"T-01": asks}), epic=EPIC)
    told = [event.text for event in mill.events if " asks: " in event.text]
    assert told == [
        f"Q-1 asks: Turn the hay at noon? (harness-tui answer {EPIC} Q-1 A|B)",
        f"Q-2 asks: Which roof, 瓦 or straw? (harness-tui answer {EPIC} Q-2 1|2)",
        f"Q-3 asks: How many bales? (harness-tui answer {EPIC} Q-3 --free TEXT)",
    ]


def test_an_epic_that_goes_during_the_work_breaks_no_task(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    home = epic_tree.epic(tmp_path) / epic_tree.HOME
    end = mill.run(Script({"T-01": lambda _work, **_: home.rename(tmp_path / "gone") and None}), epic=EPIC)
    assert (end.code, mill.statuses()) == (0, {"T-01": "done", "T-02": "done"})
    assert "used up" in mill.worker.seen[1].deferred_human


def test_a_packet_that_can_not_be_read_is_left_alone(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    epic_tree.epic(tmp_path, decision_packet="{")
    mill.run(epic=EPIC)
    assert "leave decision-packet.json as it is" in mill.worker.seen[0].deferred_human


def test_what_is_asked_in_spite_of_a_used_up_budget_is_settled_when_the_task_ends(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    epic_tree.epic(tmp_path, state=epic_tree.state(total=1, consumed=1), decision_packet=None)
    mill.run(Script({"T-01": lambda _work, **_: epic_tree.epic(tmp_path, state=None) and None}), epic=EPIC)
    assert {name: item["status"] for name, item in epic_tree.decisions(tmp_path).items()}["Q-1"] == "assumed"
    assert epic_tree.budget(tmp_path)["consumed"] == 1


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
