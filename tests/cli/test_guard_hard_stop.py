"""`guard hard-stop` by its own arguments, without the table of guards."""

from __future__ import annotations

import argparse
import io
import json
import sys

import pytest
from support.agents import claude_call, claude_outcome, opencode_tool

from harness_tui.cli.diagnostics import Failure
from harness_tui.cli.guards import hard_stop


@pytest.fixture
def guard(monkeypatch, capsys):
    def run(lines, *arguments):
        parser = argparse.ArgumentParser()
        hard_stop.declare(parser)
        source = (
            b"" if lines is None else lines if isinstance(lines, bytes) else b"".join(line + b"\n" for line in lines)
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
        events = ["--events", "-"] if lines is not None else []
        code = hard_stop.run(parser.parse_args([*events, *arguments]))
        return code, json.loads(capsys.readouterr().out)

    return run


def events(*values):
    return [json.dumps(value).encode() for value in values]


FAIL = {"k": "cmd", "cmd": "make fire", "exit": 2, "out": "error: cold"}


def test_nothing_fired(guard):
    code, found = guard(events(FAIL, {"k": "cmd", "cmd": "make fire", "exit": 0}))
    assert code == 0
    assert (found["stop"], found["at"], found["signature"], found["warn"]) == (None, None, None, [])


def test_a_trigger_with_its_signature_and_breaches(guard):
    code, found = guard(events(FAIL, {"k": "edit", "path": "a"}, FAIL, FAIL))
    assert code == 1
    assert (found["stop"], found["at"], found["breaches"]) == ("repeated_failure", 2, [3])
    assert found["signature"] == {"cmd": "make fire", "exit": 2, "line": "error: cold"}


def test_the_options_reach_the_rules(guard):
    step, edit = {"k": "step"}, {"k": "edit", "path": "b/x"}
    assert guard(events(*[step] * 8), "--steps", "10")[1]["at"] == 7
    assert guard(events(*[step] * 8), "--steps", "10", "--variant", "orchestrated")[0] == 0
    assert guard(events(edit), "--owned-paths", "a/", "c")[1]["path"] == "b/x"
    assert guard(events(edit), "--owned-paths", "a/", "--owned-paths", "b/")[0] == 0
    assert guard(events(edit), "--task", "1", "--description", "only `c`")[1]["warn"] == ["scope-unknown"]
    odd = {"k": "cmd", "cmd": "./fire.sh", "exit": 1, "out": ""}
    assert guard(events(odd, odd), "--validation-commands", "./fire.sh", "make")[0] == 1
    path = {"k": "edit", "path": "/w/a/x"}
    assert guard(events(path), "/w", "--owned-paths", "a/")[0] == 0
    assert guard(events(path), "/v", "--owned-paths", "a/")[0] == 1


def test_raw_output_of_agents(guard):
    failed = [claude_call("t1", "Bash", {"command": "make"}), claude_outcome("t1", "Exit code 2\ncold", error=True)]
    again = [claude_call("t2", "Bash", {"command": "make"}), claude_outcome("t2", "Exit code 2\ncold", error=True)]
    code, found = guard([*failed, b"npm notice", *again], "--from", "claude")
    assert (code, found["stop"], found["at"], found["noise"]) == (1, "repeated_failure", 4, 1)
    call = opencode_tool("bash", {"command": "make"}, output="cold", status=2)
    assert guard([call, call], "--from", "opencode")[1]["at"] == 1


def test_noise_and_a_line_that_broke_off_are_counted_apart(guard):
    data = b"npm notice\n\n" + claude_call("t1", "Read", {"file_path": "a\u2028b"}) + b'\r\n{"type":"assis'
    _, found = guard(data, "--from", "claude")
    assert (found["steps"], found["noise"], found["unfinished"]) == (1, 1, 1)
    assert guard(claude_call("t1", "Read", {}), "--from", "claude")[1]["unfinished"] == 0


@pytest.mark.parametrize("source", ["events", "claude", "opencode"])
def test_lines_of_which_none_is_an_event_are_no_go(call, tmp_path, source):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"npm notice\n# a heading\n")
    answer = call("guard", "hard-stop", "--events", path, "--from", source)
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith(f"harness-tui: {path}: no line of it is an event of this kind")
    for nothing in (b"", b"\n\n", b'{"k": "cm'):
        path.write_bytes(nothing)
        assert call("guard", "hard-stop", "--events", path, "--from", source).code == 0


