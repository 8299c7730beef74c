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
    """Text of a file with LF line ends only, None when there is none; bytes that are no UTF-8 as lone surrogates.

    Raises `Failure` (4) when it is there and can't be read.
    """
    from harness_tui.formats.text import decode
    from harness_tui.workspace.files import FileError, read_file

    try:
        data = read_file(path)
    except FileError as error:
        if error.gone:
            return None
        raise Failure(path, error.reason, NOT_READ) from error
    return decode(data).replace("\r\n", "\n").replace("\r", "\n")


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
