"""May this worktrack be set up after its intake review? (formats/servo 2.8)."""

from __future__ import annotations

from harness_tui.rules.guards.fields import Fields
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

REQUIRED: Final = (
    "repo_fundamentals", "snapshot_freshness", "milestone_purpose_alignment", "historical_conflict_risk",
    "worktrack_adjustment_recommendations", "add_remove_worktrack_recommendations",
)  # fmt: skip
"""Fields that must say something; the word `none` says nothing."""

_VERDICT: Final = "intake_review_verdict"
_READY: Final = "ready_for_worktrack_init"
_NO: Final = {
    "blocked": "handback_to_programmer",
    "refresh_required": "route_to_repo_refresh",
    "adjust_worktracks": "route_to_milestone_backlog_adjustment",
}


def judge(text: str | None) -> Verdict:
    """Whether the review lets the worktrack begin; `text` is None when there is no file."""
    if text is None:
        route = "route_to_repo_whats_next_for_intake"
        return _verdict(route, "there is no intake review", ["intake_review_file"], {}, None, [])
    fields = Fields(text)
    missing = [name for name in REQUIRED if not fields.has(name)]
    verdict, ready = fields.value(_VERDICT), fields.flag(_READY)
    checked = {_VERDICT: verdict, _READY: ready, "required_fields_missing": list(missing)}
    decided, findings = fields.place(_VERDICT), []
    if verdict in _NO:
        action, reason = _NO[verdict], f"{_VERDICT}={verdict}"
    elif verdict == _READY:
        action = "return_to_repo_whats_next_for_completion"
        if missing:
            reason = f"{_VERDICT}={verdict}, but these are missing: {', '.join(missing)}"
        elif ready is not True:
            reason, decided = f"{_VERDICT}={verdict}, but {_READY}={ready}", fields.place(_READY) or decided
        else:
            action, reason = "proceed_to_init_worktrack", "the intake review is ready"
            findings = fields.doubts(_VERDICT, _READY, *REQUIRED)
    elif verdict:
        action, reason = "handback_to_programmer", f"unknown {_VERDICT}: {verdict}"
    else:
        action, reason = "route_to_repo_whats_next_for_intake", f"{_VERDICT} is missing"
        missing = [*missing, _VERDICT]
    return _verdict(action, reason, missing, checked, decided, findings)


def _verdict(
    action: str, reason: str, missing: list[str], checked: dict[str, Any], decided: dict[str, Any] | None,
    findings: list[str],
) -> Verdict:  # fmt: skip
    go = action == "proceed_to_init_worktrack"
    document = {
        "ready": go,
        "blocked": not go,
        "reason": reason,
        "required_action": action,
        "missing_fields": missing,
        "checked_fields": checked,
        "decided_by": decided,
        "strict": strict(go=go, findings=findings),
    }
    return Verdict(document, go=go)
