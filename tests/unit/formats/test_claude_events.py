from __future__ import annotations

import json

import pytest
from support.agents import claude_call, claude_outcome, claude_result, claude_said

from harness_tui.formats.claude_events import ClaudeEvents


def read(*lines):
    reader = ClaudeEvents()
    return [event for line in lines for event in reader.read(line)]


def kinds(*lines):
    return [event.kind for event in read(*lines)]


def test_a_failing_command_is_found_by_the_id_of_its_call():
    step, call, cmd = read(
        claude_call("t1", "Bash", {"command": "make fire"}), claude_outcome("t1", "Exit code 2\ncold", error=True)
    )
    assert (step.kind, call.kind, call.command) == ("step", "call", "make fire")
    assert (cmd.kind, cmd.command, cmd.exit_code, cmd.output) == ("cmd", "make fire", 2, "cold")
    assert cmd.call == "", "the call was told of before"


def test_success_has_no_mark_of_an_error_and_content_may_be_blocks():
    *_, cmd = read(claude_call("t1", "Bash", {"command": "ls"}), claude_outcome("t1", "Exit code 9|b", blocks=True))
    assert (cmd.exit_code, cmd.output) == (0, "Exit code 9\nb")


@pytest.mark.parametrize(
    "output",
    [
        "E  AssertionError: Permission to use Bash has been denied.", "FAILED test_push.py: blocked by hook",
        "deploy: This command requires approval", "git: Hook PreToolUse is not installed",
    ],
)  # fmt: skip
def test_what_a_command_that_ran_says_of_a_refusal_is_its_output(output):
    call = claude_call("t1", "Bash", {"command": "make test"})
    *_, cmd = read(call, claude_outcome("t1", f"Exit code 1\n{output}", error=True))
    assert (cmd.kind, cmd.exit_code, cmd.output) == ("cmd", 1, output)


def test_an_outcome_before_its_call_is_attached_when_the_call_comes():
    early = claude_outcome("t1", "Exit code 1\nx", error=True)
    events = read(early, claude_call("t1", "Bash", {"command": "make"}))
    assert [event.kind for event in events] == ["start", "step", "call", "cmd"]
    assert (events[-1].command, events[-1].exit_code) == ("make", 1)


def test_steps_are_distinct_messages_of_the_own_session():
    lines = [
        claude_said("a", message="m1"),
        claude_call("t1", "Read", {"file_path": "x"}, message="m1"),
        claude_said("b", message="m2"),
        claude_said("c", message="h1", parent="t9"),
        claude_said("d", message="m2"),
    ]
    assert kinds(*lines).count("step") == 2


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", "rule"),
        ("Permission to use Bash with command make fire has been denied.", "rule"),
        ("Permission to use Bash has been denied because this runs unattended.", "rule"),
        ("This command requires approval", "rule"),
        ("File is in a directory that is denied by your permission settings.", "rule"),
        ("PreToolUse:Bash hook error: [guard.sh]: no", "hook"),
        ("The user doesn't want to proceed with this tool use.", "user"),
        ("Claude requested permissions to edit /kiln/.glaze which is a sensitive file.", "rule"),
        ("This Bash command contains multiple operations. The following part requires approval: make fire", "rule"),
        ("This PowerShell command contains multiple operations. The following parts require approval: a, b", "rule"),
        ("Contains simple_expansion", "rule"),
        ("Contains command_substitution\n", "rule"),
        ("Part of this command (a variable) cannot be checked in advance.", "rule"),
        (
            "cd to '/kiln' was blocked. For security, Claude Code may only change to the allowed working directories",
            "rule",
        ),
        ("PreToolUse hook did not respond before its timeout. The tool call was not executed.", "hook"),
    ],
)
def test_refusals_by_their_texts(text, by):
    *_, event = read(claude_call("t1", "Bash", {"command": "make fire"}), claude_outcome("t1", text, error=True))
    assert (event.kind, event.tool, event.what, event.by) == ("denied", "Bash", "make fire", by)


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to say what the kiln holds",
        "Exit code 1\nContains simple_expansion",
        "Contains simple_expansion, says the kiln",
        "Contains clay",
        "Exit code 1\nFor security, the kiln may only be opened by its keeper",
        "Claude requested permissions to edit",
    ],
)
def test_a_failure_that_is_told_in_like_words_is_no_refusal(text):
    call = claude_call("t1", "Bash", {"command": "make fire"})
    assert kinds(call, claude_outcome("t1", text, error=True))[-1] == "cmd"


