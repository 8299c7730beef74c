"""The documents of a task in the sections that the norm asks for (formats/harness-kit 1.6, 1.7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.demo.features import Feature

NAMES = {
    1: "01_REQUIREMENT_ANALYSIS.md",
    2: "02_SOLUTION_DESIGN.md",
    3: "03_GATE_REVIEW.md",
    4: "04_DEVELOPMENT.md",
    5: "05_CODE_REVIEW.md",
    6: "06_TEST_REPORT.md",
    7: "07_DELIVERY.md",
}
"""File name of the document of each stage."""

DEVELOPMENT, TEST, DELIVERY = 4, 6, 7

STAGES_OF = {"full": (1, 2, 3, 4, 5, 6, 7), "plan": (1, 2, 3), "goal": (4, 6, 7)}
"""Which documents a mode writes."""

VERDICTS = {
    1: "READY FOR DESIGN",
    2: "READY FOR GATE REVIEW",
    3: "APPROVED",
    4: "READY FOR REVIEW",
    5: "APPROVED",
    6: "APPROVED FOR DELIVERY",
    7: "DELIVERED",
}
"""The word that lets a task go on to the next stage."""

_Sections = tuple[tuple[str, str], ...]
_DIMENSIONS = ("Scope", "Interfaces", "Data", "Errors", "Security", "Performance", "Tests", "Migration")


class _Case(NamedTuple):
    """What a document speaks about: feature, result of verify_all, whether the stage is passed, what was decided."""

    feature: Feature
    verify: str
    passes: bool
    decided: str


def document(feature: Feature, stage: int, verdict: str, verify: str, decided: str = "") -> str:
    """Text of the document of `stage` (1 to 6) ending in `verdict`.

    `verify` is the result of verify_all in words, `decided` what the operator decided.
    """
    write = {1: _requirement, 2: _design, 3: _gate_review, 4: _development, 5: _code_review, 6: _test_report}[stage]
    sections = write(_Case(feature, verify, verdict == VERDICTS[stage], decided))
    title = NAMES[stage][3:-3].replace("_", " ").capitalize()
    head = f"# {title} — {feature.slug}\n\n> Rationale: 0{stage}_RATIONALE.md\n"
    return head + "".join(f"\n## {name}\n\n{text}\n" for name, text in (*sections, ("Verdict", verdict)))


def second_round(number: int, finding: str, verdict: str) -> str:
    """What a reviewer appends to a document after the task came back; its verdict is the one that counts."""
    return f"\n## Round {number}\n\n- {finding}\n\n## Verdict\n\n{verdict}\n"


def delivery(feature: Feature, task_id: str, verdict: str, *, rollbacks: int, verify: str) -> str:
    """Text of 07_DELIVERY.md."""
    stages = " → ".join(f"0{stage}" for stage in STAGES_OF[feature.mode])
    done = verdict in {"DELIVERED", "GOAL ACHIEVED"}
    facts = {
        "Task": f"{task_id} {feature.slug}",
        "Mode": feature.mode,
        "Stages traversed": stages,
        "Rollbacks": str(rollbacks),
        "Final verify_all result": verify,
        "Baseline changes": "test_count raised by the new tests" if done else "none",
        "Outstanding risks": "none" if done else feature.attack,
        "Files changed": f"{feature.module}, {test_file(feature)}" if done else "none (work set aside)",
        "Next steps for user": "none" if done else "read 06_TEST_REPORT.md and word the goal more narrowly",
    }
    summary = "\n".join(f"- {key}: {value}" for key, value in facts.items())
    head = f"# Delivery Summary\n\n## Summary\n\n{summary}\n"
    return f"{head}\n## Insight\n\n- {feature.insight}\n\n## Verdict\n\n{verdict}\n"


def pm_log(feature: Feature, task_id: str) -> str:
    """Head of PM_LOG.md; notes are appended to it."""
    facts = f"- Task: {task_id}\n- Mode: {feature.mode}\n- Goal: {feature.goal}\n"
    return f"# PM Log — {feature.slug}\n\n{facts}\n## Stages\n\n"


def state(feature: Feature, stage: int, verdicts: Sequence[tuple[int, int, str]], blocked: str | None = None) -> str:
    """`.harness/state/<slug>.json`: where the task is, and each verdict as (stage, round, word) (1.8)."""
    rounds = {str(at): number for at, number, _ in verdicts}
    said = [{"stage": at, "round": number, "verdict": word} for at, number, word in verdicts]
    value = {
        "slug": feature.slug,
        "mode": feature.mode,
        "stage": stage,
        "rounds": rounds,
        "verdicts": said,
        "blocked": blocked,
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def goal_state(feature: Feature, iterations: Sequence[str]) -> str:
    """`goal_state.json` of a goal-mode task after some iterations."""
    value = {
        "goal": feature.goal,
        "success_criterion_cmd": f"python -m unittest {test_file(feature)}",
        "budget": {"max_iterations": 10, "max_minutes": 60},
        "iterations_used": len(iterations),
        "history": [{"iteration": number, "result": text} for number, text in enumerate(iterations, 1)],
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def entropy(pool: str) -> str:
    """What a sweep for entropy found (1.10, 1.11)."""
    finding = "`wheelhouse/notices.py` and `wheelhouse/hours.py` each format a time of their own."
    return f"# Entropy watch — {pool}\n\n## Findings\n\n- E-1 {finding}\n\nEntropy-verdict: FINDINGS-PRESENT\n"


def test_file(feature: Feature) -> str:
    """Where the test of the feature's module is."""
    return "tests/test_" + feature.module.rpartition("/")[2]


