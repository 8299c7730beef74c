"""`guard checkpoint-writeback` and `guard normalize-control-state`: what they write, print and refuse."""

from __future__ import annotations

import json
import re

import pytest

NOW = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
REPO = ".servo/control-state-repo.md"
TEXT = (
    "# Repo\n\n## Baseline Traceability\n\n- latest_observed_checkpoint: old\n- verified_at_history:\n\n"
    "## After\n- k: v\n"
)
WRITE = ("guard", "checkpoint-writeback", "--checkpoint-type", "observed")
PLAIN = ("guard", "normalize-control-state")


@pytest.fixture
def loop(workspace, monkeypatch):
    workspace.write(REPO, TEXT)
    workspace.git("init", "-q", "-b", "trunk", ".")
    workspace.git("commit", "-q", "--allow-empty", "-m", "start")
    monkeypatch.chdir(workspace.root)
    return workspace


def test_a_checkpoint_is_written_and_told_in_one_line(call, loop):
    answer = call(*WRITE)
    head = loop.git("rev-parse", "HEAD").strip()
    assert (answer.code, answer.err, answer.out.count("\n")) == (0, "", 1)
    found = json.loads(answer.out)
    at = found.pop("verified_at")
    assert found == {"written": True, "checkpoint_type": "observed", "hash": head, "previous_hash": "old"}
    assert re.fullmatch(NOW, at)
    assert (loop / REPO).read_text() == TEXT.replace("old", head).replace("history:\n", f"history:\n  - {at}\n")
    assert json.loads(call(*WRITE).out)["previous_hash"] == head
    assert json.loads(call(*WRITE[:3], "doc-catch-up").out)["previous_hash"] is None


def test_a_rehearsal_shows_the_difference_and_writes_nothing(call, loop):
    answer = call(*WRITE, "--dry-run")
    assert (answer.code, answer.err) == (0, "")
    assert "\n-- latest_observed_checkpoint: old\n" in answer.out
    assert re.search(rf"^\+  - {NOW}$", answer.out, re.MULTILINE)
    found = json.loads(call(*WRITE, "--dry-run", "--json").out)
    assert (found["written"], found["dry_run"]) == (False, True)
    assert "-- latest_observed_checkpoint: old\n" in found["diff"]
    assert (loop / REPO).read_text() == TEXT
    assert not (loop / ".harness/harness-tui").exists()


@pytest.mark.parametrize(("words", "why"), [((), "section"), (("--control-state", "gone.md"), "file not found")])
def test_without_a_place_it_says_so_in_json_on_stderr(call, loop, words, why):
    loop.write(REPO, "# Repo\n")
    answer = call(*WRITE, *words)
    assert (answer.code, answer.out) == (1, "")
    found = json.loads(answer.err)
    assert found["written"] is False
    assert why in found["error"]
    assert not (loop / ".harness/harness-tui").exists()


@pytest.mark.parametrize("unborn", [True, False])
def test_no_empty_hash_is_ever_written(call, workspace, monkeypatch, unborn):
    workspace.write(REPO, TEXT)
    if unborn:
        workspace.git("init", "-q", ".")
    monkeypatch.chdir(workspace.root)
    answer = call(*WRITE)
    assert (answer.code, answer.out, json.loads(answer.err)["written"]) == (1, "", False)
    assert (workspace / REPO).read_text() == TEXT


@pytest.mark.parametrize("command", [WRITE, (*PLAIN, "--input", REPO)])
def test_what_can_not_be_written_is_code_4_and_stays(call, loop, command):
    text = TEXT + "- verified_at: x\n"
    loop.write(REPO, text)
    (loop / REPO).chmod(0o444)
    answer = call(*command)
    assert (answer.code, answer.out, answer.err) == (4, "", f"harness-tui: {REPO}: it is read-only\n")
    assert (loop / REPO).read_text() == text


DOUBLED = "# C\n\n## T\n\n- verified_at: a\n- x: 1\n- verified_at: b\n- worktrack_scope: p\n- worktrack_scope: q\n"
GATHERED = "# C\n\n## T\n\n- x: 1\n- worktrack_scope: q\n\n- verified_at_history:\n  - a\n  - b\n"


def test_doubled_keys_are_gathered_in_place_and_told_as_text(call, loop):
    loop.write(".servo/control-state.md", DOUBLED)
    answer = call(*PLAIN)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "Lines: 9 → 10 (delta: 1)\n  verified_at: 2 gathered in verified_at_history\n"
        "  worktrack_scope: 1 replaced by the last value\nWritten to .servo/control-state.md\n"
    )
    assert (loop / ".servo/control-state.md").read_text() == GATHERED
    assert call(*PLAIN).out == "Lines: 10 → 10 (delta: 0)\nWritten to .servo/control-state.md\n"


def test_another_output_leaves_the_input_alone(call, loop):
    loop.write("in.md", DOUBLED)
    assert call(*PLAIN, "--input", "in.md", "--output", "out.md").code == 0
    assert ((loop / "in.md").read_text(), (loop / "out.md").read_text()) == (DOUBLED, GATHERED)
    assert call(*PLAIN, "--input", "in.md", "--output", "out.md").code == 0


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_no_folder_is_made_for_an_output(call, loop, more):
    loop.write("in.md", DOUBLED)
    answer = call(*PLAIN, "--input", "in.md", "--output", "no/out.md", *more)
    assert answer == (4, "", "harness-tui: no/out.md: its folder is not there\n")
    assert not (loop / "no").exists()


def test_a_rehearsal_of_the_plain_form(call, loop):
    loop.write("in.md", DOUBLED.replace("x: 1", "x: \x1b[2J"))
    answer = call(*PLAIN, "--input", "in.md", "--dry-run")
    assert "\n+- verified_at_history:\n" in answer.out
    assert "\x1b" not in answer.out
    found = json.loads(call(*PLAIN, "--input", "in.md", "--dry-run", "--json").out)
    assert (found["written"], found["keys"]) == (False, {"verified_at": 2, "worktrack_scope": 1})
    loop.write("in.md", GATHERED)
    assert call(*PLAIN, "--input", "in.md", "--dry-run").out.endswith("Nothing would change in in.md\n")


def test_a_path_through_a_link_to_itself_is_code_4(call, loop, tmp_path_factory):
    link = tmp_path_factory.mktemp("outside") / "link"
    link.symlink_to(link)
    answer = call(*PLAIN, "--input", link / "state.md")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == f"harness-tui: {link}/state.md: a part of its path is a link\n"


def test_no_input_is_code_3(call, loop):
    assert call(*PLAIN) == (3, "", "harness-tui: .servo/control-state.md: no such file\n")
