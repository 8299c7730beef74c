"""Backlogs and histories in all shapes; a damaged one is never an empty one."""

import pytest

from harness_tui.formats.milestone_index import parse_milestone_index, parse_worktrack_index

GROUPED = """---
title: x
---
# Backlog

## Pipeline Summary

- active_count: 1
- planned_count: 1

## Active

### MS-1

- milestone_id: MS-1
- title: Lamp
- worktrack_list:
  - WT-1 (done): wick

## Planned

### MS-2: Horn

- milestone_kind: addendum
"""
FLAT = "# B\n\n### MS-1\n\n- title: Lamp\n- status: active\n\n### MS-2 (planned): Horn\n\n- milestone_kind: addendum\n"
NESTED = "# B\n\n- milestone_id: MS-1\n  - title: Lamp\n  - status: active\n- milestone_id: MS-2\n  - title: Horn\n"
NESTED += "  - status: planned\n  - milestone_kind: addendum\n"
SIBLINGS = "# B\n\n- milestone_id: MS-1\n- title: Lamp\n- status: active\n\n"
SIBLINGS += "- milestone_id: MS-2\n- title: Horn\n- status: planned\n- milestone_kind: addendum\n"
PLAIN = "# B\n\n## Active\n\n- MS-1: Lamp\n\n## Planned\n\n- MS-2: Horn\n  - milestone_kind: addendum\n"


@pytest.mark.parametrize("text", [GROUPED, FLAT, NESTED, SIBLINGS, PLAIN], ids="gfnsp")
def test_each_shape_gives_the_same_entries(text):
    index = parse_milestone_index(text.encode(), "b.md")
    assert [(e.id, e.status, e.title, e.kind) for e in index.entries] == [
        ("MS-1", "active", "Lamp", ""), ("MS-2", "planned", "Horn", "addendum"),
    ]  # fmt: skip
    assert index.readable


def test_the_summary_is_read_in_both_namings():
    assert parse_milestone_index(GROUPED.encode(), "b.md").summary == (("planned", 1), ("active", 1))
    text = b"## Summary\n\n- total: 3\n- planned: 1\n- completed: 2\n\n## Planned\n\n### MS-1\n"
    assert parse_milestone_index(text, "b.md").summary == (("total", 3), ("planned", 1), ("completed", 2))


@pytest.mark.parametrize(
    "text", ["", "# Backlog\n\n## Active\n\n- none\n", "# Backlog\n", "## Active\n\n- active_count: 0\n"]
)
def test_an_empty_list_is_empty(text):
    index = parse_milestone_index(text.encode(), "b.md")
    assert (index.entries, index.readable, index.problems) == ((), True, ())


@pytest.mark.parametrize("text", ["some words\n", "\x00\x00\x00", "## Active\n\n- the lamp, later\n", "<<<<<<< HEAD\n"])
def test_a_damaged_list_is_unreadable_and_says_so(text):
    index = parse_milestone_index(text.encode(), "b.md")
    assert not index.readable
    assert [problem.code for problem in index.problems] == ["backlog-damaged"]


def test_of_one_worktrack_the_last_entry_counts():
    text = b"## Done\n\n### WT-2\n\n- status: done\n- gate_verdict: pass\n- milestone_id: MS-1\n"
    text += b"\n### WT-2\n\n- status: deferred\n"
    (entry,) = parse_worktrack_index(text, "w.md").entries
    assert (entry.id, entry.status) == ("WT-2", "deferred")


def test_a_worktrack_keeps_its_milestone_and_verdict():
    text = b"## Done\n\n### WT-2\n\n- worktrack_id: WT-2\n- gate_verdict: pass\n- milestone_id: MS-1\n"
    (entry,) = parse_worktrack_index(text, "w.md").entries
    assert (entry.status, entry.milestone_id, entry.verdict) == ("done", "MS-1", "pass")
