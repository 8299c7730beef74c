import pytest

from harness_tui.formats.table import Blocks, header_names, is_row, is_separator, split_cells


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("|a|b", ["a", "b"]),
        ("| a |  |", ["a", ""]),
        ("|  | a |", ["", "a"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("| `a | b` | c |", ["`a", "b`", "c"]),
        ("|  a  |\tb |", ["a", "b"]),
    ],
)
def test_a_line_is_split_at_unescaped_pipes(line, cells):
    assert split_cells(line) == cells


def test_a_pipe_behind_two_backslashes_splits_when_that_gives_the_width():
    assert split_cells(r"| a | C:\\| b |", 3) == ["a", r"C:\\", "b"]
    assert split_cells(r"| a | C:\\| b |", 2) == ["a", r"C:\| b"]


@pytest.mark.parametrize("line", ["|---|---|", "| --- | :-: |", "---|---", "|-|", "|  :---  |---:|"])
def test_a_separator_is_seen(line):
    assert is_separator(line)


@pytest.mark.parametrize("line", ["---", "| a |---|", "| |---|", "", "|||", "|--:--|--|", "| - - |"])
def test_other_lines_are_no_separator(line):
    assert not is_separator(line)


def test_a_row_starts_with_a_pipe_and_is_not_code():
    assert is_row("| a |")
    assert is_row("   | a |")
    assert not is_row("    | a |")
    assert not is_row("- | a |")


def test_header_names_lose_case_and_emphasis():
    assert header_names("| **ID** | `Slug` | Goal (one sentence) |") == ("id", "slug", "goal (one sentence)")


def _hidden(text):
    blocks = Blocks()
    return [blocks.hides(line, number) for number, line in enumerate(text.split("\n"), 1)]


def test_a_fence_hides_up_to_a_mark_of_its_own_length_and_kind():
    assert _hidden("a\n````md\nb\n```\n~~~~\n````\nc") == [False, True, True, True, True, True, False]


def test_backticks_with_code_in_one_line_open_nothing():
    assert _hidden("```a``` b\nc") == [False, False]


def test_a_comment_hides_its_lines():
    assert _hidden("<!-- a\nb\n-->\nc\n<!-- d -->\ne") == [True, True, True, False, True, False]
