"""`harness-tui demo`: the folder it plays in, and that it is gone afterwards."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading

import pytest

from harness_tui.cli.commands import demo
from harness_tui.cli.diagnostics import Failure

WAITING = """
import sys, time
from harness_tui.cli.commands import demo
def dashboard(folder):
    print(folder, flush=True)
    time.sleep(50)
    return 0
sys.exit(demo.play(None, 50.0, dashboard))
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def runs():
    return [thread for thread in threading.enumerate() if thread.name == "harness-tui-demo"]


def test_the_temporary_workspace_is_there_for_the_dashboard_and_gone_after_it(temporary):
    seen = []

    def dashboard(folder):
        seen.append((folder / "docs/batches/default/BATCH_PLAN.md").is_file())
        assert len(runs()) == 1
        return 7

    assert demo.play(None, 1.0, dashboard) == 7
    assert seen == [True]
    assert list(temporary.iterdir()) == []
    assert runs() == []


def test_a_dashboard_that_fails_leaves_nothing_behind(temporary):
    def dashboard(folder):
        raise RuntimeError("no terminal")

    with pytest.raises(RuntimeError, match="no terminal"):
        demo.play(None, 1.0, dashboard)
    assert list(temporary.iterdir()) == []
    assert runs() == []


@pytest.mark.parametrize("exists", [True, False])
def test_a_given_folder_stays(tmp_path, exists):
    folder = tmp_path / "mine"
    if exists:
        folder.mkdir()
    assert demo.play(folder, 1.0, lambda root: 0 if root == folder else 1) == 0
    assert (folder / "docs/batches/default/BATCH_PLAN.md").is_file()
    assert not (folder / ".harness/harness-tui/lease.json").exists()


def refusal(directory, speed=1.0):
    with pytest.raises(Failure) as caught:
        demo.play(directory, speed, lambda _: 0)
    return caught.value.code, str(caught.value)


def test_a_folder_with_something_in_it_is_refused_and_not_touched(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    why = "is not empty; give an empty folder or one that does not exist"
    assert refusal(tmp_path) == (2, f"{tmp_path}: {why}")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    assert refusal(tmp_path / "file") == (2, f"{tmp_path / 'file'}: is no folder")


def test_a_speed_of_zero_is_refused():
    assert refusal(None, 0.0) == (2, "--speed: must be greater than 0, not 0")


def test_a_folder_that_cannot_be_made_is_an_error_of_writing(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    assert refusal(tmp_path / "file/below")[0] == 4


def test_a_run_that_breaks_off_is_told_when_the_dashboard_closes(temporary, capsys):
    def dashboard(folder):
        (folder / "docs/batches/default/STREAM_LOG.md").unlink()
        (folder / "docs/batches/default/STREAM_LOG.md").mkdir()
        runs()[0].finished.wait(20)
        return 0

    assert demo.play(None, 10.0, dashboard) == 0
    error = capsys.readouterr().err
    assert error.startswith("harness-tui: demo: the run broke off: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, None)])
def test_a_signal_removes_the_workspace_and_ends_the_program(tmp_path, number, code):
    program = subprocess.Popen(
        [sys.executable, "-c", WAITING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)},
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline().startswith(str(tmp_path))
    program.send_signal(number)
    program.communicate(timeout=20)
    assert program.returncode == (code if code is not None else program.returncode)
    assert program.returncode != 0
    assert list(tmp_path.iterdir()) == []
