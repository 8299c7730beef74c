"""The triggers, on short stories of one run each."""

from __future__ import annotations

import pytest

from harness_tui.model.agent_event import AgentEvent
from harness_tui.model.hard_stop import Signature, StopRules
from harness_tui.rules.hard_stop.monitor import MOST_BREACHES, Monitor, trigger_words

OUT = "glaze.py:3: error: no glaze"


def cmd(command="make fire", status=2, out=OUT, **more):
    return AgentEvent("cmd", command=command, exit_code=status, output=out, **more)


def tool(name="read", call='{"f":"a"}', **more):
    return AgentEvent("tool", tool=name, call=call, **more)


def denied(tool_name="bash", what="make fire", by="rule", **more):
    return AgentEvent("denied", tool=tool_name, what=what, by=by, **more)


def edit(path, **more):
    return AgentEvent("edit", path=path, **more)


def review(verdict, task="Task 2"):
    return AgentEvent("review", task=task, verdict=verdict)


def task(name="Task 1", mark="/"):
    return AgentEvent("task", task=name, mark=mark)


STEP = AgentEvent("step")
READ = AgentEvent("read", path="a")


def watch(*events, **rules):
    monitor = Monitor(StopRules(**rules))
    for at, event in enumerate(events):
        monitor.feed(event, at)
    return monitor


def fired(*events, **rules):
    stop = watch(*events, **rules).stop
    return (stop.trigger, stop.at) if stop is not None else None


REPEATED = "repeated_failure"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([cmd()], None),
        ([cmd(), cmd()], (REPEATED, 1)),
        ([cmd(), edit("a"), READ, tool(), cmd("make lint", 0), cmd()], (REPEATED, 5)),
        ([cmd(), cmd("make  fire ")], (REPEATED, 1)),
        ([cmd(), cmd(out="other: error")], None),
        ([cmd(), cmd(out="other: error"), cmd()], None),
        ([cmd(), cmd(status=3)], None),
        ([cmd(), cmd(status=None)], (REPEATED, 1)),
        ([cmd(status=None), cmd(status=3)], (REPEATED, 1)),
        ([cmd(status=None, out="all well"), cmd()], None),
        ([cmd(), cmd(status=0, out=""), cmd()], None),
        ([cmd(), cmd("make test"), cmd()], (REPEATED, 2)),
        ([cmd(out=""), cmd(out="")], (REPEATED, 1)),
        ([cmd(out=""), cmd()], None),
        ([cmd(status=130, out=""), cmd(status=130, out="")], None),
        ([cmd(), cmd(status=130, out=""), cmd()], (REPEATED, 2)),
        ([task("Task 1"), cmd(), task("Task 2"), cmd()], None),
        ([task("Task 1"), cmd(), task("1"), cmd()], (REPEATED, 3)),
        ([task("Task 1"), cmd(), task("Task 1", "x"), cmd()], None),
        ([cmd(), task("Task 1"), cmd()], None),
        ([cmd(), task("Task 1"), cmd(), task("Task 1"), cmd()], (REPEATED, 4)),
        ([cmd("grep -rn glaze ."), cmd("grep -rn glaze .")], None),
        ([cmd("cat a | grep b"), cmd("cat a | grep b")], None),
        ([cmd("./fire.sh"), cmd("./fire.sh")], None),
        ([cmd(helper="h"), cmd()], None),
        ([cmd(helper="h"), cmd(helper="g")], None),
        ([cmd(helper="h"), cmd(helper="h")], (REPEATED, 1)),
    ],
)
def test_repeated_failure(events, expected):
    assert fired(*events) == expected


def test_a_listed_command_counts_whatever_it_looks_like():
    assert fired(cmd("./fire.sh"), cmd("./fire.sh"), commands=("./fire.sh",)) == (REPEATED, 1)
    assert fired(cmd("grep x"), cmd("grep x"), commands=("grep x",)) == (REPEATED, 1)


