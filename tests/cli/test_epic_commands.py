"""`budget`, `answer` and `unlock` as scripts use them."""

import json
from argparse import ArgumentParser

import pytest
from support import epic_tree as tree

from harness_tui.cli.commands import answer, budget, unlock
from harness_tui.cli.diagnostics import Failure

COMMANDS = {"budget": budget, "answer": answer, "unlock": unlock}


@pytest.fixture
def call(tmp_path, capsys):
    """Run a command in the workspace; gives its exit code, stdout and stderr (what and why of a failure)."""

    def run(name, *arguments):
        parser = ArgumentParser()
        COMMANDS[name].declare(parser)
        options = parser.parse_args([*arguments, "--path", str(tmp_path)])
        try:
            code, failure = COMMANDS[name].run(options), ""
        except Failure as error:
            code, failure = error.code, f"{error.what}: {error.why}"
        heard = capsys.readouterr()
        return code, heard.out, heard.err + failure

    return run


@pytest.fixture
def root(tmp_path):
    return tree.control(tree.epic(tmp_path))


def test_check_tells_three_numbers(root, call):
    code, out, _ = call("budget", "check", "--epic-id", tree.EPIC, "--json")
    numbers = {"total": 2, "consumed": 0, "remaining": 2}
    assert (code, json.loads(out)) == (0, {"epic_id": tree.EPIC, **numbers, "exhausted": False})
    code, out, _ = call("budget", "check", "--epic-id", tree.EPIC)
    assert (code, "[OK]" in out) == (0, True)


def test_an_exhausted_budget_is_told_with_one(tmp_path, call):
    tree.epic(tmp_path, state=tree.state(2, 2))
    code, out, _ = call("budget", "check", "--epic-id", tree.EPIC, "--json")
    assert (code, json.loads(out)["exhausted"]) == (1, True)
    code, out, said = call("budget", "consume", "--epic-id", tree.EPIC, "--json")
    assert (code, out) == (1, "")
    assert "nothing is left" in said


def test_consume_tells_what_remains(root, call):
    code, out, _ = call("budget", "consume", "--epic-id", tree.EPIC, "--json")
    assert (code, json.loads(out)) == (0, {"consumed": 1, "remaining": 1})
    code, out, _ = call("budget", "consume", "--epic-id", tree.EPIC)
    assert out.rstrip().endswith("0/2")


def test_what_does_not_add_up_is_said_on_stderr(tmp_path, call):
    tree.epic(tmp_path, state=tree.state(interrupt_budget={"total": 3, "consumed": 0, "remaining": 1}))
    code, _, said = call("budget", "check", "--epic-id", tree.EPIC, "--json")
    assert (code, "budget-mismatch" in said) == (0, True)


def test_an_answer_and_its_preview(root, call):
    code, out, _ = call("answer", tree.EPIC, "Q-1", "B", "--json", "--dry-run")
    preview = json.loads(out)
    assert (code, preview["dry_run"], preview["unit_spent"], preview["left"]) == (0, True, True, 1)
    assert tree.decisions(root)["Q-1"]["status"] == "pending"
    code, out, _ = call("answer", tree.EPIC, "Q-1", "B", "--json", "--digest", preview["digest"])
    done = json.loads(out)
    assert (code, done["already_recorded"]) == (0, False)
    assert done["settled"] == [{"question_id": "Q-1", "status": "resolved", "resolution": "B: leave it"}]
    for change in done["changes"]:
        data = (root / change["path"]).read_text("utf-8")
        assert data.endswith(change["content"]) if change["how"] == "append" else data == change["content"]
    code, out, _ = call("answer", tree.EPIC, "Q-1", "B")
    assert (code, out) == (0, "Q-1 resolved: B: leave it\nrecorded already, nothing to do\n")


def test_a_preview_as_text_shows_every_file(root, call):
    _, out, _ = call("answer", tree.EPIC, "Q-3", "--free", "\x1b[2J\u202e四十", "--dry-run")
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert f"change {tree.HOME}/decision-bundle.json" in out
    assert f"append to {tree.TRACE}" in out
    assert '\n-      "status": "pending",\n+      "status": "resolved",\n' in out
    assert '\n+{"ts": ' in out
    assert '"bleibt"' in out
    assert "Which twine" not in out, "what does not change is not printed"


