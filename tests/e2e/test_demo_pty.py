"""The demo moves by itself, and leaves nothing behind: no folder, no process."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest


def left(tmp_path):
    return [path.name for path in tmp_path.iterdir() if path.name.startswith("harness-tui-demo")]


def of_session(number):
    """Processes of the session that a program led."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text("utf-8", "replace").rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(session) == number and state != "Z":
            found.append(path.parent.name)
    return found


@pytest.fixture
def demo(terminal):
    return terminal("demo", "--speed", "20").until("pickup-notice")


def test_rows_move_and_q_leaves_nothing_behind(demo, tmp_path):
    assert left(tmp_path)
    demo.until(lambda screen: screen.row("T-08", "pending", "parts-reorder"))
    demo.until(lambda screen: screen.row("T-08", "failed", "parts-reorder"))
    demo.until(lambda screen: screen.row("T-04", "done", "pickup-notice"))
    assert demo.leave() == 0
    demo.assert_restored()
    assert left(tmp_path) == []
    assert of_session(demo.process.pid) == []
    assert b"Traceback" not in demo.raw


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_leaves_nothing_behind_either(demo, tmp_path, number, code):
    assert demo.signal(number).end() == code
    demo.assert_restored()
    assert left(tmp_path) == []
    assert of_session(demo.process.pid) == []


def test_a_given_folder_stays_and_a_plain_demo_ends_with_its_pipe(program, tmp_path):
    done = program("demo", "--plain", "--dir", tmp_path / "mine")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"pickup-notice" in done.stdout
    assert (tmp_path / "mine/docs/batches/default/BATCH_PLAN.md").is_file()
