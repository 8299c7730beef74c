"""Workers with scripts for agents that print what agents print."""

from __future__ import annotations

import shlex
import threading
import uuid

import pytest
from support.agents import (
    claude_call,
    claude_outcome,
    claude_result,
    claude_said,
    opencode,
    opencode_finish,
    opencode_tool,
)
from support.processes import living, wait_for

from harness_tui.model.work import Assignment
from harness_tui.stream.workers.agent import Settings
from harness_tui.stream.workers.choose import make_worker
from harness_tui.stream.workers.process import Limits

TASK = Assignment("kiln", "T-01", "door-alarm", "make it ring; $(touch boom)", "full", ("warm it",), "defer to people")
QUICK = Limits(silence=20.0, total=20.0, grace=0.2)
PLAN = "docs/features/door-alarm/PLAN.md"


class Desk:
    """A workspace, and a worker that is given one task in it."""

    def __init__(self, root):
        self.root, self.mark = root, f"mark-{uuid.uuid4()}"
        self.cancel, self.heard, self.groups = threading.Event(), [], []

    def script(self, body):
        path = self.root / "agent.sh"
        path.write_text(f": {self.mark}\n{body}\n")
        return f"sh {shlex.quote(str(path))}"

    def printing(self, *lines, then=""):
        (self.root / "lines").write_bytes(b"".join(line + b"\n" for line in lines))
        return self.script(f"cat lines; {then}")

    def run(self, adapter, command, *, result_file="", task=TASK, **settings):
        worker = make_worker(adapter, command, Settings(**{"limits": QUICK, **settings}), result_file=result_file)
        return worker.run(
            task, root=self.root, cancel=self.cancel, heard=self.heard.append, born=self.groups.append
        )  # fmt: skip

    def shell(self, body, **more):
        return self.run("command", self.script(body), **more)

    def kinds(self):
        return [what.kind for what in self.heard]


@pytest.fixture
def desk(tmp_path):
    found = Desk(tmp_path)
    yield found
    assert living(found.mark) == [], "no process may be left"


@pytest.mark.parametrize(
    ("body", "outcome", "reason"),
    [
        ("echo DELIVERED", "delivered", ""),
        ("printf DELIVERED", "delivered", ""),
        ("echo FAILED: cold; echo DELIVERED; echo bye", "delivered", ""),
        ("echo DELIVERED; echo FAILED: cold", "failed", "cold"),
        ("echo BLOCKED: no clay", "blocked", "no clay"),
        ("echo 'BLOCKED: NEEDS-HUMAN — open it — firing'; exit 1", "needs-human", "open it"),
        ("echo working", "failed", "it gave no verdict"),
        ("", "failed", "it gave no verdict"),
        ("exit 4", "failed", "it gave no verdict: it ended with exit status 4"),
        ("echo DELIVERED; exit 4", "failed", "it said DELIVERED, but it ended with exit status 4"),
        ("echo DELIVERED; kill -9 $$", "failed", "it said DELIVERED, but it ended with signal 9"),
        ("echo DELIVERED >&2", "failed", "it gave no verdict"),
        ("echo the word DELIVERED in a sentence", "failed", "it gave no verdict"),
    ],
)
def test_verdicts_of_a_command(desk, body, outcome, reason):
    result = desk.shell(body)
    assert (result.outcome, result.reason) == (outcome, reason)


def test_a_command_finds_its_task_in_words_and_environment(desk):
    script = desk.script('printf "%s\\n" "$@" "$HARNESS_TASK_ID|$HARNESS_SLUG|$HARNESS_NOTES|$HARNESS_DEFERRED_HUMAN"')
    desk.run("command", f"{script} {{slug}} --goal={{goal}} '{{mode}} x'")
    raw = next(desk.root.glob(".harness/harness-tui/runs/*/stdout")).read_text()
    assert raw.split("\n")[:4] == [
        "door-alarm", "--goal=make it ring; $(touch boom)", "full x", "T-01|door-alarm|warm it|defer to people",
    ]  # fmt: skip
    assert not (desk.root / "boom").exists()


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("mkdir -p out; echo 'Verdict: DELIVERED' > out/door-alarm.txt", "delivered"),
        ("mkdir -p out; echo FAILED > out/door-alarm.txt; echo DELIVERED", "failed"),
        ("mkdir -p out; echo DELIVERED > out/door-alarm.txt; echo FAILED", "failed"),
        ("mkdir -p out; echo hm > out/door-alarm.txt; echo DELIVERED", "failed"),
        ("ln -s /etc out; echo DELIVERED", "delivered"),
        ("mkdir -p out; ln -s /etc/hostname out/door-alarm.txt; touch out; echo DELIVERED", "delivered"),
    ],
)
def test_a_result_file_counts_and_the_worse_of_two_verdicts(desk, body, outcome):
    assert desk.shell(body, result_file="out/{slug}.txt").outcome == outcome


