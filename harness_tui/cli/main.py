"""Reads the arguments and runs one command; each command imports what it needs when it runs."""

from __future__ import annotations

import argparse
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from harness_tui import __version__
from harness_tui.cli.diagnostics import INTERNAL, NOT_READ, Failure, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USAGE: Final = 2
INTERRUPTED: Final = 130

_EPILOG: Final = """\
commands:
  demo        a sample workspace with a run in it, and the dashboard on top
  status      everything once, as text or JSON
  watch       one JSON object per change, until interrupted
  doctor      what was found, what could not be read, and what to do about it
  schema      the JSON Schema of what status prints
  completion  completion for a shell

commands that write (each takes --dry-run and --json):
  add         ask the stream to append a task      skip      ask it to leave a task out
  stop        ask it to stop between two tasks     note      leave a note for the next dispatch
  pending     the signals that nobody read yet     withdraw  take such a signal back
  budget      look at an interrupt budget, spend   answer    answer a question of an epic
  unlock      give the control loop what it waits for

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


class Command(NamedTuple):
    """One command: its module under `cli.commands`, and how its arguments are declared."""

    module: str
    about: str
    examples: str
    declare: Callable[[argparse.ArgumentParser], None]


class Parser(argparse.ArgumentParser):
    """Complains in one line on stderr and exits with 2."""

    def error(self, message: str) -> NoReturn:
        """Usage errors never reach stdout."""
        name = self.prog.partition(" ")[2]
        complain(name or "usage", f"{message}; see {self.prog} --help")
        raise SystemExit(USAGE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code (CONTRACT, exit codes)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        _prepare_output()
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except Failure as failure:
        complain(failure.what, failure.why)
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has enough
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        complain(str(error.filename or "output"), error.strerror or str(error))
        return NOT_READ
    except Exception as error:  # noqa: BLE001 - what nobody foresaw is told in one line, too
        complain("internal error", f"{type(error).__name__}: {error} ({_place(error)}); please report it")
        return INTERNAL


def _prepare_output() -> None:
    """UTF-8 whatever the locale says; what has no UTF-8 form (a file name of odd bytes) is written as an escape."""
    if sys.stdout is None:
        raise Failure("output", "stdout is closed", NOT_READ)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Let what is still buffered go nowhere: the interpreter would complain when it flushes at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _place(error: BaseException) -> str:
    """File and line of our own code at which `error` arose."""
    place, trace = "?", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if f"{os.sep}harness_tui{os.sep}" in name:
            place = f"{name.rpartition(f'{os.sep}harness_tui{os.sep}')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name not in (*COMMANDS, *ACTS):
        options = _dashboard_parser().parse_args(arguments)
        module = import_module("harness_tui.cli.commands.dashboard")
    else:
        command = _command(name)
        parser = Parser(
            prog=f"harness-tui {name}", description=fill(command.about, 79), epilog=f"examples:\n{command.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.declare(parser)
        options = parser.parse_args(arguments[1:])
        module = import_module(f"harness_tui.cli.commands.{command.module}")
    code: int = module.run(options)
    return code


def _dashboard_parser() -> Parser:
    parser = Parser(
        prog="harness-tui", description="Watch and steer an agent that drains a pool of tasks.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("-V", "--version", action="version", version=f"harness-tui {__version__}")
    _path(parser)
    _look(parser)
    return parser


def _path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH",
        help="any folder in the repository (default: the current one)",
    )  # fmt: skip


def _look(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pool", metavar="ID", help="the pool to open first")
    parser.add_argument("--theme", choices=("dark", "light", "contrast"), help="colours (default: dark)")
    parser.add_argument("--plain", action="store_true", help="print the state and, on a terminal, a line per change")
    parser.add_argument("--bell", action="store_true", help="ring once for each new thing that needs you")
    parser.add_argument("--notify", action="store_true", help="a desktop notification for each (OSC 9 and OSC 777)")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _json(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("--json", action="store_true", help=words)


def _status(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    _json(parser, "one JSON document instead of text")
    parser.add_argument("--check", action="store_true", help="exit with 1 when something needs you")


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a part of it, such as pool, task, budget or change")


def _doctor(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    _json(parser, "one JSON document instead of text")


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dir", type=Path, metavar="D", help="build the workspace here and keep it (default: a temporary folder)"
    )
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="how many times as fast (default: 1)")
    _look(parser)


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 1000:  # noqa: PLR2004 - the range is in the message
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0.01 to 1000")
    return value


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


COMMANDS: Final = {
    "demo": Command(
        "demo",
        "Make a sample workspace, play a run in it over and over, and open the dashboard on it. Nothing outside is "
        "touched.",
        "  harness-tui demo\n  harness-tui demo --speed 4\n  harness-tui demo --dir /tmp/kiln   keep the workspace",
        _demo,
    ),
    "status": Command(
        "status",
        "Print everything that is known about a workspace, once.",
        "  harness-tui status\n  harness-tui status --json | jq '.pools[].tally'\n  harness-tui status ~/src/kiln\n"
        "  harness-tui status --check > /dev/null || notify-send 'the stream needs you'",
        _status,
    ),
    "watch": Command(
        "watch",
        "Print one JSON object per change, until interrupted.",
        "  harness-tui watch\n  harness-tui watch | jq -r 'select(.kind == \"task-status\") | .title'",
        _path,
    ),
    "doctor": Command(
        "doctor",
        "Say what was found, what could not be read, where, and what to do. Exit 1 when anything is wrong.",
        "  harness-tui doctor\n  harness-tui doctor --json",
        _doctor,
    ),
    "schema": Command(
        "schema",
        "Print the JSON Schema of `status --json`, or of a part of it.",
        "  harness-tui schema > status.schema.json\n  harness-tui schema task",
        _schema,
    ),
    "completion": Command(
        "completion",
        "Print completion for a shell.",
        "  harness-tui completion bash > ~/.local/share/bash-completion/completions/harness-tui\n"
        "  harness-tui completion fish > ~/.config/fish/completions/harness-tui.fish",
        _completion,
    ),
}


ACTS: Final = ("add", "skip", "stop", "note", "pending", "withdraw", "budget", "answer", "unlock")
"""The commands of the mailbox, the budget, the questions and the control loop: their modules declare themselves."""


def _command(name: str) -> Command:
    if name in COMMANDS:
        return COMMANDS[name]
    module = import_module(f"harness_tui.cli.commands.{name}")
    return Command(name, module.ABOUT, module.EXAMPLES, module.declare)


def command_options() -> dict[str, tuple[str, list[str]]]:
    """Every command with what it is for, its flags and its fixed words, for completion; the dashboard is ""."""
    found = {"": ("the dashboard", _words(_dashboard_parser()))}
    for name in (*COMMANDS, *ACTS):
        command = _command(name)
        parser = Parser(prog=name)
        command.declare(parser)
        found[name] = (command.about.split(".")[0].replace("'", ""), _words(parser))
    return found


def _words(parser: argparse.ArgumentParser) -> list[str]:
    actions = parser._actions  # noqa: SLF001 - argparse has no public list
    flags = [flag for action in actions for flag in action.option_strings if flag.startswith("--")]
    return flags + [word for action in actions if not action.option_strings for word in action.choices or ()]
