"""JSON that can be read in one way only."""

import json
import random

import pytest

from harness_tui.formats import strict_json
from harness_tui.formats.strict_json import MAX_DEPTH, BadJson, loads


def test_plain_values_are_read():
    assert loads('{"a": [1, 2.5, -3, 1e3, true, null, "é\\n[{"], "b": {"a": 1}}'.encode()) == {
        "a": [1, 2.5, -3, 1000.0, True, None, "é\n[{"],
        "b": {"a": 1},
    }


def test_a_byte_order_mark_is_no_part_of_it():
    assert loads(b"\xef\xbb\xbf[1]") == [1]


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"", 1, "empty"),
        (b" \n", 1, "empty"),
        (b'{"a": 1,\n "b": NaN}', 2, "NaN"),
        (b'{"a":\n\n -Infinity}', 3, "-Infinity"),
        (b"[1e999]", 1, "larger"),
        (b'{"a": 1,\n "b": {"a": 1},\n "a": 2}', 3, '"a" stands twice'),
        (b'{"a": 1, "\\u0061": 2}', 1, "stands twice"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), 1, "deeper"),
        (b"[" * 100_000, 1, "deeper"),
        (b"[" + b"1" * 5000 + b"]", 1, "5000 characters"),
        (b'{"a":\n"\xff"}', 2, "UTF-8"),
        (b'{"a": 1,}', 1, "a comma with nothing behind it"),
        (b'{"a":\n [1,\n\n]}', 2, "a comma with nothing behind it"),
        (b'{"a": ",]"', 1, "expecting"),
        (b'{"a": "cut', 1, "unterminated"),
        (b'{"a": 1', 1, "expecting"),
        (b"{'a': 1}", 1, "expecting"),
        (b"01", 1, "extra"),
        (b"[1] [2]", 1, "extra"),
    ],
)
def test_what_is_ambiguous_or_damaged_is_refused_with_its_line(data, line, reason):
    with pytest.raises(BadJson) as caught:
        loads(data)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_the_deepest_allowed_nesting_is_read():
    assert loads(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)


def test_equal_keys_of_different_objects_are_fine():
    assert loads(b'[{"a": 1}, {"a": 2}]') == [{"a": 1}, {"a": 2}]


def test_brackets_and_words_inside_strings_count_for_nothing():
    assert loads(('["' + "[{" * 500 + ' NaN 1e999"]').encode())


def test_escaped_quotes_in_an_unclosed_string_cost_no_time():
    with pytest.raises(BadJson):
        loads(b'["' + b'\\"' * 500_000)


def slowly(text):
    """The value by the careful way alone; the reason when it is refused."""
    try:
        strict_json._check(text)
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return str(error)


def test_the_quick_way_accepts_exactly_what_the_careful_one_does():
    pieces = ["{", "}", "[", "]", ",", ":", '"a"', '"\\u0061"', '"b"', "1", "-1e999", "1.5", "NaN", "-Infinity", "null",
              "9" * 101, "0." + "3" * 101, " ", '"{', "\\", "true", "\ufeff"]  # fmt: skip
    whole = ['{"a": 1, "b": [1.5, {"a": null}]}', '{"a": 1, "a": 2}', "[[[1]]]", '{"a": {"b": 1, "\\u0062": 2}}']
    dice = random.Random(7)
    seen = set()
    for _ in range(3000):
        text = dice.choice(whole)
        for _ in range(dice.randrange(3)):
            at = dice.randrange(len(text) + 1)
            text = text[:at] + dice.choice(pieces) + text[at + dice.randrange(2) :]
        wanted = slowly(text.removeprefix("\ufeff"))
        try:
            found = loads(text.encode())
        except BadJson:
            assert isinstance(wanted, str), text
        else:
            assert found == wanted, text
        seen.add(isinstance(wanted, str))
    assert seen == {True, False}
