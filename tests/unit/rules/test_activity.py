from __future__ import annotations

from datetime import UTC, datetime

from harness_tui.model.agent_event import AgentEvent
from harness_tui.model.work import Doing
from harness_tui.rules.activity import LONGEST, activity_words, doing, merged, progress_words


def shown(*fields, **more):
    return doing(AgentEvent(*fields, **more), step=3, steps=10)


def test_tools_with_their_file_or_command():
    assert shown("call", tool="Bash", command="make") == Doing("tool", "make", tool="Bash")
    assert shown("edit", tool="Edit", path="a.py") == Doing("tool", "a.py", tool="Edit", path="a.py")
    assert shown("cmd", command="make") == Doing("tool", "make", tool="cmd")
    assert shown("denied", tool="bash", what="rm -rf x") == Doing("denied", "rm -rf x", tool="bash")


def test_figures_only_where_the_agent_gave_them():
    assert shown("step", tokens=7) == Doing("step", step=3, steps=10, tokens=7)
    assert shown("step", helper="h") is None
    assert shown("end") is None
    assert shown("end", cost_usd=0.0) == Doing("usage", cost_usd=0.0)


def test_words_on_one_line_and_short():
    assert shown("say", text="a\n  b") == Doing("said", "a b")
    assert len(shown("say", text="x" * 9999).text) == LONGEST
    assert shown("say", text=" \n") is None
    assert shown("error", text="busy") == Doing("noise", "busy")
    assert shown("start") is None


def test_the_last_tool_or_words_stay_with_the_last_step_and_figures():
    found = None
    for item in (
        Doing("started", "agent"), Doing("tool", "src/a.py", "Edit", "src/a.py"), Doing("step", step=3, steps=40),
        Doing("usage", cost_usd=0.125, tokens=12000), Doing("noise", "npm notice"), Doing("ended", "done"),
    ):  # fmt: skip
        found = merged(found, item)
    assert found == Doing("tool", "src/a.py", "Edit", "src/a.py", 3, 40, 0.125, 12000)
    assert activity_words(found) == ("Edit src/a.py", "step 3 of 40", "$0.12", "12,000 tokens")


def test_a_new_worker_begins_anew_and_nothing_is_invented():
    assert merged(Doing("tool", "x", step=3, tokens=9), Doing("started", "agent")) == Doing("started", "agent")
    assert activity_words(Doing("said", "thinking")) == ("thinking",)
    assert activity_words(Doing("step", step=0)) == ("step 0",)


def test_a_silence_is_told_with_its_begin_and_what_was_done_last_until_a_sign_of_life():
    since = datetime(2026, 3, 14, 12, 3, 11, tzinfo=UTC)
    quiet = Doing("quiet", "no sign of life for 42 s; last: Bash make; make test", since=since)
    found = merged(Doing("tool", "make", "Bash", step=3, steps=40, cost_usd=0.5), quiet)
    assert activity_words(found) == (
        "quiet since 12:03:11Z; last: Bash make; make test", "step 3 of 40", "$0.50",
    )  # fmt: skip
    assert progress_words(found) == ("step 3 of 40", "$0.50")
    assert activity_words(merged(found, Doing("step", step=4, steps=40))) == ("step 4 of 40", "$0.50")
    assert activity_words(merged(found, Doing("noise", "npm notice")))[0] == "npm notice"
