"""A control loop that is about to set up a worktrack, and whose guards have something to say. Texts by path."""

from __future__ import annotations

CONTROL = ".servo/control-state.md"
MILESTONE = ".servo/milestone/MS-BEACON.md"
INTAKE = ".servo/repo/pre-milestone-intake-MS-BEACON.md"
WORKTRACK = ".servo/repo/worktrack-intake-WT-LENS-1.md"
GATE = ".servo/worktrack/WT-LENS-1-gate-evidence.md"
BACKLOG = ".servo/repo/milestone-backlog.md"
CHECKPOINT = "4f1c2aa90d55e6b1c37a8de20914fb7733c0aa51"


def control(
    scope: str = "none", function: str = "Decide", route: str = "WorktrackScope.Init", lock: str = "false",
    checkpoint: str = CHECKPOINT, extra: str = "",
) -> str:  # fmt: skip
    """The control state; `scope` is the word for the worktrack scope."""
    return f"""\
# Control State

## Current Control Level

- repo_scope: active
- worktrack_scope: {scope}
- current_function: {function}

## Active Worktrack

- active_worktrack: WT-LENS-1

## Milestone Pipeline

- active_milestone: MS-BEACON
- milestone_status: active
- milestone_kind: goal-driven

## Milestone Review Gate

- milestone_review_gate_ready: true
- latest_review_status: effective_pass
- milestone_review_count: 2
- effective_review_pass: true
- latest_review_checkpoint: 4f1c2aa

## Baseline Branch

- baseline_branch: main

## Current Next Action

- recommended_next_route: {route}

## Approval Boundary

- needs_programmer_approval: false
{extra}
## Handback Guard

- handoff_state: none
- last_stop_reason: the lens was polished
- last_handback_signature: MS-BEACON/lens
- handback_reaffirmed_rounds: 0
- stable_handback_threshold: 2
- handback_lock_active: {lock}
- last_unlock_signal: N/A

## Baseline Traceability

- latest_observed_checkpoint: {checkpoint}
"""


def intake(status: str = "ready", confirmed: str = "true", entry: str = "clear", bullet: str = "") -> str:
    """The intake review of the milestone with its entry gate; `bullet` is a status beside the block."""
    beside = f"- intake_status: {bullet}\n" if bullet else ""
    return f"""\
# Intake review of MS-BEACON

{beside}
```yaml
intake_status: {status}
programmer_confirmed: {confirmed}
ready_for_init_milestone: true
intake_skipped: false
complexity: one lens, one lamp
```

## Complex Project Entry Gate

```yaml
complex_project_entry_gate:
  entry_verdict: {entry}
  needed: false
```
"""


def worktrack(verdict: str = "ready_for_worktrack_init", conflicts: str = "nothing of the kind") -> str:
    """The intake review of the worktrack."""
    return f"""\
# Intake review of WT-LENS-1

- intake_review_verdict: {verdict}
- ready_for_worktrack_init: true
- repo_fundamentals: as in the snapshot of today
- snapshot_freshness: taken at 4f1c2aa
- milestone_purpose_alignment: the beacon needs its lens
- historical_conflict_risk: {conflicts}
- worktrack_adjustment_recommendations: mount before polishing
- add_remove_worktrack_recommendations: keep both
"""


MILESTONE_TEXT = """\
---
milestone_id: MS-BEACON
title: Beacon burns again
status: active
milestone_kind: goal-driven
---
# Beacon
"""

GATE_TEXT = """\
# Gate Evidence

- worktrack_id: WT-LENS-1

## implementation-gate

- Verdict: pass

## validation-gate

- Verdict: pass
- test evidence: 12 of 12 lamps lit

## policy-gate

- Verdict: pass
- No closeout record yet
"""

BACKLOG_TEXT = "# Milestone Backlog\n\n## Active\n\n### MS-BEACON\n\n## Planned\n\n### MS-HORN\n"

READY = {
    CONTROL: control(), MILESTONE: MILESTONE_TEXT, INTAKE: intake(), WORKTRACK: worktrack(), GATE: GATE_TEXT,
    BACKLOG: BACKLOG_TEXT,
}  # fmt: skip
"""Nothing stops this one."""

STOPPED = READY | {
    INTAKE: intake("questions_required", bullet="ready"),
    WORKTRACK: worktrack(conflicts="none"),
    BACKLOG: "# Milestone Backlog\n\n## Active\n\n### MS-HORN\n\n## Planned\n\n### MS-BEACON\n",
}
"""The second guard stops it, the sixth would, and two files disagree about what is active."""
