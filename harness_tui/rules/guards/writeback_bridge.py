"""From what the status of a milestone asks for to the steps that write it (formats/servo 2.15); a plan only."""

from __future__ import annotations

import json

from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_REQUIRED: Final = "writeback_required"
_INSTRUCTIONS: Final = "writeback_instructions"
_ADVANCE: Final = "pipeline_advancement_action"


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
    odd = _no_object(instructions)
    if odd:
        return _refused(f"{odd} is no object")
    return _planned(_steps(milestone_id, instructions), "")


def _no_object(asked: dict[str, Any]) -> str:
    """The first part that should be an object and is none; an empty step within one asks for nothing."""
    for name in ("backlog_updates", "control_state_updates"):
        if not isinstance(asked.get(name, {}), dict):
            return name
    inner = _part(asked, "backlog_updates")
    steps = ("milestone_backlog_upsert", "milestone_history_append")
    for name, value in [*((name, inner.get(name)) for name in steps), (_ADVANCE, asked.get(_ADVANCE))]:
        if value and not isinstance(value, dict):
            return name
    return ""


def _steps(milestone_id: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    backlog, control = _part(asked, "backlog_updates"), _part(asked, "control_state_updates")
    upsert, archive = _part(backlog, "milestone_backlog_upsert"), _part(backlog, "milestone_history_append")
    advance = _part(asked, _ADVANCE)
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
    """An object within another, empty where there is none."""
    value = of.get(name)
    return value if isinstance(value, dict) else {}


def _planned(steps: list[dict[str, Any]], reason: str) -> Verdict:
    document: dict[str, Any] = {"bridge_ok": True, "steps": steps, "step_count": len(steps)}
    if reason:
        document["reason"] = reason
    empty = [
        f"step {number} ({step['mode']}) has no {name}"
        for number, step in enumerate(steps, 1)
        for name, value in step["params"].items()
        if name != "previous_active" and value in ("", None)
    ]
    document["strict"] = strict(go=True, findings=empty)
    return Verdict(document, go=True)


def _refused(reason: str) -> Verdict:
    return Verdict({"bridge_ok": False, "reason": reason, "strict": strict(go=False, findings=[])}, go=False)
