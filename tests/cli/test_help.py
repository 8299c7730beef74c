"""Help, version and usage errors."""

from __future__ import annotations

import re

import pytest

from harness_tui import __version__
from harness_tui.cli.parser import COMMANDS


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_each_command_has_help_with_examples(call, name, flag):
    answer = call(*([name] if name else []), flag)
    assert (answer.code, answer.err) == (0, "")
    examples = answer.out.partition("examples:\n")[2]
    assert re.search(rf"^  harness-tui {name}".rstrip(), examples, re.MULTILINE)


def test_the_main_help_names_every_command_and_the_exit_codes(call):
    out = call("--help").out
    assert [name for name in COMMANDS if not re.search(rf"^  {name}  +\S", out, re.MULTILINE)] == []
    assert re.search(r"exit codes: 0 .* 1 .* 2 .* 3 .* 4 .* 130", out)


def test_help_fits_a_terminal_of_usual_width(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in ["", *COMMANDS]:
        lines = call(*([name] if name else []), "--help").out.split("\n")
        assert [line for line in lines if len(line) > 118] == []


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(call, flag):
    assert call(flag) == (0, f"harness-tui {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["--nosuch"], "usage"), (["status", "--nosuch"], "status"), (["a", "b"], "usage"),
        (["status", "a", "b"], "status"), (["-x"], "usage"),
        (["--theme", "pink"], "usage"), (["--pool"], "usage"), (["demo", "--speed", "fast"], "demo"),
        (["demo", "--speed", "0"], "demo"), (["demo", "--speed", "nan"], "demo"), (["demo", "--speed=-1"], "demo"),
        (["demo", "--speed", "1e9"], "demo"), (["completion"], "completion"), (["completion", "tcsh"], "completion"),
        (["watch", "--json=1"], "watch"), (["status", "--json=yes"], "status"),
    ],
)  # fmt: skip
def test_a_usage_error_is_one_line_on_stderr_and_code_2(call, arguments, command):
    answer = call(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert re.fullmatch(rf"harness-tui: {command}: .+; see harness-tui.* --help\n", answer.err)


def test_a_bad_choice_is_told_with_the_good_ones(call):
    assert call("completion", "tcsh").err == (
        "harness-tui: completion: argument SHELL: invalid choice: 'tcsh' (choose from bash, zsh, fish); "
        "see harness-tui completion --help\n"
    )
    assert "argument --theme: invalid choice: '-a' (choose from dark, light, contrast)" in call("--theme=-a").err
    assert "argument SHELL: invalid choice: '--json' " in call("completion", "--", "--json").err
    assert call("completion", "bash", "--", "--nope").err == (
        "harness-tui: completion: unrecognized arguments: --nope; see harness-tui completion --help\n"
    )


def test_a_word_that_is_no_command_is_a_folder_that_is_not_there(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("stauts") == (
        3, "", "harness-tui: stauts: no such file or folder; did you mean the command status?\n",
    )  # fmt: skip


def test_a_folder_called_like_the_program_is_told_like_any_other(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("status", "harness-tui-2").err == "harness-tui: harness-tui-2: no such file or folder\n"


def test_a_folder_called_like_a_command_can_be_opened(call, workspace, monkeypatch):
    monkeypatch.chdir(workspace.root)
    (workspace / "status").mkdir()
    answer = call("--plain", "./status")
    assert answer.code == 0
    assert answer.out.startswith(f"{workspace.root}\n")
