"""Dispatch, evidence, autonomy, checkpoints, backfill, the bridge: one case for each row of their rules."""

import json

import pytest

from harness_tui.formats.evidence_items import affirmed, mentioned
from harness_tui.rules.guards import autonomy_policy_check as autonomy
from harness_tui.rules.guards import dispatch_mode_recommend as mode
from harness_tui.rules.guards import dispatch_profile_check as profile
from harness_tui.rules.guards import evidence_completeness_check as evidence
from harness_tui.rules.guards import git_hash_check as checkpoint
from harness_tui.rules.guards import runtime_backfill_detect as backfill
from harness_tui.rules.guards import writeback_bridge as bridge
from harness_tui.rules.guards.policy import EVIDENCE, OPERATIONS

HEAD = "5eed" * 10


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"- latest_observed_checkpoint: {HEAD}\n", "unchanged"),
        (f"  - latest_observed_checkpoint:   {HEAD}  \n", "unchanged"),
        (f"- latest_observed_checkpoint: {HEAD}\n- latest_observed_checkpoint: {HEAD}\n", "unchanged"),
        (f"- latest_observed_checkpoint: {HEAD[:7]}\n", "changed"),
        ("- latest_observed_checkpoint: N/A\n", "changed"),
        (f"- latest_observed_checkpoint: `{HEAD}`\n", "changed"),
        (f"- latest_observed_checkpoint: old\n- latest_observed_checkpoint: {HEAD}\n", "changed"),
        ("- latest_observed_checkpoint:\n- other: x\n", "missing_checkpoint"),
        (f"latest_observed_checkpoint: {HEAD}\n", "missing_checkpoint"),
        ("", "missing_checkpoint"),
        (None, "missing_checkpoint"),
    ],
)
def test_the_checkpoint_is_compared_as_text(text, status):
    found = checkpoint.judge(text, HEAD)
    assert found.document["status"] == status
    assert found.go is found.document["repo_baseline_unchanged"] is (status == "unchanged")
    assert found.document["repo_baseline_changed"] is not found.go


def test_the_baseline_tells_both_commits_and_where_the_checkpoint_stands():
    found = checkpoint.judge(f"# R\n\n- latest_observed_checkpoint: {'0ld' * 10}\n", HEAD).document
    assert (found["current_head"], found["latest_observed_checkpoint"]) == (HEAD, "0ld" * 10)
    assert found["reason"] == f"HEAD is {HEAD[:12]}, the checkpoint {'0ld' * 4}"
    assert found["decided_by"] == {"field": "latest_observed_checkpoint", "line": 3}
    nothing = checkpoint.judge("- latest_observed_checkpoint:\n", HEAD).document
    assert (nothing["latest_observed_checkpoint"], nothing["decided_by"]["line"]) == (None, 1)
    assert checkpoint.judge("", HEAD).document["decided_by"] is None


def test_outside_of_git_nothing_is_unchanged():
    assert not checkpoint.judge("- latest_observed_checkpoint:\n", "").go
    assert not checkpoint.judge(f"- latest_observed_checkpoint: {HEAD}\n", "").go


def test_a_second_checkpoint_that_differs_is_a_finding():
    text = f"- latest_observed_checkpoint: {HEAD}\n- latest_observed_checkpoint: older\n"
    assert checkpoint.judge(text, HEAD).document["strict"]["findings"] == [
        "latest_observed_checkpoint is given with different values (lines 1, 2)"
    ]


def test_all_fourteen_fields_are_missing_from_nothing():
    found = backfill.judge("")
    assert found.go
    assert len(found.document["missing_fields"]) == len(found.document["gaps_recorded"]) == 14
    assert found.document["missing_fields"] == found.document["backfill_values"] == backfill.DEFAULTS
    assert list(found.document["missing_fields"]) == sorted(backfill.DEFAULTS)
    assert not found.document["strict"]["ready"]


def test_a_value_that_says_nothing_is_a_value():
    text = "".join(f"- {name}: {value}\n" for name, value in dict.fromkeys(backfill.DEFAULTS, "N/A").items())
    assert backfill.judge(text).document["missing_fields"] == {}
    assert backfill.judge(text).document["strict"]["ready"]