def beside(line, *entries):
    """The line of an outcome, and what newer versions say of it beside the message."""
    return json.dumps(json.loads(line) | {"tool_result_meta": list(entries)}).encode()


@pytest.mark.parametrize(
    ("kind", "text", "by", "feedback"),
    [
        ("permission-rule", "The keeper of the kiln says no", "rule", ""),
        ("permission-rule", "PreToolUse:Bash hook error: no", "hook", ""),
        ("user-rejected", "No", "user", "use tongs"),
        ("user-rejected", "The user doesn't want to proceed with this tool use.", "user", ""),
    ],
)
def test_a_refusal_told_beside_the_message_whatever_its_text(kind, text, by, feedback):
    meta = {"id": "t1", "non_execution_kind": kind} | ({"user_feedback": feedback} if feedback else {})
    call, outcome = claude_call("t1", "Bash", {"command": "make fire"}), claude_outcome("t1", text, error=True)
    *_, event = read(call, beside(outcome, meta))
    assert (event.kind, event.what, event.by, event.feedback) == ("denied", "make fire", by, feedback)


def test_a_refusal_told_beside_a_message_that_comes_before_its_call():
    meta = {"id": "t1", "non_execution_kind": "permission-rule"}
    early = beside(claude_outcome("t1", "no", error=True), meta)
    denied = [event for event in read(early, claude_call("t1", "Bash", {"command": "a"})) if event.kind == "denied"]
    assert len(denied) == 1


def test_a_hooks_refusal_before_its_call_waits_for_what_was_to_be_run():
    early = claude_outcome("t1", "PreToolUse:Bash hook error: no", error=True)
    events = read(early, claude_call("t1", "Bash", {"command": "make fire"}))
    assert [(event.kind, event.what, event.by) for event in events[-1:]] == [("denied", "make fire", "hook")]
    assert events[0].kind == "start"


def test_a_call_cancelled_with_its_turn_did_not_run_and_is_no_refusal():
    meta = {"id": "t1", "non_execution_kind": "cancelled"}
    call, outcome = claude_call("t1", "Bash", {"command": "make"}), claude_outcome("t1", "Stopped", error=True)
    *_, event = read(call, beside(outcome, meta))
    assert (event.kind, event.failed) == ("tool", True)


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"id": "t2", "non_execution_kind": "permission-rule"},
        {"id": "t1", "non_execution_kind": "glazed"},
        {"id": "t1", "non_execution_kind": ["permission-rule"]},
        {"id": ["t1"]},
        "t1",
        None,
    ],
)
def test_what_stands_beside_a_message_and_names_no_refusal_changes_nothing(meta):
    call, outcome = claude_call("t1", "Bash", {"command": "make"}), claude_outcome("t1", "Exit code 1\nx", error=True)
    assert kinds(call, beside(outcome, meta))[-1] == "cmd"


def test_a_good_outcome_is_no_refusal_whatever_stands_beside_it():
    meta = {"id": "t1", "non_execution_kind": "permission-rule"}
    *_, event = read(claude_call("t1", "Bash", {"command": "make"}), beside(claude_outcome("t1", "done"), meta))
    assert (event.kind, event.exit_code) == ("cmd", 0)


def test_the_words_of_a_refusal_in_good_output_are_no_refusal():
    text = "This command requires approval"
    assert kinds(claude_call("t1", "Bash", {"command": "cat x"}), claude_outcome("t1", text))[-1] == "cmd"


@pytest.mark.parametrize(("before", "kind"), [(1000, "denied"), (30_000, "cmd")])
def test_a_refusal_stands_at_the_start_of_its_message(before, kind):
    text = f"{'x' * before} Permission to use Bash with command make fire has been denied."
    lines = claude_call("t1", "Bash", {"command": "make fire"}), claude_outcome("t1", text, error=True)
    assert read(*lines)[-1].kind == kind


