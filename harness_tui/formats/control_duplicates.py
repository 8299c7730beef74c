"""Keys that the control state gives more than once (formats/servo 1.4, deviations 1 to 3)."""

from __future__ import annotations

from harness_tui.formats.servo_fields import canonical
from harness_tui.model.control import Duplicate, Occurrence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from harness_tui.formats.servo_fields import Field, ServoDocument

HISTORY = frozenset(
    {
        "latest_closed_worktrack_commit", "verified_at", "last_stop_reason", "handback_note", "closeout_summary",
        "checkpoint_note",
    }
)  # fmt: skip
"""Keys that are repeated on purpose: each is one entry of a history."""

_PLAIN = frozenset({"updated", "owner", "status", "reason", "scope", "basis", "title", "semantics", "notes", "note"})


def is_note(item: Field) -> bool:
    """Whether the field stands in a section of notes, which hold history and no state."""
    return canonical(item.section) in {"notes", "current_control_notes", "control_notes", "备注"}


def duplicates(documents: Sequence[ServoDocument]) -> tuple[Duplicate, ...]:
    """Keys with several values in one section, then keys with different values in different sections or files."""
    doubled: dict[Hashable, list[tuple[Field, str]]] = {}
    spread: dict[Hashable, list[tuple[Field, str]]] = {}
    for document in documents:
        for item in document.fields:
            if not item.name.isidentifier() or item.name in HISTORY or is_note(item) or item.place == "front":
                continue
            key = (document.path, canonical(item.section), item.parent, item.name)
            doubled.setdefault(key, []).append((item, document.path))
            if not item.trail and "_" in item.name and item.name not in _PLAIN:
                spread.setdefault(item.name, []).append((item, document.path))
    found = [_duplicate(places, places[0][0].section) for places in doubled.values() if len(places) > 1]
    found += [
        _duplicate(places, "")
        for places in spread.values()
        if len({(path, canonical(item.section)) for item, path in places}) > 1
        and len({item.value for item, _ in places}) > 1
    ]
    return tuple(found)


def _duplicate(places: list[tuple[Field, str]], section: str) -> Duplicate:
    return Duplicate(
        section, places[0][0].key, tuple(Occurrence(item.section, item.value, item.line, path) for item, path in places)
    )
