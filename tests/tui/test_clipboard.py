"""Copying: the native tool first, else the terminal's clipboard, never more than it surely takes."""

import base64
import os
import time

import pytest

from harness_tui.tui.clipboard import NATIVE, OSC52_LIMIT, copy_native, native_command, osc52


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A folder of tools, alone on the path."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("HARNESS_TUI_CLIPBOARD", raising=False)

    def make(name, script):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    return make


def decoded(sequence):
    return base64.b64decode(sequence.removeprefix("\x1b]52;c;").removesuffix("\x07"), validate=True).decode()


@pytest.mark.parametrize(("command", "variable"), NATIVE)
def test_a_tool_is_taken_when_it_is_there_and_its_display_too(tools, monkeypatch, command, variable):
    tools(command[0], "true")
    if variable:
        assert native_command() is None
        monkeypatch.setenv(variable, ":0")
    assert native_command() == command


def test_no_tool_is_none(tools):
    assert native_command() is None
    assert copy_native("x") is False


@pytest.mark.parametrize(("name", "value"), [("HARNESS_TUI_CLIPBOARD", "osc52"), ("SSH_TTY", "/dev/pts/1")])
def test_a_tool_of_another_machine_or_one_that_is_not_wanted_is_not_taken(tools, monkeypatch, name, value):
    tools("pbcopy", "true")
    monkeypatch.setenv(name, value)
    assert native_command() is None


def test_the_text_goes_in_by_a_pipe_as_it_is(tools, tmp_path):
    tools("pbcopy", f"/bin/cat > {tmp_path}/copied")
    assert copy_native("a 'b' $(c) é\n") is True
    assert (tmp_path / "copied").read_text() == "a 'b' $(c) é\n"


def test_a_tool_that_fails_is_told(tools):
    tools("pbcopy", "exit 3")
    assert copy_native("x") is False


def test_a_tool_that_hangs_is_given_up(tools, monkeypatch):
    monkeypatch.setattr("harness_tui.tui.clipboard._SECONDS", 0.2)
    tools("pbcopy", "exec /bin/sleep 30")
    began = time.monotonic()
    assert copy_native("x") is False
    assert time.monotonic() - began < 5


def test_the_sequence_holds_the_text_and_nothing_that_ends_it_early():
    text = "a\x07b\x1b\\é窗\n"
    assert decoded(osc52(text)) == text
    assert osc52(text).count("\x07") == 1
    assert osc52(text).count("\x1b") == 1


def test_lone_surrogates_do_not_stop_a_copy():
    assert decoded(osc52("a\udce9")) == "a?"


def test_what_is_too_long_is_refused_and_not_cut():
    most = OSC52_LIMIT // 4 * 3
    assert osc52("x" * most) is not None
    assert osc52("x" * (most + 3)) is None


def test_tmux_passes_it_on(monkeypatch):
    monkeypatch.setenv("TMUX", "/tmp/tmux")
    assert osc52("x") == "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"


def test_only_native_means_no_sequence(monkeypatch):
    monkeypatch.setenv("HARNESS_TUI_CLIPBOARD", "native")
    assert osc52("x") is None
    assert os.environ["HARNESS_TUI_CLIPBOARD"] == "native"
