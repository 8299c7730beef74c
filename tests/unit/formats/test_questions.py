"""Packets and bundles: the questions in them, in every shape."""

import json
from datetime import UTC, datetime

import pytest

from harness_tui.formats.decision_bundle import parse_bundle
from harness_tui.formats.decision_packet import parse_packet
from harness_tui.formats.questions import read_questions
from harness_tui.model.decision import Choice

PATH = ".harness/features/sh-4-mend-the-pump/decision-packet.json"
PACKET = {
    "version": "1.0",
    "epic_id": "sh-4-mend-the-pump",
    "stage": "CLARIFY",
    "packet_id": "DP-CLARIFY-002",
    "interrupt_number": 2,
    "created_at": "2031-05-06T07:08:09Z",
    "total_interrupts_in_budget": 1,
    "questions": [
        {
            "id": "DEC-001",
            "question": "Which seal?",
            "why_now": "the order leaves today",
            "options": ["A: rubber", "B: brass"],
            "default_action": "A",
            "deadline": "before SPEC",
            "source_ref": "notes:3",
            "risk_if_wrong": "high",
            "context": "old one leaks",
        },
        {"id": "DEC-002", "question": "Paint it?", "options": ["Yes", "No"], "default_action": "No"},
    ],
}


def packet(value: object):
    return parse_packet(json.dumps(value).encode(), PATH)


def one(**row: object):
    (question,) = read_questions([row])
    return question


def test_a_packet_is_read():
    found = packet(PACKET)
    assert (found.epic_id, found.packet_id, found.stage) == ("sh-4-mend-the-pump", "DP-CLARIFY-002", "CLARIFY")
    assert (found.number, found.budget_left, found.problems, found.unreadable) == (2, 1, (), "")
    assert found.created_at == datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    first, second = found.questions
    assert (first.question, first.why_now, first.default) == ("Which seal?", "the order leaves today", "A")
    assert (first.deadline, first.source_ref, first.risk, first.context) == (
        "before SPEC",
        "notes:3",
        "high",
        "old one leaks",
    )
    assert first.choices == (Choice("A", "rubber", default=True), Choice("B", "brass"))
    assert second.choices == (Choice("1", "Yes"), Choice("2", "No", default=True))


def test_the_small_shape_has_no_packet_id():
    found = packet({"epic": "pump", "interrupt_number": 1, "questions": [{"id": "DEC-001"}]})
    assert found.packet_id is None
    assert [problem.code for problem in found.problems] == ["other-epic"]


def test_questions_know_the_line_of_their_id():
    found = parse_packet(json.dumps(PACKET, indent=1).encode(), PATH)
    lines = json.dumps(PACKET, indent=1).splitlines()
    assert [lines[question.line - 1].strip() for question in found.questions] == [
        '"id": "DEC-001",',
        '"id": "DEC-002",',
    ]


def test_an_id_inside_a_text_is_not_taken_for_a_row():
    rows = [{"question": 'say "id": "B"', "id": "A"}, {"id": "B"}]
    found = parse_packet(json.dumps({"questions": rows}, indent=1).encode(), PATH)
    assert [question.line for question in found.questions] == [5, 8]


def test_questions_may_be_an_object_by_id_and_its_order_means_nothing():
    rows = {"Q-2": {"question": "b"}, "Q-1": {"question": "a"}}
    assert [(item.id, item.question) for item in packet({"questions": rows}).questions] == [("Q-1", "a"), ("Q-2", "b")]


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"7", b"{}", b'{"questions": "none"}', b'{"questions": ' + b"[" * 20_000, b'{"id": 1, "id": 1}'],
)
def test_a_damaged_packet_is_unreadable_and_names_its_file(data):
    found = parse_packet(data, PATH)
    assert found.unreadable
    (problem,) = found.problems
    assert (problem.path, problem.code) == (PATH, "unreadable-packet")


def test_nesting_beyond_measure_is_named_as_such():
    assert "nested deeper" in parse_packet(b"[" * 20_000, PATH).unreadable


def test_odd_rows_cost_only_themselves():
    found = packet({"questions": [{"id": "DEC-001", "question": "ok?"}, "text", None, [1], {"question": "no id"}]})
    assert [question.id for question in found.questions] == ["DEC-001", ""]
    assert {problem.code for problem in found.problems} == {"unreadable-question", "question-without-id"}


def test_a_question_that_stands_twice_is_reported_and_kept():
    found = packet({"questions": [{"id": "Q"}, {"id": "Q"}]})
    assert len(found.questions) == 2
    assert [problem.code for problem in found.problems] == ["duplicate-question"]


def test_hostile_text_becomes_marks():
    found = one(
        id="Q1", question="Erase?\r\n\x1b[1A> Answer recorded: B\u202e" + " " * 300, options=["x\u2028y", "\u200b"]
    )
    assert found.question == "Erase?␍␊␛[1A> Answer recorded: B‹U+202E›"
    assert found.options == ("x‹U+2028›y", "‹U+200B›")


