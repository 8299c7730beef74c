"""Signals that come before the dashboard listens to them."""

from __future__ import annotations

import os
import signal

import pytest

from harness_tui.tui.early_signals import EarlySignals


@pytest.fixture
def early():
    before = {number: signal.getsignal(number) for number in (1, 2, 3, 15)}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    found = EarlySignals()
    found.catch()
    yield found
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_raises_its_exit_code(early):
    with pytest.raises(SystemExit) as end:
        os.kill(os.getpid(), signal.SIGTERM)
    assert end.value.code == 143
    assert early.came == [signal.SIGTERM]


def test_one_that_is_held_waits(early):
    early.hold()
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(SystemExit) as end:
        early.release()
    assert end.value.code == 130


def test_one_that_was_ignored_stays_so(early):
    os.kill(os.getpid(), signal.SIGHUP)
    early.release()
    assert early.came == []
