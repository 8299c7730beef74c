"""An epic with open questions on disk, and a control state, for whoever writes to them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from harness_tui.rules.guards.checkpoint_writeback import with_checkpoint
from harness_tui.rules.guards.normalize_control_state import normalized
from harness_tui.workspace.control_writes import edit_control

NOW = datetime(2027, 4, 5, 6, 7, 8, tzinfo=UTC)
AT = "2027-04-05T06:07:08Z"
EPIC = "sh-3-dry-the-hay"
HOME = f".harness/features/{EPIC}"
TRACE = f".harness/logs/epics/{EPIC}/execution-trace.jsonl"
CONTROL = ".servo/control-state.md"

TURN = {"id": "Q-1", "question": "Turn the hay at noon?", "options": ["A: turn it", "B: leave it"], "why_now": "sun"}
ROOF = {"id": "Q-2", "question": "Which roof, 瓦 or straw?", "options": ["瓦", "straw"], "why_now": "rain"}
COUNT = {"id": "Q-3", "question": "How many bales?", "options": [], "why_now": "price"}
QUESTIONS = [
    {**TURN, "default_action": "A", "risk_if_wrong": "low"},
    {**ROOF, "default_action": "straw", "risk_if_wrong": "critical"},
    {**COUNT, "risk_if_wrong": "medium"},
]
UNKNOWN = {
    "id": "UNK-001", "description": "When is noon?", "discovered_at": "SPEC", "status": "open", "resolution": None,
    "resolved_at": None, "linked_dec": "Q-1", "task_id": "sh-3.1",
}  # fmt: skip
CONTROL_TEXT = """\
# Control state

## Active Milestone

- active_milestone: MS-40

## Handback Guard

- handback_lock_active: true
- handoff_state: awaiting-handoff
- last_stop_reason: the mower is dull
- handback_reaffirmed_rounds: 2
- stable_handback_threshold: 2
- last_unlock_signal: N/A

## Notes

- kept: as it is
"""
TRACED_TEXT = (
    CONTROL_TEXT
    + """
## Baseline Traceability

- verified_at: 2027-01-01
- last_doc_catch_up_checkpoint: 0000
- verified_at: 2027-02-02
"""
)
HEAD = "5eed" * 10


def checkpoint(root, commit=HEAD, at=AT):
    return edit_control(
        Path(root) / CONTROL, lambda text: (with_checkpoint(text, "observed", commit, at) or (None,))[0]
    )


def normalize(root):
    return edit_control(Path(root) / CONTROL, lambda text: normalized(text)[0])


def packet(**more):
    return {"version": "1.0", "epic_id": EPIC, "packet_id": "DP-SPEC-001", "interrupt_number": 1, "stage": "SPEC",
            "questions": QUESTIONS, **more}  # fmt: skip


def bundle(**more):
    decisions = [
        {
            "id": item["id"], "question": item["question"], "category": "must_confirm", "options": item["options"],
            **({"proposed_default": item["default_action"]} if "default_action" in item else {}),
            "risk_if_wrong": item["risk_if_wrong"], "status": "pending", "odd_key": [1, {"ü": None}],
        }
        for item in QUESTIONS
    ]  # fmt: skip
    decisions.append({"id": "Q-4", "question": "Which twine?", "category": "deferrable", "status": "pending"})
    return {"epic": EPIC, "stage": "SPEC", "decisions": decisions, **more}


def state(total=2, consumed=0, **more):
    return {
        "version": "4.6", "current_stage": "SPEC", "epic_id": EPIC, "risk_level": "medium",
        "interrupt_budget": {"total": total, "consumed": consumed, "remaining": total - consumed},
        "pending_decisions": [{**item, "status": "pending"} for item in QUESTIONS],
        "updated_at": "2027-04-01T00:00:00Z", "zz": {"operator_note": "bleibt"}, **more,
    }  # fmt: skip


def put(root, name, value, *, end=""):
    path = Path(root) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(value, str | bytes):
        value = json.dumps(value, indent=2, ensure_ascii=False) + end
    path.write_bytes(value if isinstance(value, bytes) else value.encode())
    return path


def epic(root, **files):
    """The epic with all its files; each may be given otherwise, or left out with None."""
    (Path(root) / ".git").mkdir(parents=True, exist_ok=True)
    wanted = {
        "state": state(), "decision-packet": packet(), "decision-bundle": bundle(),
        "unknowns-ledger": {"epic_id": EPIC, "entries": [UNKNOWN], "summary": {"total": 1, "open": 1}},
    }  # fmt: skip
    wanted |= {name.replace("_", "-"): value for name, value in files.items()}
    for name, value in wanted.items():
        if value is not None:
            put(root, f"{HOME}/{name}.json", value, end="\n" if name == "state" else "")
    put(root, f".harness/tasks/{EPIC}.1.json", {"id": "sh-3.1", "title": "Turn", "status": "pending"})
    put(root, TRACE, '{"ts": "2027-04-01T00:00:00Z", "event_type": "decision_packet_generated"}\n')
    return Path(root)


def control(root, text=CONTROL_TEXT):
    (Path(root) / ".git").mkdir(parents=True, exist_ok=True)
    put(root, CONTROL, text)
    return Path(root)


def read(root, name):
    return json.loads((Path(root) / name).read_bytes())


def budget(root):
    return read(root, f"{HOME}/state.json")["interrupt_budget"]


def decisions(root):
    return {item["id"]: item for item in read(root, f"{HOME}/decision-bundle.json")["decisions"]}


def events(root):
    """Whole lines of the trace."""
    found = []
    for line in (Path(root) / TRACE).read_bytes().split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def contents(root):
    """Every file but our own, by name."""
    base = Path(root)
    files = (path for path in base.rglob("*") if path.is_file())
    names = {path.relative_to(base).as_posix(): path for path in files}
    return {name: path.read_bytes() for name, path in sorted(names.items()) if "harness-tui/" not in name}
