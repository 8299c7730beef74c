"""Intake reviews, entry gates, milestones: what lets a milestone or worktrack begin."""

import pytest

from harness_tui.rules.guards import complex_project_entry_gate_check as entry
from harness_tui.rules.guards import milestone_kind_routing as kind
from harness_tui.rules.guards import milestone_review_gate_check as review
from harness_tui.rules.guards import pre_milestone_intake_guard as intake
from harness_tui.rules.guards import worktrack_intake_review_check as worktrack


@pytest.mark.parametrize(
    ("text", "name", "ready", "handback", "advance", "reason"),
    [
        ("milestone_kind: work-collection", "work-collection", True, False, True, "the pipeline goes on"),
        (
            'milestone_kind: "goal-driven"',
            "goal-driven",
            True,
            True,
            False,
            "handed back to the operator when achieved",
        ),
        ("- milestone_kind: seasonal", "seasonal", False, None, False, "seasonal"),
        ("- milestone_kind: `goal-driven`", "`goal-driven`", False, None, False, "`goal-driven`"),
        ("# MS-8", "unknown", False, None, False, "milestone_kind is missing"),
        (None, "unknown", False, None, False, "there is no milestone file"),
    ],
)
def test_the_kind_decides_who_goes_on(text, name, ready, handback, advance, reason):
    found = kind.judge(text)
    parts = ("milestone_kind", "ready", "handback_required", "auto_advance", "blocked")
    assert tuple(found.document[part] for part in parts) == (name, ready, handback, advance, not ready)
    assert found.go is ready
    assert found.document["reason"].rpartition(": ")[2] == reason
    place = {"field": "milestone_kind", "line": 1} if name != "unknown" else None
    assert found.document["decided_by"] == place
    said = {"milestone_kind": "" if name == "unknown" else name}
    assert found.document["checked_fields"] == ({} if text is None else said)


def test_two_kinds_are_no_plain_answer():
    strict = kind.judge("milestone_kind: work-collection\n\n- milestone_kind: goal-driven\n").document["strict"]
    assert strict == {"ready": False, "findings": ["milestone_kind is given with different values (lines 1, 3)"]}


READY = {"intake_status": "ready", "programmer_confirmed": "true", "ready_for_init_milestone": "true",
         "intake_skipped": "false"}  # fmt: skip


def review_of(**fields):
    body = "".join(f"{name}: {value}\n" for name, value in fields.items() if value is not None)
    return f"# Intake\n\n## Complexity Assessment\n\nlow\n\n## Intake Status\n\n```yaml\n{body}```\n"


@pytest.mark.parametrize(
    ("fields", "action", "status"),
    [
        (READY, "proceed_to_init_milestone", "ready"),
        (READY | {"programmer_confirmed": "false"}, "return_to_pre_milestone_intake_skill", "ready"),
        (READY | {"programmer_confirmed": "yes"}, "return_to_pre_milestone_intake_skill", "ready"),
        (READY | {"ready_for_init_milestone": None}, "return_to_pre_milestone_intake_skill", "ready"),
        (READY | {"intake_skipped": None}, "return_to_pre_milestone_intake_skill", "ready"),
        ({"intake_status": "skipped", "intake_skipped": "true"}, "proceed_with_risk_record", "skipped"),
        ({"intake_status": "skipped"}, "return_to_pre_milestone_intake_skill", "skipped"),
        ({"intake_status": "questions_required"}, "return_to_pre_milestone_intake_skill", "questions_required"),
        ({"intake_status": "blocked"}, "handback_to_programmer", "blocked"),
        ({"intake_status": '""'}, "route_to_pre_milestone_intake_skill", "missing"),
        ({"other": "x"}, "route_to_pre_milestone_intake_skill", "missing"),
        ({"intake_status": "half"}, "handback_to_programmer", "half"),
    ],
)
def test_the_intake_review_routes(fields, action, status):
    found = intake.judge(review_of(**fields))
    assert (found.document["required_action"], found.document["intake_status"]) == (action, status)
    assert found.go is action.startswith("proceed")
    assert (found.document["ready"], found.document["blocked"]) == (found.go, not found.go)


@pytest.mark.parametrize(("text", "status"), [(None, "missing"), ("intake_status: ready", "unparseable")])
def test_without_a_yaml_block_there_is_no_review(text, status):
    found = intake.judge(text)
    assert (found.go, found.document["intake_status"], found.document["checked_fields"]) == (False, status, {})
    assert found.document["required_action"] == "route_to_pre_milestone_intake_skill"