def test_without_the_artifact_one_field_says_so():
    found = backfill.judge(None)
    assert (found.go, found.document["missing_fields"]) == (True, {"_artifact_missing": "file not found"})
    assert len(found.document["gaps_recorded"]) == 1


def test_a_schema_adds_names():
    schema = (
        "- soil: x\n  - rain: y\n nested: z\nplain: no\n-tight: w\n\tdeep: v\n-\n\nbelow: u\n\nnot: t\n \nafter: s\n"
    )
    missing = backfill.judge("soil: loam\n", schema).document["missing_fields"]
    assert {name: missing[name] for name in set(missing) - set(backfill.DEFAULTS)} == {
        "nested": "N/A", "tight": "N/A", "below": "N/A", "after": "N/A",
    }  # fmt: skip


GOOD = {"task_coupling": "medium", "state_sharing": "medium", "parallel_value": "medium", "risk_profile": "medium",
        "context_budget_fit": "yes", "runtime_supports_subagent": "yes", "permission_allows_delegation": "yes",
        "dispatch_package_safe": "yes"}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "answer", "reasons"),
    [
        ({}, ("current-carrier", "medium", False), 2),
        ({"runtime_supports_subagent": "no"}, ("current-carrier", "high", False), 1),
        ({"permission_allows_delegation": "no"}, ("current-carrier", "high", False), 1),
        ({"dispatch_package_safe": "no", "runtime_supports_subagent": "unknown"},
         ("current-carrier", "high", False), 1),
        ({"runtime_supports_subagent": "unknown"}, ("current-carrier", "low", True), 1),
        ({"permission_allows_delegation": "unknown", "runtime_supports_subagent": "unknown"},
         ("current-carrier", "low", True), 2),
        ({"task_coupling": "low", "state_sharing": "low"}, ("delegated", "medium", False), 2),
        ({"task_coupling": "low", "state_sharing": "high"}, ("current-carrier", "low", True), 3),
        ({"task_coupling": "high", "state_sharing": "high", "parallel_value": "high"},
         ("current-carrier", "medium", False), 3),
        ({"task_coupling": "low", "parallel_value": "low"}, ("current-carrier", "low", True), 4),
        ({"parallel_value": "high", "risk_profile": "low"}, ("delegated", "medium", False), 3),
        ({"parallel_value": "high"}, ("current-carrier", "low", True), 4),
        ({"task_coupling": "low", "state_sharing": "low", "risk_profile": "high"},
         ("delegated", "medium", False), 3),
        ({"task_coupling": "low", "context_budget_fit": "no"}, ("delegated", "medium", False), 3),
    ],
)  # fmt: skip
def test_who_should_do_it(said, answer, reasons):
    found = mode.judge(GOOD | said)
    assert tuple(found.document[name] for name in ("recommended_mode", "confidence", "needs_llm_review")) == answer
    assert len(found.document["reasons"]) == reasons
    assert found.go


FULL = dict.fromkeys(profile.REQUIRED, "said")


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        (FULL, []),
        (FULL | {"fallback_reason": "", "delegation_attempted": False}, []),
        (FULL | {"model_family": None}, ["model_family"]),
        ({}, list(profile.REQUIRED)),
    ],
)
def test_the_profile_names_what_is_missing(value, missing):
    found = profile.judge(json.dumps(value))
    assert (found.go, found.document["complete"]) == (not missing, not missing)
    assert found.document["missing_fields"] == missing
    assert found.document["reason"] == (
        f"{len(missing)} are missing: {', '.join(missing)}" if missing else "all fields are there"
    )
    assert found.document["checked_fields"] == {
        name: "missing" if name in missing else "present" for name in profile.REQUIRED
    }


@pytest.mark.parametrize("text", ["[1]", "7", '"x"', "null", "{", "", "[" * 100_000, "nan"])
def test_what_is_no_object_has_no_field(text):
    found = profile.judge(text)
    assert (found.go, found.document["missing_fields"]) == (False, list(profile.REQUIRED))
    assert found.document["checked_fields"] == {}


