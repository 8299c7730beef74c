"""The real program in a real pseudo-terminal: keys go in as bytes, an emulator says what is on the screen."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections import Counter

import pyte
import pytest

PATIENCE = 40.0
"""Seconds to wait for anything: an idle machine needs less than one, a loaded one many."""
CONTROLLING = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
SEQUENCE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    rb"|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC, DCS, PM, APC, SOS
    rb"|\x1b[ -/]*[0-~]"  # other escapes
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]"  # control characters that are no line ends
)
PRIVATE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
LIVE = "? help"
"""Stands on the screen once the dashboard itself is there, not the rows that come before it."""
SHOW_CURSOR, WRAP = 25, 7
"""The two modes that are on in a terminal at rest."""


class Terminal:
    """A program with its terminal."""

    def __init__(self, argv, env, size=(120, 40), cwd=None):
        self.master, self.slave = pty.openpty()
        self.raw = bytearray()
        self.screen = pyte.Screen(*size)
        self._emulator = pyte.ByteStream(self.screen)
        self._lines = None
        self.resize(*size, tell=False)
        self.attributes = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONTROLLING, *argv],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, env=env, cwd=cwd, start_new_session=True,
        )  # fmt: skip

    # What is shown

    def pump(self, seconds=0.05):
        """Take what the program writes; False when it wrote nothing within `seconds`."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.raw += data
        self._emulator.feed(data)
        self._lines = None
        return True

    @property
    def lines(self):
        if self._lines is None:
            self._lines = [line.rstrip() for line in self.screen.display]
        return self._lines

    @property
    def text(self):
        return "\n".join(self.lines)

    def row(self, *words):
        """The first line of the screen that holds all of `words`, or an empty one."""
        return next((line for line in self.lines if all(word in line for word in words)), "")

    def until(self, wanted, limit=PATIENCE):
        """Wait until the screen holds a text, or until `wanted(self)`."""
        asked = wanted if callable(wanted) else lambda terminal: wanted in terminal.text
        end = time.monotonic() + limit
        while not asked(self):
            more = self.pump()
            while self.pump(0) and time.monotonic() < end:  # all of one picture, before it is looked at
                pass
            if not more and self.process.poll() is not None and not self.pump():
                assert asked(self), f"ended with {self.process.returncode}:\n{self.text}"
                return self
            assert time.monotonic() < end, f"not seen: {wanted!r} in\n{self.text}"
        return self

    def settle(self, quiet=0.4):
        """Wait until nothing more is written for a while (a clock that ticks counts as quiet soon enough)."""
        end = time.monotonic() + PATIENCE
        while self.pump(quiet) and time.monotonic() < end:
            pass
        return self

    # What is done

    def send(self, keys):
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())
        return self

    def resize(self, columns, rows, *, tell=True):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.screen.resize(rows, columns)
            self._lines = None

    def signal(self, number):
        self.process.send_signal(number)
        return self

    def end(self, limit=PATIENCE):
        """Wait for the program to end; its exit code, negative for a signal that it did not catch."""
        stop = time.monotonic() + limit
        while self.process.poll() is None:
            self.pump()
            assert time.monotonic() < stop, f"still running:\n{self.text}"
        while self.pump(0):
            pass
        return self.process.returncode

    def leave(self):
        """Leave by `q`; its exit code. Asked again after Esc, as a slow machine takes Esc and q for one key."""
        self.send("q")
        stop = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < stop:
            again = time.monotonic() + 3
            while self.process.poll() is None and time.monotonic() < again:
                self.pump()
            if self.process.poll() is None:
                self.send("\x1b").settle()
                self.send("q")
        return self.end()

    # In what state the terminal is

    @property
    def modes(self):
        """DEC private modes by number, as they were last set."""
        found = {}
        for numbers, state in PRIVATE.findall(bytes(self.raw)):
            for number in numbers.split(b";"):
                found[int(number)] = state == b"h"
        return found

    @property
    def kinds(self):
        """How often each kind of sequence was written."""
        return Counter(kind(match) for match in SEQUENCE.findall(bytes(self.raw)))

    def assert_restored(self):
        modes = self.modes
        assert modes.pop(SHOW_CURSOR), "the cursor is hidden"
        assert modes.pop(WRAP, True), "long lines do not wrap"
        assert {number for number, on in modes.items() if on} == set()
        assert termios.tcgetattr(self.slave) == self.attributes
        for begin, finish in (
            (rb"\x1b\[>[0-9;]*u", rb"\x1b\[<[0-9;]*u"),
            (rb"\x1b\[22;?[0-9]*t", rb"\x1b\[23;?[0-9]*t"),
        ):
            assert len(re.findall(begin, bytes(self.raw))) == len(re.findall(finish, bytes(self.raw)))

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def kind(sequence):
    """A sequence without its numbers: which act it is."""
    if sequence[:2] == b"\x1b[":
        private = sequence[2:3] if sequence[2:3] in b"?<=>" else b""
        number = sequence[3:-1] if private == b"?" else b""
        return b"CSI " + private + number + sequence[-1:]
    if sequence[:2] == b"\x1b]":
        return b"OSC " + sequence[2:].partition(b";")[0]
    return sequence[:2]


@pytest.fixture
def terminal(environment, command):
    """Open terminals: `terminal(arguments…, size=…, env=…)`; all are closed in the end."""
    opened = []

    def start(*arguments, size=(120, 40), env=None, argv=None, cwd=None):
        found = Terminal([*(argv or command), *map(str, arguments)], environment | (env or {}), size, cwd)
        opened.append(found)
        return found

    yield start
    for item in opened:
        item.close()


@pytest.fixture
def dashboard(terminal, repository):
    """The dashboard on the workspace, its rows on the screen, listening to keys."""

    def start(**options):
        return terminal(repository.root, **options).until("fill-bottles").until(LIVE)

    return start