def test_the_field_that_decided_an_intake():
    assert intake.judge(review_of(**READY)).document["decided_by"] == {"field": "intake_status", "line": 10}
    broken = review_of(**READY | {"programmer_confirmed": "false"})
    assert intake.judge(broken).document["decided_by"] == {"field": "programmer_confirmed", "line": 11}


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        (review_of(**READY), True),
        (review_of(**READY).replace("Complexity", "Weather"), False),
        (review_of(intake_status="skipped", intake_skipped="true"), False),
        (review_of(intake_status="skipped", intake_skipped="true", accepted_risk="[]"), False),
        (review_of(intake_status="skipped", intake_skipped="true", accepted_risk="late frost"), True),
        (review_of(**READY) + "", True),
        (review_of(**READY).replace("```\n", "intake_status: blocked\n```\n"), False),
        (review_of(**READY | {"programmer_confirmed": "true | false"}), False),
        (review_of(**READY | {"intake_status": '"ready" | "skipped"'}), False),
    ],
)
def test_a_strict_reader_asks_for_more_than_the_intake_script(text, ready):
    found = intake.judge(text)
    assert (found.go, found.document["strict"]["ready"]) == (True, ready)


def gate(*lines, fence=True):
    body = "".join(f"  {line}\n" for line in lines)
    block = f"complex_project_entry_gate:\n{body}"
    part = f"## Complex Project Entry Gate\n\n```yaml\n{block}```\n" if fence else f"x\n{block}\n"
    return f"# Intake\n\n{part}\n## More\n\n  blocks_implementation_until_resolved: true\n"


LIST = "milestone_blocking_decision:"


@pytest.mark.parametrize("fence", [True, False])
@pytest.mark.parametrize(
    ("lines", "go", "review", "reasons"),
    [
        (["entry_verdict: clear"], True, False, 0),
        (["entry_verdict: not_applicable"], True, False, 0),
        (["entry_verdict: blocked"], False, False, 1),
        (["entry_verdict: needs_reinforcement_milestone"], False, False, 1),
        (["entry_verdict: TBD"], False, True, 1),
        (["entry_verdict: placeholder"], False, True, 1),
        (["entry_verdict: Pending"], False, True, 1),
        (["entry_verdict: pending_programmer_confirmation"], False, True, 1),
        (['entry_verdict: ""', LIST, "  - block_create"], False, True, 2),
        (["note: empty"], False, True, 2),
        (["entry_verdict: clear", LIST, "  - allow_create", '  - "block_upsert"', "x: y"], False, False, 1),
        (["entry_verdict: clear", LIST, "  - block_sunlight", "x: y"], True, False, 0),
        (["entry_verdict: clear", "needed: true", "recommendation_status: required"], False, False, 1),
        (["entry_verdict: clear", "needed: true", "recommendation_status: recommended"], False, False, 1),
        (["entry_verdict: clear", "needed: true", "recommendation_status: pending_operator_review"], False, False, 1),
        (["entry_verdict: clear", "needed: false", "recommendation_status: required"], True, False, 0),
        (["entry_verdict: clear", "blocks_implementation_until_resolved: true"], False, False, 1),
        (["entry_verdict: blocked", "blocks_implementation_until_resolved: true"], False, False, 2),
    ],
)
def test_the_entry_gate(lines, go, review, reasons, fence):
    found = entry.judge(gate(*lines, fence=fence))
    assert (found.go, found.document["needs_llm_review"]) == (go, review)
    assert (found.document["ready"], found.document["blocked"]) == (go, not go)
    assert found.document["strict"] == {"ready": go, "findings": []}
    assert (0 if go else len(found.document["reason"].split("; "))) == reasons


def test_the_blocking_decisions_that_were_found_are_listed():
    lines = [
        "entry_verdict: clear",
        LIST,
        "  - block_upsert",
        "  - 'block_create'",
        "  - *block_activate",
        "  -block_derive_worktrack",
        "  * block_activate",
        "x: y",
    ]
    found = entry.judge(gate(*lines)).document["checked_fields"]
    assert found["blocking_decisions_found"] == ["block_create", "block_derive_worktrack", "block_upsert"]


