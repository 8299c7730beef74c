"""The commands that send signals and take them back."""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
from importlib import import_module
from typing import NamedTuple

import pytest

from harness_tui.cli.diagnostics import Failure
from harness_tui.formats.intervention import PATH, parse_interventions


class Answer(NamedTuple):
    code: int
    out: str
    why: str = ""


@pytest.fixture
def command(workspace, capfd):
    """Run one of the commands in the workspace."""

    def run(name, *arguments):
        module = import_module(f"harness_tui.cli.commands.{name}")
        parser = argparse.ArgumentParser(prog=name)
        module.declare(parser)
        options = parser.parse_args([*arguments, "--path", str(workspace.root)])
        try:
            code, why = module.run(options), ""
        except Failure as failure:
            code, why = failure.code, f"{failure.what}: {failure.why}"
        return Answer(code, capfd.readouterr().out, why)

    return run


def files(workspace):
    return {path: path.read_bytes() for path in workspace.root.rglob("*") if path.is_file()}


def signals(workspace):
    return [(s.keyword, s.argument, s.text) for s in parse_interventions((workspace / PATH).read_bytes()).signals]


def test_each_command_writes_its_signal(command, workspace):
    assert command("note", "use", "the small press").code == 0
    assert command("add", "glaze-bottles", "Glaze the", "bottles").code == 0
    assert command("skip", "T-03", "no corks").code == 0
    assert command("stop").code == 0
    assert signals(workspace) == [
        ("STOP", "", ""), ("NOTE", "", "use the small press"), ("ADD", "glaze-bottles", "Glaze the bottles"),
        ("SKIP", "T-03", "no corks"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [("note", "hello"), ("add", "glaze-bottles", "Glaze"), ("skip", "T-03"), ("stop", "red"), ("withdraw", "1")],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_dry_run_prints_the_bytes_and_touches_nothing(command, workspace, arguments, form):
    workspace.write(PATH, "# Intervention\n\nNOTE — old\n")
    before = files(workspace)
    answer = command(*arguments, "--dry-run", *form)
    assert (answer.code, answer.why) == (0, "")
    assert files(workspace) == before
    if form:
        assert json.loads(answer.out)["dry_run"] is True
    assert PATH in answer.out


def test_what_a_dry_run_shows_is_what_is_written(command, workspace):
    shown = json.loads(command("add", "glaze-bottles", "Glaze | them", "--dry-run", "--json").out)
    sent = json.loads(command("add", "glaze-bottles", "Glaze | them", "--json").out)
    assert shown["content"] == sent["content"] == (workspace / PATH).read_text("utf-8")
    assert sent["written"] == "ADD glaze-bottles — Glaze | them\n"
    assert (shown["id"], bool(sent["id"])) == (None, True)
    assert sent["consequences"]["added"] == "T-06"
    assert sent["pool_id"] == "orchard"


def test_a_skip_tells_what_would_wait_for_ever(command):
    found = json.loads(command("skip", "T-02", "--dry-run", "--json").out)["consequences"]
    assert [item["id"] for item in found["orphaned"]] == ["T-03"]
    assert "T-03 would wait for it for ever" in found["text"]


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("add", "print-labels", "again"), 1, "print-labels: it is open already: T-04 (needs-human, "),
        (("add", "pick-apples", "again"), 1, "pick-apples: it was done already: T-01"),
        (("add", "Fill_Bottles", "x"), 1, "'Fill_Bottles' is no slug"),
        (("add", "../../etc", "x"), 1, "is no slug"),
        (("add", "a" * 41, "x"), 1, "it has 41 characters"),
        (("add", "new-one", "a\nb"), 1, "a goal is one line"),
        (("add", "new-one", " "), 1, "a row needs a goal"),
        (("add", "new-one", "x", "--pool", "kiln"), 3, "kiln: no such pool: there is orchard"),
        (("skip", "T-09"), 3, "no row has the id 'T-09'"),
        (("skip", "t-02"), 3, "did you mean 'T-02' press-cider?"),
        (("skip", "\u0422-02"), 3, "no row has the id '\\u0422-02'; did you mean 'T-02' press-cider?"),
        (("skip", "T-01"), 1, "T-01: it is done already"),
        (("skip", "05"), 1, "SKIP of a stage is for single tasks"),
        (("note", "a\u202eb"), 1, "hidden or control character: ‹U+202E› in line 1, column 2"),
        (("note", " "), 1, "a note needs a text"),
        (("withdraw",), 1, "nothing waits"),
    ],
)
def test_a_refusal_says_why_and_writes_nothing(command, workspace, arguments, code, why):
    before = files(workspace)
    answer = command(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert why in answer.why
    assert files(workspace) == before


def test_a_doubled_id_is_not_skipped_until_it_is_unique(command, workspace):
    plan = workspace.plan.read_text("utf-8").replace("| T-05 |", "| T-03 |")
    workspace.replace(f"{workspace.pool}/BATCH_PLAN.md", plan)
    assert "T-03: it stands in 2 rows" in command("skip", "T-03").why


def test_an_add_that_waits_is_not_sent_twice(command):
    command("add", "glaze-bottles", "Glaze")
    assert command("add", "glaze-bottles", "Glaze").why == "glaze-bottles: its ADD waits in the file already"


def test_a_requirement_is_split_into_rows_in_one_write(command, workspace):
    parts = ("--part", "csv: as CSV", "--part", "mail < csv: sent weekly")
    shown = json.loads(command("add", "glaze", "The table", *parts, "--dry-run", "--json").out)
    assert not (workspace / PATH).exists()
    sent = json.loads(command("add", "glaze", "The table", *parts, "--json").out)
    assert shown["content"] == sent["content"] == (workspace / PATH).read_text("utf-8")
    assert [item["argument"] for item in sent["signals"]] == ["glaze-csv", "glaze-mail"]
    assert sent["signals"][1]["text"] == "The table: sent weekly (after glaze-csv)"
    assert len({item["id"] for item in sent["signals"]}) == 2
    assert sent["id"] == sent["signals"][0]["id"]
    assert [item["consequences"]["added"] for item in sent["signals"]] == ["T-06", "T-07"]


def test_of_a_split_none_is_sent_when_one_is_refused(command, workspace):
    answer = command("add", "print", "x", "--part", "more: y", "--part", "labels: z")
    assert (answer.code, "print-labels: it is open already" in answer.why) == (1, True)
    assert not (workspace / PATH).exists()
    assert "write it as" in command("add", "print", "x", "--part", "more").why
    assert "there is none" in command("add", "print", "x", "--part", "").why


def test_a_preview_names_the_order_that_would_follow(command):
    out = command("add", "glaze", "The table", "--dry-run", "--part", "csv: a", "--part", "mail: b").out
    assert [line for line in out.split("\n") if line.startswith(("runnable: ", "order then: "))] == [
        "runnable: T-06, T-07", "order then: T-02 → T-03 → T-06 → T-07",
    ]  # fmt: skip


def test_several_pools_must_be_told_apart(command, workspace):
    workspace.write("docs/batches/kiln/BATCH_PLAN.md", workspace.plan.read_bytes())
    assert "name it with --pool (kiln, orchard)" in command("add", "glaze-bottles", "x").why
    assert "name the pool with --pool first" in command("skip", "T-03").why
    assert command("skip", "T-03", "--pool", "orchard").code == 0
    assert "then: nothing runs: the next run, of whichever pool, ends at once" in command("stop", "--dry-run").out
    assert "then: the note goes with the next dispatch of whichever run" in command("note", "--dry-run", "x").out
    assert command("stop").code == 0


def test_without_a_pool_an_addition_names_the_way_to_one(command, workspace):
    shutil.rmtree(workspace.root / "docs/batches")
    answer = command("add", "glaze-bottles", "x")
    assert answer.code == 3
    assert "there is no pool" in answer.why
    assert "harness-tui stream" in answer.why
    assert "then: no run is known here" in command("stop", "--dry-run").out


def test_to_take_one_of_several_back_says_what_stays(command, workspace):
    command("note", "one")
    assert "(the file goes)" in command("withdraw", "1", "--dry-run").out
    command("note", "two")
    assert "(the other signals stay as they are)" in command("withdraw", "1", "--dry-run").out


def test_what_became_of_a_signal_is_told_with_the_line_that_shows_it(command, workspace, call):
    command("skip", "T-03")
    (workspace / PATH).unlink()
    history = workspace / ".harness/harness-tui/sent.jsonl"
    record = json.loads(history.read_text().splitlines()[-1])
    record |= {"event": "refused", "evidence": {"path": "docs/STREAM_LOG.md", "line": 9}}
    history.write_text(f"{history.read_text()}{json.dumps(record)}\n")
    out = call("status", workspace.root).out
    assert "no-effect-seen, it was refused when it was read: the log says why  (docs/STREAM_LOG.md:9)" in out
    assert "sent before" not in out
    for text in ("one", "two", "three", "four"):
        command("note", text)
    assert "and 2 sent before (status --json says more)" in call("status", workspace.root).out


def test_a_note_comes_from_standard_input(command, workspace, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("one\n\nSTOP\n\n标签\n".encode())))
    assert command("note", "-").code == 0
    assert signals(workspace) == [("NOTE", "", "one\n\n> STOP\n\n标签")]


