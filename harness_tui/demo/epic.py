"""The epic behind the pickup tasks: its interrupt budget, and one question that only the operator can decide.

Shapes of formats/interrupt-budget 1. What the operator answers decides how the payment task goes on.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.model.refusal import Refused
from harness_tui.rules.decisions import decide
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.epic_files import find_epic, read_epic

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

EPIC: Final = "sh-1-pickup"
QUESTION: Final = "D-1"
ASK: Final = "How shall the counter take payments while the terminal is the former owner's?"
UNBLOCK: Final = f"an answer to {QUESTION} of {EPIC}"
_HOME: Final = f".harness/features/{EPIC}"
_OPTIONS: Final = ("A: register the terminal anew, cards wait a week", "B: cash only, cards later")


class Way(NamedTuple):
    """How the payments are built. `assumed` when nobody said so, and the default was taken."""

    text: str
    assumed: bool


def files(now: datetime) -> dict[str, str]:
    """The files of the epic as they stand at `now`, by path relative to the root."""
    asked = _stamp(now - timedelta(hours=5))
    question = {
        "id": QUESTION, "question": ASK, "options": list(_OPTIONS), "default_action": "B",
        "why_now": "T-05 builds against whatever terminal there is", "risk_if_wrong": "high",
        "deadline": "before T-05 is developed",
    }  # fmt: skip
    pending = {"category": "must_confirm", "status": "pending"}
    unknown = {
        "id": "UNK-001", "description": "How long the bank takes to register a terminal", "discovered_at": "PLAN",
        "impact": "medium", "status": "open", "resolution": None, "resolved_at": None, "linked_dec": QUESTION,
        "task_id": f"{EPIC}.2",
    }  # fmt: skip
    return {
        f"{_HOME}/state.json": _json({
            "version": "4.6", "epic_id": EPIC, "current_stage": "EXECUTE", "risk_level": "medium",
            "interrupt_budget": {"total": 2, "consumed": 0, "remaining": 2},
            "pending_decisions": [{**question, "status": "pending"}], "updated_at": asked,
        }),
        f"{_HOME}/decision-packet.json": _json({
            "version": "1.0", "epic_id": EPIC, "packet_id": "DP-EXECUTE-001", "interrupt_number": 1,
            "stage": "EXECUTE", "created_at": asked, "questions": [question],
        }),
        f"{_HOME}/decision-bundle.json": _json(
            {"epic": EPIC, "stage": "EXECUTE", "decisions": [{**question, **pending}]}
        ),
        f"{_HOME}/unknowns-ledger.json": _json(
            {"epic_id": EPIC, "entries": [unknown], "summary": {"total": 1, "open": 1}}
        ),
    }  # fmt: skip


def way(root: Path) -> Way | None:
    """What was decided about the question; None while it is open, put off, or can't be read."""
    try:
        found = read_epic(root, find_epic(root, EPIC))
    except (Refused, WriteError):
        return None
    decisions, _ = decide(EPIC, found.packet, found.bundle, found.state)
    decision = next((item for item in decisions if item.question_id == QUESTION), None)
    if decision is None or decision.state not in ("answered", "assumed"):
        return None
    said = (decision.resolution or decision.default or "").strip()
    for choice in decision.choices:
        if said in (choice.key, choice.label, f"{choice.key}: {choice.label}"):
            said = choice.label
    return Way(said, assumed=decision.state == "assumed")


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
