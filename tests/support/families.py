"""Files of a lighthouse whose keeper has epics, a plan and a control loop, each text by its path."""

from __future__ import annotations

import json

EPIC = "sh-3-relight-the-lamp"
HOME = f".harness/features/{EPIC}"
STATE, PACKET = f"{HOME}/state.json", f"{HOME}/decision-packet.json"
BUNDLE, LEDGER = f"{HOME}/decision-bundle.json", f"{HOME}/unknowns-ledger.json"
ASSUMED = f".harness/tasks/{EPIC}.2.json"
CONTROL = ".servo/control-state.md"
GATE = ".servo/worktrack/WT-LENS-1-gate-evidence.md"
MILESTONE = ".servo/milestone/MS-BEACON.md"
PLAN = "PLAN.md"


def text(value: object) -> str:
    """JSON as the tools of the loop write it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def state(
    total: object = 3, consumed: object = 1, remaining: object = 2, *, stage="PLAN", risk="high", **more: object
) -> str:
    numbers = {"total": total, "consumed": consumed, "remaining": remaining}
    return text({
        "version": "4.6", "epic_id": EPIC, "current_stage": stage, "risk_level": risk, "interrupt_budget": numbers,
        "pending_decisions": [], "updated_at": "2026-03-14T10:00:00Z", **more,
    })  # fmt: skip


def question(name: str = "D-1", words: str = "May the lamp go dark for an hour?", **more: object) -> dict[str, object]:
    return {
        "id": name, "question": words, "options": ["A: go dark", "B: keep a spare lamp lit"], "default_action": "B",
        "why_now": "the lens is taken out today", "risk_if_wrong": "high", "deadline": "before next stage",
        "source_ref": "challenge-report:CHK-7", **more,
    }  # fmt: skip


def packet(*questions: dict[str, object], name: str = "DP-PLAN-001") -> str:
    return text({
        "epic_id": EPIC, "stage": "PLAN", "packet_id": name, "interrupt_number": 1,
        "created_at": "2026-03-14T09:00:00Z",
        "questions": list(questions or (question(), question("D-2", "Which oil is burned?"))),
    })  # fmt: skip


def bundle(**states: str) -> str:
    """A decision bundle; `D_2="resolved"` gives question D-2 that status and an answer."""
    rows = [
        {"id": name.replace("_", "-"), "category": "must_confirm", "status": word,
         **({"resolution": "B", "resolved_at": "2026-03-14T09:30:00Z"} if word == "resolved" else {})}
        for name, word in (states or {"D_1": "pending", "D_2": "pending"}).items()
    ]  # fmt: skip
    return text({"epic_id": EPIC, "stage": "PLAN", "decisions": rows})


def ledger(*entries: dict[str, object]) -> str:
    blocked = {"id": "U-1", "description": "Who owns the spare lens", "impact": "high", "status": "CRITICAL-BLOCKED",
               "critical_blocked": True, "discovered_at": "PLAN"}  # fmt: skip
    plain = {
        "id": "U-2",
        "description": "Length of the fog season",
        "impact": "low",
        "status": "open",
        "discovered_at": "SPEC",
    }
    return text({"epic_id": EPIC, "entries": list(entries or (plain, blocked))})


EPICS = {
    STATE: state(history=None),
    PACKET: packet(),
    BUNDLE: bundle(D_1="pending", D_2="resolved"),
    LEDGER: ledger(),
    ASSUMED: text({"id": "sh-3.2", "epic_id": EPIC, "title": "⚠️ ASSUMPTION: the oil is colza", "status": "pending"}),
}


def guard(lock: str = "true", **more: str) -> str:
    fields = {
        "handoff_state": "waiting_for_keeper", "last_handback_signature": "MS-BEACON/lens",
        "handback_reaffirmed_rounds": "3",
        "stable_handback_threshold": "2", "handback_lock_active": lock, **more,
    }  # fmt: skip
    return "## Handback Guard\n\n" + "".join(f"- {key}: {value}\n" for key, value in fields.items())


def control(lock: str = "true", extra: str = "", **more: str) -> str:
    return f"""\
# Control State

## Current Control Level

- repo_scope: active
- worktrack_scope: verifying
- current_function: Judge

## Active Worktrack

- active_worktrack: WT-LENS-1

## Milestone Pipeline

- active_milestone: MS-BEACON
- milestone_status: active

## Current Next Action

- recommended_next_route: repo-refresh

## Approval Boundary

- needs_programmer_approval: yes

## Continuation Authority

- post_contract_autonomy: delegated-minimal
- max_auto_new_worktracks: 1

## Autonomy Ledger

- autonomy_budget_remaining: 4
- autonomous_worktracks_opened: 2

{guard(lock, **more)}- last_stop_reason: the lens was not delivered
{extra}"""


def gate(implementation: str = "pass", validation: str = "hard-fail", policy: str = "pass", extra: str = "") -> str:
    return f"""\
# Gate Evidence

## Metadata

- worktrack_id: WT-LENS-1

## implementation-gate

- Verdict: {implementation}

## validation-gate

- Verdict: {validation}

## policy-gate

- Verdict: {policy}
{extra}"""


def milestone(status: str = "active", extra: str = "") -> str:
    return f"""\
# Beacon

## Metadata

- milestone_id: MS-BEACON
- title: Beacon burns again
- status: {status}
- milestone_kind: goal-driven
{extra}"""


SERVO = {CONTROL: control(), GATE: gate(), MILESTONE: milestone()}

BLOCKER = """
## Blocker

- Trigger: permission wall
- Error signature: `apt install lens` denied
- What was tried: a local copy, which is cracked
- What is needed: leave to install the lens package
"""


def plan(blocker: str = BLOCKER) -> str:
    return f"""\
# Plan: relight the lamp

## Objective

The lamp burns again before the fog.

## Tasks

- [x] Task 1: Clean the lens
- [/] Task 2: Mount the lens
- [ ] Task 3: Trim the wick

## Required Tooling and Permissions

- Commands: `make lamp`, `make test`
- File scopes: `lamp/`

## Code Review Log

### Round 1

Task 1: CHANGES REQUESTED, streaks are left.

### Round 2

Task 1: NEEDS FIXES, one streak is left.
{blocker}"""


PLANS = {PLAN: plan()}
EVERY = EPICS | SERVO | PLANS
