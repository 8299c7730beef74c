"""Is the active milestone reviewed well enough to derive work from it? (formats/servo 2.6)."""

from __future__ import annotations

from harness_tui.rules.guards.fields import Fields, heading_end
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_READY: Final = "milestone_review_gate_ready"
_STATUS: Final = "latest_review_status"
_COUNT: Final = "milestone_review_count"
_PASS: Final = "effective_review_pass"  # noqa: S105 - a field
_CHECKPOINT: Final = "latest_review_checkpoint"
_INVALIDATED: Final = "review_invalidated_by"
_EMPTY: Final = frozenset({"", "[]", "none", "n/a", "null"})


def judge(text: str | None) -> Verdict:
    """Whether the section Milestone Review Gate of a control state is ready; `text` is None when there is no file."""
    if text is None:
        return _closed("control_state_file", "there is no control state")
    start = heading_end(text, "Milestone Review Gate")
    if start is None:
        return _closed("milestone_review_gate_section", "there is no section '## Milestone Review Gate'")
    end = text.find("\n## ", start)
    fields = Fields(text[start : end if end >= 0 else len(text)], 1 + text.count("\n", 0, start))
    ready, passed = fields.flag(_READY), fields.flag(_PASS)
    status, checkpoint, count = fields.value(_STATUS), fields.value(_CHECKPOINT), fields.number(_COUNT)
    invalidated = bool(fields.items(_INVALIDATED))
    missing: list[tuple[str, str]] = []
    if ready is not True:
        missing.append((_READY, f"{_READY} is not true"))
    if status != "effective_pass":
        missing.append((_STATUS, f"{_STATUS} is {status or 'empty'}, not effective_pass"))
    if count is None or count < 1:
        missing.append((_COUNT, f"{_COUNT} is {count}, not 1 or more"))
    if passed is not True:
        missing.append((_PASS, f"{_PASS} is not true"))
    if checkpoint.lower() in {"", "none", "n/a"}:
        missing.append((_CHECKPOINT, f"{_CHECKPOINT} is empty"))
    if invalidated:
        missing.append((_INVALIDATED, f"{_INVALIDATED} gives reasons"))
    go = not missing
    checked = {
        _READY: ready,
        _STATUS: status,
        _COUNT: count,
        _PASS: passed,
        _CHECKPOINT: checkpoint,
        _INVALIDATED: "present" if invalidated else "empty/absent",
    }
    words = [text for _, text in missing]
    reason = f"not ready: {', '.join(words)}" if words else "ready: all six conditions hold"
    decided = fields.place(missing[0][0] if missing else _READY)
    return _verdict(words, reason, checked, decided, _findings(fields) if go else [])


def _findings(fields: Fields) -> list[str]:
    found = fields.doubts(_READY, _STATUS, _COUNT, _PASS, _CHECKPOINT)
    if fields.text.startswith("## "):
        found.append("the section is empty: the next one was read for it")
    whole = Fields(f"{fields.text}\n")  # a list whose last line has no end is not read to its end
    items = whole.items(_INVALIDATED)
    said = whole.value(_INVALIDATED) if items is None else " ".join(items)
    if said.strip("`* ").lower() not in _EMPTY:
        found.append(f"{_INVALIDATED} gives a reason that the script does not read: {said}")
    return found


def _closed(missing: str, reason: str) -> Verdict:
    return _verdict([missing], reason, {}, None, [])


def _verdict(
    missing: list[str], reason: str, checked: dict[str, Any], decided: dict[str, Any] | None, findings: list[str]
) -> Verdict:
    go = not missing
    document = {
        "ready": go,
        "blocked": not go,
        "reason": reason,
        "missing_fields": missing,
        "checked_fields": checked,
        "decided_by": decided,
        "strict": strict(go=go, findings=findings),
    }
    return Verdict(document, go=go)