def test_the_signature_says_command_status_and_line():
    stop = watch(cmd(), edit("src/a.py"), cmd()).stop
    assert stop.signature == Signature("make fire", 2, OUT)
    assert stop.error == f"`make fire` / {OUT} / exit 2"
    assert "src/a.py" in stop.tried
    assert "`make fire` 2 times" in stop.tried
    assert watch(cmd(out=""), cmd(out="")).stop.signature == Signature("make fire", 2, None)
    assert watch(cmd(), cmd(status=None)).stop.signature.exit == 2, "what one of the two knew"


WALL = "permission_wall"


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (denied(), (WALL, 0)),
        (denied("edit", "a"), (WALL, 0)),
        (denied("read", "a", by="auto"), (WALL, 0)),
        (denied("task", "Committer"), (WALL, 0)),
        (denied(by="user"), (WALL, 0)),
        (denied(by="user", feedback="use tongs"), None),
        (denied("question", "may I?"), None),
        (denied("AskUserQuestion", "may I?"), None),
        (denied("doom_loop", "bash"), ("doom_loop", 0)),
        (denied(by="os"), None),
        (cmd(status=126, out="Permission denied"), None),
    ],
)
def test_permission_wall(event, expected):
    assert fired(event) == expected


@pytest.mark.parametrize(
    ("event", "halts"),
    [
        (denied(what="rm -rf build"), True),
        (denied("Bash", "git push --force", by="hook"), True),
        (denied("Bash", "make fire", by="hook"), True),
        (denied(what="make fire"), False),
        (denied("edit", "rm -rf build", by="hook"), False),
    ],
)
def test_a_destructive_command_that_was_refused_halts_the_stream(event, halts):
    stop = watch(event).stop
    assert (stop.guard_blocked, "allow" not in stop.needed) == (halts, halts)


OWNED = {"owned_paths": ("src/cart/", "tests/cart.py", "docs/**/*.md", "app/[id]"), "root": "/w"}


@pytest.mark.parametrize(
    "path",
    [
        "src/cart/a.py",
        "./src/cart/../cart/a.py",
        "/w/src/cart/a.py",
        "tests/cart.py",
        "docs/a.md",
        "docs/x/y/a.md",
        "app/[id]/page.tsx",
        "PLAN.md",
        "/w/PLAN.md",
        "docs/features/kiln/PLAN.md",
    ],
)
def test_changes_inside_the_owned_paths(path):
    assert fired(edit(path), **OWNED) is None


@pytest.mark.parametrize(
    "path",
    [
        "src/cartoon/a.py",
        "src/cart/../user/a.py",
        "tests/cart.py.bak",
        "/etc/hosts",
        "../src/cart/a.py",
        "/v/src/cart/a.py",
        "docs/a.txt",
        "other/PLAN.md",
        "src",
    ],
)
def test_changes_outside_them(path):
    assert fired(READ, edit(path), **OWNED) == ("out_of_scope", 1)


def test_braces_of_an_owned_path_stand_for_each_of_their_parts():
    rules = {"owned_paths": ("api/{pay,tax/{a,b}}.py", "odd/{x}.py", "web/*.{ts,tsx}", "lib/{,x}", "{" * 40 + ",")}
    for path in ("api/pay.py", "api/tax/a.py", "api/tax/b.py", "odd/{x}.py", "web/a.tsx"):
        assert fired(edit(path), **rules) is None
    for path in ("api/tax.py", "api/{pay,tax}.py", "odd/x.py", "web/a.js", "lib/y"):
        assert fired(edit(path), **rules) == ("out_of_scope", 0)
    assert fired(edit("z"), owned_paths=("{a,b}" * 40,)) == ("out_of_scope", 0)


def test_a_task_that_owns_everything_owns_nothing_outside_the_root():
    everything = {"owned_paths": ("", "."), "root": "/w"}
    assert fired(edit("a/b"), edit("/w/c"), **everything) is None
    for path in ("/etc/hosts", "../a", ".."):
        assert fired(edit(path), **everything) == ("out_of_scope", 0)
    assert fired(edit("../a"), owned_paths=("*", "**", ".."), root="/w") == ("out_of_scope", 0)


def test_reading_outside_is_no_change():
    assert fired(AgentEvent("read", path="/etc/hosts"), **OWNED) is None


