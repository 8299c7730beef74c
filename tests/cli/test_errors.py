"""Whatever is asked for, the answer is an exit code and at most one line: never a traceback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness_tui.cli import main as program_main
from harness_tui.cli.diagnostics import Failure, complain

FULL = Path("/dev/full")
SLEEPING = """
import sys, time
import harness_tui.workspace.once as once
once.read_workspace = lambda root: print("here", flush=True) or time.sleep(40)
from harness_tui.cli.main import main
sys.exit(main(["status", sys.argv[1]]))
"""
WORDS = (
    "status", "doctor", "completion", "--json", "--pool", "--theme", "dark", "--plain", "--no-mouse", "--help", "-V",
    "-h", "--", "-", "", "bash", "--speed", "0", "--js", "=", "--json=x", "\x1b[31m", "\n", "a\nb", "\udcff", "{}",
    "%s", "'", "..", "/proc/self/mem", "/dev/null", "~", "*", "-1", "--pool=\x9b2J", "é" * 130,
)  # fmt: skip


def test_a_few_hundred_odd_command_lines_end_well(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(7)
    for _ in range(400):
        arguments = [chance.choice(WORDS) for _ in range(chance.randint(0, 4))]
        answer = call(*arguments)
        assert answer.code in (0, 1, 2, 3, 4), arguments
        assert "Traceback" not in answer.err, arguments
        assert answer.err.count("\n") == (0 if answer.code in (0, 1) else 1), arguments
        assert not {"\x1b", "\x9b", "\x07"} & set(answer.err), arguments
        if answer.code in (2, 3, 4):
            assert answer.out == "", arguments


def test_names_in_messages_cannot_act_on_the_terminal(call):
    answer = call("status", "a\x1b]0;b\x07\nc\u202e")
    assert answer.err == "harness-tui: a␛]0;b␇␊c‹U+202E›: no such file or folder\n"


def test_an_unforeseen_error_is_one_line_with_its_place(call, workspace, monkeypatch):
    from harness_tui.workspace import once

    def fail(root):
        raise RuntimeError("a \x1b[31m pip")

    monkeypatch.setattr(once, "read_workspace", fail)
    answer = call("status", workspace.root)
    assert (answer.code, answer.out) == (70, "")
    assert answer.err.startswith("harness-tui: internal error: RuntimeError: a ␛[31m pip (cli/commands/status.py:")
    assert answer.err.count("\n") == 1


def test_an_error_of_the_disk_is_code_4(call, workspace, monkeypatch):
    from harness_tui.workspace import once

    def fail(root):
        raise PermissionError(13, "Permission denied", "/x\x1by")

    monkeypatch.setattr(once, "read_workspace", fail)
    assert call("status", workspace.root) == (4, "", "harness-tui: /x␛y: Permission denied\n")


def test_ctrl_c_is_code_130_and_silent(call, workspace, monkeypatch):
    from harness_tui.workspace import once

    def interrupt(root):
        raise KeyboardInterrupt

    monkeypatch.setattr(once, "read_workspace", interrupt)
    assert call("status", workspace.root) == (130, "", "")


def test_ctrl_c_is_code_130_also_where_a_clean_up_fails_of_it(call, workspace, monkeypatch):
    from harness_tui.workspace import once

    def interrupt(root):
        try:
            raise KeyboardInterrupt
        finally:
            root.never_set  # noqa: B018

    monkeypatch.setattr(once, "read_workspace", interrupt)
    assert call("status", workspace.root) == (130, "", "")


def test_a_failure_tells_its_code_and_place(call, monkeypatch):
    def fail(arguments):
        raise Failure("docs/x.md:3", "odd", 4)

    monkeypatch.setattr(program_main, "_run", fail)
    assert call("status") == (4, "", "harness-tui: docs/x.md:3: odd\n")


def test_complaining_without_a_stderr_is_no_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    complain("a", "b")


@pytest.mark.parametrize("arguments", [["status", "--json"], ["doctor"], ["--help"], ["completion", "bash"]])
def test_a_reader_that_has_enough_ends_the_program_quietly(command, environment, workspace, arguments):
    read, write = os.pipe()
    os.close(read)
    where = [] if "--help" in arguments or "bash" in arguments else [str(workspace.root)]
    done = subprocess.run(
        [*command, *arguments, *where], stdout=write, stderr=subprocess.PIPE, env=environment, timeout=50, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")  # no answer was given, so it is neither a yes nor a no


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
def test_a_full_disk_under_stdout_is_code_4(program, workspace):
    with FULL.open("wb") as full:
        done = program("status", "--json", workspace.root, stdout=full)
    assert done.returncode == 4
    assert done.stderr == b"harness-tui: output: No space left on device\n"


@pytest.mark.parametrize(("stream", "code"), [("stdout", 4), ("stderr", 0), ("stdin", 0)])
def test_a_closed_stream_is_no_traceback(command, environment, workspace, stream, code):
    number = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[stream]
    line = f'exec "$@" {number}'
    done = subprocess.run(
        ["bash", "-c", line, "x", *command, "status", str(workspace.root)],
        capture_output=True, env=environment, timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == (1 if code else 0)


def test_the_current_folder_may_be_gone(environment, command, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    for arguments in ("status", "--plain", "doctor --json", "guard lock", "guard all", "guard normalize-control-state"):
        gone.mkdir(exist_ok=True)
        line = f'cd "{gone}" && rmdir "{gone}" && exec "$@"'
        done = subprocess.run(
            ["bash", "-c", line, "x", *command, *arguments.split()],
            capture_output=True,
            env=environment,
            timeout=50,
            check=False,
        )
        assert done.returncode in (3, 4)
        assert (done.stdout, done.stderr.decode()) == (
            b"", "harness-tui: current folder: No such file or directory\n",
        )  # fmt: skip


def test_demo_without_a_temporary_folder_is_code_4(program, tmp_path):
    done = program("demo", "--plain", "--dir", "/proc/nosuch/x")
    assert done.returncode == 4
    assert done.stderr.startswith(b"harness-tui: /proc/nosuch")
    assert done.stderr.count(b"\n") == 1


def test_ctrl_c_during_a_long_reading_is_code_130(command, environment, tmp_path):
    (tmp_path / ".git").mkdir()
    running = subprocess.Popen(
        [sys.executable, "-c", SLEEPING, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert running.stdout.readline() == b"here\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=20)[1] == b""
    assert running.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "code", "meant"),
    [
        (("statsu",), 3, "did you mean the command status?"),
        (("/statsu",), 3, "/statsu: no such file or folder\n"),
        (("statsu", "--json"), 2, "did you mean the command status?"),
        (("status", "--jsno"), 2, "did you mean --json?"),
        (("guard", "git-hsh-check"), 2, "did you mean git-hash-check?"),
        (("schema", "tsk"), 3, "did you mean task?"),
        (("skip", "T-90"), 3, "did you mean 'T-"),
        (("skip", "press-cidre"), 3, "did you mean 'T-02' press-cider?"),
        (("skip", "T-02", "--pool", "orhcard"), 3, "did you mean orchard?"),
        (("stream", "orhcard", "--worker", "true"), 3, "did you mean orchard?"),
        (("guard", "pool", "--pool", "orhcard"), 3, "did you mean orchard?"),
        (("budget", "check", "--epic-id", "sh-3-dry-the"), 3, "did you mean sh-3-dry-the-hay?"),
        (("stream", "orchard", "--worker", "true", "--epic", "sh-3-dry-hay"), 3, "did you mean sh-3-dry-the-hay?"),
        (("guard", "budget", "--epic-id", "sh-3-dry-the"), 3, "did you mean sh-3-dry-the-hay?"),
        (("answer", "sh-3-dry-the-hay", "Q-11", "A"), 3, "did you mean Q-1?"),
    ],
)
def test_a_slip_in_a_name_is_asked_about_in_the_same_line(call, workspace, monkeypatch, arguments, code, meant):
    from support.epic_tree import epic

    epic(workspace.root)
    monkeypatch.chdir(workspace.root)
    answer = call(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert meant in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('[stream]\nworkr = "x"', "did you mean worker?"),
        ('worker = "x"', "it belongs below [stream]"),
        ("[streem]\nidle = 1", "did you mean stream?"),
    ],
)
def test_a_slip_in_the_settings_is_asked_about(call, workspace, tmp_path, monkeypatch, text, meant):
    (tmp_path / "harness-tui").mkdir()
    (tmp_path / "harness-tui/settings.toml").write_text(text)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    answer = call("stream", "orchard", "--worker", "true", "--path", workspace.root)
    assert (answer.code, answer.err.count("\n")) == (4, 1)
    assert meant in answer.err
