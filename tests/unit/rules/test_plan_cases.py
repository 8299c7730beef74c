"""Whole plans with what they come to: tasks with marks, the blocker with its parts, refusals, rings."""

from __future__ import annotations

import pytest

from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.rules.blockers import judge, strikes

HEAD = "# Plan: kiln\n\n## Implementation Steps\n\n"
WHOLE = (
    "## Blocker\n\n- **Trigger:** Repeated failure\n- **Error signature:** `make fire` / 2 cold / exit 3\n"
    "- **Tried:** waited an hour\n- **Needed:** the key of the kiln room\n"
)


def read(text):
    return judge(parse_work_plan(text.encode(), "PLAN.md"))


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        (
            (
                f"{HEAD}> Status Markers: [ ] Open, [/] In Progress, [x] Completed\n\n- [x] **Task 1: Glaze**\n"
                "  - **Description:** g\n- [/] **Task 2: Load**\n- [ ] **Task 3: Fire**\n"
            ),
            [("1", "Glaze", "done"), ("2", "Load", "in-progress"), ("3", "Fire", "open")],
        ),
        ("# Project Plan: kiln\n\n## 🏗 Implementation Steps\n\n- [X] **Task 1: Glaze**\n", [("1", "Glaze", "done")]),
        (
            f"{HEAD}### Task 0: Sweep\n\n- **Description:** s\n\n### Task 1: Rest\n",
            [("0", "Sweep", "unknown"), ("1", "Rest", "unknown")],
        ),
        (
            "# PLAN — kiln\n\n## Tasks\n\n- [x] **T1 — Door.** hang it\n- [ ] **T12 — Cone.** set it\n",
            [("T1", "Door.", "done"), ("T12", "Cone.", "open")],
        ),
        ("# nothing yet\n", []),
    ],
)
def test_tasks_of_a_plan(text, tasks):
    assert [(task.id, task.title, task.state) for task in read(text).tasks] == tasks


@pytest.mark.parametrize(
    ("text", "title"), [(f"  {HEAD}- [ ] **Task 1: Glaze**\n", "kiln"), ("# nothing yet\n", "nothing yet")]
)
def test_title_of_a_plan(text, title):
    assert read(text).title == title


def test_a_blocker_with_all_its_parts_before_the_steps():
    plan = read(f"# Plan: kiln\n\n{WHOLE}\n## Implementation Steps\n\n- [/] **Task 1: Glaze**\n")
    assert [(task.id, task.state) for task in plan.tasks] == [("1", "in-progress")]
    blocker = plan.blocker
    assert (blocker.trigger, blocker.error_signature, blocker.tried, blocker.needed) == (
        "Repeated failure", "`make fire` / 2 cold / exit 3", "waited an hour", "the key of the kiln room",
    )  # fmt: skip
    assert blocker.missing == ()


def test_a_blocker_of_free_text_lacks_what_it_does_not_name():
    assert set(read("# Plan: kiln\n\n## Blocker\n\nIt stays cold.\n").blocker.missing) == {"trigger", "tried", "needed"}


def test_refusals_of_one_task_count_and_those_of_the_plan_apart():
    code = "".join(f"- **Round {n} (Task 4):** {word} — why\n" for n, word in enumerate(
        ("CHANGES REQUESTED", "CHANGES REQUESTED", "NOT APPROVED"), 1))  # fmt: skip
    assert strikes(read(f"# Plan: kiln\n\n## Final Status (Code Review)\n\n{code}").code_reviews) == {"4": 3}
    rounds = "".join(f"- **Round {n}:** REJECTED\n" for n in (1, 2, 3))
    plan = read(f"# Plan: kiln\n\n## Review Log (Plan Review)\n\n{rounds}")
    assert strikes(plan.code_reviews) == {}
    assert strikes(plan.plan_reviews) == {"": 3}


def test_a_ring_of_tasks_is_a_problem():
    plan = read(
        f"{HEAD}- [ ] **Task 1: Glaze**\n  - **Task ID:** t1\n  - **Depends On:** t2\n"
        "- [ ] **Task 2: Load**\n  - **Task ID:** t2\n  - **Depends On:** t1\n"
    )
    assert plan.ready == ()
    assert "dependency-cycle" in {problem.code for problem in plan.problems}