@pytest.mark.parametrize("text", [None, "# Intake\n\nnothing\n"])
def test_a_gate_that_is_not_there_needs_a_reason(text):
    shut = entry.judge(text)
    assert (shut.go, shut.document["needs_llm_review"], shut.document["checked_fields"]) == (False, True, {})
    assert "not_applicable" not in shut.document
    open_ = entry.judge(text, "one typo")
    assert (open_.go, open_.document["not_applicable"], open_.document["not_applicable_reason"]) == (
        True, True, "one typo",
    )  # fmt: skip
    assert not entry.judge(text, "").go


def test_a_mention_without_section_is_read_as_a_whole():
    assert entry.judge("see complex_project_entry_gate; entry_verdict: blocked").go is False
    assert entry.judge("COMPLEX_PROJECT_ENTRY_GATE\nentry_verdict: clear\n").go is True


@pytest.mark.parametrize(
    "lines",
    [
        ["entry_verdict: clear | blocked"],
        ['entry_verdict: "clear" | "blocked"'],
        ["entry_verdict: clear", "blocks_implementation_until_resolved: false | true"],
        ["entry_verdict: clear", "needed: true"],
        ["entry_verdict: clear", "milestone_blocking_decision: [block_create, allow_upsert]"],
        ["entry_verdict: clear", "entry_verdict: blocked"],
        ["entry_verdict: clear", LIST, "  - block_create for now", "x: y"],
    ],
)
def test_what_slips_through_the_entry_gate_is_a_finding(lines):
    found = entry.judge(gate(*lines))
    assert found.go
    assert found.document["strict"]["findings"]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("see complex_project_entry_gate\n\nentry_verdict: clear\n", "the whole file was read"),
        (("## Complex Project Entry Gate\n\n(complex_project_entry_gate)\n\n```\nx\n```\n\n"
         "## Next\n\n```yaml\nentry_verdict: clear\n```\n"), "of a later section was read"),
        ("## Complex Project Entry Gate\n\n## complex_project_entry_gate\n```yaml\nentry_verdict: clear\n```\n",
         "of a later section was read"),
        (gate("entry_verdict: clear", "reinforcement_needed: false", "needed: true"), "needed is no field"),
    ],
)  # fmt: skip
def test_a_gate_read_from_where_it_does_not_stand_is_a_finding(text, finding):
    found = entry.judge(text)
    assert found.go
    assert finding in found.document["strict"]["findings"][0]


def test_a_last_list_line_without_end_is_a_finding():
    found = entry.judge("complex_project_entry_gate:\n  entry_verdict: clear\n  " + LIST + "\n    - block_create")
    assert found.go
    assert "block_create" in found.document["strict"]["findings"][0]


SIX = {"milestone_review_gate_ready": "true", "latest_review_status": "effective_pass", "milestone_review_count": "2",
       "latest_review_checkpoint": "c0ffee", "effective_review_pass": "true"}  # fmt: skip


def section(more="", **fields):
    body = "".join(f"- {name}: {value}\n" for name, value in (SIX | fields).items() if value is not None)
    return f"# State\n\n## Milestone Review Gate\n\n{body}{more}\n## Next\n\n- effective_review_pass: false\n"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (section(), []),
        (section(milestone_review_gate_ready="false"), ["milestone_review_gate_ready"]),
        (section(milestone_review_gate_ready="yes"), ["milestone_review_gate_ready"]),
        (section(latest_review_status="`effective_pass`"), ["latest_review_status"]),
        (section(milestone_review_count="0"), ["milestone_review_count"]),
        (section(milestone_review_count=None), ["milestone_review_count"]),
        (section(effective_review_pass="false"), ["effective_review_pass"]),
        (section(latest_review_checkpoint="none"), ["latest_review_checkpoint"]),
        (section(latest_review_checkpoint="N/A"), ["latest_review_checkpoint"]),
        (section("- review_invalidated_by:\n  - the list changed\n"), ["review_invalidated_by"]),
        (section("- review_invalidated_by:\n- other: x\n"), ["review_invalidated_by"]),
        (section("- review_invalidated_by: []\n"), []),
        (section(milestone_review_gate_ready="no", latest_review_status="stale"),
         ["milestone_review_gate_ready", "latest_review_status"]),
        (section().replace("## Milestone", "### Milestone"), []),
        (section().partition("\n\n## Next")[0], []),
        (section().replace("Milestone Review Gate", "milestone review gate"), ["milestone_review_gate_section"]),
        (section().replace("Milestone Review Gate", "Active Milestone"), ["milestone_review_gate_section"]),
        (None, ["control_state_file"]),
    ],
)  # fmt: skip
def test_all_six_conditions_of_the_review_gate(text, missing):
    found = review.judge(text)
    assert [words.split(" ")[0] for words in found.document["missing_fields"]] == missing
    assert (found.go, found.document["ready"], found.document["blocked"]) == (not missing, not missing, bool(missing))


