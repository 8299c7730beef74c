"""Lines of the plan page, from a plan's bytes."""

from __future__ import annotations

from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.rules.blockers import judge
from harness_tui.tui.facts_plan import SAID, _plan_facts


def lines(text):
    return [fact.plain for fact in _plan_facts(judge(parse_work_plan(text.encode(), "PLAN.md")))]


def objective(text):
    return next(line for line in lines(f"# Plan: kiln\n\n## Objective\n\n{text}") if line.startswith("objective"))


def test_an_objective_is_its_first_paragraph_however_its_lines_are_broken():
    found = objective("\nThe kiln shall cool\nby two hundred degrees\nan hour.\n\nMore words follow.\n")
    assert found.split(maxsplit=1)[1] == "The kiln shall cool by two hundred degrees an hour."


def test_a_long_objective_says_that_it_is_cut():
    found = objective("word " * SAID)
    assert found.endswith("…")


def test_a_refusal_that_no_later_round_lifts_is_told_with_its_round():
    rounds = "- **Round 1:** NOT APPROVED — a gap\n- **Round 2:** CONDITIONAL APPROVAL (one gap)\n"
    text = f"# Plan: kiln\n\n## Implementation Steps\n\n- [/] **Task 1: A**\n\n## Review Log (Plan Review)\n\n{rounds}"
    said = next(line for line in lines(text) if "plan-not-approved" in line)
    assert "no review has approved the plan since round 1 said NOT APPROVED" in said
