"""Milestones in their five shapes, and the gate layer, where an override never rewrites a verdict."""

import pytest

from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_gate import parse_composite, with_composite

BULLETS = """# Milestone

## Metadata

- milestone_id: MS-3
- title: Lamp works
- status: active
- milestone_kind: goal-driven
- priority: 10.5

## Worktrack List

- worktrack_id: WT-1-wick
  - title: Wick
  - status: done
- worktrack_id: WT-2-oil
  - status: planned

## Depends On Milestones

- MS-1

## Progress Counter

- total: 2
- completed: 1
"""
YAML = """## milestone_id

```yaml
milestone_id: "MS-3"
```

## title

```yaml
title: "Lamp works"
```

## status

```yaml
status: "active"
```

## milestone_kind

```yaml
milestone_kind: goal-driven
```

## worktrack_list

```yaml
worktrack_list:
  - worktrack_id: "WT-1-wick"
    expected_status: "done"
  - worktrack_id: "WT-2-oil"
    expected_status: "planned"
```

## depends_on_milestones

```yaml
depends_on_milestones:
  - "MS-1"
```

## progress_counter

```yaml
progress_counter:
  total: 2
  completed: 1
```
"""
HEADINGS = """## milestone_id

MS-3

## title

Lamp works

## status

active

## milestone_kind

goal-driven

## depends_on_milestones

- MS-1

## worktrack_list

- WT-1-wick (done, appended)
- WT-2-oil (planned)

## worktrack_sequence

1. WT-7: not a row

## progress_counter

- total: 2
- completed: 1
"""
TABLE = """---
milestone_id: "MS-3"
title: "Lamp works"
status: "active"
milestone_kind: "goal-driven"
---

## Control Signal

- status: **active** (since noon)
- depends_on_milestones: [MS-1]

## Worktrack List

| order | worktrack_id | title | status |
|---:|---|---|---|
| 1 | WT-1-wick | Wick | done |
| 2 | WT-2-oil | | planned |

## Progress Counter

- total_worktracks: 2
- completed: 1
"""
TEMPLATE = """---
milestone_id: MS-3
title: Lamp works
revision: 2
maturity: draft
disposition: open
status: active
milestone_kind: goal-driven
depends_on_milestones: MS-1
---

## Tasks

### [x] WT-1-wick Wick

- node_type: `feature`

### [ ] WT-2-oil

- status: `planned`

## progress_counter

- total: 2
- completed: 1
"""
SHAPES = pytest.mark.parametrize("text", [BULLETS, YAML, HEADINGS, TABLE, TEMPLATE], ids="bdhft")


def read(text: str, path: str = ".servo/milestone/MS-3.md"):
    return parse_milestone(text.encode(), path)


@SHAPES
def test_each_shape_gives_the_same_milestone(text):
    found = read(text)
    assert (found.id, found.title, found.gate.status, found.gate.kind) == (
        "MS-3",
        "Lamp works",
        "active",
        "goal-driven",
    )
    assert [(row.id, row.status, row.completed) for row in found.worktracks] == [
        ("WT-1-wick", "done", True), ("WT-2-oil", "planned", False),
    ]  # fmt: skip
    assert found.depends_on == ("MS-1",)
    assert (found.progress.total, found.progress.completed) == (2, 1)
    assert found.gate.verdict == "unknown"


def test_pairs_and_nested_bullets_are_rows():
    found = read("## W\n\n- worktrack_list: WT-1=done, WT-2=blocked\n")
    assert [(row.id, row.status) for row in found.worktracks] == [("WT-1", "done"), ("WT-2", "blocked")]
    found = read("- worktrack_list:\n  - WT-1 (resolved): the wick\n    - result: x\n")
    assert [(row.id, row.title, row.status, row.completed) for row in found.worktracks] == [
        ("WT-1", "the wick", "resolved", True),
    ]  # fmt: skip


def test_front_matter_against_body_takes_what_is_not_finished_and_says_so():
    found = read("---\nstatus: completed\n---\n## Metadata\n\n- status: active\n")
    assert found.gate.status == "active"
    (problem,) = found.problems
    assert (problem.code, problem.line) == ("milestone-status-differs", 6)
    assert "line 2" in problem.message


def test_odd_kinds_priorities_and_statuses_are_kept_as_written():
    found = read("## Metadata\n\n- status: paused by rain\n- milestone_kind: addendum\n- priority: 10.5\n")
    assert (found.gate.status, found.gate.kind, found.priority) == ("paused by rain", "addendum", "10.5")


