"""Searching the lines of a file step by step, so that a gigabyte can be searched between other work."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, NamedTuple

from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.workspace.tail import LineFile

_SPECIAL = regex(rb"[\\.^$*+?{}\[\]|()]")
STEP = 1 << 20
"""Bytes looked at in one step."""


class Found(NamedTuple):
    """Result of one step: the matching line or None, the line to go on from, and whether there is nothing left."""

    line: int | None
    next_line: int
    done: bool


def search(
    file: LineFile, pattern: re.Pattern[bytes], start_line: int, *, forward: bool = True, budget: int = STEP
) -> Found:
    """The next line from `start_line` on (itself included) that `pattern` matches, within about `budget` bytes.

    Only counted lines are searched; `done` comes when all are. Of a line longer than `budget` the first part is
    looked at.
    """
    start_line = max(start_line, 0) if forward else min(start_line, file.total - 1)
    if not 0 <= start_line < file.total:
        return Found(None, start_line, done=file.complete or not forward)
    if forward:
        data, after = _chunk(file, start_line, budget)
        hit = next(_matches(pattern, data, start_line), None)
        go_on = after if hit is None else hit + 1
        return Found(hit, go_on, done=file.complete and go_on >= file.total)
    data, first = _chunk_before(file, start_line, budget)
    hit = max(_matches(pattern, data, first), default=None)
    go_on = (first if hit is None else hit) - 1
    return Found(hit, go_on, done=go_on < 0)


def matching_lines(
    file: LineFile, pattern: re.Pattern[bytes], start_line: int = 0, *, budget: int = STEP
) -> tuple[array[int], int]:
    """Numbers of the complete lines from `start_line` on that match, within about `budget` bytes, and where to go on.

    All are seen when the second value is the number of complete lines; as the file grows, go on from there. An
    unfinished last line waits until it has its end.
    """
    complete = file.total - (1 if file.complete and file.partial else 0)
    if not 0 <= start_line < complete:
        return array("Q"), min(max(start_line, 0), complete)
    data, after = _chunk(file, start_line, budget)
    return array("Q", (n for n in _matches(pattern, data, start_line) if n < complete)), min(after, complete)


def _chunk(file: LineFile, first: int, budget: int) -> tuple[bytes, int]:
    """Whole lines from `first` on, and the number of the line after them; or the first part of one long line."""
    at = file.offset(first)
    after = max(file.line_at(at + budget), first + 1)
    return file.read(at, min(file.offset(after) - at, budget)), after


def _chunk_before(file: LineFile, last: int, budget: int) -> tuple[bytes, int]:
    """Whole lines up to `last` and the number of the first of them; or the first part of one long line."""
    end = file.offset(last + 1)
    first = file.line_at(max(0, end - budget - 1)) + 1 if end > budget else 0
    first = min(first, last)
    at = file.offset(first)
    return file.read(at, min(budget, end - at)), first


def _matches(pattern: re.Pattern[bytes], data: bytes, first: int) -> Iterator[int]:
    """Numbers of the matching lines of `data`, whose first line is `first`."""
    plain = _plain(pattern.pattern)
    if plain is None:
        lines = data.removesuffix(b"\n").split(b"\n") if data else []
        return (number for number, line in enumerate(lines, first) if pattern.search(line.removesuffix(b"\r")))
    if pattern.flags & re.IGNORECASE:  # of bytes, that means the letters of ASCII
        return _hits(plain.lower(), data.lower(), first)
    return _hits(plain, data, first)


def _plain(pattern: bytes) -> bytes | None:
    """The text that `pattern` stands for, if it is plain: then no match reaches over a line end."""
    plain = re.sub(rb"\\([^0-9A-Za-z])", rb"\1", pattern)
    if not plain or b"\n" in plain:
        return None
    return plain if pattern == re.escape(plain) or not _SPECIAL.search(pattern) else None


def _hits(plain: bytes, data: bytes, first: int) -> Iterator[int]:
    at = counted = 0
    number = first
    while (place := data.find(plain, at)) >= 0:
        number += data.count(b"\n", counted, place)
        counted = place
        yield number
        at = data.find(b"\n", place) + 1
        if not at:
            return
