"""The task board."""

import pytest

from harness_tui.formats.board import parse_board

ACTIVE = "## Active tasks\n\n| ID | Slug | Stage | Mode | Started | Doc folder |\n|---|---|---|---|---|---|\n"
COMPLETED = "## Completed tasks\n\n| ID | Slug | Outcome | Completed | Doc folder |\n|---|---|---|---|---|\n"


def rows(text: str):
    return parse_board(text.encode(), "docs/tasks.md").rows


@pytest.mark.parametrize(
    ("stage", "status"),
    [
        ("1 — requirement analysis", "in-progress"),
        ("6 — QA (blocked: needs human)", "needs-human"),
        ("blocked", "blocked"),
        ("BLOCKED before stage 1", "blocked"),
        ("dev", "in-progress"),
        ("planning-done", "in-progress"),
        ("delivery", "in-progress"),
        ("done", "in-progress"),
        ("pending", "pending"),
        ("failed", "failed"),
        ("开发", "in-progress"),
        ("someday", "unknown"),
        ("", "unknown"),
    ],
)
def test_an_active_row_is_never_done(stage, status):
    (row,) = rows(f"{ACTIVE}| T-01 | ramp-curve | {stage} | full | 2026-01-02 | x |\n")
    assert (row.says, row.text, row.active) == (status, stage, True)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        ("DELIVERED", "done"),
        ("Delivered v0.2.0 (1 rollback: was BLOCKED once)", "done"),
        ("**Delivered as a decline**", "done"),
        ("GOAL ACHIEVED", "done"),
        ("done", "done"),
        ("**Declined** (no build)", "skipped"),
        ("Blocked: needs human", "needs-human"),
        ("BLOCKED", "blocked"),
        ("Failed", "failed"),
        ("Not delivered", "unknown"),
        ("Delivered?", "unknown"),
        ("Undelivered", "unknown"),
    ],
)
def test_the_outcome_of_a_completed_row(outcome, status):
    (row,) = rows(f"{COMPLETED}| T-01 | ramp-curve | {outcome} | 2026-01-02 | x |\n")
    assert (row.says, row.active) == (status, False)


def test_raw_pipes_in_later_cells_cost_nothing():
    (row,) = rows(f"{COMPLETED}| T-01 | `ramp-curve` | Delivered | with `a | b` | and | more | x |\n")
    assert (row.id, row.slug, row.says, row.line) == ("T-01", "ramp-curve", "done", 5)


def test_four_cells_are_enough():
    (row,) = rows("## Active\n\n| ID | Slug | Stage | Doc |\n|---|---|---|---|\n| T-1 | a-b | gate | x |\n")
    assert row.says == "in-progress"


def test_chinese_headings():
    text = "## 进行中\n\n| ID | Slug | 阶段 |\n|---|---|---|\n| T-01 | a-b | dev |\n\n"
    text += "## 已完成\n\n| ID | Slug | 结果 |\n|---|---|---|\n| T-02 | c-d | DELIVERED |\n"
    assert [(row.id, row.says, row.active) for row in rows(text)] == [
        ("T-01", "in-progress", True),
        ("T-02", "done", False),
    ]


def test_placeholders_are_no_rows():
    board = parse_board(f"{ACTIVE}| _(none)_ | | | | | |\n\n{COMPLETED}".encode(), "docs/tasks.md")
    assert (board.rows, board.problems) == ((), ())


def test_rows_after_a_gap_belong_to_their_table():
    found = rows(f"{COMPLETED}| T-01 | a-b | Delivered | d | x |\n\n| T-02 | c-d | Delivered | d | x |\n")
    assert [row.id for row in found] == ["T-01", "T-02"]


def test_a_struck_row_was_given_up():
    (row,) = rows(f"{COMPLETED}| ~~T-01~~ | ~~a-b~~ | Delivered | d | x |\n")
    assert (row.id, row.slug, row.says) == ("T-01", "a-b", "skipped")


def test_a_row_without_a_slug_is_told_with_its_line():
    board = parse_board(f"{COMPLETED}| T-01 | | Delivered | d | x |\n".encode(), "docs/tasks.md")
    assert [(p.code, p.line) for p in board.problems] == [("board-row", 5)]


def test_other_tables_are_left_alone():
    board = parse_board(b"## Legend\n\n| Word | Meaning |\n|---|---|\n| T-01 | x |\n", "docs/tasks.md")
    assert board.rows == ()
    assert [problem.code for problem in board.problems] == ["no-board-table"]