def test_without_an_id_the_file_name_is_it():
    assert read("# x\n", ".servo/milestone/MS-20990101-001.md").id == "MS-20990101-001"


def test_a_folded_purpose_is_one_text():
    assert read("## Metadata\n\n- purpose: >\n    light\n    for all\n").purpose == "light for all"


GATE = """## Metadata

- status: active

## Milestone Gate

- milestone_gate_verdict: {}
- axis_reports:
  - black_box:
    - axis_verdict: {}
  - white_box:
    - axis_verdict: {}
  - anti_cheat:
    - axis_verdict: {}
"""


def test_a_verdict_with_all_veto_axes_passes():
    gate = read(GATE.format("pass", "pass", "pass", "pass")).gate
    assert (gate.verdict, gate.text, gate.line, gate.missing_axes) == ("pass", "pass", 7, ("composite",))


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("word", ["hard_fail", "blocked", "passish", ""])
def test_any_word_that_is_no_pass_keeps_the_gate_from_passing(at, word):
    words = ["pass"] * 4
    words[at] = word
    assert read(GATE.format(*words)).gate.verdict != "pass"


def test_a_stated_pass_without_its_axes_is_unknown():
    gate = read("- milestone_gate_verdict: pass\n").gate
    assert (gate.verdict, gate.text) == ("unknown", "pass")


def test_an_axis_that_does_not_apply_weighs_nothing():
    gate = read(GATE.format("pass", "not_applicable", "pass", "pass")).gate
    assert (gate.verdict, gate.axes.blackbox) == ("pass", "unknown")


@pytest.mark.parametrize(
    "axis", ["- blackbox: {}", "- black-box-verdict: {}", "- axis: black_box\n  axis_verdict: {}",
             "### Black Box\n\n- axis_verdict: {}", "| axis | axis_verdict |\n|---|---|\n| blackbox | {} |"]
)  # fmt: skip
def test_axes_are_found_in_every_spelling(axis):
    assert read("## Milestone Gate\n\n" + axis.format("hard-fail") + "\n").gate.axes.blackbox == "hard-fail"


def test_what_the_gate_shall_ask_is_no_verdict_but_an_adverse_word_there_weighs():
    design = "## Milestone Gate Design\n\n- black_box: {}\n- white_box: probes are kept\n- anti_cheat: 不允许只跑一次\n"
    assert read(design.format("an operator can run it")).gate.axis_words == ()
    assert read(design.format("hard_fail")).gate.verdict == "hard-fail"
    stated = read(GATE.format("pass", "pass", "pass", "pass") + "\n" + design.format("an operator can run it")).gate
    assert stated.verdict == "pass"


def test_an_exception_and_an_acceptance_are_shown_beside_the_verdict():
    text = GATE.format("hard_fail", "pass", "pass", "pass") + (
        "- manual_exception:\n  - present: true\n  - exception_type: override\n  - reason: the fair\n"
        "  - accepted_gate_verdict_preserved_as: hard_fail\n"
        "\n## acceptance\n\n```yaml\nacceptance:\n  verdict: accepted\n```\n"
    )
    gate = read(text).gate
    assert gate.verdict == "hard-fail"
    assert gate.override == "override; the fair; hard_fail"
    assert gate.acceptance == "accepted"


def test_pending_acceptance_is_kept_in_its_own_words():
    gate = read("## handback\n\n- milestone_acceptance_verdict: pending_programmer_decision\n").gate
    assert (gate.verdict, gate.acceptance) == ("unknown", "pending_programmer_decision")


def test_the_composite_report_gives_the_fourth_axis():
    base = read(GATE.format("pass", "pass", "pass", "pass")).gate
    lanes = "## code-review\n\n- lane_verdict: accepted\n\n## operator-simulation\n\n- lane_verdict: {}\n"
    good = parse_composite(lanes.format("accepted_with_residual_risk").encode(), "c.md")
    bad = parse_composite(lanes.format("needs_followup_worktrack").encode(), "c.md")
    assert (with_composite(base, good).axes.composite, with_composite(base, good).verdict) == ("pass", "pass")
    assert (with_composite(base, bad).axes.composite, with_composite(base, bad).verdict) == ("soft-fail", "soft-fail")
    assert parse_composite(b"# nothing\n", "c.md") is None
