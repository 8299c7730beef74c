"""The gate of a worktrack: three shapes, nine items, and never a pass by mistake."""

import pytest

from harness_tui.formats.gate_evidence import parse_gate

HEADINGS = """---
worktrack_id: WT-9
---
## implementation-gate

- Verdict: {0}

## validation-gate

- Verdict: {1}

## policy-gate

- Verdict: {2}
"""
LANES = """## Metadata

- worktrack_id: WT-9

## Review Lane

### Control Signal

- implementation_surface: {0}

## Validation Lane

- validation_surface: {1}

## Policy Lane

- policy_surface: {2}
"""
BOXES = """## Implementation Gate

- [x] the lamp is lit

## Validation Gate

- [x] 3 of 3

## Verdict

- implementation_gate: {0}
- validation_gate: {1}
- policy_gate: {2}
- final_verdict: pass
"""
SHAPES = pytest.mark.parametrize("shape", [HEADINGS, LANES, BOXES], ids=["headings", "lanes", "boxes"])


def gate(text: str, path: str = ".servo/worktrack/gate-evidence.md"):
    return parse_gate(text.encode(), path)


def axes(found):
    return (found.axes.implementation, found.axes.validation, found.axes.policy)


@SHAPES
def test_three_passes_pass(shape):
    found = gate(shape.format("pass", "passed", "通过"))
    assert (found.verdict, axes(found), found.missing_axes) == ("pass", ("pass",) * 3, ())


@SHAPES
@pytest.mark.parametrize("word", ["soft-fail", "hard_fail", "blocked", "pass-ish", "N/A", "pending"])
def test_the_worst_axis_is_the_verdict(shape, word):
    found = gate(shape.format("pass", word, "pass"))
    assert found.verdict == found.axes.validation != "pass"
    assert found.text == word
    assert axes(found)[::2] == ("pass", "pass")


@SHAPES
def test_line_ends_and_byte_order_mark_change_no_verdict(shape):
    text = shape.format("pass", "hard-fail", "pass")
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text):
        assert gate(other) == gate(text)


RESULTS = """## Review Lane

- review_result: {0}
- review_dimensions:
  - security: not applicable

## Validation Lane

- validation_result: {1}

## Policy Lane

- policy_result: {2}
"""
RECEPTION = """## Verdict

- verdict: pass

## Reception

| Dimension | Status | Notes |
|-----------|--------|-------|
| Review | {0} | T3 |
| Validation | {1} | 50 passed |
| Policy | {2} | no token |
"""


@pytest.mark.parametrize("shape", [RESULTS, RECEPTION], ids=["results", "reception"])
def test_the_lanes_name_the_axes_as_well(shape):
    found = gate(shape.format("pass", "pass", "pass"))
    assert (found.verdict, axes(found), found.missing_axes) == ("pass", ("pass",) * 3, ())
    for at, word in enumerate(["blocked", "pass-ish", "hard_fail"]):
        words = ["pass"] * 3
        words[at] = word
        worse = gate(shape.format(*words))
        assert worse.verdict == axes(worse)[at] != "pass"


def test_a_row_about_a_review_that_states_no_verdict_is_no_axis():
    found = gate(HEADINGS.format("pass", "pass", "pass") + "\n| Item | Owner |\n|---|---|\n| Review | Ann |\n")
    assert found.verdict == "pass"


@pytest.mark.parametrize("status", ["done", "open in WT-10", "pass", ""])
def test_a_row_about_a_review_in_a_table_of_other_things_is_no_axis(status):
    phases = f"\n## Phases\n\n| Phase | Status |\n|---|---|\n| Review | {status} |\n| Merge | done |\n"
    assert gate(HEADINGS.format("pass", "pass", "pass") + phases).verdict == "pass"


def test_a_row_about_a_review_that_fails_counts_in_any_table():
    rows = "\n| Phase | Status |\n|---|---|\n| Review | hard-fail |\n"
    assert gate(HEADINGS.format("pass", "pass", "pass") + rows).verdict == "hard-fail"


