"""A run is started as a process of its own, watched for a moment, and ended from outside if it is the one meant."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from support.runs import Mill

from harness_tui.model.lease import FOREIGN, OWN
from harness_tui.model.refusal import Refused
from harness_tui.stream import launch
from harness_tui.stream.ending import end_run, run_to_end
from harness_tui.stream.launch import FOLDER, Launch, check, command, start
from harness_tui.workspace.process import own_claim, process_state

ROWS = (("T-01", "", "pending"), ("T-02", "T-01", "pending"))
DELIVERS = Launch("mill", "command", "sh -c 'echo DELIVERED'")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def mill(tmp_path):
    return Mill(tmp_path / "mill", *ROWS)


def children():
    """Numbers of the processes that this one started and did not reap."""
    tasks = Path("/proc/self/task")
    return [int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()]


def claim(root, name=OWN, **changes):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**own_claim("mill"), "run": "x", **changes}))


def test_the_command_line_is_a_list_that_takes_no_module_from_the_workspace(tmp_path):
    words = command(tmp_path, Launch("-odd pool", "claude", "--x 'y", follow=True, epic="e"))
    assert words[:5] == [sys.executable, "-P", "-m", "harness_tui", "stream"]
    assert words[5:9] == ["--adapter=claude", "--worker=--x 'y", "--follow", "--epic=e"]
    assert words[-2:] == ["--", "-odd pool"]
    assert command(tmp_path, Launch(None, "claude"))[-1] == f"--path={tmp_path}"


def test_a_run_drains_tells_of_its_end_and_leaves_no_dead_process(mill):
    ended = threading.Event()
    told = []
    (mill.root / "harness_tui.py").write_text("raise SystemExit('a module of the workspace')")
    words = start(mill.root, DELIVERS, lambda text: (told.append(text), ended.set()))
    if not words.startswith("the run is over already"):
        assert ended.wait(20)
        words = told[0]
    assert words.endswith("mill: 2 done · report: docs/batches/mill/STREAM_REPORT.md")
    assert mill.statuses() == {"T-01": "done", "T-02": "done"}
    assert [pid for pid in children() if process_state(pid).state == "Z"] == []


def test_a_start_that_fails_at_once_says_why(mill):
    mill.plan.write_text(mill.plan.read_text().replace("| — | pending", "| T-02 | pending"))
    with pytest.raises(Refused, match="wait for each other in a ring: T-01 → T-02 → T-01"):
        start(mill.root, DELIVERS)
    assert not mill.log.exists()


def test_a_start_that_fails_later_is_told(mill, monkeypatch):
    monkeypatch.setattr(launch, "PATIENCE", 0.0)
    scripts = mill.root / "scripts"
    scripts.mkdir()
    (scripts / "verify_all.sh").write_text("exit 1\n")
    ended = threading.Event()
    told = []
    assert "so far: " in start(mill.root, DELIVERS, lambda text: (told.append(text), ended.set()))
    assert ended.wait(20)
    assert told[0].startswith("the run did not begin: scripts/verify_all.sh: the tree is not green before the run")


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (Launch("mill", "command"), "a command is needed"), (Launch("mill", "command", "'"), "can't be read"),
        (Launch("mill", "command", "no-such-program x"), "no-such-program: there is no such program"),
        (Launch("mill", "command", "true", epic="none"), "none"),
    ],
)  # fmt: skip
def test_what_would_begin_no_run_is_refused_before_anything_is_written(mill, wish, why):
    with pytest.raises(Refused, match=why):
        start(mill.root, wish)
    assert not (mill.root / FOLDER).exists()


@pytest.mark.parametrize("name", [OWN, FOREIGN])
def test_who_holds_the_run_keeps_a_second_one_from_starting(mill, name):
    claim(mill.root, name)
    with pytest.raises(Refused, match=f"process {os.getpid()} on .* drains pool mill"):
        check(mill.root, DELIVERS)


def test_of_outputs_the_newest_stay_and_nothing_else_is_touched(mill, monkeypatch):
    monkeypatch.setattr(launch, "command", lambda *_: ["sh", "-c", "echo no; exit 3"])
    folder = mill.root / FOLDER
    folder.mkdir(parents=True)
    (folder / "mine.log").write_text("kept")
    for _ in range(launch.MOST_STARTS + 2):
        with pytest.raises(Refused, match="the run: no"):
            start(mill.root, DELIVERS)
    assert len(list(folder.iterdir())) == launch.MOST_STARTS + 1
    assert (folder / "mine.log").read_text() == "kept"


def test_a_folder_for_output_that_leads_outside_is_refused(mill, tmp_path):
    (tmp_path / "outside").mkdir()
    (mill.root / ".harness/harness-tui").mkdir(parents=True)
    (mill.root / FOLDER).symlink_to(tmp_path / "outside")
    with pytest.raises(Exception, match="starts"):
        start(mill.root, DELIVERS)
    assert list((tmp_path / "outside").iterdir()) == []


# The end from outside


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "in this very program"), ({"start_ticks": 1}, "it is a stranger"), ({"boot_id": "x"}, "another boot"),
        ({"host": "elsewhere.example"}, "started on elsewhere.example"), ({"pid": 2**31 - 2}, "is gone"),
    ],
)  # fmt: skip
def test_only_a_run_that_is_proved_to_live_here_may_be_ended(mill, changes, why):
    claim(mill.root, **changes)
    with pytest.raises(Refused, match=why):
        run_to_end(mill.root)


def test_no_run_and_the_run_of_another_program_are_refused(mill):
    with pytest.raises(Refused, match="nobody holds the run lock"):
        run_to_end(mill.root)
    claim(mill.root, FOREIGN)
    with pytest.raises(Refused, match=r"another program holds \.harness/stream\.lock"):
        run_to_end(mill.root)


def test_a_number_that_stands_for_another_process_by_now_is_not_signalled(mill, stranger):
    ticks = process_state(stranger.pid).start_ticks
    claim(mill.root, pid=stranger.pid, start_ticks=ticks)
    shown = run_to_end(mill.root)
    claim(mill.root, pid=stranger.pid, start_ticks=ticks - 7)
    with pytest.raises(Refused, match="stranger"):
        end_run(mill.root, shown)
    claim(mill.root, pid=stranger.pid, start_ticks=ticks, run="another")
    with pytest.raises(Refused, match="another run"):
        end_run(mill.root, shown)
    assert stranger.poll() is None


def test_the_engine_is_asked_by_sigterm(mill, stranger):
    claim(mill.root, pid=stranger.pid, start_ticks=process_state(stranger.pid).start_ticks)
    assert "the run is ended" in end_run(mill.root, run_to_end(mill.root))
    deadline = time.monotonic() + 5
    while stranger.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert stranger.returncode == -signal.SIGTERM
