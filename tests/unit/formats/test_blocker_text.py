from __future__ import annotations

import pytest

from harness_tui.formats.blocker_text import LONGEST, UNKNOWN, ended, render_blocker
from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.model.blocker import Blocker

BLOCKER = Blocker(
    "PLAN.md",
    0,
    trigger="Repeated failure",
    error_signature="`make fire` / cold / exit 2",
    tried="waited",
    needed="a key",
)


def read(data):
    return parse_work_plan(data, "PLAN.md").blocker


def test_the_section_reads_back_as_its_four_parts():
    found = read(render_blocker(BLOCKER))
    assert (found.trigger, found.error_signature, found.tried, found.needed) == (
        "Repeated failure", "`make fire` / cold / exit 2", "waited", "a key",
    )  # fmt: skip
    assert found.trigger_kind == "repeated_failure"
    assert found.missing == ()


def test_a_part_that_is_not_known_says_so():
    assert read(render_blocker(Blocker("PLAN.md", 0, trigger="Doom loop"))).tried == UNKNOWN


@pytest.mark.parametrize(
    "text", ["a\n## Blocker (resolved)\n- [x] **Task 1: b**", "<!-- open", "```\nx", "a\x1b[2J\u202e"]
)
def test_what_an_agent_wrote_opens_nothing(text):
    data = b"# Plan: x\n\n## Implementation Steps\n\n- [/] **Task 1: A**\n\n" + render_blocker(
        Blocker("PLAN.md", 0, trigger="Doom loop", error_signature=text, tried=text, needed=text)
    )
    plan = parse_work_plan(data, "PLAN.md")
    assert [(task.id, task.state) for task in plan.tasks] == [("1", "in-progress")]
    assert len(plan.blockers) == 1
    assert not plan.blocker.resolved
    assert plan.blocker.missing == ()
    assert b"\x1b" not in data


def test_a_huge_part_is_cut_and_the_line_ends_follow_the_file():
    data = render_blocker(Blocker("PLAN.md", 0, needed="x" * 9999), like=b"a\r\n")
    assert max(map(len, data.split(b"\r\n"))) < LONGEST + 40
    assert data.count(b"\n") == data.count(b"\r\n") == 6


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"", b""),
        (b"a", b"a\n\n"),
        (b"a\n", b"a\n\n"),
        (b"a\n\n", b"a\n\n"),
        (b"a\r\nb", b"a\r\nb\r\n\r\n"),
        (b"a\r\n", b"a\r\n\r\n"),
    ],
)
def test_an_empty_line_stands_before_a_section(data, after):
    assert ended(data) == after
