"""May the loop do this by itself, or does it need the operator? (formats/servo 2.12)."""

from __future__ import annotations

import re

from harness_tui.rules.guards.policy import EVIDENCE, GATED, profile_of, required_evidence
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

_CLOSE: Final = ("close", "worktrack-close-skill")
_WORDS: Final = {
    "route_decision": ("route_decision", "recommended_next_route"),
    "selected_task_dispatch_packet": ("dispatch_packet", "selected_task"),
    "runtime_dispatch_profile": ("dispatch_profile",),
    "validation_evidence": ("validation_evidence", "test_evidence"),
    "governance_policy_evidence": ("governance_policy", "rule_check", "policy_check"),
    "gate_verdict": ("verdict", "gate_result"),
    "closeout_record": ("closeout",),
    "repo_refresh_checkpoint": ("latest_observed_checkpoint", "repo_refresh_checkpoint"),
}
"""Words of which one in the control state stands for an item of evidence."""
_PLACEHOLDERS: Final = frozenset({"", "n/a", "none", "null", "pending", "not_started", "tbd", "unknown"})
_VERDICT: Final = "worktrack_gate_verdict"
_REF: Final = "worktrack_gate_verdict_ref"
_RESIDUAL_REF: Final = "worktrack_gate_residual_acceptance_ref"
_PASSES: Final = ("pass", "pass_with_residuals")


class Folders:
    """What lies in the folder of the control loop beside the control state."""

    __slots__ = ("closeout", "contract", "evidence")

    def __init__(self, *, contract: bool = False, evidence: bool = False, closeout: bool = False) -> None:
        self.contract = contract
        self.evidence = evidence
        self.closeout = closeout


def judge(operation: str, skill: str, control: str | None, folders: Folders) -> Verdict:
    """Whether `skill` may do `operation` now; `control` is None when there is no control state."""
    allowed, forbidden, stops, approval = profile_of(operation, skill)
    missing = _missing(required_evidence(operation, skill), control, folders)
    authority = _close_authority(control or "") if (operation, skill) == _CLOSE else None
    if authority is not None:
        missing += [f"close_authority:{name}" for name in authority["missing"]]
    exception = GATED.get((operation, skill)) or GATED.get((operation, ""))
    blocked = bool((forbidden and exception is None) or stops or missing)
    document: dict[str, Any] = {
        "operation": operation,
        "skill": skill,
        "allowed": bool(allowed),
        "blocked": blocked,
        "forbidden_hit": list(forbidden),
        "stop_condition_hit": list(stops),
        "allowed_rules": list(allowed),
        "needs_approval": approval,
        "blocking_exception": exception,
        "evidence_required_complete": not missing,
        "evidence_missing": missing,
        "reason": _reason(allowed, forbidden, stops, missing, approval=approval),
    }
    if authority is not None:
        document["close_authority"] = authority
    findings = [] if blocked else _findings(required_evidence(operation, skill), control or "", folders)
    document["strict"] = strict(go=not blocked, findings=findings)
    return Verdict(document, go=not blocked)


def _missing(required: Iterable[str], control: str | None, folders: Folders) -> list[str]:
    if control is None:
        return [f"{name}（there is no control state）" for name in required]
    text = control.lower()
    return [f"{name}（{EVIDENCE[name]}）" for name in required if not _is_there(name, text, folders)]


def _is_there(name: str, text: str, folders: Folders) -> bool:
    if name == "worktrack_contract_scope":
        return folders.contract
    by_folder = {"validation_evidence": folders.evidence, "closeout_record": folders.closeout}
    return by_folder.get(name, False) or any(word in text for word in _WORDS[name])


def _close_authority(text: str) -> dict[str, Any]:
    """Whether the gate's verdict in the control state lets the worktrack be closed."""
    verdict, ref, residual = (_control_field(text, name) for name in (_VERDICT, _REF, _RESIDUAL_REF))
    missing = []
    if verdict not in _PASSES:
        missing.append("eligible_legacy_gate_verdict")
    if ref.lower() in _PLACEHOLDERS:
        missing.append("legacy_gate_verdict_ref")
    if verdict == _PASSES[1] and residual.lower() in _PLACEHOLDERS:
        missing.append("legacy_gate_residual_acceptance_ref")
    return {
        "complete": not missing,
        "source": "legacy_gate_contract",
        "authority": {_VERDICT: verdict, _REF: ref, _RESIDUAL_REF: residual},
        "missing": missing,
        "reason": "the verdict lets it be closed" if not missing else "the verdict does not let it be closed",
    }


def _control_field(text: str, name: str) -> str:
    """The first `- name: value`, quotes and backticks stripped; an empty value takes the next line with text."""
    match = re.search(rf"^[^\S\n]*-\s*{name}:\s*(.*)", text, re.MULTILINE)
    return match[1].strip().strip("`\"'") if match else ""


def _reason(
    allowed: Iterable[str], forbidden: Iterable[str], stops: Iterable[str], missing: Iterable[str], *, approval: bool
) -> str:
    parts = [
        f"allowed: {', '.join(allowed)}" if allowed else "no rule allows it",
        f"forbidden: {', '.join(forbidden)}" if forbidden else "",
        f"stop conditions: {', '.join(stops)}" if stops else "",
        "the operator's approval is needed" if approval else "",
        f"evidence is missing: {', '.join(missing)}" if missing else "",
    ]
    return " | ".join(part for part in parts if part)


def _findings(required: Iterable[str], text: str, folders: Folders) -> list[str]:
    """Evidence that is there by its word alone: every field of that name is empty."""
    found = []
    for name in required:
        if name == "worktrack_contract_scope" or (name == "validation_evidence" and folders.evidence):
            continue
        if name == "closeout_record" and folders.closeout:
            continue
        if not _says_something(text, _WORDS[name]):
            found.append(f"{name} is only a word in the control state: no field of that name has a value")
    return found


def _says_something(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words stands in anything but the key of an empty field."""
    for line in text.lower().split("\n"):
        key, colon, value = line.partition(":")
        if any(word in value for word in words):
            return True
        if any(word in key for word in words) and not (colon and value.strip("`\"'* ") in _PLACEHOLDERS):
            return True
    return False
