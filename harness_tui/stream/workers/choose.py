"""From what the operator names to a worker."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING, Final

from harness_tui.formats.assignment_text import has_placeholder
from harness_tui.stream.workers.claude import ClaudeWorker
from harness_tui.stream.workers.command import CommandWorker
from harness_tui.stream.workers.opencode import OpencodeWorker

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.stream.workers.agent import Settings
    from harness_tui.stream.workers.base import Worker

ADAPTERS: Final = ("command", "claude", "opencode")


def make_worker(
    adapter: str, command: str = "", settings: Settings | None = None, *, result_file: str = ""
) -> Worker:  # fmt: skip
    """The worker `adapter` that runs `command`, split into words as a shell would and never given to one.

    Claude and OpenCode are called by their own names when `command` is empty. Raises `ValueError` in words.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ValueError(f"the command of the worker can't be read: {str(error).casefold()}") from None
    if words and (not words[0] or has_placeholder(words[0])):
        raise ValueError("the program of the worker must not be named by the task")
    match adapter:
        case "claude":
            return ClaudeWorker(words or ("claude",), settings)
        case "opencode":
            return OpencodeWorker(words or ("opencode",), settings)
        case "command" if words:
            return CommandWorker(words, settings, result_file)
        case "command":
            raise ValueError("a worker of the kind `command` needs a command")
    raise ValueError(f"no worker is called {adapter}; there are {', '.join(ADAPTERS)}")


def missing_program(adapter: str, command: str, root: Path) -> str:
    """The program that such a worker would be when it is not there, as it would fail every row; empty when it is."""
    program = (shlex.split(command) or [adapter])[0]
    found = shutil.which(program if "/" not in program else str(root / program))
    return "" if found is not None else program
