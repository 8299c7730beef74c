"""What the loop may do by itself: the table behind `autonomy_policy_check` (formats/servo 2.12)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    Profile = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]

OPERATIONS: Final = (
    "observe", "schedule", "dispatch", "verify", "close", "recover", "change_goal", "init_milestone", "init_worktrack",
    "cleanup", "doc_catch_up",
)  # fmt: skip
EVIDENCE: Final = {
    "route_decision": "decision about the route",
    "worktrack_contract_scope": "scope of the worktrack's contract",
    "selected_task_dispatch_packet": "packet of the task that was selected",
    "runtime_dispatch_profile": "what a dispatch ran on",
    "validation_evidence": "results of tests",
    "governance_policy_evidence": "checks of the rules",
    "gate_verdict": "verdict of the gate",
    "closeout_record": "record of the closeout",
    "repo_refresh_checkpoint": "checkpoint of the last refresh",
}
"""The nine items of evidence, each in words."""
GATED: Final = {
    ("change_goal", "repo-change-goal-skill"): "repo-change-goal-skill has an approval gate of its own",
    ("change_goal", ""): "a change of the goal has an approval gate of its own",
}
"""Operations that are forbidden, but do not block for that alone: the operator is asked before anything changes."""

_SYNC: Final = ("artifact_hydration", "status_consistency_check")
_JUDGMENT: Final = "needs_programmer_judgment"
_UNCLEAR: Final = "authority_boundary_unclear"
_EXPANSION: Final = "contract_scope_expansion"
_PROTECTED: Final = "protected_branch_policy_hit"


def _may(*rules: str) -> Profile:
    return rules, (), (), False


def _ask(*stops: str, forbidden: tuple[str, ...] = ()) -> Profile:
    return (), forbidden, stops, True


_OBSERVE: Final = _may("read_only_observation", *_SYNC)
_SCHEDULE: Final = _may("worktrack_queue_scheduling", *_SYNC)
_VERIFY: Final = _may("bounded_local_verification")
_DISPATCH: Final = _may("bounded_worktrack_dispatch", *_SYNC)
_DOCS: Final = _may("non_destructive_docs_edits")
_DEFAULTS: Final = {
    "observe": _may("read_only_observation"),
    "schedule": _may("worktrack_queue_scheduling"),
    "verify": _VERIFY,
    "dispatch": _ask(_JUDGMENT),
    "close": _ask(_PROTECTED),
    "recover": _ask(_JUDGMENT),
    "change_goal": _ask(_JUDGMENT, forbidden=("goal_change",)),
    "init_milestone": _ask(_EXPANSION),
    "init_worktrack": _ask(_EXPANSION),
    "cleanup": _DOCS,
    "doc_catch_up": _DOCS,
}
_REGISTERED: Final = {
    "observe": {
        "repo-status-skill": _OBSERVE,
        "worktrack-status-skill": _OBSERVE,
        "milestone-status-skill": _OBSERVE,
    },
    "schedule": {"schedule-worktrack-skill": _SCHEDULE, "worktrack-plan-work-skill": _SCHEDULE},
    "verify": {"worktrack-review-skill": _may("bounded_local_verification", *_SYNC)},
    "dispatch": {
        "generic-worker-skill": _ask(_JUDGMENT, _UNCLEAR),
        "dispatch-skills": _ask(_UNCLEAR),
        "worktrack-dispatch-skill": _DISPATCH,
        "worktrack-plan-work-skill": _DISPATCH,
    },
    "close": {"worktrack-close-skill": _may("bounded_worktrack_close", *_SYNC)},
    "recover": {"recover-worktrack-skill": _ask(_JUDGMENT, _UNCLEAR)},
    "change_goal": {
        "repo-change-goal-skill": _ask(_JUDGMENT, "milestone_final_acceptance_boundary", forbidden=("goal_change",)),
    },
    "init_milestone": {
        "init-milestone-skill": _ask(_EXPANSION, _JUDGMENT),
        "milestone-init-skill": _may(*_SYNC, "scaffold_validation"),
    },
    "init_worktrack": {
        "worktrack-init-skill": _may("bounded_worktrack_init", *_SYNC),
        "worktrack-plan-work-skill": _may("bounded_worktrack_init", *_SYNC, "scaffold_validation"),
    },
}
_CONTRACT: Final = ("route_decision", "worktrack_contract_scope")
_EVIDENCE_OF: Final = {
    "observe": ("repo_refresh_checkpoint",),
    "schedule": _CONTRACT,
    "dispatch": (*_CONTRACT, "selected_task_dispatch_packet", "runtime_dispatch_profile"),
    "verify": ("validation_evidence", "governance_policy_evidence"),
    "close": ("gate_verdict", "closeout_record", "repo_refresh_checkpoint"),
    "recover": _CONTRACT,
    "change_goal": ("route_decision",),
    "init_milestone": ("route_decision",),
    "init_worktrack": _CONTRACT,
    "cleanup": ("closeout_record",),
    "doc_catch_up": ("repo_refresh_checkpoint",),
}
_EVIDENCE_OF_SKILL: Final = {
    ("init_worktrack", "worktrack-plan-work-skill"): ("route_decision",),
    ("close", "worktrack-close-skill"): ("worktrack_contract_scope",),
}


def profile_of(operation: str, skill: str) -> Profile:
    """Rules that allow it, names of what is forbidden in it, stop conditions, whether the operator must approve.

    A skill that is not registered gets what goes for its operation.
    """
    return _REGISTERED.get(operation, {}).get(skill, _DEFAULTS[operation])


def required_evidence(operation: str, skill: str) -> tuple[str, ...]:
    """The items of evidence that must be there."""
    return _EVIDENCE_OF_SKILL.get((operation, skill), _EVIDENCE_OF[operation])