def test_a_subagent_must_leave_its_records():
    lone = profile.judge(json.dumps(FULL | {"carrier_decision": "current-carrier"}))
    assert lone.document["strict"]["ready"]
    spawned = profile.judge(json.dumps(FULL | {"carrier_decision": "delegated", "fallback_reason": ""}))
    assert spawned.go
    assert len(spawned.document["strict"]["findings"]) == len(profile.SPAWNED)
    told = profile.judge(json.dumps(FULL | dict.fromkeys(profile.SPAWNED, "r") | {"carrier_decision": "subagent"}))
    assert told.document["strict"]["ready"]
    assert profile.judge(json.dumps(FULL | {"fallback_reason": ""})).document["strict"]["findings"] == [
        "fallback_reason is empty"
    ]


@pytest.mark.parametrize(("noted", "ready"), [({}, False), ({"boundary_violation_recorded": True}, True)])
def test_a_fallback_after_an_attempt_is_noted(noted, ready):
    fallback = FULL | {"delegation_attempted": True, "carrier_decision": "current-carrier"}
    found = profile.judge(json.dumps(fallback | noted))
    assert (found.go, found.document["strict"]["ready"]) == (True, ready)


@pytest.mark.parametrize(
    ("item", "texts"),
    [
        ("route_decision", ["Route Decision", "route-decision", "dispatch_decision", "路由决策"]),
        ("worktrack_contract_scope", ["a Contract", "scope bound", "范围", "BOUNDARY"]),
        ("selected_task_dispatch_packet", ["dispatch packet", "task 4: its packet", "分派包", "任务简报"]),
        ("runtime_dispatch_profile", ["runtime dispatch profile", "dispatch_profile", "backend_runtime"]),
        ("validation_evidence", ["test evidence", "validation_evidence", "验证证据", "tests: all results"]),
        ("governance_policy_evidence", ["rule check", "Governance", "policy-evidence", "策略证据"]),
        ("gate_verdict", ["verdict", "gate result", "裁决"]),
        ("closeout_record", ["closeout", "收尾"]),
        ("repo_refresh_checkpoint", ["repo refresh", "checkpoint", "latest_observed"]),
    ],
)
def test_each_item_of_evidence_has_its_words(item, texts):
    for text in texts:
        found = evidence.judge(mentioned(text), affirmed(text))
        assert item in found.document["present"], text
        assert not found.go
        assert found.document["checked_items"][item]["present"] is True
        assert set(found.document["present"]) | set(found.document["missing"]) == set(EVIDENCE)


ALL = (
    "route_decision\ncontract\ndispatch_packet\ndispatch_profile\ntest_evidence\ngovernance\nverdict\ncloseout\n"
    "checkpoint"
)


def test_all_nine_are_complete_and_a_denial_is_a_finding():
    whole = evidence.judge(mentioned(ALL), affirmed(ALL))
    assert whole.go
    assert whole.document["strict"]["ready"]
    assert whole.document["reason"] == "all nine items are mentioned"
    denied = ALL.replace("verdict", "no verdict yet").replace("closeout", "closeout: pending")
    found = evidence.judge(mentioned(denied), affirmed(denied))
    assert found.go
    assert len(found.document["strict"]["findings"]) == 2


def test_words_on_two_lines_are_no_pair_and_no_file_has_no_items():
    assert mentioned("test it\nthe result") == ()
    found = evidence.judge(None)
    assert (found.go, found.document["checked_items"], len(found.document["missing"])) == (False, {}, 9)
    assert found.document["reason"] == "there is no evidence file"
    lacks = evidence.judge(mentioned(ALL.replace("verdict", "").replace("closeout", "")))
    assert lacks.document["reason"] == "2 are missing: gate_verdict, closeout_record"


