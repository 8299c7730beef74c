"""Which entries of the unknowns ledger an answer closes, and what is added where there is none."""

import json

import pytest

from harness_tui.formats.json_edit import EditError
from harness_tui.formats.ledger_edit import add_blocked, new_ledger, resolve_unknown

AT = "2027-08-09T10:11:12Z"
SUMMARY = {"total": 9, "open": 9, "resolved_in_spec": 9, "resolved_in_plan": 9, "resolved_in_verify": 9, "mine": 9}


def ledger(*entries, **more):
    return json.dumps({"entries": list(entries)} | more).encode()


def resolved(data, stage="plan"):
    return json.loads(resolve_unknown(data, "UNK-002", "Use oats.", AT, stage))


def test_an_answer_closes_its_entry_and_the_summary_counts_anew():
    done = {"id": "UNK-001", "status": "resolved", "resolved_at_stage": "spec"}
    late = {"id": "UNK-003", "status": "open", "resolved_at_stage": "verify"}
    found = resolved(ledger(done, {"id": "UNK-002", "status": "open"}, late, {"id": "UNK-004"}, summary=SUMMARY))
    assert found["entries"][0] == done
    assert found["entries"][1] == {
        "id": "UNK-002", "status": "resolved", "resolution": "Use oats.", "resolved_at": AT,
        "resolved_at_stage": "plan",
    }  # fmt: skip
    assert found["summary"] == {
        "total": 4, "open": 2, "resolved_in_spec": 1, "resolved_in_plan": 1, "resolved_in_verify": 0, "mine": 9,
    }  # fmt: skip


def test_what_a_summary_does_not_count_stays_out_and_no_stage_is_made_up():
    found = resolved(ledger({"id": "UNK-002", "status": "open"}, summary={"open": 1}), stage="")
    assert found["summary"] == {"open": 0}
    assert "resolved_at_stage" not in found["entries"][0]
    assert "summary" not in resolved(ledger({"id": "UNK-002", "status": "open"}))


@pytest.mark.parametrize("word", ["pending", "open"])
def test_the_older_shape_keeps_its_state_in_the_resolution(word):
    found = resolved(ledger({"id": "UNK-002", "resolution": word}))
    assert found["entries"] == [{"id": "UNK-002", "resolution": "resolved", "resolution_note": "Use oats."}]


@pytest.mark.parametrize("entry", [{"status": "Resolved"}, {"resolution": "resolved"}])
def test_what_is_resolved_already_stays_as_it_is(entry):
    data = ledger({"id": "UNK-002"} | entry, summary=SUMMARY)
    assert resolve_unknown(data, "UNK-002", "Use oats.", AT, "plan") == data


def blocked(data, default="oats"):
    return json.loads(add_blocked(data, "Q-1", "Which grain?", default, "SPEC", sign="going on with"))


def test_a_question_that_was_left_unanswered_becomes_a_critical_entry_with_the_next_number():
    other = {"id": "UNK-007", "linked_dec": "Q-9", "status": "open"}
    closed = {"id": "odd", "linked_dec": "Q-1", "status": "resolved"}
    found = blocked(ledger(other, closed, summary={"total": 2}))
    assert found["entries"][:2] == [other, closed]
    assert found["entries"][2] == {
        "id": "UNK-008", "description": "CRITICAL-BLOCKED: Which grain?; going on with: oats", "discovered_at": "SPEC",
        "impact": "critical", "classification": "blocker", "linked_dec": "Q-1", "critical_blocked": True,
        "status": "open", "resolution": None, "resolved_at": None,
    }  # fmt: skip
    assert found["summary"] == {"total": 3}
    bare = blocked(json.dumps({"unknowns": []}).encode(), default=None)["unknowns"]
    assert [(entry["id"], entry["description"]) for entry in bare] == [("UNK-001", "CRITICAL-BLOCKED: Which grain?")]


def test_an_entry_of_that_question_is_marked_once_and_not_doubled():
    entry = {"id": "UNK-001", "linked_dec": "Q-1", "status": "open"}
    for mark in ({}, {"critical_blocked": False}, {"critical_blocked": None}):
        assert blocked(ledger(entry | mark))["entries"] == [entry | {"critical_blocked": True}]
    data = ledger(entry | {"critical_blocked": True})
    assert add_blocked(data, "Q-1", "Which grain?", None, "SPEC", sign="") == data


def test_a_ledger_without_a_list_is_refused_and_a_new_one_is_empty():
    with pytest.raises(EditError):
        blocked(b'{"entries": {}}')
    assert new_ledger("hay", AT) == {"epic_id": "hay", "version": "1.0", "created_at": AT, "entries": []}
