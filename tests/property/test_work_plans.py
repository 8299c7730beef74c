"""Whatever the bytes, a plan is read; line ends and the order of labels change nothing; no marker but x says done."""

from hypothesis import given
from hypothesis import strategies as st
from support.texts import texts_of

from harness_tui.formats.text import clean_block
from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.rules.blockers import deadlocked, judge, tasks_behind

PIECES = st.sampled_from(
    [
        "# Plan: ", "## Implementation Steps\n", "## Blocker", "### Blocker (resolved)", "## Tasks\n",
        "## Milestones\n", "## Review Log (Plan Review)\n", "## Final Status (Code Review)\n", "## Required Tooling\n",
        "### Task 2: ", "- [ ] ", "- [/] ", "- [x] ", "  - ", "- ", "1. ", "| [x] | ", " | ", "> ", "**Task 1: a**",
        "**Task 13b — ", "**Round 1:** ", "**Round 2b (Task 4):** ", "APPROVED", "NOT APPROVED",
        "**", "`", "```\n", "<!--", "-->", "---\n",
        "Pending", " → ", "/", "Task 1 ", "Trigger: ", "**Error signature:** ", "- **Tried**: ", "Needed: ",
        "Task ID: ",
        "- **Depends On:** ", "t1, t2", "DONE", "2026-03-01 ", "\n", "\n\n", "\r\n", " ", "\t", ":", "：", "resolved",
        "\ufeff", "\u2028", "\x1b[2J", "\U000e0041\U000e0042", "\u202e",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=50).map("".join)
DATA = st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))


@given(DATA)
def test_every_file_is_read_and_all_texts_are_clean(data):
    found = judge(parse_work_plan(data, "PLAN.md"))
    for text in texts_of(found):
        assert clean_block(text) == text
    last = data.count(b"\n") + 1
    for task in found.tasks:
        assert 1 <= task.line <= task.end_line <= last
    for blocker in found.blockers:
        assert 1 <= blocker.line <= blocker.end_line <= last
    assert all(found.tasks[place].state in {"open", "in-progress"} for place in found.ready)
    deadlocked(found)
    tasks_behind(found, "1")


def told(data):
    found = judge(parse_work_plan(data, "PLAN.md"))
    return found.tasks, found.blockers, found.code_reviews, found.plan_reviews, found.ready, found.problems


@given(st.lists(PIECES.filter(lambda piece: "\r" not in piece and "\ufeff" not in piece), max_size=50).map("".join))
def test_line_ends_trailing_blanks_and_a_byte_order_mark_change_nothing(text):
    plain = told(text.encode())
    assert told(b"\xef\xbb\xbf" + text.encode()) == plain
    assert told(text.replace("\n", "\r\n").encode()) == plain
    assert told(text.replace("\n", "  \n").encode()) == plain


WORDS = st.text(st.sampled_from("abc /`.-012"), min_size=1, max_size=20).map(lambda text: f"v{text}v")
LABELS = {
    "trigger": ["Trigger", "TRIGGER"],
    "error_signature": ["Error signature", "Signature", "Error"],
    "tried": ["Tried", "What was tried"],
    "needed": ["Needed", "What is needed", "Exact permission or change needed"],
}
FORMS = st.sampled_from(["- **{}:** {}", "- **{}**: {}", "{}: {}\n", "- {}: {}", "**{}:** {}\n"])


@given(st.data(), FORMS)
def test_labels_of_a_blocker_in_any_order_and_dress(data, form):
    values = {key: data.draw(WORDS) for key in data.draw(st.sets(st.sampled_from(sorted(LABELS)), min_size=1))}
    order = data.draw(st.permutations(sorted(values)))
    lines = [form.format(data.draw(st.sampled_from(LABELS[key])), values[key]) for key in order]
    text = "# Plan: x\n\n## Blocker\n\n" + "\n".join(lines) + "\n"
    (found,) = parse_work_plan(text.encode(), "PLAN.md").blockers
    assert {key: getattr(found, key) for key in LABELS} == {key: values.get(key) for key in LABELS}


@given(st.text(max_size=3).filter(lambda mark: "\n" not in mark))
def test_no_marker_but_x_is_done(mark):
    text = f"## Implementation Steps\n\n- [{mark}] **Task 1: a**\n"
    found = parse_work_plan(text.encode("utf-8", "surrogatepass"), "PLAN.md").tasks
    assert all(task.state == "done" for task in found) == (mark in {"x", "X"} or not found)
