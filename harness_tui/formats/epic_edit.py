"""What the operator changes in the JSON files of an epic, byte-preserving.

Answers in the bundle, spent units and the pending list in the state (formats/interrupt-budget 1; 3, "Writing an answer
back").

Each function gives the whole new document, the same bytes when there is nothing to change. All raise `EditError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from harness_tui.formats.json_edit import EditError, append, remove, set_value
from harness_tui.formats.json_fields import first, text, word
from harness_tui.formats.strict_json import BadJson, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness_tui.model.answer import Settled

BUNDLE_LISTS: Final = ("decisions", "decisionBundle", "decision_bundle")
PENDING_LISTS: Final = ("pending_decisions", "pendingDecisions")
OLD_HISTORY: Final = "interrupt_history"
"""Where units are recorded when the budget is a bare number, which has no place for a history."""
RECORDER: Final = "harness-tui"
"""Who recorded a decision, as it stands in its `recorded_by`: what a crash left out is completed for our own only."""
TIMES: Final = {
    "resolved": "resolved_at",
    "assumed": "resolved_at",
    "deferred": "deferred_at",
    "critical-blocked": "blocked_at",
}
"""Where a decision keeps the time at which it was settled, by its status."""

_LEVELS: Final = ("critical", "high", "medium", "low")


class Row(NamedTuple):
    """One object of a list or of an object by id: its place in the document, its id, and its value."""

    path: tuple[str | int, ...]
    id: str
    value: dict[str, Any]


def value_of(data: bytes) -> Any:
    """The value of a document. Raises `EditError` when it is damaged."""
    try:
        return loads(data)
    except BadJson as error:
        raise EditError(f"line {error.line}: {error.reason}") from None


def rows_of(value: Any, names: Iterable[str]) -> Iterator[Row]:
    """Rows of the first list or object by id under one of `names`, or of `value` itself when it is a list."""
    start: tuple[str, ...] = ()
    if isinstance(value, dict):
        name = next((name for name in names if value.get(name) is not None), None)
        if name is None:
            return
        start, value = (name,), value[name]
    if isinstance(value, dict):
        yield from (Row((*start, key), text(key), row) for key, row in value.items() if isinstance(row, dict))
    elif isinstance(value, list):
        yield from (
            Row((*start, at), text(row.get("id")), row) for at, row in enumerate(value) if isinstance(row, dict)
        )


def the_row(value: Any, names: Iterable[str], name: str, what: str) -> Row:
    """The one row of that id. Raises `EditError` when there is none, or more than one."""
    found = [row for row in rows_of(value, names) if row.id == name]
    if len(found) != 1:
        why = f"it holds {name} more than once" if found else f"it does not hold {name}"
        raise EditError(f"{why}: {what}; mend the file")
    return found[0]


def recorded_here(data: bytes) -> frozenset[str]:
    """Ids of the decisions in a bundle that were settled by `settle`."""
    return frozenset(
        row.id for row in rows_of(value_of(data), BUNDLE_LISTS) if row.value.get("recorded_by") == RECORDER
    )


def settle(data: bytes, settled: Sequence[Settled], at: str, *, sign: str) -> bytes:
    """A bundle with what became of its questions; `at` is the time. One that says so already stays as it is.

    `sign` goes before the default with which the work goes on where nobody answered.
    """
    for item in settled:
        row = the_row(value_of(data), BUNDLE_LISTS, item.question_id, "an answer needs one place")
        name = "resolved_value" if "resolved_value" in row.value and "resolution" not in row.value else "resolution"
        recorded = item.status in ("resolved", "assumed")
        same = not recorded or text(row.value.get(name)) == text(item.resolution)
        if same and word(row.value.get("status")) == word(item.status):
            continue
        fields: dict[str, Any] = {"status": item.status}
        if recorded:
            fields[name] = item.resolution
        fields |= {TIMES[item.status]: at, "recorded_by": RECORDER}
        if item.status in ("assumed", "critical-blocked") and item.resolution is not None:
            fields["assumption"] = f"{sign}: {item.resolution}"
        for key, value in fields.items():
            data = set_value(data, (*row.path, key), value)
    return data


def spend(data: bytes, at: str, stage: str, packet_id: str | None) -> bytes:
    """A state with one unit more spent. The budget must be readable and have one left: that is for the caller."""
    value = value_of(data)
    budget = value.get("interrupt_budget")
    unit = {"at": at, "stage": stage, "packet_id": packet_id}
    if isinstance(budget, dict):
        consumed, home = budget["consumed"] + 1, ("interrupt_budget",)
        data = set_value(data, (*home, "consumed"), consumed)
        data = set_value(data, (*home, "remaining"), budget["total"] - consumed)
        return _record(data, (*home, "history"), budget.get("history"), unit)
    data = set_value(data, ("interrupts_used",), value["interrupts_used"] + 1)
    return _record(data, (OLD_HISTORY,), value.get(OLD_HISTORY), unit)


def old_history(data: bytes) -> list[str]:
    """Packets that are recorded beside a budget that is a bare number."""
    found = value_of(data).get(OLD_HISTORY)
    return [text(item.get("packet_id")) for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def rebuild_pending(data: bytes, bundle: bytes) -> bytes:
    """A state whose pending list follows the bundle: what is decided goes, what must be confirmed is there.

    Rows that the bundle does not know stay. Without a list nothing is made.
    """
    name = next((name for name in PENDING_LISTS if isinstance(value_of(data).get(name), list)), None)
    if name is None:
        return data
    decided = list(rows_of(value_of(bundle), BUNDLE_LISTS))
    waiting = {row.id for row in decided if word(row.value.get("status")) in ("", "pending", "open")}
    done = {row.id for row in decided} - waiting
    listed = [text(row.get("id")) if isinstance(row, dict) else text(row) for row in value_of(data)[name]]
    for index in reversed([index for index, row in enumerate(listed) if row in done]):
        data = remove(data, (name, index))
    if name == PENDING_LISTS[0]:
        for row in decided:
            if row.id in waiting and row.id not in listed and word(row.value.get("category")) == "must_confirm":
                data = append(data, (name,), _pending_row(row))
    return data


def touch(data: bytes, at: str) -> bytes:
    """A state that says that it changed at `at`."""
    return set_value(data, ("updatedAt" if "updatedAt" in value_of(data) else "updated_at",), at)


def mark_task(data: bytes, mark: str) -> bytes:
    """A task whose notes hold `mark`. Raises `EditError` when it is damaged."""
    value = value_of(data)
    if not isinstance(value, dict):
        raise EditError("it is no object")
    notes = first(value, "notes")
    if isinstance(notes, list):
        return data if mark in notes else append(data, ("notes",), mark)
    said = notes if isinstance(notes, str) else ""
    if mark in said.split("\n"):
        return data
    return set_value(data, ("notes",), f"{said}\n{mark}" if said else mark)


def _record(data: bytes, path: tuple[str, ...], history: Any, unit: dict[str, Any]) -> bytes:
    if isinstance(history, list):
        return append(data, path, unit)
    if history is not None:
        raise EditError(f"{'.'.join(path)} is no list; mend the file")
    return set_value(data, path, [unit])


def _pending_row(row: Row) -> dict[str, Any]:
    """A row of the bundle as the pending list holds it; each of the two levels stands in for the other."""
    risk, severity = row.value.get("risk_if_wrong"), row.value.get("severity")
    return {
        "id": row.id,
        "question": first(row.value, "question", "description") or "",
        "category": "must_confirm",
        "severity": _level(severity or risk),
        "risk_if_wrong": _level(risk or severity),
        "status": "pending",
        "source_ref": row.value.get("source_ref") or "",
        "source_artifact": row.value.get("source_artifact") or "decision-bundle.json",
        "why_now": row.value.get("why_now") or "",
        "options": row.value.get("options") or [],
        "default_action": first(row.value, "default_action", "proposed_default") or "",
    }


def _level(value: Any) -> str:
    found = word(value)
    return found if found in _LEVELS else "high"
