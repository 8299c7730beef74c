"""Edits of an epic's files, as bytes."""

import json

import pytest

from harness_tui.formats.epic_edit import (
    RECORDER,
    mark_task,
    old_history,
    rebuild_pending,
    recorded_here,
    settle,
    spend,
    touch,
)
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.ledger_edit import add_blocked, resolve_unknown
from harness_tui.model.answer import Settled

AT = "2027-04-05T06:07:08Z"


def test_a_settled_decision_keeps_its_neighbours_bytes():
    data = b'{"decisions":[ {"id":"A","status":"pending"},{"id": "B"} ],"z":1.50}'
    after = settle(data, [Settled("A", "resolved", "ja, natürlich")], AT, sign="!")
    assert (
        after
        == (
            '{"decisions":[ {"id":"A","status":"resolved","resolution":"ja, natürlich",'
            '"resolved_at":"2027-04-05T06:07:08Z","recorded_by":"harness-tui"},{"id": "B"} ],"z":1.50}'
        ).encode()
    )
    assert settle(after, [Settled("A", "resolved", "ja, natürlich")], "later", sign="!") == after


def test_a_deferred_decision_says_when_and_an_assumed_one_on_what():
    data = b'[{"id": "A"}, {"id": "B"}]'
    after = json.loads(settle(data, [Settled("A", "deferred", None), Settled("B", "assumed", "x")], AT, sign="!"))
    assert after[0] == {"id": "A", "status": "deferred", "deferred_at": AT, "recorded_by": "harness-tui"}
    assert (after[1]["resolution"], after[1]["assumption"]) == ("x", "!: x")


def test_a_question_that_nobody_may_assume_says_since_when_and_on_what_the_work_goes_on():
    after = settle(b'[{"id": "A"}]', [Settled("A", "critical-blocked", "x")], AT, sign="!")
    assert json.loads(after) == [
        {"id": "A", "status": "critical-blocked", "blocked_at": AT, "recorded_by": RECORDER, "assumption": "!: x"}
    ]
    assert settle(after, [Settled("A", "critical-blocked", "x")], "later", sign="!") == after
    assert recorded_here(after) == {"A"}
    assert recorded_here(b'{"decisions": [{"id": "A", "recorded_by": "me"}]}') == frozenset()


def test_an_answer_stands_where_the_bundle_keeps_answers():
    data = b'{"decision_bundle": {"A": {"resolved_value": null}, "B": {"resolved_value": 1, "resolution": ""}}}'
    after = settle(data, [Settled("A", "resolved", "x"), Settled("B", "resolved", "y")], AT, sign="!")
    found = json.loads(after)["decision_bundle"]
    assert (found["A"]["resolved_value"], "resolution" in found["A"]) == ("x", False)
    assert (found["B"]["resolved_value"], found["B"]["resolution"]) == (1, "y")


def test_a_budget_that_is_a_bare_number_keeps_its_units_beside_it():
    once = spend(b'{"interrupts_used": 1}', AT, "PLAN", "DP-1")
    twice = spend(once, AT, "PLAN", "DP-2")
    assert json.loads(twice)["interrupts_used"] == 3
    assert old_history(twice) == ["DP-1", "DP-2"]
    assert old_history(b'{"interrupt_history": [7, {"packet_id": "DP-3"}]}') == ["DP-3"]
    assert old_history(b'{"interrupt_history": 7}') == old_history(b"{}") == []
    with pytest.raises(EditError, match="interrupt_history is no list"):
        spend(b'{"interrupts_used": 1, "interrupt_history": {}}', AT, "PLAN", None)


@pytest.mark.parametrize(("data", "name"), [(b'{"updatedAt": 1}', "updatedAt"), (b"{}", "updated_at")])
def test_a_state_says_when_it_changed_where_it_did_before(data, name):
    assert json.loads(touch(data, AT)) == {name: AT}


def test_a_unit_is_counted_where_the_budget_keeps_it():
    one = json.loads(spend(b'{"interrupt_budget": {"total": 3, "consumed": 1, "x": 0}}', AT, "PLAN", None))
    unit = {"at": AT, "stage": "PLAN", "packet_id": None}
    assert one["interrupt_budget"] == {"total": 3, "consumed": 2, "x": 0, "remaining": 1, "history": [unit]}
    two = json.loads(spend(json.dumps(one).encode(), AT, "PLAN", "DP-2"))
    assert [item["packet_id"] for item in two["interrupt_budget"]["history"]] == [None, "DP-2"]


