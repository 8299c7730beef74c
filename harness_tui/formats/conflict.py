"""A file in which git left both sides of a merge: what it says is not decided, whoever reads it."""

from __future__ import annotations

from harness_tui.formats.table import Blocks
from harness_tui.formats.text import split_lines
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

_OURS, _THEIRS = regex(rb"<{7} "), regex(rb">{7} ")


def merge_conflict(data: bytes, path: str) -> Problem | None:
    """The problem that `data` holds the marks of a conflict; None without any.

    An example in a fence or comment is none, unless that never ends: then nobody knows what it was meant to hold.
    """
    if b"<<<<<<< " not in data:
        return None
    blocks, hidden, shown = Blocks(), 0, 0
    for number, line in enumerate(split_lines(data), 1):
        inside = blocks.hides(line.decode("utf-8", "replace"), number)
        if _OURS.match(line):
            hidden, shown = hidden or number, shown or (0 if inside else number)
        elif shown and _THEIRS.match(line):
            return _found(path, shown)
    ends = hidden and blocks.open and any(map(_THEIRS.match, split_lines(data)[hidden:]))
    return _found(path, hidden) if ends else None


def _found(path: str, line: int) -> Problem:
    text = "git left both sides of a merge here: neither is to be trusted until the conflict is resolved"
    return Problem(path, line, "error", "merge-conflict", text)