def test_a_missing_axis_is_unknown_unless_something_is_worse():
    text = "- implementation_gate: pass\n- validation_gate: {}\n- worktrack_gate_verdict: pass\n"
    found = gate(text.format("pass"))
    assert (found.verdict, found.missing_axes, found.axes.policy) == ("unknown", ("policy",), "unknown")
    assert "gate-axis-missing" in {problem.code for problem in found.problems}
    assert gate(text.format("hard-fail")).verdict == "hard-fail"


def test_an_overall_pass_does_not_outweigh_an_axis_nor_the_other_way_round():
    base = "- implementation_gate: pass\n- validation_gate: pass\n- policy_gate: {}\n- worktrack_gate_verdict: {}\n"
    assert gate(base.format("blocked", "pass")).verdict == "blocked"
    assert gate(base.format("pass", "hard-fail")).verdict == "hard-fail"
    assert gate(base.format("pass", "pass_with_remarks")).verdict == "unknown"


@pytest.mark.parametrize("key", ["verdict", "axis_verdict", "surface_verdict"])
@pytest.mark.parametrize("line", ["worktrack_gate_verdict: pass", "policy_gate: pass"])
def test_a_verdict_below_a_field_that_says_pass_is_not_passed_over(line, key):
    base = "- worktrack_gate_verdict: pass\n- implementation_gate: pass\n- validation_gate: pass\n- policy_gate: pass\n"
    found = gate(base.replace(line, f"{line}\n  - {key}: hard-fail"))
    assert (found.verdict, found.text) == ("hard-fail", "hard-fail")
    assert gate(base.replace(line, f"{line}\n  - {key}: pass\n  - note: hard-fail")).verdict == "pass"
    assert gate(base.replace(line, f"{line.replace('pass', '')}\n  - {key}: blocked")).verdict == "blocked"


def test_remarks_are_marked_and_shown_in_the_files_own_words():
    found = gate(HEADINGS.format("pass", "pass", "pass_with_retained_repo_warning"))
    assert (found.verdict, found.remarks, found.text) == ("pass", True, "pass_with_retained_repo_warning")
    assert not gate(HEADINGS.format("pass", "pass", "pass")).remarks


@pytest.mark.parametrize(
    "line", ["- worktrack_gate_verdict: {}", "- gate_verdict: {}", "- overall_verdict: {}", "- final_verdict: {}",
             "- verdict: {}"]
)  # fmt: skip
def test_the_overall_verdict_is_found_under_each_of_its_names(line):
    base = "## Judgment\n\n{}\n- implementation_gate: pass\n- validation_gate: pass\n- policy_gate: pass\n"
    found = gate(base.format(line.format("soft-fail")))
    assert (found.verdict, found.text, found.line) == ("soft-fail", "soft-fail", 3)
    assert gate(base.format(line.format("pass"))).verdict == "pass"


def test_the_best_name_counts_but_an_adverse_word_elsewhere_still_weighs():
    base = "---\nstatus: {}\n---\n## J\n\n- worktrack_gate_verdict: pass\n- implementation_gate: pass\n"
    base += "- validation_gate: pass\n- policy_gate: pass\n"
    assert gate(base.format("draft")).verdict == "pass"
    assert gate(base.format("failed")).verdict == "hard-fail"


def test_a_proposal_and_an_acceptance_are_no_verdict():
    found = gate("- proposed_verdict: pass\n- acceptance_verdict: accepted_with_residual_risk\n")
    assert (found.verdict, found.text, found.acceptance) == ("unknown", "pass", "accepted_with_residual_risk")
    base = HEADINGS.format("pass", "hard-fail", "pass")
    assert gate(base + "\n## Final Acceptance\n\n- verdict: pass\n").verdict == "hard-fail"


def test_a_manual_exception_stands_beside_the_verdict():
    text = HEADINGS.format("pass", "hard-fail", "pass")
    text += (
        "\n## Decision\n\n- manual_exception:\n  - present: true\n  - exception_type: override\n  - reason: the fair\n"
    )
    assert (gate(text).verdict, gate(text).override) == ("hard-fail", "override; the fair")
    assert gate(text.replace("present: true", "present: false")).override is None
    assert gate("- manual_exception: the fair\n").override == "the fair"
    assert gate("- manual_exception: no\n").override is None
    assert gate("- manual_exception:\n  - present: true\n").override == "manual exception"
    assert gate("- manual_exception:\n  - by: nobody\n- reason: of something else\n").override is None