def test_the_pending_list_of_ids_loses_what_was_decided():
    state = b'{"pendingDecisions": [ "A", "B" ]}'
    assert rebuild_pending(state, b'{"decisionBundle": [{"id": "A", "status": "resolved"}]}') == (
        b'{"pendingDecisions": [ "B" ]}'
    )


PENDING = {
    "id": "B", "question": "why?", "category": "must_confirm", "severity": "low", "risk_if_wrong": "critical",
    "status": "pending", "source_ref": "L7", "source_artifact": "spec.md", "why_now": "it is late",
    "options": ["x", "y"], "default_action": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "listed"),
    [
        (PENDING, PENDING),
        (
            {"id": "B", "category": "must_confirm", "description": "why?", "proposed_default": "x", "severity": "low"},
            PENDING | {"risk_if_wrong": "low", "source_ref": "", "source_artifact": "decision-bundle.json",
                       "why_now": "", "options": []},
        ),
        (
            {"id": "B", "category": "Must_Confirm", "status": "open", "risk_if_wrong": "medium"},
            dict.fromkeys(PENDING, "") | {"id": "B", "category": "must_confirm", "severity": "medium",
             "risk_if_wrong": "medium", "status": "pending", "source_artifact": "decision-bundle.json", "options": []},
        ),
        (PENDING | {"severity": "dire", "risk_if_wrong": 7}, PENDING | {"severity": "high", "risk_if_wrong": "high"}),
        (PENDING | {"category": "nice_to_have"}, None),
        (PENDING | {"status": "deferred"}, None),
        (PENDING | {"id": "A"}, None),
    ],
)  # fmt: skip
def test_a_question_that_must_be_confirmed_is_listed_once_with_all_that_the_bundle_tells(row, listed):
    state = b'{"pending_decisions": [{"id": "A"}, {"id": "X"}]}'
    found = json.loads(rebuild_pending(state, json.dumps([row]).encode()))["pending_decisions"]
    assert found == [{"id": "A"}, {"id": "X"}, *([listed] if listed else [])]


def test_a_task_is_marked_once():
    for data in (b"{}", b'{"notes": "old"}', b'{"notes": ["old"]}', b'{"notes": null}'):
        once = mark_task(data, "mark")
        assert b"mark" in once
        assert mark_task(once, "mark") == once


def test_an_unknown_is_resolved_once():
    data = b'{"entries": [{"id": "U", "status": "open"}], "summary": {"open": 1, "deferred": 7}}'
    once = resolve_unknown(data, "U", "x", AT, "PLAN")
    assert json.loads(once)["summary"] == {"open": 0, "deferred": 7}
    assert resolve_unknown(once, "U", "y", "later", "PLAN") == once


def test_a_blocked_question_is_listed_once_and_numbered_on():
    data = b'{"unknowns": [{"id": "UNK-041"}]}'
    once = add_blocked(data, "Q", "why?", "so", "SPEC", sign="!")
    entry = json.loads(once)["unknowns"][1]
    assert (entry["id"], entry["critical_blocked"]) == ("UNK-042", True)
    assert entry["description"] == "CRITICAL-BLOCKED: why?; !: so"
    assert add_blocked(once, "Q", "why?", "so", "SPEC", sign="!") == once


def test_an_open_entry_of_the_question_is_marked_in_place():
    data = b'{"entries": [{"id": "U", "linked_dec": "Q", "status": "open"}]}'
    after = add_blocked(data, "Q", "why?", None, "SPEC", sign="!")
    assert after == data.replace(b'"open"}', b'"open", "critical_blocked": true}')


@pytest.mark.parametrize("data", [b'{"decisions": []}', b'{"decisions": [{"id": "A"}, {"id": "A"}]}', b"{", b"{}"])
def test_a_decision_must_be_there_once(data):
    with pytest.raises(EditError):
        settle(data, [Settled("A", "deferred", None)], AT, sign="!")


def test_a_ledger_without_a_list_is_refused():
    with pytest.raises(EditError, match="no list"):
        add_blocked(b'{"entries": 3}', "Q", "?", None, "SPEC", sign="!")


@pytest.mark.parametrize("text", [b"[]", b'"x"', b"7", b"null", b"{"])
def test_a_task_that_is_no_object_is_refused(text):
    with pytest.raises(EditError):
        mark_task(text, "!")