def test_what_can_not_be_written_is_given_back(command, workspace):
    workspace.write(PATH, "STOP\n").chmod(0o400)
    answer = command("note", "a long thought")
    assert (answer.code, answer.why) == (4, ".harness/intervention.md: it is read-only")
    assert answer.out == "not written; this is your text:\nNOTE — a long thought\n"
    document = json.loads(command("note", "a long thought", "--json").out)
    assert (document["id"], document["text"]) == (None, "a long thought")


def test_what_waits_is_listed_with_its_sender_and_taken_back(command, workspace):
    assert command("pending").out == "nothing waits\n"
    workspace.write(PATH, "please stop before the press\n")
    sent = json.loads(command("note", "mine", "--json").out)
    listed = json.loads(command("pending", "--json").out)
    assert [(item["number"], item["keyword"], item["id"]) for item in listed["signals"]] == [
        (1, "", None), (2, "NOTE", sent["id"]),
    ]  # fmt: skip
    assert listed["safest"] == "STOP"
    text = command("pending").out
    assert "1. unclear: please stop before the press (unclear)" in text
    assert "a careful reader takes it as STOP" in text
    assert json.loads(command("withdraw", "--json").out)["withdrawn"]["text"] == "mine"
    assert "none of the waiting signals was sent from here" in command("withdraw").why
    assert command("withdraw", "1").code == 0
    assert not (workspace / PATH).exists()


def test_json_of_a_refusal_is_the_only_thing_on_stdout(command):
    answer = command("add", "print-labels", "again", "--json")
    assert (answer.code, json.loads(answer.out)["refused"]) == (1, "slug-taken")


@pytest.mark.parametrize("order", [("T-03", "--dry-run", "no", "corks"), ("--dry-run", "T-03", "no", "corks")])
def test_a_reason_may_stand_on_either_side_of_a_flag(call, workspace, order):
    answer = call("skip", "--path", str(workspace.root), *order)
    assert (answer.code, answer.err) == (0, "")
    assert "SKIP T-03 — no corks" in answer.out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--", "--json", "is", "odd"), "--json is odd"), (("--", "-x"), "-x"), (("the", "--", "-1"), "the -1"),
        (("now", "--", "--", "--pool=9"), "now -- --pool=9"),
    ],
)  # fmt: skip
def test_words_behind_two_hyphens_are_never_flags(call, workspace, words, text):
    answer = call("note", "--path", str(workspace.root), "--dry-run", *words)
    assert (answer.code, answer.err) == (0, "")
    assert f"\n  NOTE — {text}\n" in answer.out
    assert call("note", "--pool", "--", "orchard").code == 2