@pytest.mark.parametrize("text", ["", "# Gate Evidence\n", "no verdict yet\n", "\x00\x01", "- verdict:\n"])
def test_an_empty_or_broken_file_is_unknown(text):
    assert gate(text).verdict == "unknown"


def test_doubled_axes_take_the_worst_and_a_table_counts_too():
    text = HEADINGS.format("pass", "pass", "pass") + "\n## validation-gate (round 2)\n\n- Verdict: blocked\n"
    assert gate(text).axes.validation == "blocked"
    rows = "| surface | verdict |\n|---|---|\n| implementation_surface | pass |\n| validation_surface | hard-fail |\n"
    assert gate(rows).verdict == "hard-fail"


def test_a_misspelt_key_does_not_hide_a_failure():
    text = HEADINGS.format("pass", "pass", "pass") + "\n## Judgment\n\n- worktrack_gate_verdikt: hard-fail\n"
    assert gate(text).verdict == "hard-fail"


def test_prose_that_names_a_verdict_is_none():
    text = HEADINGS.format("pass", "pass", "pass") + "\nThe verdict was hard-fail: we mended it.\n"
    assert gate(text).verdict == "pass"


def test_the_worktrack_is_named_by_the_text_or_else_by_the_path():
    assert gate(HEADINGS).id == "WT-9"
    assert gate("- a: b\n", ".servo/worktrack/WT-3-a/gate-evidence.md").id == "WT-3-a"
    assert gate("- a: b\n", ".servo/worktrack/WT-3-a-gate-evidence.md").id == "WT-3-a"
    assert gate("- a: b\n", ".servo/worktrack/gate-evidence.md").id is None


def test_nine_items_are_searched_in_the_whole_text():
    text = "Route decision, contract, dispatch packet, backend_runtime, test evidence, governance, verdict, closeout"
    found = gate(text).evidence
    assert (found.complete, found.missing, len(found.present)) == (False, ("repo_refresh_checkpoint",), 8)
    assert gate(text + " CHECKPOINT").evidence.complete
    assert gate("the task has its packet; test the result").evidence.present == (
        "selected_task_dispatch_packet", "validation_evidence",
    )  # fmt: skip
    assert gate("a task\na packet").evidence.present == ()


FRONT = "---\nworktrack_id: WT-9\n{0}---\n- implementation_gate: pass\n- validation_gate: pass\n- policy_gate: pass\n"


@pytest.mark.parametrize(
    "key", ["worktrack_gate_verdict", "gate_verdict", "overall_verdict", "final_verdict", "verdict"]
)
@pytest.mark.parametrize(
    ("word", "verdict"),
    [("hard-fail", "hard-fail"), ("blocked", "blocked"), ("pending", "unknown"), ("pasyess", "unknown"),
     ("pass", "pass"), ("N/A", "pass"), ("", "pass")],
)  # fmt: skip
def test_a_verdict_that_stands_in_the_front_matter_alone_is_that_of_the_gate(key, word, verdict):
    assert gate(FRONT.format(f"{key}: {word}\n")).verdict == verdict


def test_a_body_that_slipped_into_front_matter_without_an_end_is_read_as_strictly():
    body = "\n- worktrack_gate_verdict: perhaps\n"
    assert gate(FRONT.format(f"# Gate\n{body}")).verdict == "unknown"


def test_what_the_front_matter_leaves_open_the_body_may_say():
    found = gate(FRONT.format("gate_verdict: pending\n") + "- worktrack_gate_verdict: pass\n")
    assert (found.verdict, found.line) == ("pass", 8)


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("worktrack_gate_verdit: perhaps", "unknown"), ("- worktrack_gate_verdict: pa§s", "unknown"),
        ("worktrack_gate_verdit: blocked", "blocked"), ("worktrack_gate_verdit: pass", "pass"),
        ("worktrack_gate_verdict_ref: gate.md", "pass"), ("worktrack_gate_verdit:", "pass"),
    ],
)  # fmt: skip
def test_a_misspelt_verdict_that_is_no_pass_counts(line, verdict):
    assert gate(FRONT.format("") + f"- {line}\n").verdict == verdict
