"""Does a dispatch say what it ran on, and who did the work? (formats/servo 2.10)."""

from __future__ import annotations

import json

from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

REQUIRED: Final = (
    "backend_runtime", "model_family", "subagent_dispatch_shell", "runtime_supports_subagent",
    "subagent_permission_state", "permission_allows_delegation", "dispatch_package_safety", "delegation_attempted",
    "attempted_carrier", "carrier_decision", "fallback_reason",
)  # fmt: skip
"""Fields that must be there and not null; an empty text and false count as there."""
SPAWNED: Final = (
    "parent_runtime_dispatch_record_ref", "spawned_subagent_record_ref", "carrier_instance_id", "isolation_boundary",
    "boundary_violation_recorded",
)  # fmt: skip
"""What the loop's rules ask for besides when a subagent did the work, and the last one when it was to; the script asks
for none of it."""
_SUBAGENT: Final = ("subagent", "delegated")


def judge(text: str) -> Verdict:
    """Whether the profile in the JSON `text` is complete."""
    try:
        profile = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _verdict(list(REQUIRED), {}, f"it is no JSON: {error}", [])
    if not isinstance(profile, dict):
        return _verdict(list(REQUIRED), {}, "it is no JSON object", [])
    missing = [name for name in REQUIRED if profile.get(name) is None]
    checked = {name: "missing" if name in missing else "present" for name in REQUIRED}
    reason = f"{len(missing)} are missing: {', '.join(missing)}" if missing else "all fields are there"
    return _verdict(missing, checked, reason, [] if missing else _findings(profile))


def _findings(profile: dict[str, Any]) -> list[str]:
    found = [f"{name} is empty" for name in REQUIRED if profile[name] in ("", [], {})]
    decision = str(profile["carrier_decision"]).lower()
    if decision.startswith(_SUBAGENT):
        found = [words for words in found if words != "fallback_reason is empty"]
        lacking = [name for name in SPAWNED if profile.get(name) is None]
        found += [f"a subagent did the work, but {name} is missing" for name in lacking]
    elif _is_true(profile["delegation_attempted"]) and not _is_true(profile.get(SPAWNED[-1])):
        found.append(f"a subagent was to do the work and did not, but {SPAWNED[-1]} is not true")
    return found


def _is_true(value: object) -> bool:
    return value is True or str(value).lower() in {"true", "yes"}


def _verdict(missing: list[str], checked: dict[str, str], reason: str, findings: list[str]) -> Verdict:
    go = not missing
    document = {
        "complete": go,
        "missing_fields": missing,
        "checked_fields": checked,
        "reason": reason,
        "strict": strict(go=go, findings=findings),
    }
    return Verdict(document, go=go)
