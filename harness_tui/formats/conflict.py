"""A file in which git left both sides of a merge: what it says is not decided, whoever reads it."""

from __future__ import annotations

import re

from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

_OURS, _THEIRS = regex(rb"^<{7} ", re.MULTILINE), regex(rb"^>{7} ", re.MULTILINE)


def merge_conflict(data: bytes, path: str) -> Problem | None:
    """The problem that `data` holds the marks of a conflict; None without any."""
    if b"<<<<<<< " not in data:
        return None
    ours = _OURS.search(data)
    if ours is None or _THEIRS.search(data, ours.end()) is None:
        return None
    text = "git left both sides of a merge here: neither is to be trusted until the conflict is resolved"
    return Problem(path, data.count(b"\n", 0, ours.start()) + 1, "error", "merge-conflict", text)
