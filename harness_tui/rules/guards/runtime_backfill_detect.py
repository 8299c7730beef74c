"""Which fields of an artifact are missing, and what must be assumed for them? (formats/servo 2.7)."""

from __future__ import annotations

import re

from harness_tui.model.regex import regex
from harness_tui.rules.guards.fields import Fields
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

DEFAULTS: Final[dict[str, Any]] = {
    "milestone_review_gate_ready": False,
    "effective_review_pass": False,
    "programmer_confirmed": False,
    "ready_for_init_milestone": False,
    "intake_skipped": False,
    "milestone_review_count": 0,
    "latest_review_status": "missing",
    "intake_status": "missing",
    "milestone_status": "N/A",
    "milestone_kind": "N/A",
    "latest_review_checkpoint": "N/A",
    "milestone_input_checkpoint": "N/A",
    "review_blockers": [],
    "review_invalidated_by": [],
}
"""The fourteen fields, each with the value that grants nothing."""

_SCHEMA_NAME: Final = regex(r"^(-?)(\s*+)(?:(\w+):)?", re.MULTILINE)


def judge(text: str | None, schema: str | None = None) -> Verdict:
    """What is missing in `text` (None: no file); `schema` is a text whose keys are expected, too. Never says no."""
    missing: dict[str, Any]
    if text is None:
        missing = {"_artifact_missing": "file not found"}
    else:
        fields = Fields(text)
        expected = {*DEFAULTS, *_names(schema or "")}
        missing = {name: DEFAULTS.get(name, "N/A") for name in sorted(expected) if not fields.value(name)}
    gaps = [f"{name}: missing → default={value!r}" for name, value in missing.items()]
    reason = (
        f"{len(missing)} fields are missing; the conservative value of each is given" if missing else "all are there"
    )
    document = {
        "missing_fields": missing,
        "backfill_values": missing,
        "gaps_recorded": gaps,
        "reason": reason,
        "strict": strict(go=not missing, findings=gaps),
    }
    return Verdict(document, go=True)


def _names(schema: str) -> Iterator[str]:
    """Keys behind a dash or a space at the begin of a line; between the two may be blank lines."""
    for dash, blank, name in _SCHEMA_NAME.findall(schema):
        if name and (dash or blank.startswith(" ") or "\n " in blank):
            yield name
