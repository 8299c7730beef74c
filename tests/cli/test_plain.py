"""Where there is no terminal to draw on, or NO_COLOR or TERM=dumb, everything is plain text."""

from __future__ import annotations

import os
import pty
import threading

import pytest


@pytest.fixture
def on_terminal(command, environment, workspace):
    """Run the program with a pseudo-terminal as its stdout; returns exit code and what was written."""
    import subprocess

    def run(*arguments, **env):
        master, slave = pty.openpty()
        found = []

        def read():
            try:
                while data := os.read(master, 1 << 16):
                    found.append(data)
            except OSError:
                return

        reader = threading.Thread(target=read)
        reader.start()
        argv = [*command, *arguments, str(workspace.root)]
        try:
            done = subprocess.run(
                argv, stdin=slave, stdout=slave, stderr=slave, env=environment | env, timeout=50, check=False
            )
        finally:
            os.close(slave)
            reader.join(20)
            os.close(master)
        return done.returncode, b"".join(found).decode()

    return run


def test_a_piped_dashboard_prints_the_state_and_ends(program, workspace):
    done = program(workspace.root)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "T-02  press-cider   interrupted" in text  # no run is alive
    assert "1 interrupted" in text
    assert "in-progress" not in text
    assert "2 need you" in text
    assert "Größe-L" not in text  # goals are for the JSON
    assert "\x1b" not in text


def test_plain_text_is_of_the_pool_that_is_asked_for(call, workspace):
    (pool,) = (path.parent.name for path in workspace.root.glob("docs/batches/*/BATCH_PLAN.md"))
    assert call("--plain", "--pool", pool, workspace.root).code == 0
    answer = call("--plain", "--pool", f"{pool}s", workspace.root)
    assert (answer.code, answer.out) == (3, "")
    assert answer.err == f"harness-tui: {pool}s: no such pool: there is {pool}; did you mean {pool}?\n"


@pytest.mark.parametrize("arguments", [["status"], ["doctor"], ["--plain"]])
def test_a_pipe_gets_no_codes_even_where_colour_is_forced(call, workspace, monkeypatch, arguments):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in call(*arguments, workspace.root).out


def test_a_terminal_gets_colours(on_terminal):
    code, text = on_terminal("status")
    assert code == 0
    assert "\x1b[" in text


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_a_terminal_that_wants_none_gets_none(on_terminal, env):
    code, text = on_terminal("status", **env)
    assert code == 0
    assert "\x1b" not in text
    assert "press-cider" in text


def test_status_is_the_same_words_with_and_without_colours(call, workspace):
    import re

    from rich.console import Console

    from harness_tui.cli.text import status_lines
    from harness_tui.workspace.once import read_workspace

    out = Console(force_terminal=True, color_system="truecolor", width=200, soft_wrap=True, highlight=False)
    snapshot = read_workspace(workspace.root)
    with out.capture() as captured:
        for line in status_lines(snapshot):
            out.print(line, soft_wrap=True)
    coloured = captured.get()
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == "".join(f"{line.plain}\n" for line in status_lines(snapshot))


def test_nothing_found_says_what_was_looked_for(call, empty_workspace):
    assert "docs/batches/<pool>/BATCH_PLAN.md" in call("--plain", empty_workspace.root).out


def test_an_unread_signal_and_a_stale_branch_are_said(call, repository):
    repository.write(".harness/intervention.md", "STOP\nthe press broke\n")
    out = call("--plain", repository.root).out
    assert "signal   STOP, unread: .harness/intervention.md" in out
    assert "git      main " in out
    assert "changed files" in out
