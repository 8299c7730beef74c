"""The demo moves by itself, keys steer it, and it leaves nothing behind: no folder, no process."""

from __future__ import annotations

import signal
from pathlib import Path


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


def assert_gone(demo, tmp_path):
    demo.assert_restored()
    assert left(tmp_path) == []
    assert of_session(demo.process.pid) == []


def begun(terminal, speed):
    return terminal("demo", "--speed", speed).until("pickup-notice").until("? help")


def test_a_key_adds_a_row_that_is_delivered_another_stops_the_run_and_q_leaves_nothing_behind(terminal, tmp_path):
    demo = begun(terminal, 200)
    assert left(tmp_path)
    demo.send("A").until("Add a task")
    demo.send("bell-test\rRing the bell\r").until("+ ADD bell-test — Ring the bell").send("\r")
    demo.until(lambda screen: screen.row("done", "bell-test"))
    demo.send("X").until("+ STOP").send("\r")
    demo.until(lambda screen: screen.row("stopped", "for") or screen.row("■ stopped"))
    assert demo.leave() == 0
    assert_gone(demo, tmp_path)
    assert b"Traceback" not in demo.raw


def test_a_terminal_that_goes_away_leaves_nothing_behind_either(terminal, tmp_path):
    demo = begun(terminal, 1).until(lambda screen: screen.row("T-04", "in-progress"))
    assert demo.signal(signal.SIGHUP).end() == 129
    assert_gone(demo, tmp_path)


def test_a_given_folder_stays_and_a_plain_demo_ends_with_its_pipe(program, tmp_path):
    done = program("demo", "--plain", "--dir", tmp_path / "mine")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"pickup-notice" in done.stdout
    assert (tmp_path / "mine/docs/batches/default/BATCH_PLAN.md").is_file()