def test_a_no_with_a_reason_carries_the_reason():
    text = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse tongs"
    *_, event = read(claude_call("t1", "Edit", {"file_path": "a"}), claude_outcome("t1", text, error=True))
    assert (event.by, event.feedback) == ("user", "use tongs")


def test_one_refusal_is_told_once_whoever_tells_of_it():
    system = json.dumps(
        {"type": "system", "subtype": "permission_denied", "tool_name": "Bash", "tool_use_id": "t1",
         "decision_reason_type": "hook", "message": "no"}
    ).encode()  # fmt: skip
    denial = {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "make fire"}}
    lines = [
        claude_call("t1", "Bash", {"command": "make fire"}),
        system,
        claude_outcome("t1", "Permission to use Bash has been denied.", error=True),
        claude_result(denials=[denial]),
    ]
    refusals = [event for event in read(*lines) if event.kind == "denied"]
    assert [(event.what, event.by) for event in refusals] == [("make fire", "hook")]


def test_a_refusal_that_only_the_result_tells_of():
    denial = {"tool_name": "Write", "tool_use_id": "t7", "tool_input": {"file_path": "kiln.md"}}
    first, last = read(claude_result(denials=[denial]))
    assert (first.kind, first.what, last.kind) == ("denied", "kiln.md", "end")


def test_a_wrong_call_is_neither_a_change_nor_a_failed_command():
    wrong = "<tool_use_error>String to replace not found</tool_use_error>"
    for tool in ("Edit", "Bash"):
        *_, event = read(
            claude_call("t1", tool, {"file_path": "a", "command": "make"}), claude_outcome("t1", wrong, error=True)
        )
        assert (event.kind, event.failed) == ("tool", True)


def test_a_command_that_ran_out_of_time_failed_with_no_status():
    *_, event = read(
        claude_call("t1", "Bash", {"command": "make"}),
        claude_outcome("t1", "Command timed out after 2m 0s", error=True),
    )
    assert (event.kind, event.exit_code, event.failed) == ("cmd", None, True)


def test_a_helpers_lines_keep_its_name_and_a_reviewer_gives_a_review():
    given = {"subagent_type": "CodeReviewer", "prompt": "review Task 2"}
    lines = [
        claude_call("t1", "Task", given),
        claude_said("looking", parent="t1"),
        claude_call("h1", "Bash", {"command": "make"}, parent="t1"),
        claude_outcome("h1", "Exit code 1\nx", error=True),
        claude_outcome("t1", "Looked at all of it.\n\nTask 2: NOT APPROVED"),
    ]
    events = read(*lines)
    said = next(event for event in events if event.kind == "say")
    command = next(event for event in events if event.kind == "cmd")
    assert (said.agent, said.helper, command.helper) == ("CodeReviewer", "t1", "t1")
    assert (events[-1].kind, events[-1].verdict, events[-1].task) == ("review", "refused", "2")


def test_the_end_gives_cost_and_tokens_only_when_they_are_there():
    *_, event = read(claude_result("DELIVERED", total_cost_usd=0.25, usage={"input_tokens": 3, "output_tokens": 4}))
    assert (event.kind, event.ok, event.text, event.cost_usd, event.tokens) == ("end", True, "DELIVERED", 0.25, 7)
    *_, event = read(claude_result())
    assert (event.cost_usd, event.tokens) == (None, None)


def test_ends_that_are_no_success():
    assert kinds(claude_result(subtype="error_max_turns", error=True)) == ["limit", "end"]
    assert kinds(claude_result(subtype="error_during_execution", error=True)) == ["error", "end"]
    *_, event = read(claude_result(error=True))
    assert not event.ok


@pytest.mark.parametrize("line", [b"npm notice", b'{"type":"result"', b'{"type":7}', b"{}", b"\xff\xfe", b"null"])
def test_what_is_no_event_is_noise(line):
    assert kinds(line) == ["noise"]


@pytest.mark.parametrize(
    "line",
    [b'{"type":"assistant"}', b'{"type":"assistant","message":[]}', b'{"type":"user","message":{"content":5}}',
     b'{"type":"assistant","message":{"content":[null,{"type":"tool_use"}]}}',
     b'{"type":"result","permission_denials":[3]}'],
)  # fmt: skip
def test_odd_shapes_cost_nothing_but_themselves(line):
    assert "cmd" not in kinds(line)
