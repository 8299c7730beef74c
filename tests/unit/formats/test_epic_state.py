"""State, record and configuration of an epic."""

import json
from datetime import UTC, datetime

import pytest

from harness_tui.formats.epic_state import parse_epic_config, parse_epic_record, parse_epic_state
from harness_tui.model.budget import Spend

PATH = ".harness/features/sh-4-mend-the-pump/state.json"
STATE = {
    "epic_id": "sh-4-mend-the-pump",
    "current_stage": "SPEC",
    "risk_level": "Medium",
    "interrupt_budget": {"total": 2, "consumed": 1, "remaining": 1},
    "pending_decisions": [{"id": "DEC-007", "question": "Which seal?", "status": "pending", "options": ["rubber"]}],
    "updated_at": "2031-05-06T07:08:09Z",
}


def read(value: object):
    return parse_epic_state(json.dumps(value).encode(), PATH)


def numbers(budget: object, **more: object):
    return read({"interrupt_budget": budget, **more}).numbers


def test_a_state_is_read():
    state = read(STATE)
    assert (state.stage, state.risk_level, state.unreadable, state.problems) == ("SPEC", "medium", "", ())
    assert (state.numbers.total, state.numbers.consumed, state.numbers.remaining) == (2, 1, 1)
    assert [question.id for question in state.pending] == ["DEC-007"]
    assert state.updated_at == datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


def test_the_predecessors_spelling_is_read():
    state = read({"currentStage": "PLAN", "riskLevel": "high", "pendingDecisions": ["Q-1"]})
    assert (state.stage, state.risk_level) == ("PLAN", "high")
    assert [(question.id, question.state) for question in state.pending] == [("Q-1", None)]
    assert state.numbers.damage == "no interrupt budget is recorded"


def test_a_byte_order_mark_and_crlf_change_nothing():
    data = json.dumps(STATE, indent=2).replace("\n", "\r\n").encode("utf-8-sig")
    assert parse_epic_state(data, PATH).numbers == read(STATE).numbers


def test_a_bare_number_counts_beside_the_used_ones():
    found = numbers(3, interrupts_used=1)
    assert (found.total, found.consumed, found.remaining, found.damage, found.old_shape) == (3, 1, None, "", True)


def test_a_bare_number_alone_is_no_budget():
    assert "interrupts_used is missing" in numbers(3).damage
    assert "interrupts_used is true" in numbers(3, interrupts_used=True).damage


@pytest.mark.parametrize("budget", [None, True, "2", 2.0, [2, 0, 2], -1, 10**30])
def test_a_budget_of_another_kind_is_damaged(budget):
    assert numbers(budget, interrupts_used=0).damage


@pytest.mark.parametrize("value", [None, True, "1", 1.0, 0.5, [1], {}, 1001, 10**30])
@pytest.mark.parametrize("name", ["total", "consumed", "remaining"])
def test_what_is_no_whole_number_is_damaged_and_not_converted(name, value):
    found = numbers({"total": 2, "consumed": 1, "remaining": 1, name: value})
    assert name in found.damage
    assert getattr(found, name) is None


@pytest.mark.parametrize("name", ["total", "consumed"])
@pytest.mark.parametrize("value", [-1, -1.0])
def test_a_negative_total_or_use_is_damaged(name, value):
    assert name in numbers({"total": 2, "consumed": 1, name: value}).damage


@pytest.mark.parametrize("value", [-1, -1.0])
def test_a_negative_rest_is_kept_as_it_grants_nothing(value):
    found = numbers({"total": 2, "consumed": 3, "remaining": value})
    assert (found.remaining, found.damage) == (-1, "")
    assert type(found.remaining) is int


@pytest.mark.parametrize("value", [-0.5, -1e300])
def test_an_odd_negative_rest_is_damaged(value):
    assert "remaining" in numbers({"total": 2, "consumed": 1, "remaining": value}).damage


def test_absent_numbers_stay_absent():
    found = numbers({"total": 2})
    assert (found.total, found.consumed, found.remaining, found.damage) == (2, None, None, "")


def test_the_history_is_read_and_odd_entries_are_left_out():
    spent = [{"at": "2031-01-01T00:00:00Z", "stage": "CLARIFY", "packet_id": "DP-1"}, "SPEC", {"at": "2031-01-01"}]
    found = numbers({"total": 2, "consumed": 1, "history": spent}).history
    assert found == (Spend(datetime(2031, 1, 1, tzinfo=UTC), "CLARIFY", "DP-1"), Spend(None, "", ""))


def test_a_time_without_zone_is_not_guessed():
    assert read({"updated_at": "2031-05-06T07:08:09"}).updated_at is None


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b'{"interrupt_budget": {"tot', b"[]", b"2", b"\xff", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"[" * 9999],
)
def test_a_damaged_state_is_unreadable_and_names_its_file(data):
    state = parse_epic_state(data, PATH)
    assert state.unreadable
    (problem,) = state.problems
    assert (problem.path, problem.code, problem.severity) == (PATH, "unreadable-state", "error")


def test_a_pending_list_that_is_text_is_reported():
    state = read({**STATE, "pending_decisions": "[]"})
    assert (state.pending, [problem.code for problem in state.problems]) == ((), ["unreadable-pending"])


def test_a_state_that_names_another_epic_is_reported():
    (problem,) = read({**STATE, "epic_id": "sh-5-oil\x1b[2J"}).problems
    assert problem.code == "other-epic"
    assert "sh-5-oil␛[2J" in problem.message


def test_a_record_gives_title_risk_and_stage():
    record = parse_epic_record(b'{"title": "Mend\\u202e", "risk_level": "HIGH", "state": "PLAN"}', "e.json")
    assert (record.title, record.risk_level, record.stage) == ("Mend‹U+202E›", "high", "PLAN")
    assert parse_epic_record(b"[1]", "e.json").problems[0].code == "unreadable-epic"


@pytest.mark.parametrize(("value", "total"), [(5, 5), (0, 0), ("5", None), (2.0, None), (True, None), (-1, None)])
def test_a_configured_total_is_a_whole_number_or_none(value, total):
    assert parse_epic_config(json.dumps({"interrupt_budget": value}).encode(), "c.json").interrupt_budget == total
