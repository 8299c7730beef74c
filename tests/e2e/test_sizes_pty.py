"""Every size from the smallest up shows what is needed; resizing while it runs loses nothing."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
def test_it_fills_each_size(terminal, repository, size):
    screen = terminal(repository.root, size=size).until("? help").settle(0.3)
    assert any(line for line in screen.lines[-2:]), "the last lines are empty"
    assert "T-02" in screen.text
    screen.send("3").until("session" if "session" in screen.text else "T-01 ·")
    assert screen.leave() == 0
    screen.assert_restored()


def test_a_screen_that_is_too_small_says_so(terminal, repository):
    screen = terminal(repository.root, size=(40, 10)).until("60")
    assert "16" in screen.text
    assert "fill-bottles" not in screen.text
    screen.resize(100, 30)
    screen.until("fill-bottles")
    assert screen.leave() == 0
    screen.assert_restored()


def test_resizing_while_it_runs_comes_back_to_the_same_screen(terminal, repository):
    screen = terminal(repository.root, size=(120, 40)).until("? help").settle()

    def rows():
        return [line for line in screen.lines if "T-0" in line and "·" not in line]

    before = rows()
    for size in ((60, 16), (30, 8), (1, 1), (200, 60), (80, 24), (500, 3), (120, 40)):
        screen.resize(*size)
        screen.settle(0.15)
    screen.until(lambda _: rows() == before)
    repository.set_status("T-03", "skipped")
    screen.until(lambda s: s.row("T-03", "skipped"))
    assert screen.leave() == 0
    screen.assert_restored()