RICH = (
    "recommended_next_route dispatch_packet dispatch_profile test_evidence rule_check verdict closeout "
    "latest_observed_checkpoint"
)
FOLDERS = autonomy.Folders(contract=True)
SYNC = ["artifact_hydration", "status_consistency_check"]
JUDGE, UNCLEAR, WIDER = "needs_programmer_judgment", "authority_boundary_unclear", "contract_scope_expansion"
CLOSED = "- worktrack_gate_verdict: pass\n- worktrack_gate_verdict_ref: gate.md\n"


@pytest.mark.parametrize(
    ("operation", "skills", "allowed", "stops"),
    [
        ("observe", ["repo-status-skill", "worktrack-status-skill", "milestone-status-skill"],
         ["read_only_observation", *SYNC], []),
        ("observe", ["other"], ["read_only_observation"], []),
        ("schedule", ["schedule-worktrack-skill", "worktrack-plan-work-skill"],
         ["worktrack_queue_scheduling", *SYNC], []),
        ("schedule", ["worktrack-schedule-skill"], ["worktrack_queue_scheduling"], []),
        ("verify", ["review-evidence-skill", "test-evidence-skill", "rule-check-skill", "gate-skill", "other"],
         ["bounded_local_verification"], []),
        ("verify", ["worktrack-review-skill"], ["bounded_local_verification", *SYNC], []),
        ("dispatch", ["worktrack-dispatch-skill", "worktrack-plan-work-skill"],
         ["bounded_worktrack_dispatch", *SYNC], []),
        ("dispatch", ["generic-worker-skill"], [], [JUDGE, UNCLEAR]),
        ("dispatch", ["dispatch-skills"], [], [UNCLEAR]),
        ("dispatch", ["other"], [], [JUDGE]),
        ("close", ["worktrack-close-skill"], ["bounded_worktrack_close", *SYNC], []),
        ("close", ["close-worktrack-skill", "other"], [], ["protected_branch_policy_hit"]),
        ("recover", ["recover-worktrack-skill"], [], [JUDGE, UNCLEAR]),
        ("recover", ["worktrack-recover-skill"], [], [JUDGE]),
        ("change_goal", ["repo-change-goal-skill"], [], [JUDGE, "milestone_final_acceptance_boundary"]),
        ("change_goal", ["other"], [], [JUDGE]),
        ("init_milestone", ["milestone-init-skill"], [*SYNC, "scaffold_validation"], []),
        ("init_milestone", ["init-milestone-skill"], [], [WIDER, JUDGE]),
        ("init_milestone", ["other"], [], [WIDER]),
        ("init_worktrack", ["worktrack-init-skill"], ["bounded_worktrack_init", *SYNC], []),
        ("init_worktrack", ["worktrack-plan-work-skill"],
         ["bounded_worktrack_init", *SYNC, "scaffold_validation"], []),
        ("init_worktrack", ["init-worktrack-skill", "other"], [], [WIDER]),
        ("cleanup", ["milestone-cleanup-skill", "worktrack-cleanup-skill", "servo-cleanup-skill", "cleanup-skill", "x"],
         ["non_destructive_docs_edits"], []),
        ("doc_catch_up", ["doc-catch-up-worker-skill", "worktrack-doc-catch-up-skill"],
         ["non_destructive_docs_edits"], []),
    ],
)  # fmt: skip
def test_each_skill_has_its_rules(operation, skills, allowed, stops):
    for skill in skills:
        found = autonomy.judge(operation, skill, RICH + "\n" + CLOSED, FOLDERS)
        document = found.document
        assert (document["allowed_rules"], document["stop_condition_hit"]) == (allowed, stops), skill
        assert document["allowed"] is bool(allowed)
        assert document["needs_approval"] is bool(stops)
        assert document["evidence_missing"] == []
        assert (found.go, document["blocked"]) == (not stops, bool(stops))
        assert document["forbidden_hit"] == (["goal_change"] if operation == "change_goal" else [])
        assert (document["blocking_exception"] is None) is (operation != "change_goal")


