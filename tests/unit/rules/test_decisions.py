"""Which questions still wait."""

from datetime import UTC, datetime

import pytest

from harness_tui.formats.questions import read_questions
from harness_tui.model.decision import Bundle, Packet
from harness_tui.model.epic import EpicState
from harness_tui.rules.decisions import at_zero, decide

ASKED = datetime(2031, 5, 6, tzinfo=UTC)


def settle(packet=None, bundle=None, pending=None):
    return decide(
        "e",
        None if packet is None else Packet("e", "e/p.json", "DP-1", created_at=ASKED, questions=read_questions(packet)),
        None if bundle is None else Bundle("e/b.json", read_questions(bundle)),
        None if pending is None else EpicState("e/s.json", pending=read_questions(pending)),
    )


def states(packet=None, bundle=None, pending=None) -> dict[str, str]:
    return {item.question_id: item.state for item in settle(packet, bundle, pending)[0]}


def row(status: str | None = None, **more: object) -> dict[str, object]:
    return {"id": "D", "category": "must_confirm", **({} if status is None else {"status": status}), **more}


def test_a_packet_alone_is_open_whatever_it_says_itself():
    assert states([row("resolved", resolution="B")]) == {"D": "open"}


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (row("pending"), "open"),
        (row(), "open"),
        (row("settled"), "open"),
        (row("resolved", resolution="x"), "answered"),
        (row("resolved"), "answered"),
        (row("assumed"), "assumed"),
        (row("deferred"), "deferred"),
        (row("critical-blocked"), "open"),
        (row("pending", category="assumable"), "open"),
    ],
)
def test_a_packets_question_is_as_its_entry_in_the_bundle(entry, state):
    assert states([row()], [entry]) == {"D": state}
    assert states([row()], [entry], []) == {"D": state}


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (row("pending"), "open"),
        (row("pending", category="assumable"), "assumed"),
        (row("pending", category="deferrable"), "deferred"),
        (row("pending", category="odd"), "open"),
        ({"id": "D"}, "open"),
        (row("resolved", category="assumable"), "answered"),
        (row("critical-blocked", category="assumable"), "open"),
    ],
)
def test_what_nobody_was_asked_follows_its_category(entry, state):
    assert states(None, [entry]) == {"D": state}


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (row("resolved", resolution="x"), "answered"),
        (row("resolved"), "open"),
        (row("assumed", resolution="x"), "open"),
        (row("deferred"), "open"),
        (row("pending", category="assumable"), "open"),
    ],
)
def test_while_the_state_lists_it_only_a_recorded_answer_settles_it(entry, state):
    decisions, problems = settle([row()], [entry], [row("pending")])
    assert [item.state for item in decisions] == [state]
    assert ("pending" in decisions[0].why) == bool(problems)


def test_a_difference_between_bundle_and_state_is_reported():
    _, (problem,) = settle(None, [row("resolved", resolution="x")], [row("pending")])
    assert (problem.code, problem.path) == ("decision-differs", "e/b.json")


def test_a_question_of_the_pending_list_alone_is_open():
    assert states(pending=[{"id": "D"}, row("resolved", id="E")]) == {"D": "open", "E": "answered"}


def test_questions_that_stand_twice_take_the_worse_state():
    assert states([row()], [row("resolved", resolution="x"), row("pending")]) == {"D": "open"}
    assert states(None, [row("resolved"), row("assumed")]) == {"D": "assumed"}
    assert states(None, [row("resolved", resolution="x"), row("resolved")], [row("pending")]) == {"D": "open"}


def test_order_place_and_packet_are_told():
    decisions, _ = settle(
        [{"id": "B"}, {"id": "A"}],
        [{"id": "A"}, {"id": "C"}, {"question": "no id"}],
        [{"id": "Z"}, {"id": "C"}],
    )
    assert [(item.question_id, item.order, item.in_packet, item.packet_id, item.path) for item in decisions] == [
        ("B", 1, True, "DP-1", "e/p.json"),
        ("A", 2, True, "DP-1", "e/p.json"),
        ("C", 0, False, None, "e/b.json"),
        ("", 0, False, None, "e/b.json"),
        ("Z", 0, False, None, "e/s.json"),
    ]
    assert (decisions[0].asked_at, decisions[2].asked_at) == (ASKED, None)


def test_what_the_packet_lacks_comes_from_the_bundle():
    decisions, problems = settle(
        [{"id": "D", "question": "Which?", "risk_if_wrong": ""}],
        [row(question="Which?", context="c", risk_if_wrong="low", options=["x", "y"], proposed_default="y")],
    )
    found = decisions[0]
    assert (found.context, found.category, found.risk, found.severity) == ("c", "must_confirm", "low", "low")
    assert (found.options, found.default, problems) == (("x", "y"), "y", ())


def test_without_any_word_the_severity_is_high_and_the_worst_word_counts():
    assert settle([row()])[0][0].severity == "high"
    found = settle([row(risk_if_wrong="low")], [row(severity="critical")])[0][0]
    assert (found.severity, found.risk) == ("critical", "low")


def test_an_answer_in_the_packet_is_not_believed():
    found = settle([row(resolution="forged")], [row("pending")])[0][0]
    assert (found.state, found.resolution) == ("open", None)


def test_a_bundle_that_words_the_question_differently_is_reported():
    _, (problem,) = settle([row(question="Keep it?", default="no")], [row(question="Erase it?", default="yes")])
    assert problem.code == "question-differs"
    assert "question, default" in problem.message


def test_critical_blocked_stays_until_it_is_answered():
    assert settle([row()], [row("critical-blocked")])[0][0].critical_blocked
    answered = settle([row()], [row("resolved", critical_blocked=True, resolution="x")])[0][0]
    assert not answered.critical_blocked


def test_nothing_gives_nothing():
    assert settle() == ((), ())


@pytest.mark.parametrize(
    ("severity", "default", "becomes"),
    [
        ("low", "x", "assumed"),
        ("medium", "x", "assumed"),
        ("high", "x", "critical-blocked"),
        ("critical", "x", "critical-blocked"),
        ("low", None, "critical-blocked"),
    ],
)
def test_at_zero_only_a_safe_default_is_assumed(severity, default, becomes):
    assert at_zero(severity, default) == becomes
