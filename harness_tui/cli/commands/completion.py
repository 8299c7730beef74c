"""`harness-tui completion SHELL`: completion scripts made from the commands' own argument lists."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


ABOUT = "Print completion for a shell."
EXAMPLES = (
    "  harness-tui completion bash > ~/.local/share/bash-completion/completions/harness-tui\n"
    "  harness-tui completion fish > ~/.config/fish/completions/harness-tui.fish"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `completion`."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def run(options: argparse.Namespace) -> int:
    """Print the script for one shell."""
    from harness_tui.cli.parser import command_options

    sys.stdout.write({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](command_options()))
    return 0


def _bash(commands: dict[str, tuple[str, list[str]]]) -> str:
    names = " ".join(name for name in commands if name)
    cases = "\n".join(f'    {name}) words="{" ".join(words)}" ;;' for name, (_, words) in commands.items() if name)
    return f"""\
_harness_tui() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words="{names} {" ".join(commands[""][1])}"
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  local folder
  while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$current")
}}
complete -o filenames -F _harness_tui harness-tui
"""


def _zsh(commands: dict[str, tuple[str, list[str]]]) -> str:
    return "#compdef harness-tui\nautoload -U +X bashcompinit && bashcompinit\n" + _bash(commands)


def _fish(commands: dict[str, tuple[str, list[str]]]) -> str:
    lines = []
    for name, (about, words) in commands.items():
        if name:
            lines.append(f"complete -c harness-tui -n __fish_use_subcommand -a {name} -d '{about}'")
        where = f"-n '__fish_seen_subcommand_from {name}' " if name else "-n __fish_use_subcommand "
        lines += [
            f"complete -c harness-tui {where}{f'-l {word[2:]}' if word.startswith('--') else f'-a {word}'}"
            for word in words
        ]
    return "\n".join(lines) + "\n"
