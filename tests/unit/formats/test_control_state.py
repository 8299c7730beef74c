"""The control state: what is used, what is assumed, what is doubled."""

import operator

import pytest

from harness_tui.formats.control_state import control_state
from harness_tui.formats.servo_fields import read_fields

HEAD = "# Control\n\n## Current Control Level\n\n- repo_scope: active\n- worktrack_scope: closed\n\n"


def single(text: str):
    return control_state([read_fields(text.encode(), ".servo/control-state.md")])


def split(**texts: str):
    order = ("wt", "repo", "operator", "state")
    names = {"wt": "control-state-wt.md", "repo": "control-state-repo.md", "operator": "operator-config.md",
             "state": "control-state.md"}  # fmt: skip
    return control_state([read_fields(texts[key].encode(), f".servo/{names[key]}") for key in order if key in texts])


def gap(control, key: str):
    return next((item for item in control.gaps if item.key == key), None)


def test_what_is_missing_gets_a_default_that_grants_nothing_and_is_listed():
    control = single("# Control\n")
    assert (control.scope, control.function, control.active_milestone, control.active_worktrack) == (
        "unknown", "unknown", "none", "none",
    )  # fmt: skip
    assert control.needs_approval
    assert control.stop_after_slice
    assert (control.ledger.budget_remaining, control.ledger.max_new_worktracks, control.autonomy) == (0, 0, "none")
    assert {item.key: item.default for item in control.gaps} == {
        "repo_scope": "unknown", "worktrack_scope": "none", "current_function": "unknown", "active_milestone": "none",
        "active_worktrack": "none", "recommended_next_route": "none", "milestone_status": "none",
        "needs_programmer_approval": "true", "post_contract_autonomy": "none", "stop_after_autonomous_slice": "yes",
        "autonomy_budget_remaining": "0", "autonomous_worktracks_opened": "0", "max_auto_new_worktracks": "0",
        "approval_scope": "nothing", "approval_persistence": "one-shot", "autonomy_scope": "nothing",
        "baseline_branch": "ask git", "branch_context_guard_status": "blocked",
        "latest_observed_checkpoint": "full refresh due", "last_doc_catch_up_checkpoint": "full refresh due",
        "milestone_input_checkpoint": "unknown", "latest_review_status": "missing", "latest_review_checkpoint": "N/A",
        "milestone_review_gate_ready": "false", "effective_review_pass": "false", "milestone_review_count": "0",
    }  # fmt: skip
    assert all(item.line is None and item.why == "missing" for item in control.gaps)


@pytest.mark.parametrize(
    ("key", "sections", "read", "values"),
    [
        ("repo_scope", "Current Control Level|Repo Control Level", "repo_scope", ("a", "b")),
        ("worktrack_scope", "Current Control Level|Worktrack Control Level", "worktrack_scope", ("a", "b")),
        ("current_function", "Current Control Level", "function", ("a", "b")),
        ("active_worktrack", "Active Worktrack|Worktrack Current", "active_worktrack", ("a", "b")),
        ("current_worktrack", "Active Worktrack|Worktrack Current", "active_worktrack", ("a", "b")),
        ("active_milestone", "Active Milestone|Milestone Pipeline", "active_milestone", ("a", "b")),
        ("milestone_status", "Active Milestone|Milestone Pipeline", "milestone_status", ("a", "b")),
        ("recommended_next_route", "Current Next Action", "next_route", ("a", "b")),
        ("current_next_action", "Current Next Action", "next_route", ("a", "b")),
        ("worktrack_next_action", "Current Next Action", "next_route", ("a", "b")),
        ("repo_next_action", "Current Next Action", "next_route", ("a", "b")),
        ("needs_programmer_approval", "Approval Boundary", "needs_approval", (False, True)),
        ("approval_required", "Approval Boundary", "needs_approval", (False, True)),
        ("post_contract_autonomy", "Continuation Authority", "autonomy", ("a", "b")),
        ("autonomy_mode", "Continuation Authority", "autonomy", ("a", "b")),
        ("stop_after_autonomous_slice", "Continuation Authority", "stop_after_slice", (False, True)),
        ("require_stop_after_slice", "Continuation Authority", "stop_after_slice", (False, True)),
        ("max_auto_new_worktracks", "Continuation Authority", "ledger.max_new_worktracks", (7, 3)),
        ("autonomy_budget_remaining", "Autonomy Ledger", "ledger.budget_remaining", (7, 3)),
        ("autonomous_worktracks_opened", "Autonomy Ledger", "ledger.opened", (3, 7)),
    ],
)
def test_a_field_of_its_own_section_counts_before_others_of_its_name(key, sections, read, values):
    right, wrong = values
    for section in sections.split("|"):
        found = single(f"## {section}\n\n- {key}: {right}\n\n## Elsewhere\n\n- {key}: {wrong}\n")
        assert operator.attrgetter(read)(found) == right
        assert key not in {item.key for item in found.gaps}


def test_scope_follows_the_worktrack():
    for word in ("closed", "inactive", "none", "N/A"):
        assert single(HEAD.replace("closed", word)).scope == "RepoScope", word
        assert (
            single(HEAD.replace("closed", word).replace("repo_scope: active", "repo_scope: unknown")).scope == "unknown"
        )
    for word in (
        "active", "initializing", "observing", "scheduling", "dispatching", "verifying", "judging", "recovering",
        "closing", "WorktrackScope",
    ):  # fmt: skip
        assert single(HEAD.replace("closed", word)).scope == "WorktrackScope", word
    assert single(HEAD.replace("closed", "dreaming")).scope == "unknown"


