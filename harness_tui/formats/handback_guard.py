"""The section Handback Guard of the control state: every value as written, none weighed (formats/servo 3)."""

from __future__ import annotations

from harness_tui.formats.servo_fields import canonical
from harness_tui.formats.servo_values import almost, flag, is_empty, whole_number
from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.model.handback import GuardRecord, Said, UnlockSignal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from harness_tui.formats.servo_fields import Field, ServoDocument

GUARD_SECTIONS = ("handback_guard", "handoff_guard", "handback_lock", "交接守卫")
_LOCK = ("handback_lock_active", "handoff_lock_active")
_STATE = ("handoff_state", "handback_state")
_ROUNDS = ("handback_reaffirmed_rounds",)
_THRESHOLD = ("stable_handback_threshold",)
_SIGNATURE = ("last_handback_signature",)
_REASONS = ("last_stop_reason", "stop_reason_history")
_UNLOCK = ("last_unlock_signal",)


def guard_record(documents: Sequence[ServoDocument], path: str) -> GuardRecord:
    """What the guard sections of `documents` say; `path` is the file that should have one.

    The same keys elsewhere are no part of it. A key that is wrong in one character is kept as `misspelt`.
    """
    fields = [(document, item) for document in documents for item in document.fields if in_guard(item)]
    line = next(
        (h.line for document in documents for h in document.headings if canonical(h.title) in GUARD_SECTIONS), None
    )

    def said(names: Sequence[str]) -> tuple[Said, ...]:
        return tuple(_said(document, item) for document, item in fields if item.name in names)

    return GuardRecord(
        path=path,
        present=bool(fields) or line is not None,
        line=line,
        lock=tuple(one for document, item in fields if item.name in _LOCK for one in _each(document, item)),
        state=said(_STATE),
        rounds=said(_ROUNDS),
        threshold=said(_THRESHOLD),
        signature=said(_SIGNATURE),
        stop_reasons=tuple(reason for document, item in fields for reason in _reasons(document, item)),
        unlocks=tuple(
            signal for document, item in fields if item.name in _UNLOCK for signal in _unlock(document, item)
        ),
        misspelt=tuple(
            (item.key or item.value, _said(document, item))
            for document, item in fields
            if any(almost(item.name or canonical(item.value.split(" ")[0].rstrip(";")), known) for known in _LOCK)
        ),
    )


def in_guard(item: Field) -> bool:
    """Whether a field belongs to the guard, the parts of an unlock signal aside."""
    return item.place != "front" and item.within(*GUARD_SECTIONS) and item.trail[-1:] != ("last_unlock_signal",)


def _said(document: ServoDocument, item: Field) -> Said:
    """A value, or that of the only item below it."""
    below = document.children(item)
    text = below[0].value if not item.value and len(below) == 1 and not below[0].name else item.value
    return Said(text, item.line, flag(text), whole_number(text), empty=is_empty(text) and not below)


def _each(document: ServoDocument, item: Field) -> list[Said]:
    """A value, and each plain yes or no in a list below it: remarks there are none."""
    below = [_said(document, child) for child in document.children(item) if not child.name]
    plain = [said for said in below if said.flag is not None]
    if plain and not item.value and len(plain) == len(below):
        return plain
    return [_said(document, item), *plain]


def _reasons(document: ServoDocument, item: Field) -> list[Said]:
    if item.name not in _REASONS:
        return []
    return [_said(document, one) for one in document.children(item) or (item,)]


def _unlock(document: ServoDocument, item: Field) -> list[UnlockSignal]:
    """The signal in its structured form (children or JSON), or as one line; nothing when it is empty.

    A part that is given twice holds both texts: whatever is wrong in one of them is wrong in it.
    """
    parts: dict[str, Any] = {}
    for child in document.children(item):
        if child.name:
            before = parts.setdefault(child.name, child.value)
            parts[child.name] = before if child.value == before else f"{before} / {child.value}"
    if not parts and item.value.startswith("{"):
        parts = _json(item.value)
    if parts:
        source, instruction, timestamp, confirmation = (
            _part(parts.get(name)) for name in ("source", "instruction", "timestamp", "confirmation")
        )
        return [UnlockSignal(instruction, item.line, source, timestamp, confirmation, structured=True)]
    items = " ".join(child.value for child in document.children(item))
    text = " ".join(part for part in (item.value, items) if part)
    return [] if is_empty(text) else [UnlockSignal(text, item.line)]


def _part(value: Any) -> str:
    return value if isinstance(value, str) and not is_empty(value) else ""


def _json(text: str) -> dict[str, Any]:
    try:
        found = loads(text.encode("utf-8", "surrogatepass"))
    except BadJson:
        return {}
    return found if isinstance(found, dict) else {}
