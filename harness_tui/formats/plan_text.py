"""What a plan says around its table: title, fields of its quote, notes (formats/harness-kit 1.1, P19 to P21)."""

from __future__ import annotations

import re

from harness_tui.formats.plan_table import HEADING
from harness_tui.formats.table import Blocks
from harness_tui.formats.text import clean
from harness_tui.model.pool import Note
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_FIELD = regex(r"[*_]{0,3}([^\W\d][\w -]{0,30})[*_]{0,3}\s*[:：][*_]{0,3}\s*(?!//)(\S.*)")
_NOTES = regex(r"[\d.\s]{0,6}(?:notes?\b|备注|注意)", re.IGNORECASE)
_BULLET = regex(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)", re.DOTALL)
_LONGEST_NOTE: Final = 20_000


class PlanText:
    """Reads the lines of a plan that do not start with a pipe."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.title = ""
        self.fields: list[tuple[str, str]] = []
        self.notes: list[Note] = []
        self._depth = 0
        self._past_top = False
        self._open = False
        self._blank = False
        self._bullet = -1
        blocks = Blocks()
        for index, line in enumerate(lines):
            if line[:1] == "|":
                self._open = False
            elif not blocks.hides(line, index + 1):
                self._read(index + 1, line)

    def _read(self, number: int, line: str) -> None:
        heading = HEADING.match(line)
        if heading is not None:
            self._heading(len(heading[1]), clean(heading[2] or "").strip().rstrip("#").rstrip())
        elif self._depth:
            self._note(number, line)
        elif not self._past_top and line.lstrip().startswith(">"):
            self._quote(clean(line.strip().lstrip("> ")))

    def _heading(self, level: int, title: str) -> None:
        self._open = False
        if level == 1 and not self.title:
            self.title = title
            return
        self._past_top = True
        if self._depth and level > self._depth:
            return
        self._depth = level if _NOTES.match(title) else 0

    def _quote(self, text: str) -> None:
        for part in text.split(" · "):
            match = _FIELD.fullmatch(part.strip())
            if match is not None:
                self.fields.append((match[1].strip(), match[2].strip()))

    def _note(self, number: int, line: str) -> None:
        """One line of the notes: a new bullet or paragraph, or more of the one above (nested, wrapped, indented)."""
        blank, self._blank = self._blank, not line.strip()
        if self._blank:
            return
        bullet = _BULLET.match(line)
        indent = len(line) - len(line.lstrip())
        if bullet is not None:
            nested = self._open and 0 <= self._bullet < indent
        else:
            nested = self._open and (not blank or 0 <= self._bullet < indent)
        if nested:
            self._append(line)
            return
        self.notes.append(Note(number, _text(bullet[2] if bullet else line)))
        self._open, self._bullet = True, indent if bullet else -1

    def _append(self, line: str) -> None:
        last = self.notes[-1]
        if len(last.text) < _LONGEST_NOTE:
            self.notes[-1] = Note(last.line, f"{last.text} {_text(line)}")


def _text(line: str) -> str:
    return clean(line.strip())
