"""The answers of the guards word for word: the name, type and value of every field that scripts read."""

import json
from pathlib import Path

import pytest

from harness_tui.rules.guards import autonomy_policy_check as autonomy
from harness_tui.rules.guards import branch_context_check as branch
from harness_tui.rules.guards import complex_project_entry_gate_check as entry
from harness_tui.rules.guards import dispatch_mode_recommend as mode
from harness_tui.rules.guards import dispatch_profile_check as profile
from harness_tui.rules.guards import evidence_completeness_check as evidence
from harness_tui.rules.guards import git_hash_check as checkpoint
from harness_tui.rules.guards import milestone_kind_routing as kind
from harness_tui.rules.guards import milestone_review_gate_check as review
from harness_tui.rules.guards import policy
from harness_tui.rules.guards import pre_milestone_intake_guard as intake
from harness_tui.rules.guards import runtime_backfill_detect as backfill
from harness_tui.rules.guards import worktrack_intake_review_check as worktrack
from harness_tui.rules.guards import writeback_bridge as bridge

INTAKE = """\
```yaml
intake_status: ready
programmer_confirmed: true
ready_for_init_milestone: true
intake_skipped: false
```
Complexity: low
"""
ENTRY = """\
## Complex Project Entry Gate
```yaml
complex_project_entry_gate:
  entry_verdict: clear
  milestone_blocking_decision:
    - allow_create
    - allow_upsert
    - allow_activate
    - allow_derive_worktrack
  needed: false
  recommendation_status: none
  blocks_implementation_until_resolved: false
```
"""
REVIEW = """\
## Milestone Review Gate
- milestone_review_gate_ready: true
- latest_review_status: effective_pass
- milestone_review_count: 2
- latest_review_checkpoint: c0ffee
- effective_review_pass: true
- review_invalidated_by: []

## Next
"""
WORKTRACK = """\
- repo_fundamentals: looked at
- snapshot_freshness: fresh
- milestone_purpose_alignment: aligned
- historical_conflict_risk: low
- worktrack_adjustment_recommendations: keep
- add_remove_worktrack_recommendations: keep
- intake_review_verdict: ready_for_worktrack_init
- ready_for_worktrack_init: true
"""
STATE = "- baseline_branch: trunk\n- active_milestone_branch: ms/MS-8\n"
CONTRACT = "- worktrack_branch: wt/WT-3\n- closeout_target_ref: ms/MS-8\n"
BRIDGE = '{"writeback_required": true, "writeback_instructions": {"milestone_artifact_updates": {"status": "done"}}}'
NOTHING = autonomy.Folders()
MODE = {
    "task_coupling": "low", "state_sharing": "low", "parallel_value": "medium", "risk_profile": "low",
    "context_budget_fit": "yes", "runtime_supports_subagent": "yes", "permission_allows_delegation": "yes",
    "dispatch_package_safe": "yes",
}  # fmt: skip
CASES = {
    "kind: a collection": lambda: kind.judge("- milestone_kind: work-collection\n"),
    "kind: a goal": lambda: kind.judge("x\n- milestone_kind: goal-driven\n"),
    "kind: an unknown kind": lambda: kind.judge("- milestone_kind: seasonal\n"),
    "kind: no kind": lambda: kind.judge(""),
    "kind: no milestone": lambda: kind.judge(None),
    "intake: ready": lambda: intake.judge(INTAKE),
    "intake: ready and skipped": lambda: intake.judge(INTAKE.replace("skipped: false", "skipped: true")),
    "intake: skipped": lambda: intake.judge(
        INTAKE.replace("status: ready", "status: skipped").replace("skipped: false", "skipped: true")
    ),
    "intake: blocked": lambda: intake.judge(INTAKE.replace("status: ready", "status: blocked")),
    "intake: an unknown status": lambda: intake.judge(INTAKE.replace("status: ready", "status: half")),
    "intake: no intake": lambda: intake.judge(None),
    "entry: open": lambda: entry.judge(ENTRY),
    "entry: all that blocks": lambda: entry.judge(
        ENTRY.replace("allow_", "block_").replace("false", "true").replace(": none", ": required")
    ),
    "entry: declared": lambda: entry.judge("x", "a typo"),
    "entry: no gate": lambda: entry.judge(None),
    "review: reviewed": lambda: review.judge(REVIEW),
    "review: not reviewed": lambda: review.judge(
        REVIEW.replace("count: 2", "count: 0").replace("by: []", "by:\n  - late")
    ),
    "review: no section": lambda: review.judge(""),
    "worktrack: ready": lambda: worktrack.judge(WORKTRACK),
    "worktrack: not ready": lambda: worktrack.judge(WORKTRACK.replace("init: true", "init: false")),
    "worktrack: ready in other words": lambda: worktrack.judge(WORKTRACK.replace("init: true", "init: yes")),
    "worktrack: no review": lambda: worktrack.judge(None),
    "checkpoint: unchanged": lambda: checkpoint.judge("- latest_observed_checkpoint: c0ffee\n", "c0ffee"),
    "checkpoint: no head": lambda: checkpoint.judge("\n- latest_observed_checkpoint: c0ffee\n", ""),
    "checkpoint: no checkpoint": lambda: checkpoint.judge("", "c0ffee" * 3),
    "backfill: nothing there": lambda: backfill.judge(""),
    "mode: delegated": lambda: mode.judge(MODE),
    "profile: one field": lambda: profile.judge('{"model_family": "x"}'),
    "evidence: one item": lambda: evidence.judge(("gate_verdict",), ("gate_verdict",)),
    "autonomy: observe": lambda: autonomy.judge("observe", "x", "latest_observed_checkpoint: c0ffee", NOTHING),
    "autonomy: close": lambda: autonomy.judge(
        "close", "worktrack-close-skill", "- worktrack_gate_verdict: pass\n", NOTHING
    ),
    "autonomy: change the goal": lambda: autonomy.judge("change_goal", "repo-change-goal-skill", None, NOTHING),
    "bridge: no object": lambda: bridge.judge("MS-8", "[]"),
    "bridge: not required": lambda: bridge.judge("MS-8", '{"writeback_required": false}'),
    "bridge: no instructions": lambda: bridge.judge(
        "MS-8", '{"writeback_required": true, "writeback_instructions": null}'
    ),
    "bridge: one step": lambda: bridge.judge("MS-8", BRIDGE),
    "branch: baseline": lambda: branch.judge(
        STATE, None, "RepoScope", "Init", branch="trunk", head="c0ffee", origin=str
    ),
    "branch: worktrack": lambda: branch.judge(
        STATE, CONTRACT, "WorktrackScope", "Close", branch="wt/WT-3", head="", origin=str
    ),
    "branch: by id": lambda: branch.judge(
        STATE, None, "WorktrackScope", "Close", branch="", head="", origin=str, worktrack_id="WT-3"
    ),
    "branch: no state": lambda: branch.judge(None, None, "RepoScope", "Observe", branch="x", head="", origin=str),
}
ANSWERS = [
    json.loads(line) for line in (Path(__file__).parent / "answers.jsonl").read_text("utf-8").split("\n") if line
]


