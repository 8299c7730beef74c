"""`unknowns-ledger.json`, and the two marks that ledger and tasks carry (formats/interrupt-budget 1, 3 and row 8).

CRITICAL-BLOCKED is accepted as status, classification, tag, field `critical_blocked`, or at the start of the
description, in any case and with `-`, `_` or a blank. ASSUMPTION needs its sign U+26A0 in title or notes, or stands in
a list of flags.
"""

from __future__ import annotations

import re

from harness_tui.formats.epic_place import epic_of, other_epic
from harness_tui.formats.json_fields import (
    first,
    lines_of_ids,
    moment,
    read_json,
    rows,
    skipped,
    text,
    text_or_none,
    word,
)  # fmt: skip
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.model.unknown import Ledger, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from harness_tui.model.unknown import UnknownState

_CODE: Final = "unreadable-ledger"
_LISTS: Final = ("entries", "unknowns")
_BLOCKED: Final = "critical_blocked"
_BLOCKED_START: Final = regex(r"\W*critical[-_\s]+blocked(?![^\W_])", re.IGNORECASE)
_ASSUMPTION: Final = regex("\u26a0\ufe0f?[\\s*_`\\[]*ASSUMPTION(?![^\\W_])", re.IGNORECASE)
_ASSUMPTION_FLAG: Final = regex(r"[\W_]*ASSUMPTION[\W_]*", re.IGNORECASE)
_STATES: Final[dict[str, UnknownState]] = {
    "resolved": "resolved",
    "deferred": "deferred",
    "assumed": "assumed",
}


def parse_ledger(data: bytes, path: str) -> Ledger:
    """The ledger, `unreadable` with a problem when it is none. Never raises."""
    value, why, problems = read_json(data, path, _CODE, "the unknowns ledger")
    if why:
        return Ledger(path, unreadable=why, problems=problems)
    parts = [value] if isinstance(value, list) else []
    if isinstance(value, dict):
        parts = [value[name] for name in _LISTS if isinstance(value.get(name), list | dict)]
    if not parts:
        why = "it holds no list of entries"
        problem = Problem(path, None, "error", _CODE, f"the unknowns ledger can't be read: {why}; mend the file")
        return Ledger(path, unreadable=why, problems=(problem,))
    lines = lines_of_ids(data)
    entries = tuple(_entry(row, path, lines) for part in parts for row in rows(part))
    remarks = [*other_epic(value, path, "ledger")] if isinstance(value, dict) else []
    lost = sum(skipped(part) for part in parts)
    if lost:
        message = f"{lost} of the ledger's entries are no objects and can't be shown; mend the file"
        remarks.append(Problem(path, None, "error", "unreadable-unknown", message))
    return Ledger(path, entries, problems=tuple(remarks))


def parse_assumption(data: bytes, path: str, epic_id: str) -> Unknown | None:
    """The assumption on which a task (`tasks/<epic>.<n>.json`) was built, None when it has no sign or is damaged."""
    value, why, _ = read_json(data, path, "unreadable-task", "the task")
    if why or not isinstance(value, dict) or not is_assumption(value):
        return None
    said = [item for item in _texts(value, "title", "notes") if _ASSUMPTION.search(item)]
    name = text(value.get("id")) or path.rsplit("/", 1)[-1].removesuffix(".json")
    return Unknown(
        epic_id=epic_id,
        id=name,
        description=said[0] if said else text(value.get("title")),
        impact="",
        state="assumed",
        critical_blocked=False,
        path=path,
        assumption=True,
        task_id=name,
        task_status=text(value.get("status")),
    )


def is_critical_blocked(row: dict[str, Any]) -> bool:
    """Whether an entry carries the mark CRITICAL-BLOCKED."""
    if row.get(_BLOCKED) not in (None, False):
        return True
    words = [word(row.get("status")), word(row.get("classification")), *map(word, _list(row, "tags", "flags"))]
    return _BLOCKED in (item.strip("[]") for item in words) or bool(_BLOCKED_START.match(text(row.get("description"))))


def is_assumption(row: dict[str, Any]) -> bool:
    """Whether an entry or a task carries the mark ASSUMPTION."""
    flagged = any(map(_ASSUMPTION_FLAG.fullmatch, _list(row, "flags", "tags")))
    return flagged or any(map(_ASSUMPTION.search, _texts(row, "title", "description", "notes")))


def _entry(row: dict[str, Any], path: str, lines: dict[str, list[int]]) -> Unknown:
    name = text(row.get("id"))
    places = lines.get(name)
    state = _state(row)
    said = None if _spoken(row) else text_or_none(row.get("resolution"))
    return Unknown(
        epic_id=epic_of(path),
        id=name,
        description=text(first(row, "description", "question")),
        impact=text(row.get("impact")),
        state=state,
        critical_blocked=state != "resolved" and is_critical_blocked(row),
        path=path,
        line=places.pop(0) if places else None,
        assumption=is_assumption(row),
        linked_decision=text_or_none(row.get("linked_dec")),
        discovered_at=text(row.get("discovered_at")),
        classification=text(row.get("classification")),
        resolution=text_or_none(row.get("resolution_note")) or said,
        resolved_at=moment(row.get("resolved_at")),
    )


def _state(row: dict[str, Any]) -> UnknownState:
    """The state; without a status the older shape tells it in `resolution`. An unknown word is open."""
    said = row.get("status") if word(row.get("status")) else row.get("resolution")
    return _STATES.get(word(said), "open")


def _spoken(row: dict[str, Any]) -> bool:
    """Whether `resolution` holds a state and no resolution."""
    return not word(row.get("status")) and word(row.get("resolution")) in {*_STATES, "pending", "open"}


def _list(row: dict[str, Any], *names: str) -> Iterator[str]:
    """Single texts of lists, or of texts with commas."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            yield from value.split(",")
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, str))


def _texts(row: dict[str, Any], *names: str) -> Iterator[str]:
    for name in names:
        value = row.get(name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield text(item)
