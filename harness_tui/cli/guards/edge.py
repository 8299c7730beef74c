"""What guards have in common at the edge: the files and git that they ask, and how they answer."""

from __future__ import annotations

import sys

from harness_tui.cli.diagnostics import NOT_READ, Failure
from harness_tui.cli.json_text import dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from harness_tui.model.problem import Problem
    from harness_tui.rules.guards.verdict import Verdict
    from harness_tui.workspace.git_head import Head

_UNREAD: Final = frozenset({"unreadable", "not-a-file", "link-outside"})
"""Codes of problems of files that are there and were not read."""
_OTHER: Final = (".log", ".txt", ".png", ".jpg", ".svg", ".gif", ".pdf", ".csv", ".html", ".zip", ".gz")
"""Ends of names that neither a file has that a guard reads, nor a folder."""


def refuse_unread(problems: Iterable[Problem], *starts: str) -> None:
    """Raises `Failure` (4) for the first file that was not read: what is asked about may stand in it.

    It is one whose path begins with one of `starts`, or a folder that holds such files. A file of another kind than is
    read, as `trace.log`, is no matter.
    """
    for problem in problems:
        above = f"{problem.path}/"
        if (
            problem.code in _UNREAD
            and not problem.path.endswith(_OTHER)
            and any(problem.path.startswith(at) or at.startswith(above) for at in starts)
        ):
            raise Failure(problem.path, problem.message, NOT_READ)


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
