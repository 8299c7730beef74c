from __future__ import annotations

import json

import pytest
from support.agents import opencode, opencode_finish, opencode_tool

from harness_tui.formats.opencode_events import OpencodeEvents

RULE = (
    "The user has specified a rule which prevents you from using this specific tool call. "
    'Here are some of the relevant rules [{"permission":"%s","pattern":"*","action":"deny"}]'
)
REJECTED = "The user rejected permission to use this specific tool call."


def read(*lines):
    reader = OpencodeEvents()
    return [event for line in lines for event in reader.read(line)]


def test_a_failing_command_is_completed_with_a_status():
    (event,) = read(opencode_tool("bash", {"command": "make fire"}, output="cold\n", status=2))
    assert (event.kind, event.command, event.exit_code, event.output) == ("cmd", "make fire", 2, "cold\n")
    assert event.call == '{"command":"make fire"}'


def test_a_command_that_was_ended_says_so_at_the_end_of_its_output():
    (event,) = read(opencode_tool("bash", {"command": "make"}, output="a\n\n(Command timed out after 5 ms)"))
    assert (event.exit_code, event.failed) == (None, True)


@pytest.mark.parametrize(
    ("error", "tool", "by", "feedback"),
    [
        (RULE % "bash", "bash", "rule", ""),
        (RULE % "doom_loop", "doom_loop", "rule", ""),
        ("The user has specifically restricted access to this command, you are not allowed.", "bash", "rule", ""),
        (REJECTED, "bash", "user", ""),
        (REJECTED[:-1] + " with the following feedback: use tongs", "bash", "user", "use tongs"),
        ("The user dismissed this question", "question", "user", ""),
    ],
)
def test_refusals_by_their_texts(error, tool, by, feedback):
    (event,) = read(opencode_tool("bash", {"command": "make"}, error=error))
    assert (event.kind, event.tool, event.by, event.feedback, event.what) == ("denied", tool, by, feedback, "make")


def test_the_notice_before_a_rejection_tells_what_was_asked():
    events = read(
        b"! permission requested: doom_loop (bash); auto-rejecting",
        opencode_tool("bash", {"command": "make"}, error=REJECTED),
        opencode_tool("bash", {"command": "make"}, error=REJECTED),
    )
    assert [(event.kind, event.tool, event.by) for event in events] == [
        ("noise", "", "rule"), ("denied", "doom_loop", "auto"), ("denied", "bash", "user"),
    ]  # fmt: skip


def test_a_command_that_was_broken_off_is_no_failure():
    (event,) = read(opencode_tool("bash", {"command": "make"}, error="Tool execution aborted"))
    assert event.kind == "tool"
    (event,) = read(opencode_tool("bash", {"command": "make"}, error="Failed to start"))
    assert (event.kind, event.exit_code, event.failed) == ("cmd", None, True)
    (event,) = read(opencode_tool("bash", {"command": "make"}, output="x"))
    assert (event.exit_code, event.failed) == (None, False)


@pytest.mark.parametrize("error", ["Tool execution aborted", "File not found: a"])
def test_other_errors_are_neither_refusals_nor_changes(error):
    (event,) = read(opencode_tool("edit", {"filePath": "a"}, error=error))
    assert (event.kind, event.failed) == ("tool", True)


def test_a_patch_names_all_its_files():
    patch = "*** Begin Patch\n*** Update File: a/b.py\n@@\n*** Add File: c.py\n*** Move to: d.py\n*** End Patch"
    events = read(opencode_tool("apply_patch", {"patchText": patch}))
    assert [(event.kind, event.path) for event in events] == [("edit", "a/b.py"), ("edit", "c.py"), ("edit", "d.py")]
    assert events[0].call
    assert [event.call for event in events[1:]] == ["", ""]


def test_a_reviewers_answer_is_a_review_of_the_task_that_was_asked_about():
    given = {"subagent_type": "CodeReviewer", "prompt": "review Task 2"}
    (event,) = read(opencode_tool("task", given, output="All read.\nStatus: Approved"))
    assert (event.kind, event.task, event.verdict) == ("review", "2", "approved")
    (event,) = read(opencode_tool("task", {"subagent_type": "Explorer"}, output="NOT APPROVED"))
    assert event.kind == "tool"
    (event,) = read(opencode_tool("task", {"subagent_type": "PlanReviewer"}, output="NOT APPROVED"))
    assert event.kind == "tool"


def test_a_finished_step_gives_the_figures_that_it_has():
    step, end = read(opencode_finish("stop", cost=0.5, tokens={"input": 2, "output": 3, "cache": {"read": 9}}))
    assert (step.kind, step.cost_usd, step.tokens, end.kind) == ("step", 0.5, 5, "end")
    (step,) = read(opencode_finish())
    assert (step.cost_usd, step.tokens) == (None, None)


def test_what_was_rejected_is_told_at_the_end_only_if_nothing_told_of_it():
    done = json.dumps({"type": "done", "reason": "idle", "rejected": ["bash"]}).encode()
    assert [event.kind for event in read(done)] == ["denied", "end"]
    refused = opencode_tool("bash", {"command": "make"}, error=REJECTED)
    assert [event.kind for event in read(refused, done)] == ["denied", "end"]


def test_the_server_tells_of_permissions_by_themselves():
    asked = b'{"type":"permission.asked","properties":{"id":"p1","permission":"bash","patterns":["make"]}}'
    once = b'{"type":"permission.replied","properties":{"requestID":"p1","reply":"once"}}'
    assert [event.kind for event in read(asked, once)] == ["start", "noise"]
    *_, event = read(asked, once.replace(b"once", b"reject"))
    assert (event.kind, event.tool, event.by) == ("denied", "bash", "user")


def test_text_errors_and_noise():
    assert [event.text for event in read(opencode("text", {"type": "text", "text": "hm"}))] == ["hm"]
    error = json.dumps({"type": "error", "error": {"name": "APIError", "data": {"message": "busy"}}}).encode()
    assert [(event.kind, event.text) for event in read(error)] == [("error", "APIError: busy")]
    for line in (b"plain", b'{"type":"tool_use"}', b'{"type":"tool_use","part":{"state":7}}', b'{"type":', b"{}"):
        assert [event.kind for event in read(line)] == ["noise"]
