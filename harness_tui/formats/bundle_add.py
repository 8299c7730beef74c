"""Puts a question that a packet or the pending list asks into the decision bundle, where its answer has a place.

An answer stands in the bundle and nowhere else (formats/interrupt-budget 1, "decision-packet.json"): for a question
that the bundle does not hold, its row is added as the bundle's own program would, and settled there in the same write.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.epic_edit import BUNDLE_LISTS, PENDING_LISTS, rows_of, value_of
from harness_tui.formats.json_edit import EditError, append, set_value
from harness_tui.formats.json_fields import first, text, word

if TYPE_CHECKING:
    from collections.abc import Mapping

_ASKED: Final = "must_confirm"
_CARRIED: Final = (
    "context", "options", "proposed_default", "default", "defaultAction", "why_now", "whyNow", "deadline",
    "risk_if_wrong", "riskIfWrong", "impact", "severity", "source_ref", "sourceRef", "evidence", "linked_unk",
)  # fmt: skip
"""What a question brings along as it is worded. An answer or a status that stands in a packet is not believed."""
_SOURCES: Final = (("decision-packet.json", ("questions",)), ("state.json", PENDING_LISTS))


def asked_row(packet: bytes | None, state: bytes | None, name: str) -> dict[str, Any]:
    """The question `name` as a row of a bundle, from the packet, else from the pending list. Raises `EditError`."""
    for (source, lists), data in zip(_SOURCES, (packet, state), strict=True):
        rows = rows_of(value_of(data), lists) if data is not None else ()
        for row in rows:
            if name == (text(row.value.get("id")) or row.id):
                return _row(name, row.value, source)
    raise EditError(f"no file asks {name} any more")


def with_question(bundle: bytes | None, row: Mapping[str, Any], epic: str, stage: str, at: str) -> bytes:
    """`bundle` with `row` as its last decision; a new one in the shape of its own program when there is none.

    `stage` and `at` are those of a new bundle. Raises `EditError`.
    """
    if bundle is None:
        summary = {"must_confirm": 1, "assumable": 0, "deferrable": 0, "interrupts_consumed": 0}
        new = {"epic": epic, "stage": stage, "created_at": at, "summary": summary, "decisions": [row]}
        try:
            return json.dumps(new, indent=2, ensure_ascii=False).encode() + b"\n"
        except UnicodeEncodeError:
            raise EditError("the text has no UTF-8 form") from None
    value = value_of(bundle)
    if isinstance(value, list):
        return append(bundle, (), row)
    held = value if isinstance(value, dict) else {}
    name = next((name for name in BUNDLE_LISTS if isinstance(held.get(name), list | dict)), None)
    if name is None:
        raise EditError("it holds no list of decisions")
    if isinstance(value[name], dict):
        return set_value(bundle, (name, row["id"]), row)
    return _counted(append(bundle, (name,), row), value.get("summary"))


def _counted(bundle: bytes, summary: Any) -> bytes:
    """The summary counts the questions to be confirmed, where it does so at all."""
    count = summary.get(_ASKED) if isinstance(summary, dict) else None
    return set_value(bundle, ("summary", _ASKED), count + 1) if type(count) is int else bundle


def _row(name: str, asked: dict[str, Any], source: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": name,
        "question": first(asked, "question", "description"),
        "category": word(first(asked, "category", "type")) or _ASKED,
    }
    found |= {key: asked[key] for key in _CARRIED if asked.get(key) is not None}
    if asked.get("default_action") is not None:
        found["proposed_default"] = asked["default_action"]
    return found | {"status": "pending", "source_artifact": source}
