"""From what the status of a milestone asks for to the steps that write it (formats/servo 2.15); a plan only."""

from __future__ import annotations

import json

from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_REQUIRED: Final = "writeback_required"
_INSTRUCTIONS: Final = "writeback_instructions"


def judge(milestone_id: str, text: str) -> Verdict:
    """The steps for the instructions in the JSON `text`."""
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _refused(f"it is no JSON: {error}")
    if not isinstance(asked, dict):
        return _refused("it is no JSON object")
    if _REQUIRED not in asked:
        return _refused(f"{_REQUIRED} is missing")
    if not asked[_REQUIRED]:
        return _planned([], f"{_REQUIRED} is false: there is nothing to write")
    instructions = asked.get(_INSTRUCTIONS)
    if not isinstance(instructions, dict):
        return _refused(f"{_INSTRUCTIONS} is {'null' if instructions is None else 'no object'}")
    odd = [name for name, part in _parts(instructions) if part is not None and not isinstance(part, dict)]
    return _planned(_steps(milestone_id, instructions), "", [f"{name} is no object: it is left out" for name in odd])


def _steps(milestone_id: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    backlog, control = _part(asked, "backlog_updates"), _part(asked, "control_state_updates")
    upsert, archive = _part(backlog, "milestone_backlog_upsert"), _part(backlog, "milestone_history_append")
    advance = _part(asked, "pipeline_advancement_action")
    updates = asked.get("milestone_artifact_updates")
    found: list[tuple[str, dict[str, Any]]] = []
    if updates:
        found.append(("milestone-artifact-update", {"milestone_id": milestone_id, "field_updates": updates}))
    if upsert:
        params = {"milestone_id": upsert.get("milestone_id", milestone_id), "status": upsert.get("status", "")}
        found.append(("milestone-backlog-upsert", params))
    if archive:
        params = {"milestone_id": archive.get("milestone_id", milestone_id), "final_status": archive.get("status", "")}
        found.append(("milestone-history-archive", params))
    if checkpoint := control.get("milestone_input_checkpoint"):
        params = {"checkpoint_type": "milestone_input_checkpoint", "checkpoint_value": checkpoint}
        found.append(("baseline-checkpoint-update", params))
    if summary := control.get("milestone_pipeline_summary"):
        found.append(("pipeline-summary-recalc", {"summary": summary}))
    if advance.get("action") == "activate_next":
        params = {
            "milestone_id": advance.get("next_milestone_id", ""),
            "previous_active": advance.get("previous_active", ""),
        }
        found.append(("milestone-activation-switch", params))
    if status := control.get("milestone_status"):
        found.append(("control-state-route-update", {"milestone_id": milestone_id, "milestone_status": status}))
    return [{"mode": mode, "params": params} for mode, params in found]


def _part(of: dict[str, Any], name: str) -> dict[str, Any]:
    """An object within another; what is none (the script would break at a null) asks for nothing."""
    value = of.get(name)
    return value if isinstance(value, dict) else {}


def _parts(asked: dict[str, Any]) -> list[tuple[str, object]]:
    """What should be an object, with its name."""
    names = ("milestone_artifact_updates", "backlog_updates", "control_state_updates", "pipeline_advancement_action")
    inner = _part(asked, "backlog_updates")
    found = [(name, asked.get(name)) for name in names]
    return found + [(name, inner.get(name)) for name in ("milestone_backlog_upsert", "milestone_history_append")]


def _planned(steps: list[dict[str, Any]], reason: str, odd: list[str] | None = None) -> Verdict:
    document: dict[str, Any] = {"bridge_ok": True, "steps": steps, "step_count": len(steps)}
    if reason:
        document["reason"] = reason
    empty = [
        f"step {number} ({step['mode']}) has no {name}"
        for number, step in enumerate(steps, 1)
        for name, value in step["params"].items()
        if name != "previous_active" and value in ("", None)
    ]
    document["strict"] = strict(go=True, findings=[*(odd or []), *empty])
    return Verdict(document, go=True)


def _refused(reason: str) -> Verdict:
    return Verdict({"bridge_ok": False, "reason": reason, "strict": strict(go=False, findings=[])}, go=False)