@pytest.mark.parametrize(
    "text",
    [
        section("- review_invalidated_by: the list changed\n"),
        section()
        .replace("\n## Next", "- review_invalidated_by:\n  - late\n## Next")
        .replace("\n## Next", "## Next", 0),
        section("- latest_review_status: stale\n"),
        section(effective_review_pass="true | false"),
        section(milestone_review_count="1 | 2"),
        section(milestone_review_gate_ready=None, not_milestone_review_gate_ready="true"),
        section().replace("Gate\n\n- ", "Gate\n\n## Another\n- "),
    ],
)
def test_what_the_review_script_does_not_see_is_a_finding(text):
    text = text.replace("\n\n## Next", "\n## Next")
    found = review.judge(text)
    assert found.go
    assert found.document["strict"]["findings"]


def test_the_line_of_the_condition_that_failed_first():
    assert review.judge(section()).document["reason"] == "ready: all six conditions hold"
    nothing = review.judge(section(latest_review_status=None)).document
    assert nothing["reason"] == "not ready: latest_review_status is empty, not effective_pass"
    found = review.judge(section(latest_review_status="stale")).document
    assert found["reason"] == "not ready: latest_review_status is stale, not effective_pass"
    assert found["checked_fields"] == {
        "milestone_review_gate_ready": True, "latest_review_status": "stale", "milestone_review_count": 2,
        "effective_review_pass": True, "latest_review_checkpoint": "c0ffee", "review_invalidated_by": "empty/absent",
    }  # fmt: skip
    assert found["decided_by"] == {"field": "latest_review_status", "line": 6}


FIELDS = dict.fromkeys(worktrack.REQUIRED, "looked at")
LAST = worktrack.REQUIRED[-1]


def sheet(verdict="ready_for_worktrack_init", ready="true", **fields):
    lines = FIELDS | fields | {"intake_review_verdict": verdict, "ready_for_worktrack_init": ready}
    return "".join(f"- {name}: {value}\n" for name, value in lines.items() if value is not None)


@pytest.mark.parametrize(
    ("text", "action", "missing"),
    [
        (sheet(), "proceed_to_init_worktrack", []),
        (sheet("blocked"), "handback_to_programmer", []),
        (sheet("refresh_required"), "route_to_repo_refresh", []),
        (sheet("adjust_worktracks"), "route_to_milestone_backlog_adjustment", []),
        (sheet("adjust_worktracks", **{LAST: None}), "route_to_milestone_backlog_adjustment", [LAST]),
        (sheet(**{LAST: "none"}), "return_to_repo_whats_next_for_completion", [LAST]),
        (sheet(**{LAST: "none."}), "proceed_to_init_worktrack", []),
        (sheet(ready="no"), "return_to_repo_whats_next_for_completion", []),
        (sheet(ready=None), "return_to_repo_whats_next_for_completion", []),
        (sheet("soon"), "handback_to_programmer", []),
        (sheet(None, None), "route_to_repo_whats_next_for_intake", ["intake_review_verdict"]),
        ("", "route_to_repo_whats_next_for_intake", [*worktrack.REQUIRED, "intake_review_verdict"]),
        (None, "route_to_repo_whats_next_for_intake", ["intake_review_file"]),
    ],
)
def test_the_worktrack_review_routes(text, action, missing):
    found = worktrack.judge(text)
    assert (found.document["required_action"], found.document["missing_fields"]) == (action, missing)
    assert found.go is (action == "proceed_to_init_worktrack")
    assert (found.document["ready"], found.document["blocked"]) == (found.go, not found.go)


def test_a_template_that_nobody_filled_is_a_finding():
    found = worktrack.judge(sheet(ready="true | false"))
    assert found.go
    assert found.document["strict"]["findings"] == [
        "ready_for_worktrack_init is no plain value in line 8: true | false"
    ]


def test_a_field_that_is_filled_by_its_neighbour_is_a_finding():
    text = sheet(snapshot_freshness="")
    found = worktrack.judge(text)
    assert found.go
    assert found.document["strict"]["findings"] == [
        "snapshot_freshness is empty in line 2: what follows was taken for its value"
    ]