def test_the_output_of_another_agent_is_not_judged_as_events(call, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(claude_call("t1", "Read", {"file_path": "a"}) + b"\n")
    assert call("guard", "hard-stop", "--events", path).code == 4
    assert call("guard", "hard-stop", "--events", path, "--from", "claude").code == 0


def test_refusals_and_plans_and_reviews_as_events(guard):
    assert guard(events({"k": "denied", "tool": "bash", "what": "rm -rf x", "by": "rule"}))[1]["guard_blocked"] is True
    rounds = [
        {"k": "review", "task": "Task 2", "verdict": word} for word in ("rejected", "changes_requested", "NOT APPROVED")
    ]
    assert guard(events(*rounds))[1] | {"strikes": {"Task 2": 3}} == guard(events(*rounds))[1]
    calls = [{"k": "tool", "tool": "read", "input": {"filePath": "a"}}] * 3
    assert guard(events(*calls))[1]["stop"] == "doom_loop"
    assert (
        guard(events({"k": "say", "agent": "CodeReviewer", "text": "A competent human needs to step in here."}))[0] == 1
    )
    assert guard(events({"k": "task", "task": "1", "mark": "/"}, {"k": "read", "path": "a"}, {"k": "what"}))[0] == 0


def test_a_third_refusal_counts_before_the_same_question_put_three_times(guard):
    given = {"subagent_type": "CodeReviewer", "prompt": "review Task 2"}
    lines = []
    for name in ("t1", "t2", "t3"):
        lines += [claude_call(name, "Task", given), claude_outcome(name, "Task 2: NOT APPROVED")]
    _, found = guard(b"\n".join(lines), "--from", "claude")
    assert (found["stop"], found["at"]) == ("reviewer_deadlock", 5)
    lines = [line for name in ("t1", "t2", "t3") for line in (claude_call(name, "Task", {}), claude_outcome(name, "x"))]
    _, found = guard(b"\n".join(lines), "--from", "claude")
    assert (found["stop"], found["at"]) == ("doom_loop", 5)


@pytest.mark.parametrize("data", [b"", b"\n", b'\xff\x00\n{"k": "read"}\n{', b'{"k":', b'{"k":"cmd"}', b"[" * 9000])
def test_damaged_input_stops_nothing(guard, data):
    assert guard(data)[0] == 0


def test_a_hostile_command_cannot_act_on_the_terminal(guard):
    bad = {"k": "denied", "tool": "bash", "what": "\x1b[2J\u202eevil"}
    assert all(char.isprintable() or char == "\n" for char in json.dumps(guard(events(bad))[1], ensure_ascii=False))


def test_a_file_and_one_that_is_not_there(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    hard_stop.declare(parser)
    path = tmp_path / "events.ndjson"
    path.write_bytes(b"\n".join(events(FAIL, FAIL)))
    assert hard_stop.run(parser.parse_args(["--events", str(path)])) == 1
    with pytest.raises(Failure) as caught:
        hard_stop.run(parser.parse_args(["--events", str(tmp_path / "none")]))
    assert caught.value.code == 3
    with pytest.raises(Failure) as caught:
        hard_stop.run(parser.parse_args(["--events", str(tmp_path)]))
    assert caught.value.code == 4


@pytest.mark.parametrize("steps", ["0", "-1", "x"])
def test_a_limit_that_is_none_is_a_usage_error(steps):
    parser = argparse.ArgumentParser()
    hard_stop.declare(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--events", "-", "--steps", steps])


PLAN = "# Plan: x\n\n## Implementation Steps\n\n- [/] **Task 4: A**\n\n"
BLOCKER = "## Blocker\n\n- **Trigger:** Doom loop\n- **Error signature:** e\n- **Tried:** t\n- **Needed:** n\n"


def rounds(title, *words):
    return f"## {title}\n\n" + "".join(f"- **Round {n} (Task 4):** {word} — why\n" for n, word in enumerate(words, 1))


@pytest.mark.parametrize(
    ("text", "code", "stop", "strikes"),
    [
        (
            rounds("Final Status (Code Review)", "REJECTED", "NOT APPROVED", "CHANGES REQUESTED"),
            1,
            "reviewer_deadlock",
            {"Task 4": 3},
        ),
        (rounds("Final Status (Code Review)", "REJECTED", "APPROVED", "REJECTED"), 0, None, {"Task 4": 1}),
        (rounds("Review Log (Plan Review)", "REJECTED", "REJECTED", "REJECTED"), 0, None, {}),
        ("", 0, None, {}),
    ],
)
def test_the_refusals_in_a_plan(guard, tmp_path, text, code, stop, strikes):
    path = tmp_path / "PLAN.md"
    path.write_text(PLAN + text)
    got, found = guard(None, "--plan", str(path))
    assert (got, found["stop"], found["strikes"]) == (code, stop, strikes)
    assert guard(None, "--plan", str(path), "--variant", "orchestrated")[0] == 0


@pytest.mark.parametrize(
    ("text", "flags", "missing", "warn"),
    [
        (BLOCKER, ["--committed", "--asked"], [], []),
        (BLOCKER, ["--committed", "--headless"], [], ["question-unavailable"]),
        (BLOCKER, ["--committed"], ["question"], []),
        (BLOCKER, ["--asked", "--mark", "/"], ["commit"], []),
        (BLOCKER, ["--asked", "--committed", "--mark", "X"], ["unmarked"], []),
        ("## Blocker\n\nIt is cold.\n", ["--committed", "--asked"], ["trigger", "tried", "needed"], []),
        ("", ["--committed", "--asked"], ["blocker"], []),
    ],
)
def test_the_way_out_of_a_stop(guard, tmp_path, text, flags, missing, warn):
    path = tmp_path / "PLAN.md"
    path.write_text(PLAN + text)
    code, found = guard(None, "--plan", str(path), "--stopped", *flags)
    assert found["exit"] == {"ok": not missing, "missing": missing, "warn": warn}
    assert code == bool(missing)


def test_something_to_judge_is_needed_and_must_be_there(guard, tmp_path):
    for arguments, code in (([], 2), (["--plan", str(tmp_path / "none")], 3), (["--plan", str(tmp_path)], 4)):
        with pytest.raises(Failure) as caught:
            guard(None, *arguments)
        assert caught.value.code == code