def test_every_case_has_its_answer():
    assert [item["case"] for item in ANSWERS] == [*CASES]


@pytest.mark.parametrize("item", ANSWERS, ids=[item["case"] for item in ANSWERS])
def test_the_whole_answer(item):
    found = CASES[item["case"]]()
    assert json.dumps(found.document) == json.dumps(item["answer"])
    assert found.go is item["go"]


def test_the_words_that_a_caller_may_use():
    assert branch.SCOPES == ("RepoScope", "WorktrackScope")
    assert branch.FUNCTIONS == (
        "Observe", "Decide", "Init", "Dispatch", "Verify", "Judge", "Close", "Refresh", "Recover",
    )  # fmt: skip
    assert policy.OPERATIONS == (
        "observe", "schedule", "dispatch", "verify", "close", "recover", "change_goal", "init_milestone",
        "init_worktrack", "cleanup", "doc_catch_up",
    )  # fmt: skip
    three, two = ("low", "medium", "high"), ("yes", "no")
    assert {
        "task_coupling": three, "state_sharing": three, "parallel_value": three, "risk_profile": three,
        "context_budget_fit": two, "runtime_supports_subagent": (*two, "unknown"),
        "permission_allows_delegation": (*two, "unknown"), "dispatch_package_safe": two,
    } == mode.FACTORS  # fmt: skip


@pytest.mark.parametrize("line", range(6))
def test_each_of_the_six_fields_of_a_worktrack_review_is_asked_for(line):
    lines = WORKTRACK.split("\n")
    name = lines.pop(line)[2:].partition(":")[0]
    found = worktrack.judge("\n".join(lines))
    assert (found.go, found.document["missing_fields"]) == (False, [name])


