from __future__ import annotations

import json

import pytest

from harness_tui.formats.agent_lines import (
    LineReader,
    OutputLine,
    as_amount,
    as_int,
    count_of,
    input_text,
    objects,
)


def test_a_line_ends_at_lf_only_and_drops_the_cr_before_it():
    assert LineReader().feed("a\u2028b\r\nc\x0bd\n".encode()) == [
        OutputLine("a\u2028b".encode()),
        OutputLine(b"c\x0bd"),
    ]


def test_a_line_without_its_end_is_told_as_torn():
    reader = LineReader()
    assert reader.feed(b'{"type":') == []
    assert reader.close() == OutputLine(b'{"type":', torn=True)
    assert reader.close() is None


def test_a_line_over_the_limit_keeps_its_beginning_and_the_next_one_is_whole():
    reader = LineReader(limit=4)
    assert reader.feed(b"abcdef") == []
    assert reader.feed(b"ghi\nok\n") == [OutputLine(b"abcd", cut=True), OutputLine(b"ok")]


def test_a_line_of_ten_megabytes_is_read_whole():
    text = b"x" * (10 << 20)
    (line,) = LineReader().feed(text + b"\n")
    assert line == OutputLine(text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"a":1}', [{"a": 1}]),
        (b' {"a":1} {"b":2}{"c":3}\t', [{"a": 1}, {"b": 2}, {"c": 3}]),
        (b"", []),
        (b"\xef\xbb\xbf{}", [{}]),
        (b"npm notice", None),
        (b'{"a":1} and more', None),
        (b'{"a":', None),
        (b"[1]", None),
        (b'"text"', None),
        (b'{"a":' * 100_000, None),
        (b'{"a":' + b"9" * 5000 + b"}", None),
    ],
)
def test_objects_of_a_line(line, found):
    assert objects(line) == found


def test_figures_are_taken_only_when_they_can_be_true():
    assert [as_int(value) for value in (3, True, 2.0, "3", 1 << 70)] == [3, None, None, None, None]
    assert [as_amount(value) for value in (0.5, 2, -1, float("nan"), float("inf"), True, "1")] == [
        0.5, 2.0, None, None, None, None, None,
    ]  # fmt: skip
    assert count_of({"input": 3, "output": 4, "other": 9, "bad": -1}, "input", "output", "bad", "none") == 7
    assert count_of("nothing", "input") is None


def test_equal_inputs_have_equal_texts_and_the_order_of_keys_counts():
    assert input_text({"a": [1, "ü"]}) == input_text(json.loads('{ "a": [1, "ü"] }'))
    assert input_text({"a": 1, "b": 2}) != input_text({"b": 2, "a": 1})
