from __future__ import annotations

from harness_tui.rules.rhythm import REMEMBERED, Rhythm


def test_a_worker_is_quiet_after_thrice_its_longest_pause_and_it_is_told_once():
    rhythm = Rhythm(0.0, floor=1.0)
    for now in (2.0, 4.0, 10.0):
        rhythm.heard(now)
    assert rhythm.usual == 18.0
    assert not rhythm.quiet(27.9)
    assert rhythm.quiet(28.0)
    assert not rhythm.quiet(99.0)
    rhythm.heard(100.0)
    assert not rhythm.quiet(101.0)
    assert rhythm.silence(130.0) == 30.0


def test_a_short_pause_is_never_remarkable_and_a_very_long_one_always():
    rhythm = Rhythm(0.0, floor=30.0)
    rhythm.heard(0.1)
    assert not rhythm.quiet(30.0)
    assert rhythm.quiet(30.2)
    rhythm.heard(1000.0)
    assert rhythm.usual == 600.0


def test_old_pauses_are_forgotten():
    rhythm = Rhythm(0.0, floor=1.0)
    rhythm.heard(100.0)
    for number in range(REMEMBERED):
        rhythm.heard(101.0 + number)
    assert rhythm.usual == 3.0


def test_a_clock_that_goes_back_makes_no_pause():
    rhythm = Rhythm(10.0, floor=1.0)
    rhythm.heard(5.0)
    assert (rhythm.usual, rhythm.silence(9.0)) == (1.0, 0.0)
