import pytest

from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.rules.blockers import deadlocked, find_task, judge, strikes, tasks_behind


def plan(text):
    return judge(parse_work_plan(text.encode(), "PLAN.md"))


def steps(*lines, more=""):
    return plan("# Plan: x\n\n## Implementation Steps\n\n" + "\n".join(lines) + f"\n\n{more}")


def task(number, mark, *needs, field=""):
    lines = [f"- [{mark}] **Task {number}: A{number}**"]
    lines += [f"  - **Task ID:** {field}"] if field else []
    return "\n".join([*lines, f"  - **Depends On:** {', '.join(needs) or 'none'}"])


def codes(found):
    return [(problem.code, problem.severity, problem.line) for problem in found.problems]


def ready(found):
    return [found.tasks[place].id for place in found.ready]


def test_ready_tasks_have_all_they_need():
    found = steps(
        task(1, "x", field="a"), task(2, "/", "a"), task(3, " ", "Task 2"), task(4, " "), task(5, " ", "a", "t9"),
        task(6, "?"),
    )  # fmt: skip
    assert ready(found) == ["2", "4"]
    assert ("unknown-dependency", "warning", 14) in codes(found)


def test_a_ring_is_shown_and_nothing_in_it_is_ready():
    found = steps(task(1, " ", "t2", field="t1"), task(2, " ", "t1", field="t2"), task(3, " ", "3"), task(4, " ", "3"))
    assert ready(found) == []
    assert codes(found) == [("dependency-cycle", "warning", 5), ("dependency-cycle", "warning", 11)]
    assert "1, 2" in found.problems[0].message


def test_a_dependency_on_a_double_id_needs_both():
    found = steps(task(1, "x"), task(1, " "), task(2, " ", "1"))
    assert ready(found) == ["1"]


@pytest.mark.parametrize(
    ("lines", "body", "expected"),
    [
        ([task(1, "x"), task(2, "/"), task(3, " ")], "Needed: x", ("2", True)),
        ([task(1, "x"), task(2, "/"), task(3, " ")], "Task: Task 3", ("3", False)),
        ([task(1, "x"), task(2, "/", field="w2")], "Task ID: W2", ("2", False)),
        ([task(1, "/"), task(2, "/")], "Needed: x", (None, False)),
        ([task(1, "/"), task(2, "/")], "Needed: x for Task 2", ("2", True)),
        ([task(1, "x"), task(2, "/")], "Tried: as in Task 1", ("2", True)),
        ([task(1, "x"), task(2, " ")], "Tried: Task 2 by hand", ("2", True)),
        ([task(1, "x"), task(2, " ")], "Needed: x", (None, False)),
        ([task(1, "x")], "Task: 77", ("77", False)),
    ],
)
def test_the_task_that_a_blocker_stops(lines, body, expected):
    found = steps(*lines, more=f"## Blocker\n\n- {body}\n")
    assert found.blocker is not None
    assert (found.blocker.task, found.blocker.task_inferred) == expected


def test_refusals_count_by_task_until_an_approval():
    found = plan(
        "## Review Log (Plan Review)\n\n- **Round 1:** REJECTED\n- **Round 2:** REJECTED\n- **Round 3:** REJECTED\n\n"
        "## Final Status (Code Review)\n\n- **Round 1 (Task 4):** CHANGES REQUESTED\n- **Round 2 (Task 5):** REJECTED\n"
        "- **Round 3 (Task 5):** APPROVED\n- **Round 4 (Task 4):** NOT APPROVED\n- **Round 5:** Task 4 REJECTED\n"
    )
    assert strikes(found.code_reviews) == {"4": 3}
    assert deadlocked(found) == ("4",)
    assert strikes(found.plan_reviews) == {"": 3}
    assert deadlocked(plan("## Final Status\n\n" + "- **Round 1:** REJECTED\n" * 3)) == ()


def test_what_waits_behind_a_task():
    found = steps(task(1, "/", field="a"), task(2, " ", "a"), task(3, " ", "2"), task(4, " "), task(5, "x", "1"))
    assert tasks_behind(found, "1") == 2
    assert tasks_behind(found, "A") == 2
    assert tasks_behind(found, "4") == 0
    assert tasks_behind(found, None) == 4
    assert tasks_behind(steps("- [/] **Task 1: A**", "- [ ] **Task 2: B**", "- [x] **Task 3: C**"), "1") == 1


def test_find_task_by_number_before_field():
    found = steps(task(1, " ", field="2"), task(2, " "))
    assert find_task(found.tasks, "2") is found.tasks[1]
    assert find_task(found.tasks, "nine") is None


REVIEW = "## Final Status (Code Review)\n\n"


@pytest.mark.parametrize(
    ("lines", "more", "expected"),
    [
        (["- [x] **Task 1: A**"], f"{REVIEW}- **Round 1:** Task 1 NOT APPROVED", [("done-but-refused", "warning", 5)]),
        (
            ["- [x] **Task 1: A**"],
            f"{REVIEW}- **Round 1:** Task 1 NOT APPROVED\n- **Round 2:** Task 1 looked at again",
            [("done-but-refused", "warning", 5)],
        ),
        (["- [x] **Task 1: A**"], f"{REVIEW}- **Round 1:** Task 1 REJECTED\n- **Round 2:** Task 1 APPROVED", []),
        (["- [x] **Task 1: A**"], f"{REVIEW}- **Round 1:** [Needs Fixes]", [("done-but-refused", "warning", 9)]),
        (["- [x] **Task 1: A**", "- [/] **Task 2: B**"], f"{REVIEW}- **Round 1:** [Needs Fixes]", []),
        (["- [/] **Task 1: A**"], f"{REVIEW}- **Round 1:** Task 1 Approved", [("approved-not-done", "info", 5)]),
        (["- [/] **Task 1: A**"], f"{REVIEW}- **Round 1:** Task 1: CONDITIONAL APPROVAL", []),
        (["- [/] **A**", "- [/] **B**"], "", [("several-in-progress", "info", 6)]),
        (["- [x] **Task 1: A**"], f"{REVIEW}- **Round 1:** Pending", [("done-unreviewed", "warning", 9)]),
        (["- [x] **Task 1: A**"], f'{REVIEW}- **Round 1:** [Feedback or "N/A"]', [("done-unreviewed", "warning", 9)]),
        (["- [x] **Task 1: A**", "- [ ] **Task 2: B**"], f"{REVIEW}- **Round 1:** Pending", []),
        (
            ["- [x] **Task 1: A**", "- [x] **Task 2: B**"],
            f"{REVIEW}- **Round 1:** Task 1 Approved",
            [("done-unreviewed", "info", 6)],
        ),
        (["- [x] **Task 1: A**", "- [x] **Task 2: B**"], f"{REVIEW}- **Round 1:** Approved. All is well.", []),
        (
            ["- [/] **Task 1: A**"],
            "## Review Log (Plan Review)\n\n- **Round 1:** REJECTED\n- **Round 2:** N/A",
            [("plan-not-approved", "warning", 9)],
        ),
        (["- [ ] **Task 1: A**"], "## Review Log (Plan Review)\n\n- **Round 1:** REJECTED", []),
    ],
)
def test_contradictions_are_shown_and_nothing_is_decided(lines, more, expected):
    found = steps(*lines, more=f"{more}\n")
    assert codes(found) == expected
    assert [item.state for item in found.tasks] == [
        {"x": "done", "/": "in-progress", " ": "open"}[line[3]] for line in lines
    ]
