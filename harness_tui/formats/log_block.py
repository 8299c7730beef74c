"""A block of whole log lines, reduced to what a log's facts need of it.

Two patterns run over all bytes: one for the first word of every line, one for the words that decide a kind. Python code
runs only for lines that they find; everything else is counted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from harness_tui.formats.log_line import (
    ENTRY,
    FIELDS,
    HEAD,
    HEADING,
    KEY,
    RESULT_KINDS,
    RUN_KINDS,
    SEPARATOR,
    TIMED,
    WORD,
    id_after,
    rollbacks_of,
    run_heading,
    stamp_of,
    states_baseline,
    task_id_of,
    word_kind,
)

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.log import EntryKind

_SEPARATOR: Final = SEPARATOR.encode()
_STOPS: Final = RUN_KINDS | {"stop"}
_KNOWN_KINDS: dict[bytes, EntryKind] = {}
"""Kinds by their words, as they were met."""
_MOST_KINDS: Final = 1000


class Block:
    """What the lines of one block say. Lines are counted from 0; a fact names the last line that gives it.

    `count` is the number of entries, `last` the last of them (-1: none). `attempts`, `dispatch`, `result`, `latest` and
    `rollbacks` are kept by task id.
    """

    def __init__(self, block: bytes) -> None:
        self._data = b"\n" + block
        self.lines = block.split(b"\n")
        self.lines.pop()
        self._words: list[bytes] = FIELDS.findall(self._data)
        self._words.pop()
        seen = dict(zip(self._words, range(len(self.lines)), strict=True))
        self._ids = {word: task_id for word in seen if (task_id := _task_id(word)) is not None}
        self._bare = self._entries_without_field() if b"" in seen else frozenset()
        self.count = len(self.lines) - (self._words.count(b"") if b"" in seen else 0) + len(self._bare)
        self.last = max((*self._bare, *(index for word, index in seen.items() if word)), default=-1)
        self.attempts: dict[str, int] = {}
        self.dispatch: dict[str, int] = {}
        self.result: dict[str, int] = {}
        self.latest: dict[str, int] = {}
        self.rollbacks: dict[str, int] = {}
        self.run = self.gate = self.baseline = -1
        for word, task_id in self._ids.items():
            self.latest[task_id] = max(seen[word], self.latest.get(task_id, -1))
        self._after: dict[int, str] = {}
        self._read_events()
        self._read_rollbacks()

    def first_time(self) -> datetime | None:
        """The first instant that an entry gives."""
        return self._time(range(len(self.lines)))

    def last_time(self) -> datetime | None:
        """The instant of the last entry that gives one."""
        return self._time(range(self.last, -1, -1))

    def _time(self, indexes: range) -> datetime | None:
        if TIMED.search(self._data) is None:
            return None
        stamps = (stamp_of(text_of(self.lines[index])) for index in indexes)
        return next((stamp.at for stamp in stamps if stamp is not None and stamp.at is not None), None)

    def _entries_without_field(self) -> frozenset[int]:
        lines = self.lines
        return frozenset(index for index, word in enumerate(self._words) if not word and ENTRY.match(lines[index]))

    def _task_id(self, index: int) -> str | None:
        return self._ids.get(self._words[index]) or self._after.get(index)

    def _read_events(self) -> None:
        kinds, baselines = self._kinds()
        for index, kind in kinds.items():
            task_id = self._ids.get(self._words[index])
            if kind == "dispatch":
                if task_id is not None:
                    self.attempts[task_id] = self.attempts.get(task_id, 0) + 1
                    self.dispatch[task_id] = index
            elif kind in RESULT_KINDS:
                if task_id is not None:
                    self.result[task_id] = index
            elif kind == "regression-gate":
                self.gate = index
                self._read_after(index, task_id)
            elif task_id is None and kind in _STOPS:
                self.run = index
        for index in baselines:
            if states_baseline(text_of(self.lines[index]), kinds.get(index, "note")):
                self.baseline = index
        if b"#" in self._data:
            self._read_headings()

    def _read_after(self, index: int, task_id: str | None) -> None:
        line = self.lines[index]
        after = id_after(text_of(line)) if task_id is None and b"after " in line else None
        if after is not None:
            self._after[index] = after
            self.latest[after] = max(index, self.latest.get(after, -1))

    def _kinds(self) -> tuple[dict[int, EntryKind], list[int]]:
        """The kind of each line that is more than a note, and the lines that may state a baseline; both in order."""
        data, words, ids = self._data, self._words, self._ids
        bare, count, kind_of = self._bare, data.count, _KNOWN_KINDS.get
        glued = self._glued_kinds()
        kinds = dict(glued)
        baselines: dict[int, None] = {}
        index, position = -1, 0
        for hit in KEY.finditer(data):
            start = hit.start()
            index += count(b"\n", position, start)
            position = start
            kind = kind_of(hit[1]) or _kind(hit[1])
            if index in kinds and kind != "run":
                continue
            if not words[index] and index not in bare:
                continue
            if kind == "run":
                baselines[index] = None
            if kind in RUN_KINDS and (words[index] in ids or not self._stands_first(index, start)):
                continue
            if index not in kinds:
                kinds[index] = kind
        return dict(sorted(kinds.items())) if glued else kinds, list(baselines)

    def _glued_kinds(self) -> dict[int, EntryKind]:
        """Kinds of lines whose id is glued to the word that decides (L10)."""
        glued = {word: len(_SEPARATOR) + word.index(b" ") + 1 for word in self._ids if b" " in word}
        if not glued:
            return {}
        found: dict[int, EntryKind] = {}
        for index in [index for index, word in enumerate(self._words) if word in glued]:
            match = WORD.match(self.lines[index], self._field(index) + glued[self._words[index]])
            if match is not None:
                kind = _kind(match[1])
                if kind not in RUN_KINDS:
                    found[index] = kind
        return found

    def _field(self, index: int) -> int:
        """Where the separator after the time stands in a line that has one."""
        line = self.lines[index]
        place = line.find(_SEPARATOR)
        if line.find(b"(", 0, place) < 0:
            return place
        head = HEAD.match(line)
        return head.end() - len(_SEPARATOR) if head is not None else -1

    def _stands_first(self, index: int, start: int) -> bool:
        line_start = self._data.rfind(b"\n", 0, start) + 1
        return HEAD.match(self.lines[index]) is not None and self._field(index) == start - line_start

    def _read_headings(self) -> None:
        for heading in reversed(list(HEADING.finditer(self._data))):
            if run_heading(0, text_of(heading[1])) is not None:
                self.run = max(self.run, self._data.count(b"\n", 0, heading.start()))
                break

    def _read_rollbacks(self) -> None:
        """The last number for each id: from the end backwards, until every id has one."""
        data, index, position = self._data, len(self.lines), len(self._data)
        start = data.rfind(b"ollback")
        while start >= 0 and len(self.rollbacks) < len(self.latest):
            index -= data.count(b"\n", start, position)
            position = start
            task_id = self._task_id(index)
            if task_id is not None and task_id not in self.rollbacks:
                number = rollbacks_of(text_of(self.lines[index]))
                if number is not None:
                    self.rollbacks[task_id] = number
            start = data.rfind(b"ollback", 0, start)


def text_of(line: bytes) -> str:
    """A log line as text, without its carriage return; bytes that are no UTF-8 survive as lone surrogates."""
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


@lru_cache(maxsize=4096)
def _task_id(word: bytes) -> str | None:
    return task_id_of(word.partition(b" ")[0].decode("utf-8", "surrogateescape"))


def _kind(word: bytes) -> EntryKind:
    kind = word_kind(word.decode())
    if len(_KNOWN_KINDS) < _MOST_KINDS:
        _KNOWN_KINDS[word] = kind
    return kind
