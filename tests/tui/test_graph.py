"""The pool as a tree of dependencies."""

import pytest

from harness_tui.tui.screens import graph
from harness_tui.tui.screens.graph import graph_facts
from harness_tui.workspace.once import read_workspace


@pytest.fixture
def lines_of(bare_desk):
    def lines_of(*pairs):
        rows = tuple((name, f"slug-{name}", "goal", "full", needs or "—", "pending") for name, needs in pairs)
        bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
        return [fact.plain for fact in graph_facts(read_workspace(bare_desk.root).pools[0])]

    return lines_of


def test_a_row_stands_below_each_row_that_it_needs_and_names_the_others(lines_of):
    lines = lines_of(("T-1", ""), ("T-2", ""), ("T-3", "T-1, T-2"))
    assert [line.split("  ")[0].strip() for line in lines] == [
        "T-1 slug-T-1",
        "└─ T-3 slug-T-3",
        "T-2 slug-T-2",
        "└─ T-3 slug-T-3",
    ]
    assert lines[1].endswith("also needs T-2")
    assert "also needs T-1" in lines[3]
    assert lines[3].endswith("(see above)")


def test_rows_below_the_same_one_hang_on_one_line(lines_of):
    lines = lines_of(("T-1", ""), ("T-2", "T-1"), ("T-3", "T-2"), ("T-4", "T-2"), ("T-5", "T-1"), ("T-6", "T-5"))
    assert [line.partition(" slug")[0] for line in lines] == [
        "T-1",
        "├─ T-2",
        "│  ├─ T-3",
        "│  └─ T-4",
        "└─ T-5",
        "   └─ T-6",
    ]


def test_rows_of_a_ring_and_behind_it_are_listed_apart(lines_of):
    lines = lines_of(("T-1", "T-2"), ("T-2", "T-1"), ("T-3", "T-2"), ("T-4", ""))
    assert lines[0].startswith("T-4")
    assert lines[1] == "In or behind a ring"
    assert [line[:3] for line in lines[2:]] == ["T-1", "T-2", "T-3"]


def test_a_tree_that_is_too_long_to_draw_says_so_and_names_no_ring(lines_of, monkeypatch):
    monkeypatch.setattr(graph, "MOST", 5)
    lines = lines_of(*((f"T-{number}", "") for number in range(1, 9)))
    assert len(lines) == 6
    assert lines[-1] == "5 lines of the tree are shown; the table has all 8 rows"


def test_a_long_chain_does_not_walk_off_the_screen(lines_of):
    lines = lines_of(("T-1", ""), *((f"T-{number}", f"T-{number - 1}") for number in range(2, 60)))
    assert len(lines) == 59
    assert max(len(line) for line in lines) < 110
