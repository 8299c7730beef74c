"""Reading the epics of a workspace, again and again."""

import json
import os

import pytest

from harness_tui.workspace.epics import HOLD, EpicReader

FEATURES = ".harness/features"
PUMP = "sh-4-mend-the-pump"


def put(root, name: str, value: object):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def state(total: int = 2, consumed: int = 0, **more: object) -> dict[str, object]:
    numbers = {"total": total, "consumed": consumed, "remaining": total - consumed}
    return {"current_stage": "SPEC", "risk_level": "medium", "interrupt_budget": numbers, **more}


@pytest.fixture
def root(tmp_path):
    put(tmp_path, f"{FEATURES}/{PUMP}/state.json", state(2, 1))
    return tmp_path


def the_budget(epics):
    (budget,) = epics.budgets
    return budget


def codes(reader: EpicReader) -> set[str]:
    return {problem.code for problem in reader.problems}


def test_a_workspace_without_epics_gives_nothing(tmp_path):
    reader = EpicReader(tmp_path)
    assert reader.refresh(None, 0.0) is reader.epics
    assert (reader.epics.budgets, reader.folders(), reader.problems, reader.unsettled) == ((), [], (), False)


def test_an_epic_is_read_from_all_its_files(root):
    put(root, f".harness/epics/{PUMP}.json", {"title": "Pump", "risk_level": "high", "state": "SPEC"})
    put(root, ".harness/config.json", {"interrupt_budget": 2})
    put(root, f"{FEATURES}/{PUMP}/decision-packet.json", {"packet_id": "DP-1", "questions": [{"id": "D-1"}]})
    put(root, f"{FEATURES}/{PUMP}/decision-bundle.json", {"decisions": [{"id": "D-1", "status": "pending"}]})
    put(root, f"{FEATURES}/{PUMP}/unknowns-ledger.json", {"entries": [{"id": "U-1", "status": "CRITICAL-BLOCKED"}]})
    put(root, f".harness/tasks/{PUMP}.3.json", {"id": "sh-4.3", "title": "⚠️ ASSUMPTION: warm"})
    put(root, f".harness/tasks/{PUMP}.4.json", {"id": "sh-4.4", "title": "plain"})
    epics = EpicReader(root).refresh(None, 0.0)
    budget = the_budget(epics)
    assert (budget.epic_id, budget.title, budget.left, budget.epic_risk) == (PUMP, "Pump", 1, "high")
    assert budget.path == f"{FEATURES}/{PUMP}/state.json"
    assert [(item.packet_id, item.question_id, item.state) for item in epics.decisions] == [("DP-1", "D-1", "open")]
    assert [(item.id, item.critical_blocked) for item in epics.unknowns] == [("U-1", True)]
    assert [(item.epic_id, item.task_id) for item in epics.assumptions] == [(PUMP, "sh-4.3")]


def test_an_epic_without_state_and_a_folder_without_epic_are_both_there(root):
    put(root, ".harness/epics/sh-5-oil.json", {"title": "Oil", "state": "PLAN"})
    put(root, f"{FEATURES}/orphan/decision-packet.json", {"questions": [{"id": "D-1"}]})
    (root / FEATURES / "empty").mkdir()
    reader = EpicReader(root)
    found = {budget.epic_id: (budget.state, budget.left) for budget in reader.refresh(None, 0.0).budgets}
    assert found == {"orphan": ("unreadable", 0), PUMP: ("ok", 1), "sh-5-oil": ("unreadable", 0)}
    assert codes(reader) == {"no-epic-state"}


def test_leftovers_and_old_budget_files_are_not_read(root):
    put(root, f"{FEATURES}/{PUMP}/state.tmp", b'{"interrupt')
    put(root, f"{FEATURES}/{PUMP}/interrupt-budget.json", {"total_budget": 9})
    reader = EpicReader(root)
    assert the_budget(reader.refresh(None, 0.0)).total == 2
    assert codes(reader) == {"second-budget-file"}


def test_nothing_new_gives_the_same_object(root):
    reader = EpicReader(root)
    first = reader.refresh(None, 0.0)
    assert reader.refresh(None, 1.0) is first
    assert reader.refresh(frozenset({str(root / "other")}), 2.0) is first
    put(root, f"{FEATURES}/{PUMP}/state.json", state(2, 1))
    assert reader.refresh(None, 3.0) is first


def test_a_named_change_is_seen_without_listing(root):
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    path = put(root, f"{FEATURES}/{PUMP}/state.json", state(2, 2))
    assert reader.knows(str(path))
    assert not reader.knows(str(root / "other"))
    assert the_budget(reader.refresh(frozenset({str(path)}), 1.0)).state == "exhausted"


def test_a_file_of_the_same_size_and_time_is_seen(root):
    path = root / FEATURES / PUMP / "state.json"
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    found = path.stat()
    after = put(root, "after.json", state(2, 2))
    assert after.stat().st_size == found.st_size
    os.utime(after, ns=(found.st_atime_ns, found.st_mtime_ns))
    after.replace(path)
    assert the_budget(reader.refresh(None, 1.0)).left == 0


