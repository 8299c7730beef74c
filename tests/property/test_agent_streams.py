"""Output of agents: nothing raises, any cutting gives the same, a stop stays what it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.agents import (
    claude_call,
    claude_outcome,
    claude_result,
    claude_said,
    opencode,
    opencode_finish,
    opencode_tool,
)

from harness_tui.formats.agent_events import PlainEvents
from harness_tui.formats.agent_lines import LineReader
from harness_tui.formats.blocker_text import render_blocker
from harness_tui.formats.claude_events import ClaudeEvents
from harness_tui.formats.opencode_events import OpencodeEvents
from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.formats.worker_verdict import read_verdict_line
from harness_tui.model.blocker import Blocker
from harness_tui.model.hard_stop import StopRules
from harness_tui.rules.activity import doing
from harness_tui.rules.hard_stop.commands import builds_or_tests, is_destructive
from harness_tui.rules.hard_stop.monitor import Monitor
from harness_tui.rules.hard_stop.signature import comparable, first_error_line

READERS = (ClaudeEvents, OpencodeEvents, PlainEvents)
RULES = StopRules(steps=9, owned_paths=("src/",), scope_text="a")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    "type",
    "subtype",
    "part",
    "message",
    "content",
    "state",
    "status",
    "input",
    "metadata",
    "exit",
    "error",
    "k",
    "id",
    "tool_use_id",
    "name",
    "is_error",
    "permission_denials",
    "parent_tool_use_id",
    "tool",
    "usage",
    "rejected",
    "command",
)
WORDS = (
    "assistant",
    "user",
    "result",
    "system",
    "permission_denied",
    "tool_use",
    "tool_result",
    "text",
    "completed",
    "error",
    "step_finish",
    "done",
    "cmd",
    "edit",
    "denied",
    "review",
    "task",
    "tool",
    "say",
    "bash",
    "Task",
    "success",
)
shaped = st.recursive(
    json_values | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=12,
)
lines = st.one_of(
    st.binary(max_size=80),
    st.dictionaries(st.sampled_from(KEYS), shaped, max_size=8).map(lambda value: json.dumps(value).encode()),
    st.sampled_from(
        [
            claude_call("t1", "Bash", {"command": "make"}),
            claude_outcome("t1", "Exit code 1\nerror", error=True),
            claude_said("DELIVERED"),
            claude_result("x"),
            opencode_tool("bash", {"command": "make"}, output="error", status=1),
            opencode_tool("edit", {"filePath": "a"}),
            opencode("text", {"text": "y"}),
            opencode_finish(),
        ]
    ),
)


def run(reader, found):
    monitor, events = Monitor(RULES), []
    for at, line in enumerate(found):
        for event in reader.read(line):
            events.append(event)
            monitor.feed(event, at)
            doing(event, step=monitor.steps, steps=None)
    return events, monitor


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=60, deadline=None)
@given(found=st.lists(lines, max_size=12))
def test_no_line_raises(reader, found):
    events, monitor = run(reader(), found)
    assert len(monitor.breaches) <= len(found)
    assert all(event.exit_code is None or isinstance(event.exit_code, int) for event in events)


@settings(max_examples=60, deadline=None)
@given(
    found=st.lists(lines, max_size=8), cuts=st.lists(st.integers(1, 40), min_size=1, max_size=60), last=st.booleans()
)
def test_any_cutting_gives_the_same_lines(found, cuts, last):
    data = b"\n".join(found) + (b"\n" if last else b"")
    whole, pieces = LineReader(), LineReader()
    expected = [*whole.feed(data), whole.close()]
    got, place = [], 0
    for cut in [*cuts, len(data)]:
        got += pieces.feed(data[place : place + cut])
        place += cut
    assert [*got, *pieces.feed(data[place:]), pieces.close()] == expected


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=400), limit=st.integers(1, 20), cut=st.integers(1, 50))
def test_any_cutting_gives_the_same_lines_under_a_limit(data, limit, cut):
    whole, pieces = LineReader(limit), LineReader(limit)
    expected = [*whole.feed(data), whole.close()]
    got = [line for place in range(0, len(data), cut) for line in pieces.feed(data[place : place + cut])]
    assert [*got, pieces.close()] == expected
    assert all(line is None or len(line.data) <= limit for line in expected)


@settings(max_examples=60, deadline=None)
@given(found=st.lists(lines, max_size=20), more=st.lists(lines, max_size=5))
def test_a_stop_is_never_taken_back_and_does_not_depend_on_what_follows(found, more):
    _, first = run(ClaudeEvents(), found)
    _, longer = run(ClaudeEvents(), [*found, *more])
    if first.stop is not None:
        assert longer.stop == first.stop
        assert all(at >= first.stop.at for at in longer.breaches)
    elif longer.stop is not None:
        assert longer.stop.at >= len(found)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200))
def test_texts_of_commands_and_lines_never_raise(text):
    builds_or_tests(text, (text,))
    is_destructive(text)
    read_verdict_line(text)
    line = first_error_line(text)
    assert line is None or "\n" not in line
    assert comparable(comparable(text)) == comparable(text) or "<" in comparable(text)


@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(st.text(max_size=60) | st.none(), min_size=4, max_size=4),
    before=st.sampled_from(["", "# Plan: x\n"]),
)
def test_a_blocker_is_read_back_whatever_its_parts_hold(parts, before):
    trigger, signature, tried, needed = parts
    written = render_blocker(Blocker("p", 0, None, trigger, signature, tried, needed))
    plan = parse_work_plan(before.encode() + written, "PLAN.md")
    (blocker,) = plan.blockers
    assert not blocker.resolved
    assert plan.tasks == ()
    assert blocker.missing == ()
