"""Looking at a budget and spending from it."""

import json

import pytest
from support import epic_tree as tree

from harness_tui.model.refusal import NotThere, Refused
from harness_tui.workspace.budgets import check_budget, consume_unit


def state_of(root):
    return root / tree.HOME / "state.json"


def test_looking_spends_nothing(tmp_path):
    tree.epic(tmp_path)
    before = tree.contents(tmp_path)
    found = check_budget(tmp_path, tree.EPIC)
    assert (found.total, found.consumed, found.remaining, found.exhausted) == (2, 0, 2, False)
    assert tree.contents(tmp_path) == before


def test_a_unit_is_spent_and_nothing_else_changes(tmp_path):
    tree.epic(tmp_path)
    before = state_of(tmp_path).read_bytes()
    assert consume_unit(tmp_path, tree.EPIC, tree.NOW).remaining == 1
    wanted = json.loads(before)
    unit = {"at": tree.AT, "stage": "SPEC", "packet_id": "DP-SPEC-001"}
    wanted["interrupt_budget"] = {"total": 2, "consumed": 1, "remaining": 1, "history": [unit]}
    wanted["updated_at"] = tree.AT
    after = state_of(tmp_path).read_bytes()
    assert json.loads(after) == wanted
    assert list(json.loads(after)) == list(json.loads(before))
    changed = set(before.split(b"\n")) - set(after.split(b"\n"))
    assert changed == {b'    "consumed": 0,', b'    "remaining": 2', b'  "updated_at": "2027-04-01T00:00:00Z",'}


def test_a_packet_is_named_once_and_only_while_it_waits(tmp_path):
    tree.epic(tmp_path, state=tree.state(9))
    for _ in range(2):
        consume_unit(tmp_path, tree.EPIC, tree.NOW)
    assert [unit["packet_id"] for unit in tree.budget(tmp_path)["history"]] == ["DP-SPEC-001", None]


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ({"total": 2, "consumed": 2, "remaining": 0}, "budget-exhausted"),
        ({"total": 2, "consumed": 2, "remaining": 1}, "budget-inconsistent"),
        ({"total": 2, "consumed": 3, "remaining": -1}, "budget-inconsistent"),
        ({"total": 9, "consumed": 1, "remaining": 3}, "budget-inconsistent"),
        ({"remaining": 1}, "budget-unreadable"),
        ({"total": True, "consumed": 0, "remaining": 1}, "budget-unreadable"),
        (None, "budget-unreadable"),
        ({"total": 2, "consumed": 0, "remaining": 2, "history": "none"}, "budget-unreadable"),
    ],
)
def test_nothing_is_spent_from_what_is_used_up_or_can_not_be_read(tmp_path, numbers, code):
    tree.epic(tmp_path, state=tree.state(interrupt_budget=numbers))
    before = state_of(tmp_path).read_bytes()
    with pytest.raises(Refused) as refused:
        consume_unit(tmp_path, tree.EPIC, tree.NOW)
    assert refused.value.code == code
    assert state_of(tmp_path).read_bytes() == before


@pytest.mark.parametrize("data", [b"", b'{"interrupt_budget": {"total": 2, "con', b"[]", b"\xff{}"])
def test_a_damaged_state_has_no_budget(tmp_path, data):
    tree.epic(tmp_path, state=data)
    for act in (lambda: check_budget(tmp_path, tree.EPIC), lambda: consume_unit(tmp_path, tree.EPIC, tree.NOW)):
        with pytest.raises(Refused, match="state"):
            act()


def test_a_state_without_a_budget_has_0_of_0_and_nothing_to_spend(tmp_path):
    written = tree.state()
    del written["interrupt_budget"]
    tree.epic(tmp_path, state=written)
    found = check_budget(tmp_path, tree.EPIC)
    assert (found.total, found.consumed, found.remaining, found.exhausted) == (0, 0, 0, True)
    with pytest.raises(Refused):
        consume_unit(tmp_path, tree.EPIC, tree.NOW)


def test_an_older_shape_counts_on_in_its_own_way(tmp_path):
    tree.epic(tmp_path, state=tree.state(interrupt_budget=2, interrupts_used=1))
    assert consume_unit(tmp_path, tree.EPIC, tree.NOW).remaining == 0
    assert tree.read(tmp_path, f"{tree.HOME}/state.json")["interrupts_used"] == 2
    with pytest.raises(Refused, match="no unit can be spent"):
        consume_unit(tmp_path, tree.EPIC, tree.NOW)


def test_an_epic_is_found_by_listing_only(tmp_path):
    tree.epic(tmp_path)
    for name in ("no-such-epic", "../features/" + tree.EPIC, "", ".", "..", "a\0b"):
        with pytest.raises(NotThere):
            check_budget(tmp_path, name)


def test_an_epic_that_lies_elsewhere_is_none(tmp_path):
    root = tree.epic(tmp_path / "w")
    tree.epic(tmp_path / "elsewhere")
    (root / ".harness/features/sh-9-link").symlink_to(tmp_path / "elsewhere" / tree.HOME)
    with pytest.raises(NotThere):
        consume_unit(root, "sh-9-link", tree.NOW)


def test_what_does_not_agree_is_told(tmp_path):
    tree.epic(tmp_path, state=tree.state(2, current_stage="DONE", risk_level="low"))
    codes = {problem.code for problem in check_budget(tmp_path, tree.EPIC).warnings}
    assert codes == {"epic-done", "risk-total-mismatch"}


def test_what_a_killed_writer_left_is_removed(tmp_path):
    tree.epic(tmp_path)
    left = tmp_path / tree.HOME / ".state.json.0123456789abcdef.harness-tui.tmp"
    left.write_bytes(b"{")
    consume_unit(tmp_path, tree.EPIC, tree.NOW)
    assert not left.exists()
