"""Whatever the bytes, the readers of an epic answer; no reading is better than what the numbers allow."""

import json

from hypothesis import given
from hypothesis import strategies as st
from support.texts import texts_of

from harness_tui.formats.decision_bundle import parse_bundle
from harness_tui.formats.decision_packet import parse_packet
from harness_tui.formats.epic_state import parse_epic_config, parse_epic_record, parse_epic_state
from harness_tui.formats.text import clean
from harness_tui.formats.unknowns import parse_assumption, parse_ledger
from harness_tui.rules.budget import budget_of, budget_problems, checked
from harness_tui.rules.decisions import decide

PATH = ".harness/features/e/x.json"
KEYS = st.sampled_from(
    [
        "interrupt_budget", "total", "consumed", "remaining", "interrupts_used", "history", "at", "stage", "packet_id",
        "pending_decisions", "decisions", "decisionBundle", "questions", "entries", "unknowns", "id", "question",
        "options", "label", "default_action", "status", "category", "risk_if_wrong", "severity", "resolution", "impact",
        "description", "tags", "flags", "title", "notes", "critical_blocked", "updated_at", "risk_level", "epic_id",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "pending", "resolved", "assumed", "critical-blocked", "must_confirm", "assumable", "D", "E", "A: x", "A",
        "⚠️ ASSUMPTION", "CRITICAL-BLOCKED: x", "2031-05-06T07:08:09Z", "9999-99-99", "high", "\x1b[2J\u202e", "\ud800",
    ]
)  # fmt: skip
NUMBERS = st.integers(-3, 6) | st.integers() | st.floats() | st.booleans() | st.sampled_from([-1.0, 2.0, 1000, 1001])
VALUES = st.recursive(
    st.none() | NUMBERS | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=6),
    max_leaves=25,
)
DATA = st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode())
COUNTS = st.integers(-2, 5) | st.sampled_from([None, True, "1", 1.0, -1.0, 0.5, [], 10**30])
BUDGETS = st.dictionaries(st.sampled_from(["total", "consumed", "remaining", "history", "x"]), COUNTS)


PLAIN = st.none() | st.integers(-3, 6) | st.booleans() | WORDS
ROWS = st.dictionaries(KEYS, PLAIN | st.lists(PLAIN | st.dictionaries(KEYS, PLAIN, max_size=3), max_size=3), max_size=8)


def documents(name: str):
    """Documents with rows under `name`, as a list or by id."""
    rows = st.lists(ROWS, max_size=4) | st.dictionaries(WORDS, ROWS, max_size=4)
    return st.builds(lambda more, found: {**more, name: found}, st.dictionaries(KEYS, PLAIN, max_size=5), rows)


def turned(value):
    """The same value with the keys of all objects the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


def read(state: bytes, packet: bytes, bundle: bytes, ledger: bytes):
    epic = parse_epic_state(state, PATH)
    asked, decided = parse_packet(packet, PATH), parse_bundle(bundle, PATH)
    budget = budget_of("e", PATH, epic, parse_epic_record(ledger, PATH))
    return (
        *(epic, asked, decided, parse_ledger(ledger, PATH)),
        *(budget, budget_problems(budget), parse_epic_config(state, PATH)),
        *(decide("e", asked, decided, epic), parse_assumption(ledger, PATH, "e")),
    )


@given(DATA, DATA, DATA, DATA)
def test_no_reader_raises_and_all_texts_are_clean(state, packet, bundle, ledger):
    for text in texts_of(read(state, packet, bundle, ledger)):
        assert clean(text) == text


@given(BUDGETS)
def test_left_is_never_better_than_either_number_allows(budget):
    state = parse_epic_state(json.dumps({"interrupt_budget": budget}).encode(), PATH)
    found = budget_of("e", PATH, state)
    assert found.left >= 0
    plain = {name: budget.get(name) for name in ("total", "consumed", "remaining")}
    whole = {name: value for name, value in plain.items() if type(value) is int}
    if found.left:
        assert {"total", "consumed"} <= whole.keys()
        assert "remaining" in whole or "remaining" not in budget
        assert found.left <= whole["total"] - whole["consumed"]
        assert found.left <= whole.get("remaining", found.left)
        assert found.left <= whole["total"]
    told = checked(state.numbers)
    assert max(0, told[2]) == found.left if told is not None else found.left == 0


@given(documents("questions"), documents("decisions"), documents("entries"), documents("pending_decisions"), BUDGETS)
def test_the_order_of_keys_means_nothing(packet, bundle, ledger, state, budget):
    values = (state | {"interrupt_budget": budget}, packet, bundle, ledger)
    one = read(*(json.dumps(value).encode() for value in values))
    other = read(*(json.dumps(turned(value)).encode() for value in values))
    assert not any(item.unreadable for item in one[:4])
    assert one == other


@given(DATA, DATA, DATA)
def test_only_a_resolution_in_the_bundle_answers_what_a_packet_asks(packet, bundle, state):
    decided = parse_bundle(bundle, PATH)
    decisions, _ = decide("e", parse_packet(packet, PATH), decided, parse_epic_state(state, PATH))
    for item in decisions:
        if item.in_packet and item.state == "answered":
            rows = [row for row in decided.questions if row.id == item.question_id]
            assert rows
            assert all(row.state == "answered" for row in rows)
