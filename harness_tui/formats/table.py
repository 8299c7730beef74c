"""Pipe tables of GitHub Markdown, line by line: what is a row, what is a separator, where code hides both.

A Markdown library drops surplus cells without a word; here every line keeps its number and its count of cells.
"""

from __future__ import annotations

import re
from itertools import pairwise

from harness_tui.model.regex import regex

_DASHES = regex(r":?-+:?")
_ESCAPED = regex(r"\\\|")
_DOUBLE = "\\\\|"
_BAR = regex(r"(\\*)\|")
_FENCE = regex(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_ROW = regex(r" {0,3}\|")
_PLACEHOLDER = "\x00"


def split_cells(line: str, width: int = 0) -> list[str]:
    r"""Cells of a row, stripped, with `\|` read as a pipe inside its cell; pipes at both ends may be left out.

    A pipe behind two backslashes is escaped for some readers and not for others: the reading that gives `width` cells
    is taken. As in GitHub's tables, backticks protect no pipe.
    """
    if "\\" not in line:
        return _split(line)
    if _DOUBLE in line:
        plain = [_show(cell) for cell in _split(_hide(line.replace(_DOUBLE, "\\\\ |")))]
        if len(plain) == width:
            return plain
    return [_show(cell) for cell in _split(_hide(line))]


def cell_spans(line: str, width: int) -> list[tuple[int, int]]:
    """Where each cell of `split_cells(line, width)` begins and ends in `line`, blanks around it left out."""
    if _DOUBLE in line:
        spans = _spans(line, [match.end() - 1 for match in _BAR.finditer(line) if len(match[1]) != 1])
        if len(spans) == width:
            return spans
    return _spans(line, [at for at, char in enumerate(line) if char == "|" and line[at - 1 : at] != "\\"])


def _spans(line: str, bars: list[int]) -> list[tuple[int, int]]:
    begin, end = len(line) - len(line.lstrip()), len(line.rstrip())
    edges = [begin - 1, *(at for at in bars if begin <= at < end), end]
    spans = [_stripped(line, left + 1, right) for left, right in pairwise(edges)]
    if len(spans) > 1:
        if spans[0][0] == spans[0][1]:
            del spans[0]
        if len(spans) > 1 and spans[-1][0] == spans[-1][1]:
            del spans[-1]
    return spans


def _stripped(line: str, start: int, end: int) -> tuple[int, int]:
    """The part of `line[start:end]` without blanks around it; where there is nothing else, an empty part."""
    text = line[start:end]
    head = start + len(text) - len(text.lstrip())
    return (head, start + len(text.rstrip())) if text.strip() else (start, start)


def _hide(line: str) -> str:
    """`line` with escaped pipes put out of the way; cleaned text holds no NUL."""
    return _ESCAPED.sub(_PLACEHOLDER, line)


def _show(cell: str) -> str:
    return cell.replace(_PLACEHOLDER, "|")


def _split(line: str) -> list[str]:
    cells = line.strip().split("|")
    if len(cells) > 1:
        if not cells[0].strip():
            del cells[0]
        if len(cells) > 1 and not cells[-1].strip():
            del cells[-1]
    return [cell.strip() for cell in cells]


def is_separator(line: str) -> bool:
    """Whether `line` stands between a table's head and its rows (`|---|:-:|`)."""
    if "-" not in line or "|" not in line or line.strip("|-: \t\r"):
        return False
    return all(_DASHES.fullmatch(cell) for cell in _split(line))


def is_row(line: str) -> bool:
    """Whether `line` starts with a pipe and is not indented as code."""
    return line.startswith("|") or _ROW.match(line) is not None


def header_names(line: str) -> tuple[str, ...]:
    """Column names of a header line: lower case, without emphasis."""
    return tuple(re.sub(r"[*_`]", "", cell).strip().casefold() for cell in split_cells(line))


class Blocks:
    """Follows fences and HTML comments from line to line: what stands inside is no table, heading or text."""

    def __init__(self) -> None:
        self._fence = ""
        self._comment = False
        self.opened = 0

    def hides(self, line: str, number: int) -> bool:
        """Whether `line` is inside a fence or comment, or a mark of one. Call it for every line, in order."""
        if self._fence:
            self._close(line)
            return True
        if self._comment:
            self._comment = "-->" not in line
            return True
        fence = _FENCE.match(line)
        if fence is not None and not (fence[1][0] == "`" and "`" in fence[2]):
            self._fence, self.opened = fence[1], number
            return True
        if line.lstrip().startswith("<!--"):
            self._comment, self.opened = "-->" not in line, number
            return True
        return False

    @property
    def open(self) -> bool:
        """Whether a fence or comment was never closed; `opened` is the line on which it starts."""
        return bool(self._fence) or self._comment

    def _close(self, line: str) -> None:
        mark = line.strip()
        if mark.startswith(self._fence) and not mark.strip(self._fence[0]):
            self._fence = ""
