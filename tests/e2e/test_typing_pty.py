"""Keys that come faster than the screen answers go where they would have gone one by one."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("/quiet", "(! excludes) quiet"),
        ("3/quiet", "search log quiet"),
        ("3&quiet", "(! hides them) quiet"),
        ("2/quiet", "find quiet"),
        ("5/quiet", "find quiet"),
        ("?/quiet", "find quiet"),
        ("c/quiet", "find quiet"),
        (":quiet", "No matches"),
    ],
)
def test_a_text_typed_at_once_with_its_key_is_that_text(dashboard, keys, shown):
    screen = dashboard()
    screen.until("following").settle()
    screen.send(keys).until(shown)
    assert screen.settle().process.poll() is None
    assert "quiet" in screen.text


def test_an_answer_typed_ahead_of_a_window_acts_on_the_window(dashboard):
    screen = dashboard()
    screen.until("following").settle()
    screen.send("?q").settle()
    assert screen.process.poll() is None, "q closed more than the window"
    assert "Keys" not in screen.text


@pytest.mark.parametrize("keys", ["q/", "q:", "q5?A"])
def test_what_is_typed_behind_q_does_nothing(dashboard, keys):
    screen = dashboard()
    screen.send(keys)
    assert screen.end() == 0
    screen.assert_restored()
