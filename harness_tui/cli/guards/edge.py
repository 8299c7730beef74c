"""What guards have in common at the edge: the files and git that they ask, and how they answer."""

from __future__ import annotations

import sys

from harness_tui.cli.diagnostics import NOT_READ, Failure
from harness_tui.cli.json_text import dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.rules.guards.verdict import Verdict
    from harness_tui.workspace.git_head import Head


def text_of(path: str) -> str | None:
    """Text of a file as guards read it, None when there is none. Raises `Failure` (4) when it can't be read."""
    from harness_tui.workspace.files import FileError
    from harness_tui.workspace.guard_text import guard_text

    try:
        return guard_text(path)
    except FileError as error:
        raise Failure(path, error.reason, NOT_READ) from error


def head_of(folder: str) -> Head:
    """Branch and commit of the checkout around `folder`. Raises `Failure` (4) when git can't be asked."""
    from harness_tui.workspace.git_head import GitError, read_head

    try:
        return read_head(folder)
    except GitError as error:
        raise Failure("git", str(error), NOT_READ) from error


def answer(verdict: Verdict) -> int:
    """Print the answer; returns the exit code."""
    sys.stdout.write(dump(verdict.document) + "\n")
    return 0 if verdict.go else 1