def _bullets(*items: str) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(head: str, rows: Sequence[str]) -> str:
    rule = "|".join("---" for _ in head.split("|"))
    return "\n".join(f"| {line} |" if line != rule else f"|{rule}|" for line in (head, rule, *rows))


def _requirement(case: _Case) -> _Sections:
    feature = case.feature
    return (
        ("Goal", feature.goal),
        ("In-scope behaviors", _bullets(*feature.does)),
        ("Out of scope", _bullets(feature.leaves_out)),
        ("Boundary conditions", _bullets(feature.boundary)),
        (
            "Acceptance criteria",
            "\n".join(f"{n}. {text}" for n, text in enumerate((*feature.does, feature.boundary), 1)),
        ),
        ("Resolved questions", _bullets(f"{feature.risk} The counter staff decides; asked and answered.")),
    )


def _design(case: _Case) -> _Sections:
    feature = case.feature
    return (
        ("Architecture summary", f"{feature.title} is one module of pure functions; the service calls it and stores."),
        ("Change ledger", _table("File | Change", (f"`{feature.module}` | new", f"`{test_file(feature)}` | new"))),
        ("Interfaces", _bullets(feature.interface)),
        ("Constraints", _bullets("Standard library only.", "Time is an argument, never read inside.")),
        ("Frozen set", _bullets("`wheelhouse/__init__.py`")),
        ("Migration & edit sequence", "1. The module with its tests.\n2. The call in the service."),
        ("Out of scope", _bullets(feature.leaves_out)),
        ("Verification plan", _bullets(feature.attack, "verify_all stays green.")),
        ("Residuals travelling", _bullets("none")),
    )


def _gate_review(case: _Case) -> _Sections:
    feature = case.feature
    errors = "PASS" if case.passes else "WARN"
    results = {name: errors if name == "Errors" else "PASS" for name in _DIMENSIONS}
    rows = [f"{n} | {name} | {result}" for n, (name, result) in enumerate(results.items(), 1)]
    return (
        ("Dimension audit", _table("# | Dimension | Result", rows)),
        ("Findings", _bullets(f"F-1 {feature.risk}")),
        ("Binding conditions", _bullets("The answer to F-1 stands in the design before a line is written.")),
        ("Pre-answered developer questions", _bullets(f"What is left out? {feature.leaves_out}")),
    )


def _development(case: _Case) -> _Sections:
    feature = case.feature
    return (
        ("Summary", f"{feature.interface} as designed, with tests for each acceptance criterion."),
        ("Files changed", _bullets(f"`{feature.module}`", f"`{test_file(feature)}`")),
        ("verify_all result", case.verify),
        ("Design drift", case.decided or "None."),
        ("Condition disposition", _bullets("F-1: met, see the test of the same name.")),
        ("Open issues for review", "None."),
        ("Dev-map updates", _bullets(f"`{feature.module}` added.")),
    )


def _code_review(case: _Case) -> _Sections:
    feature = case.feature
    return (
        ("Files reviewed", _bullets(f"`{feature.module}`", f"`{test_file(feature)}`")),
        ("Findings", _bullets("NIT: a name could be shorter.")),
        ("Requirement coverage check", _bullets(*(f"{text} Covered." for text in feature.does))),
        ("Design fidelity check", _bullets(f"{feature.interface} as designed.")),
        ("Axis status", _bullets("Correctness: PASS", "Clarity: PASS")),
        ("Residuals travelling", _bullets("none")),
    )


def _test_report(case: _Case) -> _Sections:
    feature = case.feature
    return (
        ("Test plan", _bullets(*feature.does)),
        ("Adversarial tests", _bullets(feature.attack)),
        ("Boundary tests added", _bullets(feature.boundary)),
        ("verify_all result", case.verify),
        ("Defects found", "None." if case.passes else _bullets(f"MAJOR: {feature.attack}")),
        ("Stability", "Twenty runs in a row, one result."),
    )