PROFILE = (
    "backend_runtime", "model_family", "subagent_dispatch_shell", "runtime_supports_subagent",
    "subagent_permission_state", "permission_allows_delegation", "dispatch_package_safety", "delegation_attempted",
    "attempted_carrier", "carrier_decision", "fallback_reason",
)  # fmt: skip
SPAWNED = (
    "parent_runtime_dispatch_record_ref", "spawned_subagent_record_ref", "carrier_instance_id", "isolation_boundary",
    "boundary_violation_recorded",
)  # fmt: skip


@pytest.mark.parametrize("name", PROFILE)
def test_each_of_the_eleven_fields_of_a_dispatch_is_asked_for(name):
    assert profile.judge(json.dumps(dict.fromkeys(PROFILE, "x"))).go
    found = profile.judge(json.dumps(dict.fromkeys(PROFILE, "x") | {name: None}))
    assert (found.go, found.document["missing_fields"]) == (False, [name])


@pytest.mark.parametrize("name", SPAWNED)
@pytest.mark.parametrize("carrier", ["subagent", "SubAgent/scout", "delegated"])
def test_each_record_of_a_subagent_is_asked_for_by_a_strict_reader(name, carrier):
    full = dict.fromkeys((*PROFILE, *SPAWNED), "x") | {"carrier_decision": carrier}
    assert profile.judge(json.dumps(full)).document["strict"]["ready"]
    del full[name]
    assert profile.judge(json.dumps(full)).document["strict"]["findings"] == [
        f"a subagent did the work, but {name} is missing"
    ]


POINTS = [
    ("task_coupling", "low", "2 for delegated"), ("task_coupling", "medium", "1 for current-carrier"),
    ("task_coupling", "high", "2 for current-carrier"), ("state_sharing", "low", "2 for delegated"),
    ("state_sharing", "medium", "1 for current-carrier"), ("state_sharing", "high", "2 for current-carrier"),
    ("parallel_value", "low", "1 for current-carrier"), ("parallel_value", "medium", ""),
    ("parallel_value", "high", "2 for delegated"), ("risk_profile", "low", ""), ("risk_profile", "medium", ""),
    ("risk_profile", "high", "2 for current-carrier"), ("context_budget_fit", "yes", ""),
    ("context_budget_fit", "no", "1 for delegated"),
]  # fmt: skip


@pytest.mark.parametrize(("factor", "word", "points"), POINTS)
def test_each_factor_has_its_points_and_says_so(factor, word, points):
    reasons = mode.judge(MODE | {factor: word}).document["reasons"]
    assert [text for text in reasons if text.startswith(factor)] == (
        [f"{factor} is {word}: {points}"] if points else []
    )


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"task_coupling": "high", "state_sharing": "low", "risk_profile": "low"}, ("delegated", "medium", False)),
        ({"task_coupling": "high", "state_sharing": "low", "risk_profile": "medium"}, ("current-carrier", "low", True)),
        ({"task_coupling": "high", "state_sharing": "medium", "parallel_value": "high"},
         ("current-carrier", "low", True)),
        ({"task_coupling": "high", "state_sharing": "medium", "parallel_value": "high", "risk_profile": "medium"},
         ("current-carrier", "medium", False)),
    ],
)  # fmt: skip
def test_one_point_turns_the_recommendation(said, found):
    answer = mode.judge(MODE | said).document
    assert (answer["recommended_mode"], answer["confidence"], answer["needs_llm_review"]) == found


@pytest.mark.parametrize("word", ["placeholder", "pending", "tbd", "TBD", "Pending_Programmer_Confirmation", ""])
def test_each_placeholder_of_an_entry_gate_needs_a_review(word):
    found = entry.judge(ENTRY.replace("verdict: clear", f'verdict: "{word}"'))
    assert (found.go, found.document["needs_llm_review"]) == (False, True)


@pytest.mark.parametrize("word", ["create", "upsert", "activate", "derive_worktrack"])
def test_each_block_of_an_entry_gate_shuts_it(word):
    found = entry.judge(ENTRY.replace(f"allow_{word}\n", f"block_{word}\n"))
    assert (found.go, found.document["checked_fields"]["blocking_decisions_found"]) == (False, [f"block_{word}"])


@pytest.mark.parametrize("word", ["[]", "none", "N/A", "null", "`none`", ""])
def test_a_review_that_nothing_invalidates_is_no_finding(word):
    found = review.judge(REVIEW.replace("by: []", f"by: {word}"))
    assert (found.go, found.document["strict"]) == (True, {"ready": True, "findings": []})