def test_bare_bullets_stand_for_the_only_field_of_their_section():
    text = (
        "## Active Worktrack\n\n- N/A\n\n## Baseline Branch\n\n- develop\n\n## Current Next Action\n\n- Observe: look\n"
    )
    control = single(HEAD + text)
    assert control.active_worktrack == "none"
    assert control.next_route == "Observe: look"
    assert gap(control, "active_worktrack") is None
    assert gap(control, "baseline_branch") is None


def test_the_route_comes_before_the_action_and_empty_ones_are_passed_over():
    text = "## Current Next Action\n\n- recommended_next_route: {}\n- current_next_action: go and look\n"
    assert single(text.format("RepoScope.Observe")).next_route == "RepoScope.Observe"
    assert single(text.format("N/A")).next_route == "go and look"


def test_unreadable_permissions_are_not_granted_and_named_with_their_line():
    text = "## Approval Boundary\n\n- needs_programmer_approval: no for docs; yes for code\n"
    control = single(text + "\n## Autonomy Ledger\n\n- autonomy_budget_remaining: plenty\n")
    assert control.needs_approval
    assert gap(control, "needs_programmer_approval").line == 3
    assert control.ledger.budget_remaining == 0
    assert gap(control, "autonomy_budget_remaining").line == 7


def test_of_doubled_values_the_stricter_counts():
    text = "## Autonomy Ledger\n\n- autonomy_budget_remaining: 9\n- autonomy_budget_remaining: 1\n"
    text += "\n## Approval Boundary\n\n- needs_programmer_approval: yes\n- needs_programmer_approval: no\n"
    control = single(text)
    assert control.ledger.budget_remaining == 1
    assert control.needs_approval
    assert [(d.key, [p.line for p in d.places]) for d in control.duplicates] == [
        ("autonomy_budget_remaining", [3, 4]), ("needs_programmer_approval", [8, 9]),
    ]  # fmt: skip


def test_nested_doubles_and_different_values_in_two_sections_are_shown():
    text = "## A\n\n- some_file: a.md\n- policy:\n  - push: no\n  - push: yes\n\n## B\n\n- some_file: b.md\n"
    found = {(d.section, d.key): [p.line for p in d.places] for d in single(text).duplicates}
    assert found == {("A", "push"): [5, 6], ("", "some_file"): [3, 10]}


def test_a_repeated_history_key_is_no_duplicate_and_notes_are_no_state():
    text = "## Handback Guard\n\n- last_stop_reason: a\n- last_stop_reason: b\n"
    control = single(text + "\n## Notes\n\n- latest: x\n- latest: y\n- active_milestone: MS-9\n")
    assert control.duplicates == ()
    assert control.active_milestone == "none"


def test_the_summary_is_read_in_three_shapes():
    want = (("planned", 1), ("active", 1), ("completed", 5))
    for value in (" planned=1 / active=1 / completed=5", " active=1 planned=1 completed=5; more=9 later",
                  "\n  - active_count: 1\n  - planned_count: 1\n  - completed_count: 5"):  # fmt: skip
        assert single(f"## Active Milestone\n\n- milestone_pipeline_summary:{value}\n").summary == want


def test_an_unfilled_template_is_no_value():
    control = single("## Current Control Level\n\n- current_function: Observe | Decide | Init\n")
    assert control.function == "unknown"
    assert "template" in gap(control, "current_function").why


def test_in_the_split_layout_the_siblings_come_first_and_a_conflict_is_shown():
    control = split(
        wt="## Worktrack Control Level\n\n- worktrack_scope: none\n"
        "\n## Worktrack Current\n\n- current_worktrack: WT-2\n",
        repo="## Repo Control Level\n\n- repo_scope: active\n\n## Milestone Pipeline — Active Milestone\n\n"
        "- active_milestone: MS-2\n",
        state="## Milestone Pipeline\n\n- active_milestone: MS-1\n"
        "\n## Autonomy Ledger\n\n- autonomy_budget_remaining: 1\n",
    )
    assert (control.layout, control.active_milestone, control.active_worktrack) == ("split", "MS-2", "WT-2")
    assert control.ledger.budget_remaining == 1
    (conflict,) = control.duplicates
    assert [(place.value, place.path) for place in conflict.places] == [
        ("MS-2", ".servo/control-state-repo.md"), ("MS-1", ".servo/control-state.md"),
    ]  # fmt: skip


def test_front_matter_alone_may_say_that_the_layout_is_split():
    assert single("---\ncontrol_state_version: split\n---\n# C\n").layout == "split"
    assert single("# C\n").layout == "single"


def test_every_field_is_listed_with_its_line_and_nested_keys_with_their_parents():
    (_, _, field) = single("## S\n\n- a_b: 1\n- profile:\n  - shell: pg://u:p@h\n").fields
    assert field == ("S", "profile.shell", "pg://•••@h", 5, ".servo/control-state.md")


def test_of_notes_and_front_matter_only_what_may_be_state_is_listed():
    text = "---\nowner: me\n---\n## Notes\n\n- closeout_summary: x\n- a lamp (old): y\n- lamp: z\n  - wick: w\n"
    assert [(field.key, field.line) for field in single(text).fields] == [("lamp", 8)]


def test_a_doubled_milestone_uses_the_last_one_of_its_own_section():
    text = "## Active Milestone\n\n- active_milestone: MS-1\n- active_milestone: MS-2\n"
    text += "\n## Other\n\n- active_milestone: MS-3\n"
    assert single(text).active_milestone == "MS-2"


def test_approvals_keep_their_ids_in_the_key_and_their_words():
    text = "## Approval Boundary\n\n- final_acceptance_MS_7: received on 2031-02-03T04:05:06+08:00; lamp only\n"
    (item,) = single(text).approval
    assert (item.key, item.line) == ("final_acceptance_MS_7", 3)
    assert item.value == "received on 2031-02-03T04:05:06+08:00; lamp only"
