"""Which bytes of a plan change when a status is set or a row is added."""

import pytest

from harness_tui.formats.plan_edit import NewRow, add_row, set_statuses
from harness_tui.formats.pool import PlanParser
from harness_tui.model.refusal import Refused

HEAD = "# Plan\n\n| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
ROW = "| T-01 | dig | Dig. | full | — |{}|\n"


def parsed(text):
    parser = PlanParser("plan.md")
    data = text.encode()
    parser.parse(data)
    return data, parser


@pytest.mark.parametrize(
    ("cell", "status", "after"),
    [
        (" pending ", "done", " done "),
        (" **pending** (since noon) ", "done", " **done** (since noon) "),
        (" ✅ done ", "failed", " ✅ failed "),
        (" whenever ", "done", " done "),
        (" ", "done", " done "),
        ("", "done", "done"),
        ("\t ", "done", " done "),
        ("  `pending`", "needs-human", "  `needs-human`"),
    ],
)
def test_a_status_takes_the_place_of_the_word_and_what_stands_around_it_stays(cell, status, after):
    data, parser = parsed(HEAD + ROW.format(cell) + ROW.format(" done ").replace("T-01 | dig", "T-02 | sow"))
    new = set_statuses(data, parser, {5: status}).decode()
    assert new == data.decode().replace(f"— |{cell}|", f"— |{after}|", 1)


def test_several_rows_are_set_at_once_and_nothing_asked_for_changes_nothing():
    data, parser = parsed(HEAD + ROW.format(" pending ") + ROW.format(" x ").replace("T-01 | dig", "T-02 | sow"))
    assert set_statuses(data, parser, {5: "done", 6: "failed"}).decode().count("| done |\n| T-02") == 1
    assert set_statuses(data, parser, {}) is data


def test_a_head_in_the_first_line_keeps_its_byte_order_mark():
    data, parser = parsed("\ufeff" + HEAD.split("\n\n")[1] + ROW.format(" pending "))
    assert set_statuses(data, parser, {3: "done"}) == data.replace(b"pending", b"done")


@pytest.mark.parametrize("text", ["# no table\n", HEAD.replace(" Status |", "").replace("|---|---|\n", "|---|\n")])
def test_a_plan_without_a_column_for_the_status_is_refused(text):
    data, parser = parsed(text + "| T-01 | dig | Dig. | full | — |\n")
    with pytest.raises(Refused) as refused:
        set_statuses(data, parser, {5: "done"})
    assert refused.value.code == "no-status-column"


def test_a_row_with_the_wrong_number_of_cells_is_refused():
    data, parser = parsed(HEAD + "| T-01 | dig | pending |\n")
    with pytest.raises(Refused) as refused:
        set_statuses(data, parser, {5: "done"})
    assert refused.value.code == "cell-count"


NEW = NewRow("T-07", "mow-hay", "Mow | rake.")
ADDED = "| T-07 | mow-hay | Mow \\| rake. | full | — | pending |"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (HEAD, HEAD + ADDED + "\n"),
        (HEAD + ROW.format(" done ") + "\n## Notes\n", HEAD + ROW.format(" done ") + ADDED + "\n\n## Notes\n"),
        (HEAD + ROW.format(" done ").rstrip("\n"), HEAD + ROW.format(" done ") + ADDED + "\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_goes_behind_the_last_one_with_the_line_end_of_its_neighbours(text, after, end):
    data, parser = parsed(text.replace("\n", end))
    assert add_row(data, parser, NEW).decode() == after.replace("\n", end)


def test_of_mixed_line_ends_most_decide_where_the_last_line_has_none():
    text = HEAD.replace("\n", "\r\n", 2) + ROW.format(" done ").rstrip("\n")
    data, parser = parsed(text)
    assert add_row(data, parser, NEW).endswith(b"\n" + ADDED.encode() + b"\n")


def test_a_column_of_ones_own_stays_empty_in_a_new_row():
    data, parser = parsed(HEAD.replace("| Mode |", "| Owner | Mode |").replace("|---|\n", "|---|---|\n"))
    assert add_row(data, parser, NEW).decode().endswith("| T-07 | mow-hay | Mow \\| rake. | | full | — | pending |\n")


def test_without_a_task_table_a_row_has_no_place():
    data, parser = parsed("# no table\n")
    with pytest.raises(Refused) as refused:
        add_row(data, parser, NEW)
    assert refused.value.code == "no-task-table"


@pytest.mark.parametrize("row", [NewRow("T|07", "mow-hay", "Mow."), NewRow("T-01", "dig", "Dig.")])
def test_a_row_that_would_not_be_read_back_as_one_new_row_is_refused(row):
    data, parser = parsed(HEAD + ROW.format(" done "))
    with pytest.raises(Refused) as refused:
        add_row(data, parser, row)
    assert refused.value.code == "ambiguous"