def test_a_preview_tells_what_follows(root, call):
    said = f"then: {tree.EPIC} still waits for you: Q-2, Q-3 open\nthen: no row of a pool waits for it\n"
    assert said in call("answer", tree.EPIC, "Q-1", "B", "--dry-run")[1]
    found = json.loads(call("answer", tree.EPIC, "Q-1", "B", "--dry-run", "--json")[1])["consequences"]
    assert (found["after"]["next_action"], found["after"]["waits_for"], found["pools"]) == (
        "wait_user", ["Q-2", "Q-3"], [],
    )  # fmt: skip
    assert json.loads(call("answer", tree.EPIC, "Q-1", "B", "--json")[1])["consequences"] is None
    assert "then:" not in call("answer", tree.EPIC, "Q-1", "B", "--dry-run")[1], "it is recorded already"


def test_a_refused_answer_says_why_with_both_texts(root, call):
    call("answer", tree.EPIC, "Q-1", "A")
    code, out, said = call("answer", tree.EPIC, "Q-1", "B", "--json")
    refused = json.loads(out)
    assert (code, refused["refused"]) == (1, "already-answered")
    assert (refused["shown"], refused["now"]) == ("B: leave it", "A: turn it")
    assert "somebody answered first" in said
    code, out, said = call("answer", tree.EPIC, "Q-2", "1", "--digest", "0" * 32)
    assert (code, out) == (1, "")
    assert "not what was shown" in said


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((tree.EPIC, "Q-9", "A"), 3),
        (("sh-9-nowhere", "Q-1", "A"), 3),
        ((tree.EPIC,), 2),
        ((tree.EPIC, "Q-1"), 2),
        ((tree.EPIC, "Q-1", "A", "--defer"), 2),
        ((tree.EPIC, "Q-1", "--defaults"), 2),
        ((tree.EPIC, "Q-1", "Z"), 1),
    ],
)
def test_other_ends_have_their_own_codes(root, call, arguments, code):
    assert call("answer", *arguments)[0] == code


def test_deferring_and_accepting_defaults(root, call):
    assert call("answer", tree.EPIC, "Q-1", "--defer")[1] == "Q-1 deferred\ncosts no unit, 2 left\n"
    code, out, _ = call("answer", tree.EPIC, "--defaults")
    assert (code, out) == (0, "Q-2 resolved: straw\nstill open: Q-3\none unit for DP-SPEC-001, 1 left\n")


def test_a_file_that_can_not_be_written_is_named(root, call):
    (root / tree.HOME / "state.json").chmod(0o444)
    code, _, said = call("budget", "consume", "--epic-id", tree.EPIC)
    assert (code, said) == (4, f"{tree.HOME}/state.json: it is read-only")


def test_unlock_previews_writes_and_refuses(root, call):
    words = ("--instruction", "sharpen the mower first", "--confirm", "unlock MS-40")
    code, out, _ = call("unlock", *words, "--dry-run", "--json")
    preview = json.loads(out)
    assert (code, preview["locked"], preview["signal"]["source"]) == (0, True, "programmer")
    assert (root / tree.CONTROL).read_text() == tree.CONTROL_TEXT
    assert call("unlock", *words)[0] == 0
    assert '"instruction": "sharpen the mower first"' in (root / tree.CONTROL).read_text()
    code, out, said = call("unlock", "--instruction", "go on", "--confirm", "unlock MS-40", "--json")
    assert (code, json.loads(out)["refused"]) == (1, "no-unlock")
    assert "bare" in said
    assert (
        "change .servo/control-state.md"
        in call("unlock", "--instruction", "take the south field", "--confirm", "unlock MS-40", "--dry-run")[1]
    )
    code, _, said = call("unlock", "--instruction", "take the south field", "--confirm", "unlock", "--dry-run")
    assert code == 1
    assert "write unlock MS-40" in said


def test_there_is_nothing_to_unlock_without_a_control_state(tmp_path, call):
    tree.epic(tmp_path)
    assert call("unlock", "--instruction", "take the south field", "--confirm", "unlock")[0] == 3
