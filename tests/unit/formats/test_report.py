"""What a written report asks, and what it says of the tasks."""

import pytest

from harness_tui.formats.report import parse_report

FULL = """# Stream Report — kiln

## Needs your input

- T-03 `door-alarm` — raised by stage 3 (gate)
  - **Ask:** which horn: the loud
    or the soft one?
  - **Unblocks when:** a name stands in the plan
- **T-04** · `glaze-export` · raised by qa-tester
  - Unblocks when: the table is signed
  - Ask: may the old table go?

## Tasks

| ID | Slug | Verdict | Docs |
|---|---|---|---|
| T-01 | ramp-curve | **DELIVERED** (1 rollback) | `x` |
| T-03 | door-alarm | BLOCKED: NEEDS-HUMAN | a | b |

## Aggregate

- final verify_all: **PASS 12/0/0**
- Stop reason: operator STOP
"""


def report(text: str):
    return parse_report(text.encode(), "docs/batches/kiln/STREAM_REPORT.md")


def test_questions_are_read_whole():
    first, second = report(FULL).needs_input
    assert (first.task_id, first.slug, first.stage) == ("T-03", "door-alarm", "stage 3 (gate)")
    assert first.ask == "which horn: the loud or the soft one?"
    assert first.unblock == "a name stands in the plan"
    assert (first.path, first.line) == ("docs/batches/kiln/STREAM_REPORT.md", 5)
    assert (second.task_id, second.slug, second.stage) == ("T-04", "glaze-export", "qa-tester")
    assert (second.ask, second.unblock) == ("may the old table go?", "the table is signed")


def test_tasks_gate_and_stop_reason_are_read():
    found = report(FULL)
    assert [(row.task_id, row.slug, row.verdict) for row in found.rows] == [
        ("T-01", "ramp-curve", "DELIVERED (1 rollback)"),
        ("T-03", "door-alarm", "BLOCKED: NEEDS-HUMAN"),
    ]
    assert found.verify == "PASS 12/0/0"
    assert found.stop_reason == "operator STOP"


@pytest.mark.parametrize(
    "heading", ["## Needs your input", "## 1. NEEDS YOUR INPUT", "## ❓ Needs your input (2)", "### 需要你的输入"]
)
def test_the_heading_may_be_decorated(heading):
    assert [item.ask for item in report(f"# R\n\n{heading}\n\n- pick a horn\n").needs_input] == ["pick a horn"]


@pytest.mark.parametrize("nothing", ["None.", "none", "- None.", "无", "_(none)_", "—", "None (all delivered)."])
def test_no_question_is_no_entry(nothing):
    assert report(f"# R\n\n## Needs your input\n\n{nothing}\n\n## Tasks\n\n- x\n").needs_input == ()


def test_an_entry_of_odd_shape_is_kept_as_a_question():
    text = "# R\n\n## Needs your input\n\nNonetheless the horn is open.\n\n- [ ] choose\n- [x] old one\n"
    assert [item.ask for item in report(text).needs_input] == ["Nonetheless the horn is open.", "choose"]


def test_questions_in_a_table_are_kept():
    text = "# R\n\n## Needs your input\n\n| ID | Slug | Ask |\n|---|---|---|\n| T-03 | door-alarm | which horn? |\n"
    assert [(q.task_id, q.slug, q.ask) for q in report(text).needs_input] == [("T-03", "door-alarm", "which horn?")]


def test_a_table_of_questions_may_have_a_status():
    table = "| ID | Slug | Ask | Status |\n|---|---|---|---|\n| T-3 | horn | which? | open |\n"
    text = f"# R\n\n## Needs your input\n\n{table}"
    assert [q.task_id for q in report(text).needs_input] == ["T-3"]


def test_what_follows_the_questions_without_a_heading_is_no_question():
    rest = "| id | slug | verdict | link |\n|---|---|---|---|\n| T-02 | glaze | FAILED | x |\n\n1 failed, 2 passes\n"
    text = f"# R\n\n## Needs your input\n\n- T-03 `horn`\n  - Ask: which?\n\n{rest}\nStop reason: none\n"
    found = report(text)
    assert [q.task_id for q in found.needs_input] == ["T-03"]
    assert [row.task_id for row in found.rows] == ["T-02"]
    lone = "# R\n\n## Needs your input\n\n- pick a horn\n\nFinal verify_all: PASS 3/0/0\n\nStop reason: STOP\n"
    assert [q.ask for q in report(lone).needs_input] == ["pick a horn"]


def test_ask_and_unblock_on_one_line():
    text = "# R\n\n## Needs your input\n\n- T-03 `door-alarm` raised by gate. Ask: which horn? Unblocks when: named\n"
    (item,) = report(text).needs_input
    assert (item.stage, item.ask, item.unblock) == ("gate", "which horn?", "named")


def test_the_first_run_of_several_counts():
    newest = "# Run 2\n\n## Needs your input\n\nNone.\n\n"
    found = report(newest + "# Run 1\n\n## Needs your input\n\n- old question\n\nStop reason: old\n")
    assert (found.needs_input, found.stop_reason) == ((), "")


def test_a_title_above_the_runs_is_no_run_of_its_own():
    title = "# Stream Report — kiln\n\n> Newest run first.\n\n---\n\n"
    newest = "# Run 2\n\n> Driver: chat\n\n## Needs your input\n\n- T-03 `door-alarm` which horn?\n\n"
    old = "# Run 1\n\n## Needs your input\n\n- old question\n\n"
    old += "| ID | Slug | Verdict |\n|---|---|---|\n| T-01 | a | DONE |\n"
    found = report(title + newest + old)
    assert [need.task_id for need in found.needs_input] == ["T-03"]
    assert found.rows == ()


def test_a_question_with_a_heading_of_its_own_takes_the_text_below_it():
    text = "## Needs your input\n\n### 1. Windows check\n\nNobody ran `kiln.ps1`.\n\nIt blocks a release.\n\n"
    text += "### 2. Commit\n\n- now?\n"
    asks = [need.ask for need in report(text).needs_input]
    assert asks == ["1. Windows check Nobody ran kiln.ps1. It blocks a release.", "2. Commit", "now?"]


@pytest.mark.parametrize("entry", ["T-03 came back `BLOCKED: NEEDS-HUMAN`", "commit the work on `main`?"])
def test_words_in_ticks_that_name_something_else_are_no_slug(entry):
    assert report(f"## Needs your input\n\n- {entry}\n").needs_input[0].slug == ""


def test_a_question_that_begins_with_a_slug_is_about_that_task():
    assert report("## Needs your input\n\n- `door-alarm`: which horn?\n").needs_input[0].slug == "door-alarm"


def test_the_last_round_appended_to_a_run_counts():
    text = "# Run\n\n## Needs your input\n\n- old\n\n## Round 2\n\n### Needs your input\n\n- new\n"
    assert [item.ask for item in report(text).needs_input] == ["new"]


@pytest.mark.parametrize(
    "value", ["none (clean completion)", "无", "计划完成（2/2）", "**NORMAL — pool drained.**", "—", "无触发（全程绿）"]
)
def test_a_run_that_ended_by_itself_has_no_stop_reason(value):
    assert report(f"# R\n\n**Stop reason**: {value}\n").stop_reason == ""


def test_chinese_columns():
    text = "# R\n\n| Task | Slug | 结果 |\n|---|---|---|\n| T-01 | ramp-curve | DELIVERED |\n"
    assert [row.verdict for row in report(text).rows] == ["DELIVERED"]


def test_an_empty_report_is_told():
    assert [problem.code for problem in report("").problems] == ["empty-report"]
