"""Completion scripts: a shell accepts them, and they offer what the commands take."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from harness_tui.cli.parser import COMMANDS

FLAGS = ["--help", "--version", "--pool", "--theme", "--plain", "--bell", "--notify", "--read-only", "--no-mouse"]


@pytest.fixture
def script(call):
    def write(shell):
        answer = call("completion", shell)
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    return write


def offered(script, words, cwd):
    """What bash offers for the last of `words`."""
    line = " ".join(f"'{word}'" for word in words)
    ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _harness_tui; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    code = f"{script}\n{ask}"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True, cwd=cwd, timeout=20)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_that_is_here_accepts_its_script(script, shell):
    text = script(shell)
    assert text.endswith("\n")
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=text, text=True, check=False, timeout=20).returncode == 0


def test_bash_offers_commands_flags_and_folders(script, tmp_path):
    (tmp_path / "two words").mkdir()
    text = script("bash")
    assert offered(text, ["harness-tui", ""], tmp_path) == [*COMMANDS, *FLAGS, "two words"]
    assert offered(text, ["harness-tui", "sta"], tmp_path) == ["status"]
    assert offered(text, ["harness-tui", "status", "--"], tmp_path) == ["--help", "--json", "--check"]
    assert offered(text, ["harness-tui", "status", "t"], tmp_path) == ["two words"]
    assert offered(text, ["harness-tui", "completion", "z"], tmp_path) == ["zsh"]


def test_fish_names_every_command_flag_and_shell(script):
    text = script("fish")
    for name in COMMANDS:
        assert f" -a {name} -d '" in text
    assert "complete -c harness-tui -n '__fish_seen_subcommand_from status' -l json\n" in text
    assert "complete -c harness-tui -n '__fish_seen_subcommand_from completion' -a fish\n" in text
    assert all(line.count("'") % 2 == 0 for line in text.split("\n"))


def test_zsh_is_the_script_of_bash_under_its_emulation(script):
    text = script("zsh")
    assert text.startswith("#compdef harness-tui\n")
    assert text.endswith(script("bash"))
    assert "bashcompinit" in text
