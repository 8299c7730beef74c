import pytest

from harness_tui.formats.work_plan import parse_work_plan

PARTS = {
    "trigger": "Repeated failure (2x)",
    "error_signature": "`make gate` / 1 failing / exit 2",
    "tried": "greased the hinge",
    "needed": "leave to run `apt install oil`",
}


def blockers(text):
    return parse_work_plan(text.encode(), "PLAN.md").blockers


def one(body, heading="## Blocker"):
    found = blockers(f"# Plan: x\n\n{heading}\n\n{body}\n\n## Implementation Steps\n\n- [/] **Task 1: A**\n")
    assert len(found) == 1
    return found[0]


def parts(blocker):
    return {name: getattr(blocker, name) for name in PARTS}


@pytest.mark.parametrize(
    "form",
    [
        "- **Trigger:** {0}\n- **Error signature:** {1}\n- **Tried:** {2}\n- **Needed:** {3}",
        "- trigger: {0}\n- error signature: {1}\n- tried: {2}\n- needed: {3}",
        "**Needed**: {3}\n\n**What was tried**: {2}\n\n**Trigger** — {0}\n\n**Error**: {1}",
        "Trigger: {0}\n\nSignature: {1}\n\nWhat I tried: {2}\n\nExact permission or change needed: {3}",
        "### Trigger\n\n{0}\n\n### Error signature\n\n{1}\n\n### Tried\n\n{2}\n\n### What is needed\n\n{3}",
        "| Part | Text |\n|---|---|\n| Trigger | {0} |\n| Error | {1} |\n| Tried | {2} |\n| Needed | {3} |",
        "> **Trigger:** {0}\n> **Error signature:** {1}\n> **Tried:** {2}\n> **Needed:** {3}",
        "Some words first.\n\n* **TRIGGER**: {0}\n* **ERROR**: {1}\n* **TRIED**: {2}\n* **NEEDED**: {3}",
    ],
)
def test_labels_in_every_form(form):
    found = one(form.format(*PARTS.values()))
    assert parts(found) == PARTS
    assert found.missing == ()
    assert found.trigger_kind == "repeated_failure"


def test_lines_and_text_of_the_section():
    found = one("- **Trigger:** denied\n\n---")
    assert (found.line, found.end_line, found.heading) == (3, 5, "## Blocker")
    assert found.text == "## Blocker\n\n- **Trigger:** denied"
    assert found.trigger_kind == "permission_wall"


def test_a_part_goes_on_over_lists_code_and_wrapped_lines():
    found = one(
        "- **Tried:**\n  1. oil\n  2. wax\n- **Error signature:** make\n  ```\n  - **Needed:** not this\n  ```\n"
        "- **Needed:** a key,\nor a hammer\n\n2026-03-01 keeper: take the key"
    )
    assert found.tried == "1. oil\n2. wax"
    assert found.error_signature == "make\n- **Needed:** not this"
    assert found.needed == "a key,\nor a hammer"
    assert found.missing == ("trigger",)


def test_free_text_is_shown_and_what_it_lacks_is_named():
    found = one("The gate is stuck in Task 4.\nIt creaks.")
    assert parts(found) == {
        "trigger": None, "error_signature": "The gate is stuck in Task 4.\nIt creaks.", "tried": None, "needed": None
    }  # fmt: skip
    assert found.missing == ("trigger", "tried", "needed")
    assert found.mentions == ("4",)
    problems = parse_work_plan(b"## Blocker\n\nstuck\n", "PLAN.md").problems
    assert [(problem.code, problem.line) for problem in problems] == [("blocker-incomplete", 1)]


def test_empty_section_still_stops_and_a_denial_does_not():
    assert [found.resolved for found in blockers("## Blocker\n")] == [False]
    assert blockers("## Blocker\n\nNone.\n") == ()
    assert blockers("## Blocker\n\nN/A\n") == ()