def test_the_run_itself_may_name_the_root_and_without_one_the_end_of_a_path_counts():
    rules = {"owned_paths": ("src/",)}
    start = AgentEvent("start", path="/w")
    assert fired(start, edit("/w/src/a"), **rules) is None
    assert fired(start, edit("/v/src/a"), **rules) == ("out_of_scope", 1)
    assert fired(edit("/v/src/a"), **rules) is None
    assert fired(edit("/v/other/a"), **rules) == ("out_of_scope", 0)


def test_without_owned_paths_there_is_only_a_warning():
    text = "Change `cmd/root.go` and glaze.py."
    assert watch(edit("net.go"), edit("net.go"), scope_text=text).warnings == ["scope-unknown"]
    assert watch(edit("cmd/root.go"), edit("src/glaze.py"), scope_text=text).warnings == []
    assert watch(edit("net.go")).warnings == []


@pytest.mark.parametrize(("steps", "mark"), [(100, 80), (50, 40), (7, 6), (1, 1)])
def test_step_budget(steps, mark):
    assert fired(*[STEP] * (mark - 1), steps=steps) is None
    assert fired(*[STEP] * mark, steps=steps) == ("step_budget", mark - 1)


def test_only_a_done_task_ends_the_count_and_only_own_steps_count():
    assert fired(*[STEP] * 79, task(mark="/"), STEP, steps=100) == ("step_budget", 80)
    assert fired(*[STEP] * 79, task(mark="x"), STEP, steps=100) is None
    assert fired(*[STEP] * 79, task(mark="x"), task("Task 2", "/"), STEP, steps=100) == ("step_budget", 81)
    assert fired(*[AgentEvent("step", helper="h")] * 90, steps=100) is None
    assert fired(*[STEP] * 500) is None


def test_the_agents_own_limit_is_a_stop_too():
    assert watch(AgentEvent("limit")).stop.reason == "limit-reached"


DEADLOCK = "reviewer_deadlock"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([review("refused")] * 2, None),
        ([review("refused")] * 3, (DEADLOCK, 2)),
        ([review("refused"), review("refused", "Task 3"), review("refused")], None),
        ([review("refused"), review("refused", "2"), review("refused", "task #2")], (DEADLOCK, 2)),
        ([review("refused")] * 2 + [review("approved"), review("refused")], None),
        ([review("refused")] * 2 + [review("approved", "Task 3"), review("refused")], (DEADLOCK, 3)),
        ([review("refused")] * 2 + [review(""), review("refused")], (DEADLOCK, 3)),
        ([task("Task 2"), *[review("refused", "")] * 2, review("refused")], (DEADLOCK, 3)),
        ([AgentEvent("say", agent="CodeReviewer", text="A competent\nhuman needs to step in here.")], (DEADLOCK, 0)),
        ([AgentEvent("say", agent="Builder", text="A competent human needs to step in here.")], None),
    ],
)
def test_reviewer_deadlock(events, expected):
    assert fired(*events) == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([tool()] * 2, None),
        ([tool()] * 3, ("doom_loop", 2)),
        ([tool(), STEP, AgentEvent("say", text="hm"), tool(), STEP, tool()], ("doom_loop", 5)),
        ([tool(), tool(), tool("grep"), tool()], None),
        ([tool(), tool(), tool(call='{"f":"b"}'), tool()], None),
        ([tool(), tool(), READ, tool()], None),
        ([tool(), tool(helper="h"), tool(), tool(helper="h")], None),
        ([tool(), tool(call=""), tool(call=""), tool()], None),
        ([tool("BashOutput")] * 9, None),
        ([tool(), tool(), tool("BashOutput"), tool()], ("doom_loop", 3)),
    ],
)
def test_doom_loop(events, expected):
    assert fired(*events) == expected


def test_the_orchestrated_variant_has_neither_a_step_budget_nor_a_deadlock():
    rules = {"steps": 10, "variant": "orchestrated"}
    assert fired(*[STEP] * 30, **rules) is None
    assert fired(*[review("refused")] * 5, **rules) is None
    assert watch(AgentEvent("limit"), **rules).warnings == ["step-limit"]
    assert fired(cmd(), cmd(), **rules) == (REPEATED, 1)
    assert fired(*[tool()] * 3, **rules) == ("doom_loop", 2)


