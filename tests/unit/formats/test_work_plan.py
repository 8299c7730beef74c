import pytest

from harness_tui.formats.work_plan import parse_work_plan

FULL = """\
# Plan: Lock gates of the canal

## Objective

Boats wait no longer than ten minutes.

## Required Tooling & Permissions

- **Commands/Tools:** `go test ./...`, `make sluice`
- **File Scopes:** `gate/`, `cmd/lockd/main.go`
- the pump may be read

## Implementation Steps

> Status Markers: [ ] Open, [/] In Progress, [x] Completed (set after accepted review only!)

- [x] **Task 1: Water level type**
  - **Task ID:** w1
  - **Depends On:** none
  - **Description:** Add the type.
    It goes on here:
    ```go
    # [x] Task 99: no task
    ```
  - **Owned Paths:** `gate/level.go`, `gate/level_test.go`
  - **Parallel Safe:** true
  - **Validation Commands:** `go test ./gate/...`
  - **Review Criteria:** a table test.
- [/] **Task 2: Read the `tide` table**
  - **Task ID:** w2
  - **Depends On:** w1, Task 1 (for its type)
  - **Shared Resources:** `go.mod`
  - **Parallel Safe:** false
  - [ ] a step inside
- [ ] **Task 13a: Ring the bell**

## Edge Case & Safety Checklist

- [ ] both gates open
- [x] ice

## Review Log (Plan Review)

- **Round 1:** NOT APPROVED — no bell.
- **Round 2:** Approved with notes

## Final Status (Code Review)

- **Round 1:** Task 1 NOT APPROVED — no test.
  Twice asked.
- **Round 2b (Task 1):** [Approved]
- **Round 3:** N/A
"""


def plan(text, **options):
    return parse_work_plan(text.encode("utf-8", "surrogatepass"), "PLAN.md", **options)


def tasks(text):
    return [(task.id, task.title, task.state) for task in plan(text).tasks]


def steps(*lines):
    return "# Plan: x\n\n## Implementation Steps\n\n" + "\n".join(lines) + "\n"


def codes(found):
    return [problem.code for problem in found.problems]


def test_whole_plan_of_the_newest_template():
    found = plan(FULL)
    assert found.title == "Lock gates of the canal"
    assert found.objective == "Boats wait no longer than ten minutes."
    assert tasks(FULL) == [
        ("1", "Water level type", "done"),
        ("2", "Read the `tide` table", "in-progress"),
        ("13a", "Ring the bell", "open"),
    ]
    first, second, third = found.tasks
    assert (first.line, first.end_line, first.marker) == (17, 28, "x")
    assert first.task_id == "w1"
    assert first.depends_on == ()
    assert first.description.startswith("Add the type.\nIt goes on here:")
    assert first.owned_paths == ("gate/level.go", "gate/level_test.go")
    assert first.validation_commands == ("go test ./gate/...",)
    assert first.review_criteria == "a table test."
    assert first.parallel_safe is True
    assert [name for name, _ in first.fields][:2] == ["Task ID", "Depends On"]
    assert second.depends_on == ("w1", "1")
    assert second.shared_resources == ("go.mod",)
    assert second.parallel_safe is False
    assert third.parallel_safe is None
    assert found.tooling is not None
    assert found.tooling.commands == ("go test ./...", "make sluice")
    assert found.tooling.file_scopes == ("gate/", "cmd/lockd/main.go")
    assert found.tooling.notes == ("the pump may be read",)
    assert [(item.number, item.verdict) for item in found.plan_reviews] == [
        ("1", "NOT APPROVED"),
        ("2", "APPROVED WITH NOTES"),
    ]
    assert [(item.number, item.tasks, item.verdict, item.line) for item in found.code_reviews] == [
        ("1", ("1",), "NOT APPROVED", 49),
        ("2b", ("1",), "APPROVED", 51),
        ("3", (), "N/A", 52),
    ]
    assert found.code_reviews[0].text == "Task 1 NOT APPROVED — no test.\nTwice asked."
    assert [item.number for item in found.reviews_of(first)] == ["1", "2b"]
    assert found.problems == ()
    assert (found.blockers, found.archived, found.slug) == ((), False, None)


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("# Plan: Sluice", "Sluice"),
        ("  # Project Plan: Sluice  ", "Sluice"),
        ("# PLAN — Sluice (v2)", "Sluice (v2)"),
        ("# PLAN: Sluice", "Sluice"),
        ("# notes", "notes"),
        ("# Plan", "Plan"),
        ("# Plan: Code Review fixes", "Code Review fixes"),
        ("", ""),
    ],
)
def test_title_without_the_word_plan_and_tasks_below_it(head, title):
    found = plan(f"{head}\n\n## Objective\n\no\n\n## Implementation Steps\n\n- [ ] **Task 1: A**\n")
    assert found.title == title
    assert [task.id for task in found.tasks] == ["1"]


