"""May a milestone be set up after its intake review? (formats/servo 2.4)."""

from __future__ import annotations

from harness_tui.rules.guards.fields import Fields, yaml_block
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_TO_INTAKE: Final = "route_to_pre_milestone_intake_skill"
_BACK: Final = "return_to_pre_milestone_intake_skill"
_HANDBACK: Final = "handback_to_programmer"
_FLAGS: Final = ("programmer_confirmed", "ready_for_init_milestone", "intake_skipped")


def judge(text: str | None) -> Verdict:
    """Whether the intake review lets the milestone begin; `text` is None when there is no file."""
    if text is None:
        return _verdict(_TO_INTAKE, "missing", "there is no intake review")
    block = yaml_block(text)
    if block is None:
        return _verdict(_TO_INTAKE, "unparseable", "the intake review has no yaml block")
    fields = Fields(*block)
    status = fields.value("intake_status")
    confirmed, ready, skipped = (fields.flag(name) for name in _FLAGS)
    checked = {"intake_status": status, **dict(zip(_FLAGS, (confirmed, ready, skipped), strict=True))}
    go = False
    if status == "ready":
        go = confirmed is True and ready is True and skipped is False
        action = "proceed_to_init_milestone" if go else _BACK
        said = ", ".join(f"{name}={checked[name]}" for name in _FLAGS)
        reason = "the intake is ready" if go else f"intake_status=ready, but {said}"
    elif status == "skipped":
        go = skipped is True
        action = "proceed_with_risk_record" if go else _BACK
        reason = "the intake was skipped" if go else f"intake_status=skipped, but intake_skipped={skipped}"
    elif status == "questions_required":
        action, reason = _BACK, "questions are open"
    elif status:
        known = status == "blocked"
        action, reason = _HANDBACK, "the intake is blocked" if known else f"unknown intake_status: {status}"
    else:
        action, reason = _TO_INTAKE, "intake_status is missing or empty"
    return _verdict(action, status or "missing", reason, go=go, checked=checked, fields=fields, whole=text)


def _verdict(
    action: str, status: str, reason: str, *, go: bool = False, checked: dict[str, Any] | None = None,
    fields: Fields | None = None, whole: str = "",
) -> Verdict:  # fmt: skip
    document = {
        "ready": go,
        "blocked": not go,
        "reason": reason,
        "required_action": action,
        "intake_status": status,
        "checked_fields": checked or {},
        "decided_by": fields.place(_decisive(checked)) if fields is not None and checked else None,
        "strict": strict(go=go, findings=_findings(fields, whole) if go and fields is not None else []),
    }
    return Verdict(document, go=go)


def _decisive(checked: dict[str, Any]) -> str:
    """The field that decided: the first that is not as its status asks for, else the status itself."""
    wanted = {"ready": (True, True, False)}.get(checked["intake_status"], ())
    wrong = [name for name, value in zip(_FLAGS, wanted, strict=False) if checked[name] is not value]
    return next((name for name in wrong if checked[name] is not None), "intake_status")


def _findings(fields: Fields, whole: str) -> list[str]:
    found = fields.doubts("intake_status", *_FLAGS)
    everywhere = Fields(whole)
    risk = everywhere.value("accepted_risk")
    if fields.value("intake_status") == "skipped" and (not everywhere.has("accepted_risk") or risk.startswith("[]")):
        found.append("the intake was skipped, but no accepted_risk says that the operator takes the risk")
    elif fields.value("intake_status") == "ready" and "complexity" not in whole.lower():
        found.append("there is no assessment of the milestone's complexity")
    return found