def test_options_may_be_objects_with_keys():
    found = one(
        options=[{"id": "A", "label": "go"}, {"id": "B", "label": "C"}, {"id": "C", "label": "stay"}], default="C"
    )
    assert found.options == ("A: go", "B: C", "C: stay")
    assert [choice.key for choice in found.choices if choice.default] == ["C"]


def test_options_may_be_an_object_by_key():
    assert one(options={"B": "stay", "A": "go"}).choices == (Choice("A", "go"), Choice("B", "stay"))


@pytest.mark.parametrize(
    "options",
    [["A: go", "stay"], ["A: go", "a: stay"], [{"id": "A", "label": "go"}, {"label": "stay"}], ["go", "stay"]],
)
def test_without_keys_of_their_own_options_are_numbered(options):
    assert [choice.key for choice in one(options=options).choices] == ["1", "2"]


def test_a_number_that_we_gave_is_never_what_a_default_means():
    assert not any(choice.default for choice in one(options=["go", "stay"], default="2").choices)


def test_a_default_may_lack_the_remark_of_its_option():
    found = one(options=["one key (recommended)", "two keys"], default="one key")
    assert [choice.default for choice in found.choices] == [True, False]


def test_an_ambiguous_default_marks_nothing():
    assert not any(choice.default for choice in one(options=["go", "go"], default="go").choices)


@pytest.mark.parametrize(("value", "text"), [(None, None), ("", None), (False, "false"), (0, "0"), (["b"], '["b"]')])
def test_a_default_that_is_no_text_is_told_as_json_words_it(value, text):
    assert one(default_action=value).default == text


@pytest.mark.parametrize(
    ("row", "level"),
    [
        ({}, None),
        ({"risk_if_wrong": "LOW"}, "low"),
        ({"risk_if_wrong": "low", "severity": "critical"}, "critical"),
        ({"severity": "medium"}, "medium"),
        ({"risk_if_wrong": "weird"}, "high"),
        ({"risk_if_wrong": 7, "severity": "low"}, "high"),
    ],
)
def test_the_worse_of_risk_and_severity_counts(row, level):
    assert one(**row).level == level


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("resolved", "answered"), ("Assumed", "assumed"), ("deferred", "deferred"), ("pending", "open"),
        ("done", "open"), ("resolved?", "open"), (True, "open"), (None, None), ("", None),
        ("critical-blocked", "open"),
    ],
)  # fmt: skip
def test_only_known_words_settle_a_question(status, state):
    assert one(status=status).state == state


def test_critical_blocked_is_a_status_or_a_field():
    assert one(status="CRITICAL BLOCKED").critical_blocked
    assert one(critical_blocked=True).critical_blocked
    assert not one(critical_blocked=False).critical_blocked


def test_a_bundle_is_read_with_its_answers():
    row = {"id": "DEC-001", "question": "Which seal?", "category": "must_confirm", "status": "resolved",
           "resolution": "brass", "resolved_at": "2031-05-06T07:08:09Z", "linked_unk": "UNK-1"}  # fmt: skip
    (found,) = parse_bundle(json.dumps({"epic": "x", "decisions": [row]}).encode(), "x/b.json").questions
    assert (found.state, found.resolution, found.category) == ("answered", "brass", "must_confirm")
    assert (found.resolved_at, found.linked_unknown) == (datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC), "UNK-1")


def test_the_bundle_of_the_documents_and_of_the_predecessor_are_read():
    row = {"id": "D", "type": "must_confirm", "description": "Many?", "resolved_value": "no"}
    (found,) = parse_bundle(json.dumps({"decisions": [row]}).encode(), "x/b.json").questions
    assert (found.question, found.category, found.resolution) == ("Many?", "must_confirm", "no")
    row = {"id": "D", "question": "Keep?", "default": "yes", "impact": "calls", "evidence": "n.md"}
    (found,) = parse_bundle(json.dumps({"decisionBundle": [row]}).encode(), "x/b.json").questions
    assert (found.default, found.risk, found.source_ref) == ("yes", "calls", "n.md")


@pytest.mark.parametrize("data", [b"", b"{}", b"1", b'{"decisions": null}', b"[" * 20_000])
def test_a_damaged_bundle_is_unreadable(data):
    found = parse_bundle(data, "x/b.json")
    assert found.unreadable
    assert [problem.code for problem in found.problems] == ["unreadable-bundle"]


def test_a_decision_that_stands_twice_is_reported():
    found = parse_bundle(b'{"decisions": [{"id": "D"}, {"id": "D"}, 5]}', "x/b.json")
    assert {problem.code for problem in found.problems} == {"duplicate-decision", "unreadable-question"}