def test_a_result_file_from_before_is_no_result(desk):
    import os

    path = desk.root / "result"
    path.write_text("DELIVERED\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert desk.shell("echo hm", result_file="result").outcome == "failed"


def test_a_command_may_print_events_that_are_judged(desk):
    failed = '{"k":"cmd","cmd":"make","exit":2,"out":"error: cold"}'
    result = desk.shell(f"echo '{failed}'; echo '{failed}'; echo DELIVERED; sleep 300")
    assert (result.outcome, result.trigger, result.signature) == (
        "hard-stop", "repeated_failure", "`make` / error: cold / exit 2",
    )  # fmt: skip
    assert (result.tried, result.needed) != ("", "")


def test_claude_is_asked_for_its_stream_and_delivers(desk):
    lines = [
        b'{"type":"system","subtype":"init","cwd":"/w"}',
        b"npm notice",
        claude_call("t1", "Edit", {"file_path": str(desk.root / "a.py")}),
        claude_outcome("t1", "ok"),
        claude_said("All is well.\nDELIVERED"),
        claude_result("All is well.\n\n**DELIVERED**", total_cost_usd=0.5),
    ]
    command = desk.printing(*lines, then='printf "%s\\n" "$@" > words')
    result = desk.run("claude", f"{command} --model x", steps=50)
    assert (result.outcome, result.exit_code) == ("delivered", 0)
    words = (desk.root / "words").read_text()
    assert words.startswith("--model\nx\n-p\nTask T-01")
    assert words.endswith("--output-format\nstream-json\n--verbose\n")
    assert "make it ring; $(touch boom)" in words
    shown = [(what.kind, what.tool, what.step, what.steps, what.cost_usd) for what in desk.heard]
    assert ("tool", "Edit", None, None, None) in shown
    assert ("step", None, 2, 50, None) in shown
    assert ("usage", None, None, None, 0.5) in shown
    assert desk.kinds()[0] == "started"
    assert desk.kinds()[-1] == "ended"
    assert len(desk.groups) == 1


@pytest.mark.parametrize(
    ("lines", "then", "reason"),
    [
        ([claude_said("DELIVERED")], "", "ends without the event that ends a run"),
        ([claude_said("DELIVERED")], 'printf \'{"type":"resu\'', "breaks off"),
        ([claude_result("DELIVERED", subtype="error_during_execution")], "", "error_during_execution"),
        ([claude_result("DELIVERED", error=True)], "", "an error: success"),
        ([claude_result("DELIVERED")], "exit 1", "exit status 1"),
        ([claude_result("done, I think")], "", "no verdict"),
        ([], "", "no verdict"),
    ],
)
def test_claude_does_not_deliver_when_anything_is_amiss(desk, lines, then, reason):
    result = desk.run("claude", desk.printing(*lines, then=then))
    assert result.outcome == "failed"
    assert reason in result.reason


def test_a_hard_stop_ends_the_agent_at_once(desk):
    lines = []
    for name in ("t1", "t2"):
        lines += [claude_call(name, "Bash", {"command": "make"}), claude_outcome(name, "Exit code 2\ncold", error=True)]
    result = desk.run("claude", desk.printing(*lines, then="sleep 300 & sleep 300"))
    assert (result.outcome, result.trigger, result.signature) == (
        "hard-stop",
        "repeated_failure",
        "`make` / cold / exit 2",
    )
    assert not result.guard_blocked
    assert result.raw_path is not None


def test_a_destructive_command_that_a_guard_refused_halts_whatever_the_verdict(desk):
    lines = [
        claude_call("t1", "Bash", {"command": "rm -rf build"}),
        claude_outcome("t1", "PreToolUse:Bash hook error: [guard]: destructive", error=True),
        claude_result("BLOCKED: NEEDS-HUMAN — remove build — space"),
    ]
    result = desk.run("claude", desk.printing(*lines))
    assert (result.outcome, result.trigger, result.guard_blocked) == ("hard-stop", "permission_wall", True)


def test_opencode_is_asked_for_json_and_delivers(desk):
    lines = [
        opencode("step_start", {"type": "step-start"}),
        opencode_tool("read", {"filePath": "a"}, output="x"),
        opencode_finish(cost=0.25, tokens={"input": 5}),
        opencode("text", {"type": "text", "text": "DELIVERED"}),
        opencode_finish("stop"),
    ]
    command = desk.printing(*lines, then='printf "%s\\n" "$@" > words')
    assert desk.run("opencode", f"{command} --print-logs").outcome == "delivered"
    assert (desk.root / "words").read_text().startswith("--print-logs\nrun\n--format\njson\nTask T-01")
    assert [what.cost_usd for what in desk.heard if what.kind == "step"] == [0.25, None]
    desk.run("opencode", f"{command} run --agent build")
    assert (desk.root / "words").read_text().startswith("run\n--agent\nbuild\n--format\njson\nTask T-01")


def test_opencode_that_ends_after_a_refusal_or_an_error_does_not_deliver(desk):
    said = opencode("text", {"type": "text", "text": "DELIVERED"})
    error = b'{"type":"error","error":{"name":"APIError","data":{"message":"busy"}}}'
    result = desk.run("opencode", desk.printing(said, error, then="exit 1"))
    assert (result.outcome, result.reason) == (
        "failed",
        "it said DELIVERED, but it ended with exit status 1 (APIError: busy)",
    )
    refused = opencode_tool(
        "bash", {"command": "make"}, error="The user rejected permission to use this specific tool call."
    )
    notice = "echo '! permission requested: doom_loop (bash); auto-rejecting' >&2; sleep 0.1; "
    command = desk.script(f"{notice} cat lines")
    (desk.root / "lines").write_bytes(refused + b"\n")
    assert desk.run("opencode", command).trigger == "doom_loop"


def test_the_plan_of_the_task_gives_scope_and_commands(desk):
    path = desk.root / PLAN
    path.parent.mkdir(parents=True)
    path.write_text(
        "# Plan: x\n\n## Implementation Steps\n\n- [x] **Task 1: A**\n- [/] **Task 2: B**\n"
        "  - **Owned Paths:** `src/`\n  - **Validation Commands:** `./fire.sh`\n"
    )
    edit = '{"k":"edit","path":"lib/a"}'
    assert desk.shell(f"echo '{edit}'; echo DELIVERED").trigger == "out_of_scope"
    fire = '{"k":"cmd","cmd":"./fire.sh","exit":1,"out":""}'
    assert desk.shell(f"echo '{fire}'; echo '{fire}'").trigger == "repeated_failure"


def test_an_agent_that_stops_by_itself_and_writes_a_blocker(desk):
    parts = "- **Trigger:** Step budget\\n- **Error signature:** 80 of 100\\n- **Tried:** a\\n- **Needed:** b\\n"
    (desk.root / PLAN).parent.mkdir(parents=True)
    result = desk.shell(f"printf -- '# Plan: x\\n\\n## Blocker\\n\\n{parts}' > {PLAN}; echo DELIVERED")
    assert (result.outcome, result.trigger, result.needed) == ("hard-stop", "step_budget", "b")
    assert desk.shell("echo DELIVERED").outcome == "delivered", "one that stood there before is none of this run"


def test_a_limit_names_what_was_done_last(desk):
    result = desk.shell("echo firing; sleep 300", limits=Limits(silence=0.3, total=20.0, grace=0.2))
    assert (result.outcome, result.reason) == ("failed", "it was silent for too long; last: firing")
    result = desk.shell("echo firing; sleep 300", limits=Limits(silence=20.0, total=0.3, grace=0.2))
    assert result.reason == "it ran for too long; last: firing"


def test_a_worker_that_asks_and_then_waits_for_an_answer_is_not_a_failure(desk):
    limits = Limits(silence=0.3, total=20.0, grace=0.2)
    result = desk.shell("echo 'BLOCKED: NEEDS-HUMAN — open it — firing'; sleep 300", limits=limits)
    assert (result.outcome, result.reason, result.needed) == ("needs-human", "open it", "firing")
    (desk.root / PLAN).parent.mkdir(parents=True)
    result = desk.shell(f"printf '## Blocker\\n\\nTrigger: step budget\\n' > {PLAN}; sleep 300", limits=limits)
    assert (result.outcome, result.trigger) == ("hard-stop", "step_budget")


def test_output_that_can_not_be_kept_is_said_and_the_work_goes_on(desk):
    (desk.root / ".harness").write_text("no folder")
    assert desk.shell("echo DELIVERED").outcome == "delivered"
    assert any("could not be kept" in what.text for what in desk.heard)


def test_a_cancelled_worker_is_cancelled_whatever_it_said(desk):
    threading.Thread(target=lambda: (wait_for(lambda: "said" in desk.kinds()), desk.cancel.set())).start()
    assert desk.shell("echo DELIVERED; sleep 300").outcome == "cancelled"


def test_a_quiet_worker_is_said_to_be_quiet_with_what_it_last_did(desk):
    threading.Thread(target=lambda: (wait_for(lambda: "quiet" in desk.kinds()), desk.cancel.set())).start()
    desk.shell("echo firing; sleep 300", quiet=0.2)
    (quiet,) = [what for what in desk.heard if what.kind == "quiet"]
    assert quiet.text == "no sign of life for 0 s; last: firing"


def test_a_flood_of_lines_is_told_now_and_then_and_its_last_line_is(desk):
    desk.shell("i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; echo DELIVERED")
    said = [what.text for what in desk.heard if what.kind == "said"]
    assert said[0] == "line 0"
    assert said[-1] == "DELIVERED"
    assert len(said) < 500


def test_hostile_output_is_fit_to_be_shown(desk):
    result = desk.shell("printf 'FAILED: \\033[2Jx\\342\\200\\256\\n'; printf '\\033]0;t\\007\\n' >&2")
    assert result.reason == "␛[2Jx‹U+202E›"
    assert all((what.text + (what.tool or "")).isprintable() for what in desk.heard)


def test_a_program_that_is_not_there_fails_the_task(desk):
    result = desk.run("command", "/no/such/agent {slug}")
    assert (result.outcome, result.reason) == (
        "failed",
        "it could not be started: /no/such/agent: there is no such program",
    )
    assert desk.kinds() == ["ended"]
    assert desk.groups == []


def test_workers_that_can_not_be_made_say_why():
    for adapter, command, why in [
        ("command", "", "needs a command"),
        ("command", "sh 'x", "can't be read"),
        ("command", "{slug} x", "must not be named by the task"),
        ("other", "x", "no worker is called other"),
    ]:
        with pytest.raises(ValueError, match=why):
            make_worker(adapter, command)
    assert make_worker("claude").command == ("claude",)
    assert make_worker("opencode").command == ("opencode",)


BUILDER = """\
n=$(cat attempts 2>/dev/null | wc -l); echo "$*" | tr '\\n' ' ' >> attempts; echo >> attempts
cat "try$n"; eval "$(cat then$n 2>/dev/null)"
"""


def orchestrated(desk, adapter, *tries, command="", **settings):
    """Run a builder that prints, and then does, something else at each attempt; the words of the attempts."""
    for number, (lines, then) in enumerate(tries):
        (desk.root / f"try{number}").write_bytes(b"".join(line + b"\n" for line in lines))
        (desk.root / f"then{number}").write_text(then)
    result = desk.run(adapter, desk.script(BUILDER) + command, variant="orchestrated", **settings)
    return result, (desk.root / "attempts").read_text().split("\n")[:-1]


INIT = b'{"type":"system","subtype":"init","session_id":"5e55-10n"}'
LIMIT = claude_result(subtype="error_max_turns", error=True)
GOOD = claude_result("DELIVERED")
REFUSED = [
    claude_call("t1", "Bash", {"command": "make"}),
    claude_outcome("t1", "This command requires approval", error=True),
]


def test_a_builder_that_is_cut_off_goes_on_in_its_session_then_in_a_fresh_one_then_halts(desk):
    cut = ([INIT, claude_said("reading")], "kill -9 $$")
    result, words = orchestrated(desk, "claude", cut, ([INIT, LIMIT], ""), ([INIT], "exit 1"))
    assert (result.outcome, result.trigger) == ("hard-stop", "technical_failure")
    assert [line.startswith("--resume 5e55-10n -p You were cut off.") for line in words] == [False, True, False]
    assert [line.startswith("-p Task T-01") for line in words] == [True, False, True]
    assert result.tried.startswith("attempt 1: it ended with signal 9; attempt 2: ")
    assert "exit status 1" in result.signature
    assert result.raw_path in result.needed
    assert len(desk.groups) == 3
    said = [what.text for what in desk.heard if "next attempt" in what.text]
    assert said[0] == "it ended with signal 9; next attempt: same session"
    assert said[1].endswith("next attempt: fresh session")


@pytest.mark.parametrize("lost", [([INIT, LIMIT], ""), ([INIT], ""), ([INIT], "sleep 300")])
def test_a_builder_that_goes_on_delivers(desk, lost):
    limits = Limits(silence=0.5, total=20.0, grace=0.2)
    result, words = orchestrated(desk, "claude", lost, ([INIT, GOOD], ""), limits=limits)
    assert (result.outcome, len(words)) == ("delivered", 2)


def test_opencode_goes_on_by_its_own_flag(desk):
    done = [opencode("text", {"type": "text", "text": "DELIVERED"}), opencode_finish("stop")]
    result, words = orchestrated(
        desk, "opencode", ([opencode("step_start", {})], ""), (done, ""), command=" run --agent build"
    )
    assert result.outcome == "delivered"
    assert words[1].startswith("run --agent build --session ses --format json You were cut off.")


@pytest.mark.parametrize(
    ("first", "then", "outcome"),
    [
        ([INIT, claude_result("FAILED: the test is red")], "", "failed"),
        ([INIT, claude_result("BLOCKED: NEEDS-HUMAN — which? — that")], "exit 1", "needs-human"),
        ([INIT, claude_result("done, I think")], "", "failed"),
        (REFUSED, "sleep 300", "hard-stop"),
    ],
)
def test_what_is_the_works_own_fault_is_not_tried_again(desk, first, then, outcome):
    result, words = orchestrated(desk, "claude", (first, then), ([GOOD], ""))
    assert (result.outcome, len(words)) == (outcome, 1)


def test_a_session_with_an_odd_name_is_no_word_of_a_command_and_a_fresh_one_begins(desk):
    odd = b'{"type":"system","subtype":"init","session_id":"--dangerously-skip-permissions"}'
    result, words = orchestrated(desk, "claude", ([odd], ""), ([INIT, GOOD], ""))
    assert (result.outcome, len(words)) == ("delivered", 2)
    assert not any("dangerously" in line or "--resume" in line for line in words)


def test_a_plain_command_is_tried_afresh_after_a_time_limit_only(desk):
    limits = Limits(silence=0.3, total=20.0, grace=0.2)
    result, words = orchestrated(desk, "command", ([], "sleep 300"), ([b"DELIVERED"], ""), command=" x", limits=limits)
    assert (result.outcome, len(words)) == ("delivered", 2)
    (desk.root / "attempts").unlink()
    result, words = orchestrated(desk, "command", ([], "exit 3"), ([b"DELIVERED"], ""), command=" x")
    assert (result.outcome, len(words)) == ("failed", 1)


def test_the_other_variant_tries_once(desk):
    (desk.root / "lines").write_bytes(INIT + b"\n")
    assert desk.run("claude", desk.script("echo x >> attempts; cat lines")).outcome == "failed"
    assert (desk.root / "attempts").read_text() == "x\n"
