"""A name that is not there may be a slip of one that is."""

import pytest

from harness_tui.rules.near import asked, did_you_mean, near, no_such_pool

NAMES = ("status", "stop", "stream", "watch", "withdraw")


@pytest.mark.parametrize(
    ("name", "found"),
    [("statsu", "status"), ("WACTH", "watch"), ("strem", "stream"), ("wi", "withdraw"), ("stopp", "stop")],
)
def test_a_slip_or_a_beginning_finds_the_name(name, found):
    assert near(name, NAMES)[0] == found


@pytest.mark.parametrize("name", ["", "qqqq", "x" * 10_000, "\x1b[31m"])
def test_what_resembles_nothing_is_not_asked_about(name):
    assert near(name, NAMES) == []
    assert did_you_mean(name, NAMES) == ""


def test_at_most_three_are_named_and_never_one_of_enormous_length():
    assert near("T-1", [f"T-1{n}" for n in range(9)] + ["T-1" * 1000]) == ["T-18", "T-17", "T-16"]


def test_the_question_is_a_sentence():
    assert asked([]) == ""
    assert asked(["a"]) == "; did you mean a?"
    assert asked(["a", "b", "c"]) == "; did you mean a, b or c?"


def test_what_is_not_there_is_told_with_what_is():
    assert no_such_pool("orchid", ["orchard", "mill"]) == (
        "no such pool: there is orchard, mill; did you mean orchard?"
    )
    assert no_such_pool("x", []) == "no such pool: there is none"
    assert no_such_pool("x", [f"mill-{n}" for n in range(20)]).endswith("mill-7, …")
