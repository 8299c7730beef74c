"""The control loop of the made-up project: a lock that waits for the operator's signal, and the plan of the workshop.

Shapes of formats/servo 1 to 3 and formats/hard-stop 1. The loop itself is not played; what lifts its lock is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.control_files import read_control_files
from harness_tui.workspace.control_writes import edit_control

if TYPE_CHECKING:
    from pathlib import Path

CONTROL: Final = ".servo/control-state.md"
_LIFTED: Final = {"handback_lock_active": "false", "handback_reaffirmed_rounds": "0", "handoff_state": "none"}

FILES: Final = {
    CONTROL: """\
# Control State

## Current Control Level

- repo_scope: idle
- worktrack_scope: verifying
- current_function: Judge

## Active Worktrack

- active_worktrack: WT-COUNT-1

## Milestone Pipeline

- active_milestone: MS-STOCKTAKE
- milestone_status: active

## Current Next Action

- recommended_next_route: hold

## Approval Boundary

- needs_programmer_approval: yes

## Continuation Authority

- post_contract_autonomy: delegated-minimal
- max_auto_new_worktracks: 1

## Autonomy Ledger

- autonomy_budget_remaining: 1
- autonomous_worktracks_opened: 0

## Handback Guard

- handoff_state: waiting_for_programmer
- last_handback_signature: MS-STOCKTAKE/which-shelves
- handback_reaffirmed_rounds: 2
- stable_handback_threshold: 2
- handback_lock_active: true
- last_stop_reason: nobody said whether the shelves in the cellar are counted
- last_unlock_signal: N/A
""",
    ".servo/worktrack/WT-COUNT-1-gate-evidence.md": """\
# Gate Evidence

## Metadata

- worktrack_id: WT-COUNT-1

## implementation-gate

- Verdict: pass

## validation-gate

- Verdict: pass

## policy-gate

- Verdict: pass
""",
    ".servo/milestone/MS-STOCKTAKE.md": """\
# Stocktake

## Metadata

- milestone_id: MS-STOCKTAKE
- title: The yearly stocktake in one evening
- status: active
- milestone_kind: goal-driven
""",
    "PLAN.md": """\
# Plan: the counter of the workshop

## Objective

A bicycle that is ready is paid and fetched in two minutes.

## Tasks

- [x] Task 1: Slots for dropping off a bicycle
- [x] Task 2: States of a repair ticket
- [/] Task 3: Notice, payment and receipt when it is fetched
- [ ] Task 4: Parts are counted, reserved and ordered

## Required Tooling and Permissions

- Commands: `python3 -m unittest`
- File scopes: `wheelhouse/`, `tests/`

## Code Review Log

### Round 1

Task 2: CHANGES REQUESTED, a ticket that was fetched can be diagnosed again.

### Round 2

Task 1 and Task 2: APPROVED.

## Blocker (resolved)

- Trigger: permission wall
- Error signature: `open /dev/ttyUSB0` denied
- What was tried: the label printer as an ordinary user
- What is needed: membership of the group of the printer, given on the same day
""",
}
"""Text of every file by its path."""


def lift_lock(root: Path) -> bool:
    """Lift the lock when the operator's signal is a valid one, as whoever runs the loop does; whether it was lifted."""
    try:
        found = read_control_files(root)
        if found is None or not found.handback.locked or not found.handback.unlock_valid:
            return False
        edit_control(root / CONTROL, _lifted)
    except (OSError, WriteError):
        return False
    return True


def _lifted(text: str) -> str:
    for key, value in _LIFTED.items():
        text = re.sub(rf"^(- {key}:).*$", rf"\1 {value}", text, flags=re.MULTILINE)
    return text