NAMES = {"route": "route_decision", "contract": "worktrack_contract_scope", "packet": "selected_task_dispatch_packet",
         "profile": "runtime_dispatch_profile", "validation": "validation_evidence",
         "governance": "governance_policy_evidence", "verdict": "gate_verdict", "closeout": "closeout_record",
         "checkpoint": "repo_refresh_checkpoint"}  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "skill", "needed"),
    [
        ("observe", "x", "checkpoint"), ("doc_catch_up", "x", "checkpoint"), ("schedule", "x", "route contract"),
        ("recover", "x", "route contract"), ("init_worktrack", "x", "route contract"),
        ("dispatch", "x", "route contract packet profile"), ("verify", "x", "validation governance"),
        ("close", "x", "verdict closeout checkpoint"), ("change_goal", "x", "route"), ("init_milestone", "x", "route"),
        ("cleanup", "x", "closeout"), ("init_worktrack", "worktrack-plan-work-skill", "route"),
    ],
)  # fmt: skip
def test_each_operation_needs_its_evidence(operation, skill, needed):
    names = [NAMES[word] for word in needed.split()]
    for control in ("# nothing", None):
        found = autonomy.judge(operation, skill, control, autonomy.Folders())
        assert [words.partition("（")[0] for words in found.document["evidence_missing"]] == names
        assert not found.go
        assert found.document["evidence_required_complete"] is False


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("route", "route_decision recommended_next_route"), ("packet", "dispatch_packet selected_task"),
        ("profile", "dispatch_profile"), ("validation", "validation_evidence test_evidence"),
        ("governance", "governance_policy rule_check policy_check"), ("verdict", "verdict gate_result"),
        ("closeout", "closeout"), ("checkpoint", "latest_observed_checkpoint repo_refresh_checkpoint"),
    ],
)  # fmt: skip
def test_each_word_stands_for_its_evidence_alone(item, words):
    asked = {"packet": "dispatch", "profile": "dispatch", "validation": "verify", "governance": "verify",
             "verdict": "close", "closeout": "cleanup", "checkpoint": "observe", "route": "schedule"}  # fmt: skip
    everything = autonomy.judge(asked[item], "x", "", autonomy.Folders()).document["evidence_missing"]
    for word in (*words.split(), *words.upper().split()):
        missing = autonomy.judge(asked[item], "x", f"the {word} is", autonomy.Folders()).document["evidence_missing"]
        assert [text for text in everything if text not in missing] == [f"{NAMES[item]}（{EVIDENCE[NAMES[item]]}）"], (
            word
        )


def test_the_reason_tells_all_that_speaks_for_and_against():
    found = autonomy.judge("change_goal", "x", None, FOLDERS).document["reason"]
    assert found == (
        "no rule allows it | forbidden: goal_change | stop conditions: needs_programmer_judgment | the operator's "
        "approval is needed | evidence is missing: route_decision（there is no control state）"
    )


def test_folders_stand_for_evidence():
    folders = autonomy.Folders(evidence=True, closeout=True)
    assert autonomy.judge("verify", "x", "policy_check", folders).go
    assert autonomy.judge("cleanup", "x", "", folders).go
    assert not autonomy.judge("cleanup", "x", None, folders).go


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (CLOSED, []),
        (CLOSED.replace("pass", "`pass`"), []),
        (CLOSED.replace("pass", '"pass" '), []),
        (CLOSED.replace("pass", "blocked"), ["eligible_legacy_gate_verdict"]),
        (CLOSED.replace("pass", "passed"), ["eligible_legacy_gate_verdict"]),
        (CLOSED.replace("gate.md", "TBD"), ["legacy_gate_verdict_ref"]),
        *[
            (CLOSED.replace("gate.md", word), ["legacy_gate_verdict_ref"])
            for word in ("", "n/a", "None", "null", "pending", "not_started", "unknown", "`TBD`")
        ],
        (
            CLOSED.replace("pass", "pass_with_residuals") + "- worktrack_gate_residual_acceptance_ref: Unknown\n",
            ["legacy_gate_residual_acceptance_ref"],
        ),
        (CLOSED.replace("pass", "pass_with_residuals"), ["legacy_gate_residual_acceptance_ref"]),
        (CLOSED.replace("pass", "pass_with_residuals") + "- worktrack_gate_residual_acceptance_ref: r.md\n", []),
        (CLOSED.replace("- worktrack", "-\n\n  worktrack", 1), []),
        ("", ["eligible_legacy_gate_verdict", "legacy_gate_verdict_ref"]),
    ],
)
def test_a_worktrack_is_closed_on_the_authority_of_its_gate(text, missing):
    found = autonomy.judge("close", "worktrack-close-skill", text, FOLDERS)
    assert found.document["close_authority"]["missing"] == missing
    assert found.document["evidence_missing"] == [f"close_authority:{name}" for name in missing]
    assert found.document["close_authority"]["complete"] is found.go is not missing


