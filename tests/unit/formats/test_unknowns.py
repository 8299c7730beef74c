"""The unknowns ledger and the marks in it and in tasks."""

import json

import pytest

from harness_tui.formats.unknowns import is_assumption, is_critical_blocked, parse_assumption, parse_ledger

PATH = ".harness/features/sh-4-mend-the-pump/unknowns-ledger.json"


def entries(value: object):
    return parse_ledger(json.dumps(value).encode(), PATH).entries


def test_entries_are_read():
    row = {
        "id": "UNK-1",
        "description": "How hot?",
        "impact": "high",
        "status": "resolved",
        "classification": "blocker",
        "discovered_at": "PLAN",
        "resolution": "very",
        "resolved_at": "2031-05-06T07:08:09Z",
        "linked_dec": "DEC-1",
    }
    (found,) = entries({"entries": [row]})
    assert (found.epic_id, found.id, found.description) == ("sh-4-mend-the-pump", "UNK-1", "How hot?")
    assert (found.impact, found.state, found.classification, found.discovered_at) == (
        "high",
        "resolved",
        "blocker",
        "PLAN",
    )
    assert (found.resolution, found.linked_decision, found.path, found.line) == ("very", "DEC-1", PATH, 1)
    assert found.resolved_at is not None


def test_the_older_shape_tells_its_state_as_a_resolution():
    rows = [
        {"id": "a", "resolution": "resolved", "resolution_note": "one"},
        {"id": "b", "resolution": "pending", "resolution_note": "ask"},
        {"id": "c", "resolution": "we took blue"},
    ]
    found = entries({"unknowns": rows})
    assert [(item.state, item.resolution) for item in found] == [
        ("resolved", "one"),
        ("open", "ask"),
        ("open", "we took blue"),
    ]


def test_a_list_and_an_object_by_id_are_read_too():
    assert [item.id for item in entries([{"id": "a"}])] == ["a"]
    assert [item.id for item in entries({"entries": {"b": {}, "a": {}}})] == ["a", "b"]
    assert entries([]) == ()


@pytest.mark.parametrize("data", [b"", b"{}", b"1", b'{"entries": 3}', b"[" * 20_000])
def test_a_damaged_ledger_is_unreadable_and_names_its_file(data):
    ledger = parse_ledger(data, PATH)
    assert ledger.unreadable
    assert [(problem.code, problem.path) for problem in ledger.problems] == [("unreadable-ledger", PATH)]


def test_entries_that_are_none_are_counted():
    ledger = parse_ledger(b'{"entries": [{"id": "a"}, 1, null]}', PATH)
    assert [item.id for item in ledger.entries] == ["a"]
    assert "2 of" in ledger.problems[0].message


@pytest.mark.parametrize(
    "row",
    [
        {"status": "CRITICAL-BLOCKED"},
        {"status": "critical_blocked"},
        {"classification": "Critical Blocked"},
        {"tags": ["x", "critical-blocked"]},
        {"tags": "x, [CRITICAL-BLOCKED]"},
        {"critical_blocked": True},
        {"critical_blocked": "yes"},
        {"description": "CRITICAL-BLOCKED: which pump?"},
        {"description": "**[critical blocked]** which pump?"},
    ],
)
def test_the_mark_critical_blocked_is_seen_wherever_it_may_stand(row):
    assert is_critical_blocked(row)


@pytest.mark.parametrize(
    "row",
    [
        {"status": "open", "impact": "critical"},
        {"critical_blocked": False},
        {"critical_blocked": None},
        {"description": "not critical, blocked by nothing"},
        {"description": "this is CRITICAL-BLOCKED"},
        {"description": "critical-blockedness"},
        {"classification": "blocker"},
    ],
)
def test_other_words_are_no_mark(row):
    assert not is_critical_blocked(row)


def test_a_resolved_entry_blocks_no_more():
    blocked, done = entries([
        {"id": "a", "status": "CRITICAL-BLOCKED"},
        {"id": "b", "status": "resolved", "description": "CRITICAL-BLOCKED: x"},
    ])  # fmt: skip
    assert (blocked.critical_blocked, blocked.state) == (True, "open")
    assert (done.critical_blocked, done.state) == (False, "resolved")


@pytest.mark.parametrize(
    "task",
    [
        {"title": "⚠️ ASSUMPTION: blue paint"},
        {"title": "⚠ assumption blue paint"},
        {"notes": "see: **⚠️ ASSUMPTION** (DEC-1)"},
        {"notes": ["x", "⚠️ASSUMPTION: y"]},
        {"flags": ["later", "ASSUMPTION"]},
        {"flags": ["⚠️ assumption"]},
    ],
)
def test_the_mark_assumption_is_seen(task):
    assert is_assumption(task)


@pytest.mark.parametrize(
    "task",
    [
        {"title": "ASSUMPTION about paint"},
        {"title": "⚠️ see the ASSUMPTION"},
        {"title": "⚠️ ASSUMPTIONS page"},
        {"flags": ["no assumption"]},
        {},
    ],
)
def test_the_word_without_its_sign_is_no_mark(task):
    assert not is_assumption(task)


def test_a_task_with_the_sign_is_told_as_an_assumption():
    task = {"id": "sh-4.2", "title": "Paint", "notes": "⚠️ ASSUMPTION: blue\x07", "status": "pending"}
    found = parse_assumption(
        json.dumps(task).encode(), ".harness/tasks/sh-4-mend-the-pump.2.json", "sh-4-mend-the-pump"
    )
    assert (found.id, found.task_id, found.epic_id) == ("sh-4.2", "sh-4.2", "sh-4-mend-the-pump")
    assert (found.description, found.state, found.assumption, found.task_status) == (
        "⚠️ ASSUMPTION: blue␇",
        "assumed",
        True,
        "pending",
    )


@pytest.mark.parametrize("data", [b"", b"[]", b'{"title": "plain"}', b'{"title": "\xe2\x9a\xa0 ASSUMPTION"'])
def test_other_tasks_are_none(data):
    assert parse_assumption(data, "t/x.1.json", "x") is None
