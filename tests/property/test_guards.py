"""Whatever the text, a guard answers; the readers of fields read what their rule says."""

import json
import re

from hypothesis import example, given
from hypothesis import strategies as st

from harness_tui.formats.evidence_items import affirmed, mentioned
from harness_tui.rules.guards import (
    autonomy_policy_check,
    branch_context_check,
    complex_project_entry_gate_check,
    dispatch_profile_check,
    evidence_completeness_check,
    git_hash_check,
    milestone_kind_routing,
    milestone_review_gate_check,
    pre_milestone_intake_guard,
    runtime_backfill_detect,
    worktrack_intake_review_check,
    writeback_bridge,
)
from harness_tui.rules.guards.checkpoint_writeback import with_checkpoint
from harness_tui.rules.guards.fields import Fields
from harness_tui.rules.guards.normalize_control_state import GATHERED, SINGLE, normalized
from harness_tui.rules.guards.policy import OPERATIONS

PIECES = st.sampled_from(
    [
        "## ", "### ", "- ", "  - ", "* ", ":", ": ", "\n", "\n\n", "\r", "```yaml\n", "```\n", '"', "'", "`", "#",
        "：",
        "true", "FALSE", "yes", "7", "none", "N/A", "[]", "|", " ", "\t", "\u2028", "\x00", "\ufeff", "\udce9",
        "İ",
        "Milestone Review Gate", "Complex Project Entry Gate", "Baseline Traceability", "complex_project_entry_gate",
        "entry_verdict", "clear", "milestone_blocking_decision", "block_create", "needed", "milestone_kind",
        "goal-driven", "intake_status", "ready", "skipped", "intake_skipped", "programmer_confirmed", "accepted_risk",
        "ready_for_init_milestone", "review_invalidated_by", "latest_review_status", "effective_pass", "complexity",
        "milestone_review_count", "latest_observed_checkpoint", "baseline_branch", "worktrack_gate_verdict", "verdict",
        "intake_review_verdict", "repo_fundamentals", "verified_at", "verified_at_history", "last_stop_reason",
        "worktrack_scope", "updated: x", "c0ffee", "2027-01-01",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=40).map("".join)


def plain(text):
    """As a file's text reaches a guard."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def answers(text):
    yield milestone_kind_routing.judge(text)
    yield pre_milestone_intake_guard.judge(text)
    yield complex_project_entry_gate_check.judge(text, None)
    yield milestone_review_gate_check.judge(text)
    yield runtime_backfill_detect.judge(text, text)
    yield worktrack_intake_review_check.judge(text)
    yield git_hash_check.judge(text, "c0ffee")
    yield evidence_completeness_check.judge(mentioned(text), affirmed(text))
    yield dispatch_profile_check.judge(text)
    yield writeback_bridge.judge("MS-1", text)
    for operation in OPERATIONS:
        yield autonomy_policy_check.judge(operation, "worktrack-close-skill", text, autonomy_policy_check.Folders())
    for worktrack_id in (None, text[:9]):
        yield branch_context_check.judge(
            text, text, "WorktrackScope", "Close", branch="trunk", head="", origin=str, worktrack_id=worktrack_id
        )


@given(TEXTS)
@example("milestone_kind:\udce9")
@example("- review_invalidated_by:\n\n" * 50)
@example("---------" * 50)
def test_every_guard_answers_with_json_and_strict_is_never_laxer(text):
    for verdict in answers(plain(text)):
        json.dumps(verdict.document)
        strict = verdict.document["strict"]
        assert verdict.go or not strict["ready"]
        assert strict["ready"] is (verdict.go and not strict["findings"])


@given(TEXTS, st.sampled_from(["needed", "intake_status", "milestone_review_count", "ready", "verdict"]))
def test_the_readers_are_these_patterns(text, name):
    text = plain(text)
    value = re.search(rf"{name}:\s*[\"']?([^\"'#\n\r]+)", text)
    flag = re.search(rf"{name}:\s*(true|false)\b", text, re.IGNORECASE)
    number = re.search(rf"{name}:\s*(\d+)", text)
    fields = Fields(text)
    assert fields.value(name) == (value[1].strip() if value else "")
    assert fields.flag(name) == (flag[1].lower() == "true" if flag else None)
    assert fields.number(name) == (int(number[1]) if number else None)


@given(TEXTS)
def test_line_ends_and_a_mark_do_not_change_an_answer(text):
    text = plain(text).replace("\ufeff", "")
    windows = text.replace("\n", "\r\n")
    assert list(answers(plain(windows))) == list(answers(text))


@given(TEXTS)
def test_a_checkpoint_costs_no_line_and_the_same_again_changes_nothing(text):
    done = with_checkpoint(text, "observed", "c0ffee", "2027-01-01T00:00:00Z")
    if done is None:
        return
    after = done[0]
    assert with_checkpoint(after, "observed", "c0ffee", "2027-01-01T00:00:00Z") == (after, "c0ffee")
    ours = re.compile(r"\s*-?\s*latest_observed_checkpoint:|updated\s*:")
    kept = [line for line in after.split("\n") if line]
    for line in text.split("\n"):
        if line and not ours.match(line):
            assert line in kept
            kept.remove(line)


@given(TEXTS)
def test_a_plain_form_loses_no_text_and_stays_as_it_is(text):
    once, _ = normalized(text)
    assert normalized(once)[0] == once
    keys = (*GATHERED, *SINGLE)
    for line in text.split("\n"):
        if not any(line.startswith(f"- {key}:") for key in keys):
            assert line.strip() in once
