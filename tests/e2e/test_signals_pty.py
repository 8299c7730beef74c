"""However it ends, the terminal is as it was; whatever comes in, it goes on."""

from __future__ import annotations

import os
import random
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

FAILING = """
import sys
from harness_tui.tui.screens.main import MainScreen
real, calls = MainScreen.show, []
def show(self, *arguments):
    calls.append(1)
    if len(calls) > 1:
        raise RuntimeError("a screw came loose")
    return real(self, *arguments)
MainScreen.show = show
from harness_tui.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGQUIT, 131)]
)
def test_a_signal_ends_it_with_its_code_and_a_clean_terminal(dashboard, number, code):
    screen = dashboard()
    assert screen.signal(number).end() == code
    screen.assert_restored()
    assert b"Traceback" not in screen.raw


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_during_the_start_leaves_a_clean_terminal(terminal, repository, number):
    for wait in (0.1, 0.35):
        screen = terminal(repository.root)
        screen.pump(wait)
        screen.signal(number)
        assert screen.end() in (128 + number, -number)
        if screen.modes:
            screen.assert_restored()


def test_an_error_inside_ends_it_with_a_code_and_a_clean_terminal(terminal, repository):
    screen = terminal(repository.root, argv=[sys.executable, "-c", FAILING])
    end = time.monotonic() + 30
    statuses = ["blocked", "failed"]
    while screen.process.poll() is None and time.monotonic() < end:
        repository.set_status("T-03", statuses[0])
        statuses.reverse()
        screen.pump(0.3)
    assert screen.end() not in (0, None)
    screen.assert_restored()
    assert b"a screw came loose" in screen.raw


def test_a_terminal_that_goes_away_ends_it_soon(dashboard):
    screen = dashboard()
    os.close(screen.slave)
    os.close(screen.master)
    assert screen.process.wait(20) != 0


def test_a_terminal_that_goes_away_unheard_ends_it_soon(terminal, repository):
    """SIGHUP ignored, as under nohup: the end of the input is what tells."""
    launch = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "from harness_tui.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    screen = terminal(repository.root, argv=[sys.executable, "-c", launch]).until("? help")
    os.close(screen.slave)
    os.close(screen.master)
    assert screen.process.wait(20) != 0


def test_it_can_be_stopped_and_continued(dashboard):
    screen = dashboard()
    screen.signal(signal.SIGSTOP).signal(signal.SIGCONT)
    screen.settle()
    screen.signal(signal.SIGTSTP)

    def state():
        return Path(f"/proc/{screen.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]

    end = time.monotonic() + 20
    while state() != "T" and time.monotonic() < end:
        screen.pump()
    assert state() == "T"
    screen.settle()  # what it wrote before it stopped may still be on its way
    assert not screen.modes[1049], "the shell would be on the alternate screen"
    screen.raw.clear()
    screen.signal(signal.SIGCONT)
    screen.until(lambda s: s.modes.get(1049)).settle()
    assert screen.leave() == 0
    assert not screen.modes[1049]
    assert termios.tcgetattr(screen.slave) == screen.attributes


BAD_INPUT = {
    "invalid utf-8": b"\xff\xfe\xc3\x28\xe2\x82 \xf0\x9f",
    "x10 mouse": b"\x1b[M \xff\xff\x1b[M#\x80\x21",
    "half sequences": b"\x1b[<0;9;\x1b[\x1bO\x1b]0;x",
    "odd sequences": b"\x1b[999;999R\x1b[?1;2c\x1b[200;1~\x1b[<999;99999;99999M\x1bP1$r0m\x1b\\",
    "nul and c1": b"\x00\x01\x9b31m\x85",
}


@pytest.mark.parametrize("data", [b"".join(BAD_INPUT.values()), b"\x1b[200~never ended" + b"x" * 3000])
def test_input_that_is_no_key_cannot_end_or_deafen_it(dashboard, data):
    screen = dashboard()
    screen.send(data)
    screen.settle(1.0)
    assert screen.process.poll() is None
    end = time.monotonic() + 30
    while screen.process.poll() is None and time.monotonic() < end:
        screen.send("\x1b").pump(0.3)
        if screen.process.poll() is None:
            screen.send("q").pump(0.5)
    assert screen.end() == 0
    screen.assert_restored()


def test_random_bytes_cannot_end_it(dashboard):
    screen = dashboard()
    chance = random.Random(11)
    pieces = [
        *BAD_INPUT.values(),
        b"\x1b[200~",
        b"\x1b[201~",
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[A",
        b"\t",
        b"\r",
        b"\x1b",
        b"/",
        b"j",
    ]
    leaves = bytes({ord("q"), ord("Q"), 0x03, 0x11, 0x1A, 0x1C, 0x0F, 0x13})
    for _ in range(120):
        data = chance.choice(pieces) + bytes(chance.randrange(256) for _ in range(chance.randrange(12)))
        screen.send(data.translate(None, leaves)).pump(0.005)
    screen.settle()
    assert screen.process.poll() is None, screen.text
    assert screen.signal(signal.SIGTERM).end() == 143
    screen.assert_restored()
