"""The first rows, while the dashboard is still being imported: they stay where they are, and nothing is lost.

The import of Textual is held up until the test opens a gate (a file).
"""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest

GATED = """
import os, sys, time
class Gate:
    def find_spec(self, name, path=None, target=None):
        if name == "textual.app":
            while not os.path.exists(os.environ["GATE"]):
                time.sleep(0.01)
            if os.path.getsize(os.environ["GATE"]):
                raise ImportError("a part is missing")
sys.meta_path.insert(0, Gate())
from harness_tui.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def preview(terminal, repository, tmp_path):
    """The program with only the first rows on its screen; `screen.gate()` lets it go on."""

    def start(**options):
        gate = tmp_path / "gate"
        env = {"GATE": str(gate), **options.pop("env", {})}
        screen = terminal(repository.root, argv=[sys.executable, "-c", GATED], env=env, **options)
        screen.gate = lambda text="": gate.write_text(text)
        return screen.until("fill-bottles")

    return start


def rows(screen):
    """Line and column of each row of the pool, with its status."""
    found = {}
    for number, line in enumerate(screen.lines):
        match = re.match(r"[ │][ ▌](T-\d+ +\S [\w-]+)", line)
        if match:
            found[number] = match[1]
    return found


@pytest.mark.parametrize("size", [(160, 48), (110, 24), (90, 30), (80, 20), (70, 18), (60, 16)])
def test_the_rows_stand_where_the_dashboard_puts_them(preview, size):
    screen = preview(size=size)
    before = rows(screen.settle())
    screen.gate()
    screen.until("? help").settle()
    assert len(before) > 3
    assert before == rows(screen)
    assert screen.raw.count(b"\x1b[?1049h") == 1, "the screen would flicker"
    assert screen.leave() == 0
    screen.assert_restored()


def test_keys_typed_meanwhile_are_not_lost_and_not_shown(preview):
    screen = preview().settle()
    screen.send("3/quiet").settle()
    assert "quiet" not in screen.text
    screen.gate()
    screen.until("search log quiet")
    screen.send("\r").settle()
    assert screen.leave() == 0
    screen.assert_restored()


def test_a_stop_waits_for_the_dashboard_and_is_refused_where_no_shell_could_go_on(preview):
    def state():
        return Path(f"/proc/{screen.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]

    screen = preview().settle()
    screen.signal(signal.SIGTSTP).send("\x1a").settle()
    assert state() in "SR"
    screen.gate()
    screen.until("? help").until("no shell is there to go back to")
    assert state() in "SR"
    assert screen.leave() == 0
    screen.assert_restored()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_puts_the_terminal_back(preview, number):
    screen = preview().settle()
    assert screen.signal(number).end() == 128 + number
    screen.assert_restored()
    assert b"Traceback" not in screen.raw


def test_a_part_that_can_not_be_imported_is_told_on_the_screen_that_was_there_before(preview):
    screen = preview().settle()
    screen.gate("broken")
    assert screen.end() not in (0, None)
    screen.assert_restored()
    assert b"a part is missing" in screen.raw.rpartition(b"\x1b[?1049l")[2]


def test_where_colours_are_not_wanted_or_not_sure_there_are_none(preview):
    assert b"38;2;" not in preview(env={"NO_COLOR": "1", "COLORTERM": "truecolor"}).settle().raw
    assert b"38;2;" not in preview(env={"COLORTERM": ""}).settle().raw
