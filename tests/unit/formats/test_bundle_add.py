"""A question that the decision bundle does not hold gets its row there."""

import json

import pytest

from harness_tui.formats.bundle_add import asked_row, with_question
from harness_tui.formats.json_edit import EditError

CARRIED = {
    "context": "c", "options": ["a", "b"], "proposed_default": "a", "default": "a", "defaultAction": "a",
    "why_now": "w", "whyNow": "w", "deadline": "d", "risk_if_wrong": "r", "riskIfWrong": "r", "impact": "i",
    "severity": "low", "source_ref": "s", "sourceRef": "s", "evidence": "e", "linked_unk": "UNK-001",
}  # fmt: skip
AT = "2027-08-09T10:11:12Z"


def packet(*questions):
    return json.dumps({"questions": list(questions)}).encode()


def test_a_question_of_the_packet_brings_its_words_along_and_no_answer():
    asked = {"id": "Q-1", "question": "Which grain?", "category": "Assumable", "status": "answered", "answer": "a"}
    row = asked_row(packet({"id": "Q-0"}, asked | CARRIED), None, "Q-1")
    assert row == CARRIED | {
        "id": "Q-1", "question": "Which grain?", "category": "assumable", "status": "pending",
        "source_artifact": "decision-packet.json",
    }  # fmt: skip


def test_other_names_and_gaps_of_a_question_are_made_good():
    asked = {"id": "Q-1", "description": "Which?", "type": "deferrable", "default_action": "oats", "context": None}
    assert asked_row(packet(asked), None, "Q-1") == {
        "id": "Q-1", "question": "Which?", "category": "deferrable", "proposed_default": "oats", "status": "pending",
        "source_artifact": "decision-packet.json",
    }  # fmt: skip
    assert asked_row(packet({"id": "Q-1"}), None, "Q-1")["category"] == "must_confirm"


def test_the_pending_list_is_asked_where_the_packet_does_not_hold_the_question():
    state = json.dumps({"pending_decisions": [{"id": "Q-1", "question": "Which?"}]}).encode()
    assert asked_row(packet({"id": "Q-2"}), state, "Q-1")["source_artifact"] == "state.json"
    assert asked_row(packet({"id": "Q-1"}), state, "Q-1")["source_artifact"] == "decision-packet.json"
    with pytest.raises(EditError):
        asked_row(None, state, "Q-2")


ROW = {"id": "Q-1", "question": "Which?"}


def added(bundle):
    return json.loads(with_question(bundle and json.dumps(bundle).encode(), ROW, "hay", "SPEC", AT))


def test_without_a_bundle_one_is_made_in_the_shape_of_its_program():
    assert added(None) == {
        "epic": "hay", "stage": "SPEC", "created_at": AT, "decisions": [ROW],
        "summary": {"must_confirm": 1, "assumable": 0, "deferrable": 0, "interrupts_consumed": 0},
    }  # fmt: skip
    assert with_question(None, ROW, "hay", "SPEC", AT).endswith(b"}\n")


@pytest.mark.parametrize(
    ("bundle", "after"),
    [
        ([{"id": "Q-0"}], [{"id": "Q-0"}, ROW]),
        ({"decisions": []}, {"decisions": [ROW]}),
        ({"decisions": {"Q-0": {}}}, {"decisions": {"Q-0": {}, "Q-1": ROW}}),
        ({"decisions": [], "summary": {"must_confirm": 3, "open": 1}},
         {"decisions": [ROW], "summary": {"must_confirm": 4, "open": 1}}),
        ({"decisions": [], "summary": {"must_confirm": True}}, {"decisions": [ROW], "summary": {"must_confirm": True}}),
        ({"decisions": [], "summary": "none"}, {"decisions": [ROW], "summary": "none"}),
    ],
)  # fmt: skip
def test_each_shape_of_a_bundle_gets_the_row_as_its_last_and_counts_it(bundle, after):
    assert added(bundle) == after


def test_what_can_hold_no_row_is_refused():
    with pytest.raises(EditError):
        added({"decisions": "none"})
    with pytest.raises(EditError):
        with_question(None, {"id": "\ud800"}, "hay", "SPEC", AT)