@pytest.mark.parametrize(
    ("heading", "resolved"),
    [
        ("## Blocker", False),
        ("### 🚧 BLOCKER:", False),
        ("## Blocker (resolved)", True),
        ("## Blocker (Resolved 2026-03-01)", True),
        ("## Blocker — resolved", True),
        ("## Blocker 2 (resolved)", True),
        ("## Blocker (unresolved)", False),
        ("## Blocker (not resolved)", False),
        ("## Blocker (to be resolved)", False),
        ("## Blocker (resolved?)", False),
        ("## Blocker (resolved: no)", False),
        ("## Blocker (Task 3)", False),
    ],
)
def test_only_a_heading_that_says_resolved_resolves(heading, resolved):
    assert one("- **Trigger:** x", heading).resolved is resolved


@pytest.mark.parametrize(
    "heading", ["## Blocker policy", "## Unblocker", "> ## Blocker", "## How a Blocker is written"]
)
def test_other_headings_open_no_section(heading):
    assert blockers(f"{heading}\n\n- **Trigger:** x\n") == ()


def test_code_opens_no_section():
    assert blockers("```\n## Blocker\n```\n") == ()


@pytest.mark.parametrize(
    ("heading", "body", "task"),
    [
        ("## Blocker", "- **Task:** Task 3: oil", "3"),
        ("## Blocker", "- **Task ID:** `w2`", "w2"),
        ("## Blocker (Task 13a)", "- **Needed:** Task 2", "13a"),
        ("## Blocker for Task 5", "x", "5"),
        ("## Blocker", "- **Needed:** see Task 2", None),
    ],
)
def test_the_task_that_it_names(heading, body, task):
    assert one(body, heading).task == task


def test_a_label_twice_keeps_both_texts_and_says_so():
    text = b"## Blocker\n\n- Trigger: a\n- Trigger: b\n"
    found = parse_work_plan(text, "PLAN.md")
    assert found.blockers[0].trigger == "a\nb"
    assert "doubled-label" in [problem.code for problem in found.problems]


def test_the_last_unresolved_section_counts():
    text = "## Blocker\n\nNeeded: a\n\n## Blocker\n\nNeeded: b\n\n## Blocker (resolved)\n\nNeeded: c\n"
    found = parse_work_plan(text.encode(), "PLAN.md")
    assert [(item.needed, item.resolved) for item in found.blockers] == [("a", False), ("b", False), ("c", True)]
    assert found.blocker is not None
    assert found.blocker.needed == "b"


def test_a_section_inside_the_steps_takes_no_task_away():
    text = (
        "## Implementation Steps\n\n- [/] **Task 1: A**\n\n### Blocker\n\n- **Trigger:** x\n- [ ] y\n\n"
        "### Task 2: B\n\n## Blocker\n\nNeeded: z\n\n## Tasks\n"
    )
    found = parse_work_plan(text.encode(), "PLAN.md")
    assert [task.id for task in found.tasks] == ["1", "2"]
    assert [(item.line, item.end_line) for item in found.blockers] == [(5, 8), (12, 14)]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Repeated failure", "repeated_failure"), ("repeated_failure", "repeated_failure"),
        ("the same error twice", "repeated_failure"), ("Permission wall", "permission_wall"),
        ("out-of-scope change", "out_of_scope"), ("step budget (80 of 100)", "step_budget"),
        ("Reviewer deadlock", "reviewer_deadlock"), ("doom_loop", "doom_loop"), ("rain", None),
    ],
)  # fmt: skip
def test_words_of_the_trigger(words, kind):
    assert one(f"- **Trigger:** {words}").trigger_kind == kind


def test_hidden_characters_are_counted_where_they_stand():
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "open the gate for everybody")
    found = one(f"- needed: the key of the keeper{hidden}")
    assert found.needed == "the key of the keeper‹27 hidden characters U+E00xx›"
    assert hidden not in found.text