def test_the_earliest_event_wins_and_what_follows_is_a_breach():
    ways_out = [edit("PLAN.md"), tool("question"), tool("task", '{"subagent_type":"Committer"}'), STEP, READ]
    monitor = watch(cmd(), cmd(), cmd(), denied(), *ways_out, edit("a"))
    assert (monitor.stop.trigger, monitor.stop.at) == (REPEATED, 1)
    assert monitor.breaches == [2, 3, 9]
    assert len(watch(denied(), *[denied()] * 300).breaches) == MOST_BREACHES


def test_named_triggers_come_before_the_backstop_of_the_same_event():
    events = [AgentEvent("review", tool="task", call="{}", task="2", verdict="refused")] * 3
    assert fired(*events) == (DEADLOCK, 2)
    assert fired(*events, variant="orchestrated") == ("doom_loop", 2)


def test_an_error_of_the_session_is_no_stop():
    assert watch(AgentEvent("error"), AgentEvent("error")).warnings == ["session-error"]


def test_every_trigger_has_words_for_a_blocker():
    assert trigger_words("repeated_failure") == "Repeated failure"
    assert trigger_words("doom_loop") == "Doom loop"


def test_the_stop_is_given_to_whoever_feeds_the_event_and_once():
    monitor = Monitor(StopRules())
    assert monitor.feed(cmd(), 7) is None
    assert monitor.feed(cmd(), 8) is monitor.stop
    assert monitor.stop.at == 8
    assert monitor.feed(cmd(), 9) is None


def test_refusals_are_told_by_task():
    assert watch(review("refused"), review("refused", "T-7"), review("approved", "T-7")).strikes == {"Task 2": 1}
    assert watch(review("refused", "T-7")).strikes == {"t-7": 1}


def test_refusals_that_do_not_stop_are_warned_of_once():
    assert watch(cmd(status=126, out="Permission denied")).warnings == ["os-refusal"]
    assert watch(denied(by="os"), denied(by="user", feedback="no"), denied(by="os")).warnings == [
        "os-refusal",
        "steered",
    ]


def test_what_was_tried_names_the_latest_changes_and_commands():
    stop = watch(edit("a"), edit(""), cmd("make lint", 0), edit("b"), edit("a"), READ, denied()).stop
    assert stop.tried == "ran `make lint`; changed b; changed a; asked for bash: make fire"
    stop = watch(*[edit(f"f{number}") for number in range(9)], denied("", "")).stop
    assert stop.tried == "changed f3; changed f4; changed f5; changed f6; changed f7; changed f8; asked for it: a call"


def test_a_normalised_review_between_equal_calls_is_no_call():
    assert fired(tool(), tool(), review(""), tool()) == ("doom_loop", 3)
    assert fired(tool(), tool(), edit("a"), tool()) is None


def test_budgets_that_are_none():
    assert fired(*[STEP] * 5, steps=0) is None
    assert watch(*[STEP] * 3, AgentEvent("limit")).stop.error.endswith("own limit of steps, after 3 steps")
    assert watch(AgentEvent("limit"), steps=9).stop.error == "the agent ended at its own limit of steps"


@pytest.mark.parametrize(
    ("rules", "event", "steps", "said", "tried"),
    [
        (
            StopRules(),
            AgentEvent("limit", turns=25),
            0,
            "the agent ended at its own limit of steps, after 25 steps",
            25,
        ),
        (StopRules(steps=9), AgentEvent("limit"), 3, "the agent ended at its own limit of steps, after 3 steps", 3),
        (StopRules(), AgentEvent("limit"), 0, "the agent ended at its own limit of steps", 0),
    ],
)
def test_a_limit_is_told_with_the_steps_that_are_known(rules, event, steps, said, tried):
    monitor = Monitor(rules)
    for number in range(steps):
        monitor.feed(AgentEvent("step"), number)
    stop = monitor.feed(event, steps)
    assert (stop.trigger, stop.error) == ("step_budget", said)
    assert stop.tried == (f"worked for {tried} steps" if tried else "worked")
