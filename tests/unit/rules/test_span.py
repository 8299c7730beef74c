from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from harness_tui.rules.span import age, clock, span

NOW = datetime(2027, 3, 9, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words", "short"),
    [
        (-9e9, "0 s", "future"),
        (-61, "0 s", "future"),
        (-60, "0 s", "<1m"),
        (0, "0 s", "<1m"),
        (59.9, "59 s", "<1m"),
        (60, "1 min", "1m"),
        (3599, "59 min", "59m"),
        (3600, "1 h", "1h"),
        (86399, "23 h", "23h"),
        (86400, "1 d", "1d"),
        (400 * 86400, "400 d", "400d"),
    ],
)
def test_lengths_and_ages_in_their_largest_whole_unit(seconds, words, short):
    assert span(timedelta(seconds=seconds)) == words
    assert age(NOW - timedelta(seconds=seconds), NOW) == short


def test_a_time_that_was_not_given_has_no_age():
    assert age(None, NOW) == ""


def test_ages_compare_instants_not_wall_clocks():
    assert age(datetime(2027, 3, 9, 17, 0, tzinfo=timezone(timedelta(hours=8))), NOW) == "3h"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "00:00"),
        (0, "00:00"),
        (252, "04:12"),
        (3852, "1:04:12"),
        (86399, "23:59:59"),
        (2 * 86400 + 11045, "2 d 03:04"),
    ],
)
def test_a_length_as_a_clock(seconds, words):
    assert clock(timedelta(seconds=seconds)) == words