def test_a_reason_names_all_that_speaks_for_it_and_against_it():
    asked = autonomy.judge("change_goal", "x", None, FOLDERS)
    assert asked.document["reason"] == (
        "no rule allows it | forbidden: goal_change | stop conditions: needs_programmer_judgment | the operator's "
        "approval is needed | evidence is missing: route_decision（there is no control state）"
    )
    closed = autonomy.judge("close", "worktrack-close-skill", CLOSED, FOLDERS)
    assert closed.document["reason"] == f"allowed: bounded_worktrack_close, {', '.join(SYNC)}"
    assert [
        autonomy.judge("close", "worktrack-close-skill", text, FOLDERS).document["close_authority"]["reason"]
        for text in (CLOSED, "")
    ] == ["the verdict lets it be closed", "the verdict does not let it be closed"]


def test_only_that_skill_is_asked_for_authority():
    for operation in OPERATIONS:
        assert "close_authority" not in autonomy.judge(operation, "x", CLOSED, FOLDERS).document


def test_an_empty_field_is_no_evidence_to_a_strict_reader():
    empty = autonomy.judge("observe", "x", "- latest_observed_checkpoint:\n", FOLDERS)
    assert (empty.go, empty.document["strict"]["ready"]) == (True, False)
    by_word = autonomy.judge("verify", "x", "- policy_check: done\n- test_evidence:\n", FOLDERS)
    assert [words.partition(" ")[0] for words in by_word.document["strict"]["findings"]] == ["validation_evidence"]
    by_folder = autonomy.judge(
        "verify", "x", "- policy_check: done\n- test_evidence:\n", autonomy.Folders(evidence=True)
    )
    assert by_folder.document["strict"]["ready"]
    filled = autonomy.judge("observe", "x", f"- latest_observed_checkpoint: {HEAD}\n", FOLDERS)
    assert filled.document["strict"]["ready"]


def test_a_folder_or_a_word_in_a_value_is_evidence_to_a_strict_reader():
    def strict(operation, control, **folders):
        return autonomy.judge(operation, "x", control, autonomy.Folders(**folders)).document["strict"]["ready"]

    assert strict("verify", "- rule_check: done\n", evidence=True)
    assert strict("cleanup", "- closeout:\n", closeout=True)
    assert not strict("cleanup", "- closeout: **TBD**\n")
    assert strict("cleanup", "- last_step: Closeout of WT-3\n")
    assert strict("schedule", "the route_decision was taken\n", contract=True)


def plan(**instructions):
    return bridge.judge("MS-8", json.dumps({"writeback_required": True, "writeback_instructions": instructions}))