@pytest.mark.parametrize(
    "heading",
    ["## Implementation Steps", "## 🏗 Implementation Steps", "### Implementation Steps:", "## 4. Implementation Steps"],
)
def test_section_of_the_steps_with_signs_and_numbers(heading):
    assert tasks(f"# Plan: x\n\n{heading}\n\n- [X] **Task 1: A**\n") == [("1", "A", "done")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [ ] **Task 1: A**", ("1", "A", "open")),
        ("* [/] **Task 7** : B", ("7", "B", "in-progress")),
        ("- [x] **Task 2 — C**", ("2", "C", "done")),
        ("- [] Task 3: D", ("3", "D", "open")),
        ("1. [X] **T10 — Format.** change it", ("T10", "Format.", "done")),
        ("- [ ] F-7: stop the pump", ("F-7", "stop the pump", "open")),
        ("- [ ] **2. Rename.** all", ("2", "Rename.", "open")),
        ("- [ ] **M6: Reach the sea**", ("M6", "Reach the sea", "open")),
        ("- [ ] **Task 4: `__init__` of the gate**", ("4", "`__init__` of the gate", "open")),
        ("- [ ] paint the gate", ("", "paint the gate", "open")),
        ("- [-] **Task 5: E**", ("5", "E", "unknown")),
        ("- [ x ] **Task 5: E**", ("5", "E", "unknown")),
        ("- [✓] **Task 5: E**", ("5", "E", "unknown")),
        ("- [\u200bx] **Task 5: E**", ("5", "E", "unknown")),
    ],
)
def test_one_task_line(line, expected):
    assert tasks(steps(line)) == [expected]
    assert ("unknown-marker" in codes(plan(steps(line)))) == (expected[2] == "unknown")


@pytest.mark.parametrize(
    "line",
    [
        "> Status Markers: [ ] Open, [/] In Progress, [x] Completed",
        "> - [ ] **Task 1: quoted**",
        "Status Markers: [ ] Open, [/] In Progress, [x] Completed",
        "- [ ] Open, [/] In Progress, [x] Completed",
        "- [x] Completed (after review only!)",
        "- [x](https://example.invalid) a link",
        "- [1] a footnote",
        "- no box",
        "```\n- [ ] **Task 1: in code**\n```",
        "<!-- Add tasks here -->",
    ],
)
def test_lines_that_are_no_tasks(line):
    assert tasks(steps(line)) == []


def test_boxes_outside_the_steps_and_below_a_task_are_none():
    text = (
        steps("- [ ] **Task 1: A**", "  - [x] inner", "", "### Edge cases", "- [ ] ice") + "\n## Scope\n\n- [ ] fog\n"
    )
    assert tasks(text) == [("1", "A", "open")]


