"""Should a task be delegated, or done by whoever runs the loop? (formats/servo 2.9)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

FACTORS: Final = {
    "task_coupling": ("low", "medium", "high"),
    "state_sharing": ("low", "medium", "high"),
    "parallel_value": ("low", "medium", "high"),
    "risk_profile": ("low", "medium", "high"),
    "context_budget_fit": ("yes", "no"),
    "runtime_supports_subagent": ("yes", "no", "unknown"),
    "permission_allows_delegation": ("yes", "no", "unknown"),
    "dispatch_package_safe": ("yes", "no"),
}
"""Each factor with the words for it."""

_MUSTS: Final = {
    "runtime_supports_subagent": "the runtime has no subagents",
    "permission_allows_delegation": "delegation is not allowed",
    "dispatch_package_safe": "the package is not safe to hand over",
}
_POINTS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("task_coupling", "low"): (2, 0),
    ("task_coupling", "medium"): (0, 1),
    ("task_coupling", "high"): (0, 2),
    ("state_sharing", "low"): (2, 0),
    ("state_sharing", "medium"): (0, 1),
    ("state_sharing", "high"): (0, 2),
    ("parallel_value", "high"): (2, 0),
    ("parallel_value", "low"): (0, 1),
    ("risk_profile", "high"): (0, 2),
    ("risk_profile", "low"): (1, 0),
    ("context_budget_fit", "no"): (1, 0),
}
"""Points for delegating and against it; what is not listed gives none."""
_SILENT: Final = ("risk_profile", "low")
CURRENT: Final = "current-carrier"
DELEGATED: Final = "delegated"


def judge(said: Mapping[str, str]) -> Verdict:
    """The recommendation for the words in `said`, one for each of `FACTORS`. Never says no."""
    for name, reason in _MUSTS.items():
        if said[name] == "no":
            return _verdict(CURRENT, "high", [reason])
    unknown = [name for name in _MUSTS if said[name] == "unknown"]
    if unknown:
        return _verdict(CURRENT, "low", [f"{name} is not known" for name in unknown], review=True)
    reasons, delegated, current = [], 0, 0
    for name, word in ((name, said[name]) for name in FACTORS):
        gain, cost = _POINTS.get((name, word), (0, 0))
        delegated, current = delegated + gain, current + cost
        if (gain or cost) and (name, word) != _SILENT:
            reasons.append(f"{name} is {word}: {gain or cost} for {DELEGATED if gain else CURRENT}")
    if delegated == current:
        reasons.append(f"{delegated} to {current}: the careful choice")
        return _verdict(CURRENT, "low", reasons, review=True)
    return _verdict(DELEGATED if delegated > current else CURRENT, "medium", reasons)


def _verdict(mode: str, confidence: str, reasons: list[str], *, review: bool = False) -> Verdict:
    document = {
        "recommended_mode": mode,
        "confidence": confidence,
        "reasons": reasons,
        "needs_llm_review": review,
    }
    return Verdict(document, go=True)
