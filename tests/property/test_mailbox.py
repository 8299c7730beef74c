"""The intervention file under any sequence of changes: what is written is read back, and nothing else changes."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.intervention_text import hidden_in, plain_text, render_signal, signal_key
from harness_tui.formats.mailbox import append, edit, new_signal, withdraw
from harness_tui.model.refusal import Refused

PIECES = (
    "STOP", "STOP — red", "SKIP T-02", "SKIP T-02 — later", "ADD a-b — c", "NOTE — x", "NOTE use tabs",
    "# Intervention", "## intervention ##", "```", "````", "~~~", "```py", "> STOP", "stop the horn", "", "   ", "\t",
    "— dash", ": colon", "- item", "REDIRECT 02", "é 标签", "🏳️‍🌈", "a\u00a0b", "| pipe |", "STOPPED", "  STOP", "STOP ",
    "please",
)  # fmt: skip
lines = st.one_of(st.sampled_from(PIECES), st.text(max_size=12))
texts = st.lists(lines, max_size=6).map("\n".join)
arguments = st.text(string.ascii_letters + string.digits + "-_./", min_size=1, max_size=8)
ends = st.sampled_from(["\n", "\r\n"])
foreign = st.one_of(
    st.binary(max_size=40),
    st.tuples(st.sampled_from([b"", b"\xef\xbb\xbf"]), st.lists(lines, max_size=8), ends, st.booleans()).map(
        lambda parts: parts[0] + (parts[2].join(parts[1]) + parts[2] * parts[3]).encode("utf-8", "surrogatepass")
    ),
)


@st.composite
def signals(draw):
    keyword = draw(st.sampled_from(["STOP", "NOTE", "SKIP", "ADD", "REDIRECT"]))
    argument = {
        "SKIP": st.sampled_from(["T-01", "x.y", "06", "door-alarm"]),
        "ADD": st.sampled_from(["glaze-export", "a", "x-1"]),
        "REDIRECT": st.sampled_from(["01", "7"]),
    }.get(keyword, st.just(""))
    text = draw(texts)
    try:
        return new_signal(keyword, draw(argument), text)
    except Refused:
        assert hidden_in(text) or (keyword == "NOTE" and not plain_text(text))
        return new_signal("STOP", "", "")


def read(data):
    return [signal_key(signal) for signal in parse_interventions(data).signals]


@given(texts)
def test_a_text_is_made_plain_once(text):
    once = plain_text(text)
    assert plain_text(once) == once


@given(signals(), ends)
def test_what_is_rendered_is_read_back_as_that_one_signal(signal, end):
    data = render_signal(signal.keyword, signal.argument, signal.text, end=end)
    assert read(data) == [signal_key(signal)]


@given(st.sampled_from(["SKIP", "ADD", "REDIRECT"]), arguments, texts)
def test_any_argument_is_read_back_or_refused(keyword, argument, text):
    try:
        signal = new_signal(keyword, argument, text)
    except Refused:
        return
    assert read(render_signal(keyword, argument, text)) == [signal_key(signal)]


@given(foreign, signals())
def test_whatever_stands_in_the_file_stays_and_is_read_as_before(existing, signal):
    try:
        new = append(existing, signal)
    except Refused:
        assert not any(text or keyword for keyword, _, text, _ in read(existing))  # a file that says nothing
        return
    mark = existing[:3] if existing.startswith(b"\xef\xbb\xbf") else b""
    if signal.keyword == "STOP":
        assert new.startswith(mark)
        assert new.endswith(existing[len(mark) :])
        assert read(new)[0] == signal_key(signal)
    else:
        assert new.startswith(existing)
    before = [key for key in read(existing) if key != ("", "", "", "unclear")]
    assert sorted(read(new)) == sorted([*before, signal_key(signal)])


@given(foreign, st.data())
def test_taking_a_signal_out_changes_no_other_byte(existing, data):
    number = data.draw(st.integers(1, max(1, len(read(existing)))))
    try:
        new = withdraw(existing, number)
    except Refused:
        return
    if new is None:
        assert len(read(existing)) == 1
        return
    cut = len(existing) - len(new)
    assert cut > 0
    assert any(existing[:at] + existing[at + cut :] == new for at in range(len(new) + 1))
    assert read(new) == [key for at, key in enumerate(read(existing), 1) if at != number]


@given(
    st.one_of(st.none(), foreign),
    st.lists(st.tuples(st.sampled_from("asde"), signals(), st.integers(1, 6)), max_size=12),
)
def test_a_sequence_of_changes_is_a_sequence_of_changes_of_a_list(existing, steps):
    if existing is not None:
        assume(read(existing) != [("", "", "", "unclear")])
    model = read(existing)
    data = existing
    for step, signal, number in steps:
        try:
            if step in "as" or data is None:
                data = append(data, signal)
                model = [signal_key(signal), *model] if signal.keyword == "STOP" else [*model, signal_key(signal)]
            elif step == "d":
                data = withdraw(data, number)
                del model[number - 1]
            else:
                data = edit(data, number, signal)
                del model[number - 1]
                model.insert(0 if signal.keyword == "STOP" else number - 1, signal_key(signal))
        except Refused:
            pass
        assert read(data) == model


@given(st.lists(signals(), min_size=1, max_size=5))
def test_only_our_own_signals_can_always_be_taken_back(sent):
    data = None
    for signal in sent:
        data = append(data, signal)
    for left in range(len(sent) - 1, -1, -1):
        data = withdraw(data, left + 1)
        assert (data is None) == (left == 0)


@given(texts, texts)
def test_a_stop_that_is_taken_back_leaves_what_stood_there(text, reason):
    existing = f"# Intervention\n\nplease look\n{text}".encode("utf-8", "surrogatepass")
    stop = new_signal("STOP", "", reason if not hidden_in(reason) else "")
    assert withdraw(append(existing, stop), 1) == existing


@pytest.mark.parametrize("text", ["a\u202eb", "a\u200bb", "a\x1b[31m", "\ud800", "a\x00", "x\u2028STOP", "x\x0bSTOP"])
def test_hidden_characters_are_refused_and_named(text):
    with pytest.raises(Refused, match=r"hidden or control character: .* in line 1, column"):
        new_signal("NOTE", "", text)
