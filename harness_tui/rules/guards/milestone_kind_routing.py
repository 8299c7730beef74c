"""Does the end of this milestone need the operator? (formats/servo 2.3)."""

from __future__ import annotations

from harness_tui.rules.guards.fields import Fields
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

KINDS: Final = {"work-collection": False, "goal-driven": True}
"""Known kinds, and whether each is handed back to the operator at its end; the others go on by themselves."""

_NAME: Final = "milestone_kind"


def judge(text: str | None) -> Verdict:
    """The route that the kind in a milestone file stands for; `text` is None when there is no file."""
    fields = Fields(text or "")
    kind = fields.value(_NAME)
    handback = KINDS.get(kind)
    if text is None:
        reason = "there is no milestone file"
    elif not kind:
        reason = "milestone_kind is missing"
    elif handback is None:
        reason = f"unknown milestone_kind: {kind}"
    else:
        reason = f"{kind}: {'handed back to the operator when achieved' if handback else 'the pipeline goes on'}"
    go = handback is not None
    document = {
        "milestone_kind": kind or "unknown",
        "ready": go,
        "handback_required": handback,
        "auto_advance": handback is False,
        "blocked": not go,
        "reason": reason,
        "checked_fields": {} if text is None else {_NAME: kind},
        "decided_by": fields.place(_NAME),
        "strict": strict(go=go, findings=fields.doubts(_NAME)),
    }
    return Verdict(document, go=go)
