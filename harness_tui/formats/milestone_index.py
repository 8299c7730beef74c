"""Backlogs and histories: lists of milestones or worktracks in any of their shapes (formats/servo 1.8).

Entries are headings (`### MS-1`, flat or below `## Active`), bullets (`- milestone_id: MS-1` with children or followed
by its fields), or bullets that begin with the id. A damaged list is unreadable, never an empty one.
"""

from __future__ import annotations

import re

from harness_tui.formats.servo_fields import Field, Heading, read_fields
from harness_tui.formats.servo_values import counts, first_word, is_empty
from harness_tui.model.frozen import field, record
from harness_tui.model.milestone import Index, IndexEntry
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from harness_tui.formats.servo_fields import ServoDocument

    Listed = Literal["milestone", "worktrack"]

_PREFIX = {"milestone": "MS", "worktrack": "WT"}
_GROUPS = frozenset({"planned", "active", "completed", "superseded", "done", "deferred", "blocked", "resolved"})
_ID = r"(?:\[[ xX]\]\s*)?[`*]*({0}-[\w.-]*\w)[`*]*\s*(?:[(（\[](\w[^)）\]]*)[)）\]])?"
_ANCHOR = {listed: regex(_ID.format(prefix)) for listed, prefix in _PREFIX.items()}
_UNFINISHED = regex(r"[`*]*((?:MS|WT)-[\w.-]*\w)[`*]*\s*[(（\[]\s*(?:planned|active)\b", re.IGNORECASE)
_COUNTERS = regex(r"(?:total|planned|active|completed|superseded)(?:_count)?")


def parse_milestone_index(data: bytes, path: str) -> Index:
    """The milestones of a backlog or history, in file order."""
    return _parse(data, path, "milestone")


def parse_worktrack_index(data: bytes, path: str) -> Index:
    """The worktracks of the worktrack backlog, in file order; of one id the last entry counts."""
    index = _parse(data, path, "worktrack")
    last = {entry.id: entry for entry in index.entries}
    return Index(path, tuple(last.values()), index.summary, index.readable, index.problems)


def _parse(data: bytes, path: str, listed: Listed) -> Index:
    document = read_fields(data, path)
    walk = _Walk(listed)
    lines: list[Field | Heading] = sorted((*document.headings, *document.fields), key=lambda one: one.line)
    for one in lines:
        if isinstance(one, Heading):
            walk.heading(one)
        elif one.place != "front":
            walk.field(one)
    entries = tuple(draft.entry() for draft in walk.drafts)
    readable = bool(entries) or _says_empty(document, data)
    problems = () if readable else (_damaged(path),)
    return Index(path, entries, _summary(document), readable, problems)


@record
class _Draft:
    """An entry that lines below may add to. `line` is where it starts, `level` that of its heading (0: a bullet)."""

    id: str
    line: int
    group: str
    level: int = 0
    parent: int = 0
    parts: dict[str, str] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)

    def entry(self) -> IndexEntry:
        parts = self.parts
        return IndexEntry(
            id=self.id,
            status=first_word(parts.get("status", "")) or self.group,
            title=parts.get("title", ""),
            line=self.line,
            milestone_id=parts.get("milestone_id", ""),
            verdict=parts.get("gate_verdict", ""),
            kind=parts.get("milestone_kind", ""),
            unfinished=tuple(self.unfinished),
        )


class _Walk:
    """Goes through headings and fields in order and finds the entries."""

    def __init__(self, listed: Listed) -> None:
        self.drafts: list[_Draft] = []
        self._key = f"{listed}_id"
        self._anchor = _ANCHOR[listed]
        self._group = ""
        self._current: _Draft | None = None

    def heading(self, one: Heading) -> None:
        match = self._anchor.match(one.title)
        if match:
            title = one.title[match.end() :].strip(" :：—–-")
            self._start(_Draft(match[1], one.line, first_word(match[2] or "") or self._group, one.level), title)
            self._mark(one.title)
            return
        if self._current is not None and self._current.level and one.level > self._current.level:
            return
        self._current = None
        word = first_word(one.title)
        self._group = word if word in _GROUPS else ("" if one.level <= 2 else self._group)  # noqa: PLR2004 - `##`

    def field(self, one: Field) -> None:
        current = self._current
        if one.name == self._key and not is_empty(one.value):
            if current is None or current.id != one.value:
                if current is None or not current.level or current.parts.get(self._key, one.value) != one.value:
                    self._start(_Draft(one.value, one.line, self._group_of(one), 0, one.parent), "")
                else:
                    current.id = one.value
            self._current_parts()[self._key] = one.value
        elif self._begins(one):
            text = f"{one.key}: {one.value}" if one.key else one.value
            match = self._anchor.match(text)
            if match:
                draft = _Draft(match[1], one.line, first_word(match[2] or "") or self._group_of(one), 0, one.parent)
                self._start(draft, text[match.end() :].strip(" :：—–-"))
                self._mark(text)
        elif current is not None:
            if self._belongs(one, current):
                current.parts.setdefault(one.name, one.value)
            self._mark(one.key or one.value)

    def _begins(self, one: Field) -> bool:
        """Whether a bullet starts an entry: it begins with an id, and is no part of an entry under a heading."""
        text = one.key or one.value
        inside = self._current is not None and (self._current.level or one.parent == self._current.line)
        return not inside and self._anchor.match(text) is not None and len(one.trail) <= 1

    def _belongs(self, one: Field, current: _Draft) -> bool:
        if not one.name:
            return False
        return not one.trail if current.level else one.parent in {current.line, current.parent}

    def _group_of(self, one: Field) -> str:
        word = first_word(one.trail[-1]) if one.trail else ""
        return word if word in _GROUPS else self._group

    def _start(self, draft: _Draft, title: str) -> None:
        if title:
            draft.parts["title"] = title
        self.drafts.append(draft)
        self._current = draft

    def _mark(self, text: str) -> None:
        match = _UNFINISHED.match(text)
        if match and self._current is not None:
            self._current.unfinished.append(match[1])

    def _current_parts(self) -> dict[str, str]:
        return self._current.parts if self._current is not None else {}


def _summary(document: ServoDocument) -> tuple[tuple[str, int], ...]:
    return counts(
        f"{item.name}={item.value}" if _COUNTERS.fullmatch(item.name) else item.value
        for item in document.fields
        if _COUNTERS.fullmatch(item.name) or item.name in {"summary", "pipeline_summary", "milestone_pipeline_summary"}
    )


def _says_empty(document: ServoDocument, data: bytes) -> bool:
    """Whether a list without entries is one that has none: no text at all, only headings, or `none`."""
    if not data.strip():
        return True
    body = [item for item in document.fields if item.place != "front" and not _COUNTERS.fullmatch(item.name)]
    return bool(document.headings) and all(is_empty(item.value) for item in body)


def _damaged(path: str) -> Problem:
    message = "no entry was found in this list, and it does not say that it is empty: it is not taken for an empty one"
    return Problem(path, None, "error", "backlog-damaged", message)
