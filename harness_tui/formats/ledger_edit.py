"""Entries of the unknowns ledger that an answer closes, or the lack of one adds (formats/interrupt-budget 1, 3)."""

from __future__ import annotations

from typing import Any, Final

from harness_tui.formats.epic_edit import rows_of, the_row, value_of
from harness_tui.formats.json_edit import EditError, append, set_value
from harness_tui.formats.json_fields import first, text, word

LEDGER_LISTS: Final = ("entries", "unknowns")


def resolve_unknown(data: bytes, name: str, resolution: str, at: str, stage: str) -> bytes:
    """A ledger in which the entry `name` is resolved, its open entries counted anew; unchanged when it is already."""
    row = the_row(value_of(data), LEDGER_LISTS, name, "the unknown that the question is linked to")
    if "status" not in row.value and word(row.value.get("resolution")) in ("pending", "open", "resolved"):
        fields: dict[str, Any] = {"resolution": "resolved", "resolution_note": resolution}  # the older shape
    else:
        fields = {"status": "resolved", "resolution": resolution, "resolved_at": at}
        if stage:
            fields["resolved_at_stage"] = stage
    state = "status" if "status" in fields else "resolution"
    if word(row.value.get(state)) == "resolved":
        return data
    for key, value in fields.items():
        data = set_value(data, (*row.path, key), value)
    return _counted(data)


def add_blocked(data: bytes, question_id: str, question: str, default: str | None, stage: str, *, sign: str) -> bytes:
    """A ledger that says that a question was left unanswered, CRITICAL-BLOCKED; unchanged when it says so already."""
    value = value_of(data)
    rows = list(rows_of(value, LEDGER_LISTS))
    linked = [row for row in rows if text(row.value.get("linked_dec")) == question_id]
    known = next((row for row in linked if row.value.get("status") != "resolved"), None)
    if known is not None:
        marked = known.value.get("critical_blocked") not in (None, False)
        return data if marked else set_value(data, (*known.path, "critical_blocked"), value=True)
    where = _list_in(value)
    going = f"; {sign}: {default}" if default is not None else ""
    entry = {
        "id": _next_id([row.id for row in rows]),
        "description": f"CRITICAL-BLOCKED: {question}{going}",
        "discovered_at": stage,
        "impact": "critical",
        "classification": "blocker",
        "linked_dec": question_id,
        "critical_blocked": True,
        "status": "open",
        "resolution": None,
        "resolved_at": None,
    }
    return _counted(append(data, where, entry))


def new_ledger(epic_id: str, at: str) -> dict[str, Any]:
    """An empty ledger."""
    return {"epic_id": epic_id, "version": "1.0", "created_at": at, "entries": []}


def _list_in(value: Any) -> tuple[str, ...]:
    """Where the list of entries stands; the whole document may be it. Raises `EditError`."""
    if isinstance(value, list):
        return ()
    for name in LEDGER_LISTS:
        if isinstance(value, dict) and isinstance(value.get(name), list):
            return (name,)
    raise EditError("it holds no list of entries; mend the file")


def _next_id(ids: list[str]) -> str:
    numbers = [int(tail) for name in ids if (tail := name.rpartition("-")[2]).isascii() and tail.isdigit()]
    return f"UNK-{max(numbers, default=0) + 1:03d}"


def _counted(data: bytes) -> bytes:
    """The summary with the counts that follow from the entries; what it does not count stays out."""
    value = value_of(data)
    summary = first(value, "summary") if isinstance(value, dict) else None
    if not isinstance(summary, dict):
        return data
    rows = [row.value for row in rows_of(value, LEDGER_LISTS)]
    counts = {"total": len(rows), "open": sum(word(row.get("status")) in ("", "open") for row in rows)}
    for stage in ("spec", "plan", "verify"):
        counts[f"resolved_in_{stage}"] = sum(
            word(row.get("status")) == "resolved" and word(row.get("resolved_at_stage")) == stage for row in rows
        )
    for key, count in counts.items():
        if key in summary and summary[key] != count:
            data = set_value(data, ("summary", key), count)
    return data