@pytest.mark.parametrize("half", [b"", b'{"interrupt_budget": {"total": 2, "cons', b"[]"])
def test_a_half_written_state_keeps_the_last_good_value_with_a_mark_and_recovers(root, half):
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    path = put(root, f"{FEATURES}/{PUMP}/state.json", half)
    changed = frozenset({str(path)})
    for clock in (1.0, 3.0, 4.0):
        budget = the_budget(reader.refresh(changed, clock))
        assert (budget.total, budget.left, budget.stale, reader.unsettled) == (2, 1, True, True)
        assert "last good" in budget.why
    put(root, f"{FEATURES}/{PUMP}/state.json", state(2, 1))
    budget = the_budget(reader.refresh(frozenset(), 5.0))
    assert (budget.left, budget.stale, reader.unsettled, codes(reader)) == (1, False, False, set())


def test_a_state_that_stays_damaged_counts_as_nothing_in_the_end(root):
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    put(root, f"{FEATURES}/{PUMP}/state.json", b'{"interrupt_budget": {"total": NaN')
    reader.refresh(None, 1.0)
    budget = the_budget(reader.refresh(frozenset(), 1.0 + HOLD))
    assert (budget.state, budget.left, budget.stale, reader.unsettled) == ("unreadable", 0, False, False)
    assert codes(reader) == {"unreadable-state"}


def test_a_reader_that_starts_on_half_a_file_says_unreadable(root):
    put(root, f"{FEATURES}/{PUMP}/state.json", b'{"interrupt_budget": {"to')
    reader = EpicReader(root)
    budget = the_budget(reader.refresh(None, 0.0))
    assert (budget.state, budget.left, budget.stale, reader.unsettled) == ("unreadable", 0, False, False)


def test_a_removed_state_is_not_remembered(root):
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    put(root, f"{FEATURES}/{PUMP}/decision-bundle.json", {"decisions": []})
    (root / FEATURES / PUMP / "state.json").unlink()
    budget = the_budget(reader.refresh(None, 1.0))
    assert (budget.state, budget.why) == ("unreadable", "there is no state.json")


def test_a_removed_epic_is_gone(root):
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    (root / FEATURES / PUMP / "state.json").unlink()
    assert reader.refresh(None, 1.0).budgets == ()


def test_a_half_written_packet_keeps_its_questions(root):
    path = put(root, f"{FEATURES}/{PUMP}/decision-packet.json", {"packet_id": "DP-1", "questions": [{"id": "D-1"}]})
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    path.write_bytes(b'{"packet_id": "DP')
    epics = reader.refresh(None, 1.0)
    assert [(packet.packet_id, packet.stale) for packet in epics.packets] == [("DP-1", True)]
    assert [item.question_id for item in epics.decisions] == ["D-1"]


def test_a_packet_nested_beyond_measure_is_named_and_the_rest_is_read(root):
    put(root, f"{FEATURES}/{PUMP}/decision-packet.json", b'{"questions": ' + b"[" * 20_000)
    reader = EpicReader(root)
    epics = reader.refresh(None, 0.0)
    assert "nested deeper" in epics.packets[0].unreadable
    assert [(item.code, item.path) for item in reader.problems] == [
        ("unreadable-packet", f"{FEATURES}/{PUMP}/decision-packet.json")
    ]
    assert the_budget(epics).left == 1


def test_what_is_no_regular_file_is_not_opened(root):
    path = root / FEATURES / PUMP / "state.json"
    path.unlink()
    os.mkfifo(path)
    reader = EpicReader(root)
    budget = the_budget(reader.refresh(None, 0.0))
    assert (budget.state, budget.why) == ("unreadable", "state.json can't be read: it can't be opened")
    assert codes(reader) == {"unreadable"}


def test_a_link_out_of_the_workspace_is_not_followed(root, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    put(outside, "state.json", state(3, 0))
    (root / FEATURES / "linked").symlink_to(outside)
    path = root / FEATURES / PUMP / "state.json"
    path.unlink()
    path.symlink_to(outside / "state.json")
    reader = EpicReader(root)
    budget = the_budget(reader.refresh(None, 0.0))
    assert (budget.epic_id, budget.state, budget.left) == (PUMP, "unreadable", 0)
    assert "link-outside" in codes(reader)


def test_names_are_those_of_the_disk_whatever_the_files_say(root):
    put(root, f"{FEATURES}/节点\u202e/state.json", state(epic_id="../../etc"))
    budgets = EpicReader(root).refresh(None, 0.0).budgets
    assert [budget.epic_id for budget in budgets] == [PUMP, "节点‹U+202E›"]


def test_folders_with_open_questions_come_first_and_done_epics_are_not_watched(root):
    put(root, f"{FEATURES}/z-asks/decision-packet.json", {"questions": [{"id": "D-1"}]})
    put(root, f"{FEATURES}/a-done/state.json", state(current_stage="DONE"))
    reader = EpicReader(root)
    reader.refresh(None, 0.0)
    assert reader.folders() == [root / FEATURES, root / FEATURES / "z-asks", root / FEATURES / PUMP]


def test_reading_changes_no_file(root):
    before = {path: path.stat() for path in root.rglob("*") if path.is_file()}
    EpicReader(root).refresh(None, 0.0)
    after = {path: path.stat() for path in root.rglob("*") if path.is_file()}
    assert {path: (s.st_mtime_ns, s.st_size) for path, s in before.items()} == {
        path: (s.st_mtime_ns, s.st_size) for path, s in after.items()
    }