@pytest.mark.parametrize(
    ("instructions", "step"),
    [
        ({"milestone_artifact_updates": {"status": "completed"}},
         ("milestone-artifact-update", {"milestone_id": "MS-8", "field_updates": {"status": "completed"}})),
        ({"backlog_updates": {"milestone_backlog_upsert": {"status": "active"}}},
         ("milestone-backlog-upsert", {"milestone_id": "MS-8", "status": "active"})),
        ({"backlog_updates": {"milestone_backlog_upsert": {"milestone_id": "MS-9"}}},
         ("milestone-backlog-upsert", {"milestone_id": "MS-9", "status": ""})),
        ({"backlog_updates": {"milestone_history_append": {"status": "completed"}}},
         ("milestone-history-archive", {"milestone_id": "MS-8", "final_status": "completed"})),
        ({"control_state_updates": {"milestone_input_checkpoint": "abc"}},
         ("baseline-checkpoint-update",
          {"checkpoint_type": "milestone_input_checkpoint", "checkpoint_value": "abc"})),
        ({"control_state_updates": {"milestone_pipeline_summary": {"active": 1}}},
         ("pipeline-summary-recalc", {"summary": {"active": 1}})),
        ({"pipeline_advancement_action": {"action": "activate_next", "next_milestone_id": "MS-9"}},
         ("milestone-activation-switch", {"milestone_id": "MS-9", "previous_active": ""})),
        ({"control_state_updates": {"milestone_status": "completed"}},
         ("control-state-route-update", {"milestone_id": "MS-8", "milestone_status": "completed"})),
    ],
)  # fmt: skip
def test_each_instruction_becomes_its_step(instructions, step):
    found = plan(**instructions)
    assert found.document["steps"] == [{"mode": step[0], "params": step[1]}]
    assert (found.go, found.document["bridge_ok"], found.document["step_count"]) == (True, True, 1)


def test_the_steps_stand_in_their_order():
    found = plan(
        pipeline_advancement_action={"action": "activate_next"},
        control_state_updates={"milestone_status": "x", "milestone_pipeline_summary": "y",
                               "milestone_input_checkpoint": "z"},
        backlog_updates={"milestone_history_append": {"status": "a"}, "milestone_backlog_upsert": {"status": "b"}},
        milestone_artifact_updates={"c": 1},
    )  # fmt: skip
    assert [step["mode"] for step in found.document["steps"]] == [
        "milestone-artifact-update", "milestone-backlog-upsert", "milestone-history-archive",
        "baseline-checkpoint-update", "pipeline-summary-recalc", "milestone-activation-switch",
        "control-state-route-update",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ('{"writeback_required": false}', True),
        ('{"writeback_required": 0, "writeback_instructions": 7}', True),
        ('{"writeback_required": true, "writeback_instructions": {}}', True),
        ('{"writeback_required": true, "writeback_instructions": {"pipeline_advancement_action": {"action": "hold"}}}',
         True),
        ('{"writeback_required": true}', False),
        ('{"writeback_required": true, "writeback_instructions": null}', False),
        ('{"writeback_required": true, "writeback_instructions": []}', False),
        ("{}", False),
        ("[]", False),
        ("{", False),
        ("[" * 100_000, False),
    ],
)  # fmt: skip
def test_without_instructions_there_is_no_step(text, ok):
    found = bridge.judge("MS-8", text)
    assert (found.go, found.document["bridge_ok"], found.document.get("steps", [])) == (ok, ok, [])


@pytest.mark.parametrize(
    "instructions",
    [
        {"backlog_updates": None},
        {"control_state_updates": None},
        {"control_state_updates": "x"},
        {"backlog_updates": {"milestone_history_append": ["x"]}},
        {"backlog_updates": {"milestone_backlog_upsert": "x"}},
        {"pipeline_advancement_action": "activate_next"},
    ],
)
def test_a_part_that_is_no_object_is_refused_and_not_left_out(instructions):
    found = plan(milestone_artifact_updates={"status": "x"}, **instructions)
    assert (found.go, found.document["bridge_ok"]) == (False, False)
    assert "is no object" in found.document["reason"]


def test_an_empty_step_asks_for_nothing_and_a_step_without_its_milestone_is_a_finding():
    empty = {"milestone_backlog_upsert": None, "milestone_history_append": {}}
    assert plan(backlog_updates=empty, pipeline_advancement_action=None).document["steps"] == []
    assert plan(pipeline_advancement_action={"action": "activate_next"}).document["strict"]["findings"] == [
        "step 1 (milestone-activation-switch) has no milestone_id"
    ]
    null = plan(milestone_artifact_updates={"a": 1}, backlog_updates={"milestone_backlog_upsert": {"status": None}})
    assert null.document["strict"] == {"ready": False, "findings": ["step 2 (milestone-backlog-upsert) has no status"]}
