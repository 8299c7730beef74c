"""The history of sent signals, and quotes of them."""

import time
from datetime import UTC, datetime

import pytest

from harness_tui.formats.quote import find_quote
from harness_tui.formats.sent import parse_sent, render_record
from harness_tui.model.sent import SentRecord, Where

AT = datetime(2027, 3, 9, 11, 0, tzinfo=UTC)
RECORD = SentRecord(
    "a1", AT, "sent", "NOTE", "", "one\n标签 \u2028", "mill", (("a/LOG.md", 4),), Where("x", 3), "ann@mill"
)


def test_a_record_is_one_line_and_read_back():
    line = render_record(RECORD)
    assert b"\n" not in line
    (found,) = parse_sent(line + b"\n").records
    assert found == RECORD.__class__(
        **{**{name: getattr(RECORD, name) for name in RECORD.__slots__}, "text": "one\n标签 ‹U+2028›"}
    )


@pytest.mark.parametrize(
    "line",
    [
        b"{", b"[]", b'{"id": "x"}', b"\xff", b'{"id":"","at":"2027-03-09T11:00:00Z","event":"sent"}',
        render_record(RECORD)[:-9], render_record(RECORD).replace(b'"sent"', b'"lost"'),
        render_record(RECORD).replace(b'"id": "a1"', b'"id": 1'), render_record(RECORD).replace(b'"at"', b'"id"', 1),
    ],
)  # fmt: skip
def test_a_damaged_line_costs_itself_alone(line):
    found = parse_sent(line + b"\n" + render_record(RECORD) + b"\n")
    assert [record.id for record in found.records] == ["a1"]
    assert [(problem.line, problem.severity) for problem in found.problems] == [(1, "info")]


def test_no_file_is_an_empty_history():
    assert parse_sent(None).records == ()


def quote(data, text, after=0):
    return find_quote(data.encode(), SentRecord("a", AT, "sent", "NOTE", "", text), after=after)


def test_a_note_is_found_where_it_was_consumed():
    data = (
        "# PM\n\nease it\n\n## Intervention consumed at 2027-03-09T12:01+01:00\n\nNOTE — **ease it**\n"
        "\n## Next\n\nease it\n"
    )
    assert quote(data, "ease it\n\nmore") == 7


def test_a_note_that_was_consumed_before_it_was_sent_is_another_one():
    data = "## Intervention consumed at 2027-03-09T10:58Z\n\nNOTE — ease it\n"
    assert quote(data, "ease it") is None
    assert quote(data.replace("10:58", "10:59"), "ease it") == 3


def test_a_short_text_is_not_found_by_chance_and_a_long_one_is():
    assert quote("then ease it again\n", "ease it") is None
    assert quote('T-02 · dispatching · note="ease it"\n', "ease it") == 1
    assert quote("with ease the ramp to 60 C per hour in it\n", "ease the ramp to 60 C per hour") == 1
    assert quote("with ease the ramp to 60 C per hour in it\n", "ease the ramp to 60 C per hour", after=1) is None


def test_an_empty_text_is_quoted_nowhere():
    assert quote("## Intervention consumed\n\nNOTE\n", "") is None


def test_a_long_heading_is_read_at_once():
    began = time.process_time()
    assert quote("# " + "intervention " * 100_000, "ease it") is None
    assert time.process_time() - began < 2
