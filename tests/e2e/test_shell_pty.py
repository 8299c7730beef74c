"""Under a shell: Ctrl+Z and fg, an editor that can't start, a window that is closed over it."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

SHELL = shutil.which("bash") or ""
pytestmark = pytest.mark.skipif(not SHELL, reason="needs a shell with job control")


@pytest.fixture
def shell(terminal, repository, command, tmp_path):
    """The dashboard as the foreground job of a shell, with its process id."""

    def start(editor="vi"):
        note = tmp_path / "pid"
        found = terminal(argv=[SHELL, "--norc", "-i"], env={"PS1": "ready> ", "EDITOR": editor, "VISUAL": ""})
        found.until("ready>")
        words = " ".join(f"'{word}'" for word in (*command, str(repository.root)))
        found.send(f'bash -c \'echo $$ > "{note}"; exec "$@"\' _ {words}\n')
        found.until("fill-bottles")
        return found, int(note.read_text("ascii"))

    return start


def gone(pid, limit=20.0):
    """Whether the process ends in time."""
    stat = Path(f"/proc/{pid}/stat")
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            if stat.read_text("ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return False


def test_it_is_drawn_whole_again_after_a_stop(shell):
    screen, _ = shell()
    screen.until("following").settle()
    before = [line for line in screen.lines if line]
    for _ in range(2):
        screen.send("\x1a").until(lambda s: "Stopped" in s.text and not s.modes[1049]).settle()
        screen.send("fg\n").until(lambda s: s.modes[1049]).until("fill-bottles").settle()
        assert len([line for line in screen.lines if line]) == len(before)
        assert "ready>" not in screen.text


def test_a_dialog_can_be_suspended_and_keeps_its_text(shell, repository):
    screen, _ = shell()
    screen.until("? help").send("M").until("Leave a note")
    screen.send("mind the draught").until("+ NOTE — mind the draught")
    screen.send("\x1a").until(lambda s: "Stopped" in s.text and not s.modes[1049]).settle()
    screen.send("fg\n").until(lambda s: s.modes[1049]).until("+ NOTE — mind the draught").settle()
    screen.send("\x03").until(lambda s: not s.modes[1049]).until("ready>")
    assert not (repository.root / ".harness/intervention.md").exists()


def test_an_editor_that_cannot_start_is_said_and_the_dashboard_is_back(shell):
    screen, _ = shell(editor="/nowhere/editor")
    screen.settle().send("d").settle().send("o").settle().send("\x0f")
    screen.until("/nowhere/editor: No such file").until(lambda s: s.modes[1049])
    screen.settle().send("q").until(lambda s: not s.modes[1049]).until("ready>")


@pytest.mark.parametrize("stopped", [False, True])
def test_a_closed_window_ends_it(shell, stopped):
    screen, pid = shell()
    if stopped:
        screen.send("\x1a").until("Stopped")
    os.close(screen.slave)
    os.close(screen.master)
    screen.process.wait(20)
    assert gone(pid)