def test_headings_without_boxes_have_no_known_state():
    text = steps(
        "### Task 0: Dig", "", "- **Description:** deep", "  - [x] half", "", "### Task 1: Fill", "- **Status:** Done",
        "", "### [/] Task 2: Test", "", "### Task 3: Ship — DONE", "", "## Task 4: Rest", "- **Status:** not done",
    )  # fmt: skip
    assert tasks(text) == [
        ("0", "Dig", "unknown"), ("1", "Fill", "done"), ("2", "Test", "in-progress"), ("3", "Ship — DONE", "done"),
        ("4", "Rest", "open"),
    ]  # fmt: skip
    assert plan(text).tasks[0].description == "deep\n- [x] half"


def test_index_of_task_files():
    text = steps(
        "| Status | File | Task |", "|---|---|---|", "| [x] | `tasks/TASK_00_dig.md` | Dig |",
        "| [/] | `tasks/TASK_12b_fill.md` | Fill |", "| [ ] | — | Task 3: Rest |",
    )  # fmt: skip
    assert tasks(text) == [("0", "Dig", "done"), ("12b", "Fill", "in-progress"), ("3", "Rest", "open")]
    assert [task.file for task in plan(text).tasks] == ["tasks/TASK_00_dig.md", "tasks/TASK_12b_fill.md", ""]


def test_later_plans_without_implementation_steps():
    text = (
        "# PLAN — l\n\nStatus: Done\n\n## Scope\n\n- [x] U1: a\n\n## Tasks\n\n- [ ] **T10 — b.** c\n- [x] **T9 — d.**\n"
    )
    assert tasks(text) == [("U1", "a", "done"), ("T10", "b.", "open"), ("T9", "d.", "done")]
    assert plan(text).tasks[1].description == "c"
    assert tasks("# PLAN\n\n## Out of scope\n\n- [ ] fog\n") == []


def test_numbered_milestones_with_a_word():
    text = "# PLAN\n\n## Milestones\n\n1. **M1 — Dock** DONE\n2. Pier — NOT DONE\n3. Quay, IN PROGRESS\n"
    text += "   1. not this\n4. Slip\n"
    assert [(name, state) for name, _, state in tasks(text)] == [
        ("M1", "done"), ("2", "unknown"), ("3", "in-progress"), ("4", "unknown"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "\n\n", "placeholder", "# placeholder\n", "## Implementation Steps\n", "# Plan\n\n<!-- a\n"]
)
def test_nothing_to_do(text):
    found = plan(text)
    assert found.tasks == ()
    assert found.empty


def test_block_that_never_closes_hides_nothing():
    text = (
        steps("- [ ] **Task 1: A**", "  ```go", "  code", "- [ ] **Task 2: B**")
        + "\n<!-- note\n\n## Blocker\n\nNeeded: air\n"
    )
    found = plan(text)
    assert [task.id for task in found.tasks] == ["1", "2"]
    assert found.blocker is not None
    assert [(problem.code, problem.line) for problem in found.problems if problem.code == "open-block"] == [
        ("open-block", 6),
        ("open-block", 10),
    ]


def test_double_ids_are_reported_where_the_second_stands():
    found = plan(steps("- [ ] **Task 1: A**", "- [ ] **Task 1: B**"))
    assert [(problem.code, problem.line) for problem in found.problems] == [("duplicate-task", 6)]


def test_only_a_line_feed_ends_a_line():
    found = plan(steps("- [ ] **Task 1: A\u2028- [x] B\x85- [x] C**"))
    assert [task.id for task in found.tasks] == ["1"]
    assert "‹U+2028›" in found.tasks[0].title


def test_a_merge_conflict_is_an_error_and_hides_nothing():
    steps = "## Implementation Steps\n\n{}- [x] **Task 1: A**\n{}- [ ] **Task 2: B**\n{}"
    found = plan(steps.format("<<<<<<< HEAD\n", "=======\n", ">>>>>>> noon\n"))
    assert [(task.id, task.state) for task in found.tasks] == [("1", "done"), ("2", "open")]
    assert [(p.line, p.severity) for p in found.problems if p.code == "merge-conflict"] == [(3, "error")]
    assert not plan(steps.format("", "", "")).problems
