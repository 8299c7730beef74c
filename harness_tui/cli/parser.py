"""What the program and its commands understand on the command line, and how they complain about the rest."""

from __future__ import annotations

import argparse
import os
from importlib import import_module

from harness_tui import __version__
from harness_tui.cli.diagnostics import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, NoReturn, Protocol

# It would look for translations of its own words. There are none of ours, and the search takes as long as a guard.
argparse._ = str  # type: ignore[attr-defined]

USAGE: Final = 2
PROGRAM: Final = "harness-tui"
_NO_FLAG: Final = "\0"  # no argument holds it
COMMANDS: Final = (
    "demo", "stream", "status", "watch", "doctor", "schema", "completion",
    "add", "skip", "stop", "note", "pending", "withdraw", "budget", "answer", "unlock",
    "guard",
)  # fmt: skip
"""Every command is the module of that name in `cli.commands`."""

_EPILOG: Final = """\
commands:
  demo        a sample workspace with a run in it, and the dashboard on top
  stream      drain a pool with a worker of yours
  status      everything once, as text or JSON
  watch       one JSON object per change, until interrupted
  doctor      what was found, what could not be read, and what to do about it
  schema      the JSON Schema of what status prints
  completion  completion for a shell

commands that act (--dry-run says what they would write):
  add         ask the stream to append a task
  skip        ask it to leave a task out
  stop        ask it to stop between two tasks
  note        leave a note for the next dispatch
  pending     the signals that nobody read yet
  withdraw    take such a signal back
  budget      look at an interrupt budget, or spend a unit of it
  answer      answer a question of an epic
  unlock      give the control loop what it waits for

commands for control loops:
  guard       a deterministic answer for a script or an agent: may this go on?

examples:
  harness-tui                     the dashboard on the repository around the current folder
  harness-tui ~/src/kiln          the dashboard on another repository
  harness-tui demo                see it move without a repository of your own
  harness-tui status --json       the same facts for scripts
  harness-tui stop --dry-run      what STOP would write, and where
  harness-tui COMMAND --help      more about one command

exit codes: 0 done · 1 a well-formed "no" · 2 usage · 3 not there · 4 could not read or write · 130 interrupted
A folder that is named like a command is opened as ./NAME.
"""


if TYPE_CHECKING:

    class Command(Protocol):
        """What a module of `cli.commands` offers: what it is for, examples, its arguments, and the command itself."""

        ABOUT: str
        EXAMPLES: str

        def declare(self, parser: argparse.ArgumentParser) -> None:
            """Name the arguments."""

        def run(self, options: argparse.Namespace) -> int:
            """Do it; returns the exit code."""


class Help(argparse.HelpFormatter):
    """Keeps texts of several lines. Without a width of its own, each argument that is declared would import shutil."""

    def __init__(self, prog: str, **more: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **more})

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "\n".join(f"{indent}{line}" for line in text.split("\n"))
        return super()._fill_text(text, min(width, 79), indent)


class Parser(argparse.ArgumentParser):
    """Complains in one line on stderr and exits with 2.

    What stands behind `--` is never a flag. Versions of argparse differ in that, and in the words for a bad choice.
    """

    def parse_args(self, args: Sequence[str], namespace: Any = None) -> Any:  # type: ignore[override]
        """The options; of what is not known it asks whether it is a slip."""
        end = args.index("--") + 1 if "--" in args else len(args)
        marked = [*args[:end], *(_NO_FLAG + word for word in args[end:])]
        flags = any(word.startswith("-") for word in args)
        parse = self.parse_known_intermixed_args if flags else self.parse_known_args  # words may stand behind a flag
        options, unknown = parse(marked, namespace)
        unknown = [word.removeprefix(_NO_FLAG) for word in unknown if word != "--"]
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._meant(args[0], unknown[0])}")
        return options

    def _meant(self, first: str, unknown: str) -> str:
        hint = command_meant(first) if self.prog == PROGRAM and first != unknown else ""
        if hint or not unknown.startswith("-"):
            folder = "--path" in self._option_string_actions and os.path.isdir(unknown)  # noqa: PTH112 - pathlib is slow
            return "; a folder stands behind --path" if folder else hint
        from harness_tui.rules.near import did_you_mean

        flags = [name for name in self._option_string_actions if name.startswith("--")]
        return did_you_mean(unknown.partition("=")[0], flags)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        return super()._get_value(action, arg_string.removeprefix(_NO_FLAG))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {', '.join(action.choices)})")

    def error(self, message: str) -> NoReturn:
        """Usage errors never reach stdout."""
        name = self.prog.partition(" ")[2]
        complain(name or "usage", f"{message}; see {self.prog} --help")
        raise SystemExit(USAGE)


def _columns() -> int:
    """Columns of the terminal, 80 where there is none."""
    try:
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size().columns or 80
    except (OSError, ValueError):
        return 80


def command_module(name: str) -> Command:
    """The module of a command, one of `COMMANDS` or the dashboard's."""
    command: Command = import_module(f"harness_tui.cli.commands.{name}")
    return command


def command_parser(name: str, command: Command) -> Parser:
    """The parser of a command; `name` is what stands behind the program's name."""
    parser = Parser(
        prog=f"harness-tui {name}", description=command.ABOUT, epilog=f"examples:\n{command.EXAMPLES}",
        formatter_class=Help,
    )  # fmt: skip
    command.declare(parser)
    return parser


def command_meant(word: str) -> str:
    """The end of a sentence that says that `word` is no command; empty where it resembles none."""
    from harness_tui.rules.near import did_you_mean

    if word in COMMANDS or os.sep in word:
        return ""
    return did_you_mean(word, COMMANDS).replace("mean", "mean the command", 1)


def dashboard_parser() -> Parser:
    """The parser of what is no command."""
    from harness_tui.cli import arguments

    parser = Parser(
        prog=PROGRAM, description="Watch and steer an agent that drains a pool of tasks.", epilog=_EPILOG,
        formatter_class=Help,
    )  # fmt: skip
    parser.add_argument("-V", "--version", action="version", version=f"harness-tui {__version__}")
    arguments.path(parser)
    arguments.look(parser)
    return parser


def command_options() -> dict[str, tuple[str, list[str]]]:
    """Every command with what it is for, its flags and its fixed words, for completion; the dashboard is ""."""
    found = {"": ("the dashboard", _words(dashboard_parser()))}
    for name in COMMANDS:
        command = command_module(name)
        found[name] = (command.ABOUT.split(".")[0].replace("'", ""), _words(command_parser(name, command)))
    return found


def _words(parser: argparse.ArgumentParser) -> list[str]:
    actions = parser._actions  # noqa: SLF001 - argparse has no public list
    flags = [flag for action in actions for flag in action.option_strings if flag.startswith("--")]
    return flags + [word for action in actions if not action.option_strings for word in action.choices or ()]
