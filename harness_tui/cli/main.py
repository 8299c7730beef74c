"""Runs one command and says how it ended; each command imports what it needs when it runs.

A guard is asked in hooks, at every turn of an agent: what stands on its way imports no more than it must, not even
`typing`.
"""

from __future__ import annotations

import io
import os
import sys

from harness_tui.cli.diagnostics import INTERNAL, NOT_READ, Failure, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

INTERRUPTED: Final = 130
UNREAD: Final = 141  # as a program that SIGPIPE ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code (CONTRACT, exit codes)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        _prepare_output()
        try:
            return _run(words)
        finally:
            sys.stdout.flush()
    except Failure as failure:
        complain(failure.what, failure.why)
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has enough
        _drop_output()
        return UNREAD
    except OSError as error:
        _drop_output()
        nameless = "current folder" if isinstance(error, FileNotFoundError) else "output"
        complain(str(error.filename or nameless), error.strerror or str(error))
        return NOT_READ
    except Exception as error:  # noqa: BLE001 - what nobody foresaw is told in one line, too
        if _interrupted(error):
            return INTERRUPTED
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
    from contextlib import suppress

    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl+C is behind `error`: an import or a clean-up that is cut short may end with one of its own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _place(error: BaseException) -> str:
    """File and line of our own code at which `error` arose."""
    place, trace = "?", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if f"{os.sep}harness_tui{os.sep}" in name:
            place = f"{name.rpartition(f'{os.sep}harness_tui{os.sep}')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _run(words: list[str]) -> int:
    if words[:1] == ["guard"] and words[1:2] and not words[1].startswith("-"):
        from harness_tui.cli.commands.guard import run_guard

        return run_guard(words[1], words[2:])
    from harness_tui.cli.parser import COMMANDS, command_module, command_parser, dashboard_parser

    if words and words[0] in COMMANDS:
        command = command_module(words[0])
        return command.run(command_parser(words[0], command).parse_args(words[1:]))
    options = dashboard_parser().parse_args(words)
    return command_module("dashboard").run(options)
