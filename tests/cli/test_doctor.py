"""`doctor` lists every problem with its place, its code and what to do; 1 when something is an error."""

from __future__ import annotations

import json
import re

import pytest


@pytest.fixture
def sound(workspace):
    """The workspace without its one fault."""
    workspace.replace(f"{workspace.pool}/BATCH_PLAN.md", workspace.plan.read_text("utf-8").replace("T-99", "T-01"))
    return workspace


def test_a_sound_workspace_is_code_0_and_says_what_was_found(call, sound):
    answer = call("doctor", sound.root)
    assert (answer.code, answer.err) == (0, "")
    assert "docs/batches/orchard/BATCH_PLAN.md: stream pool orchard, 5 tasks" in answer.out
    assert "docs/batches/orchard/STREAM_LOG.md: 5 entries in 7 lines" in answer.out
    assert "nothing is wrong" in answer.out


def test_an_error_is_code_1_with_file_line_words_and_code(call, workspace):
    answer = call("doctor", workspace.root)
    assert (answer.code, answer.err) == (1, "")
    line = r"^  error docs/batches/orchard/BATCH_PLAN\.md:14: .*T-99.* \[unknown-dependency\]$"
    assert re.search(line, answer.out, re.MULTILINE)


def test_json_lists_what_the_text_lists(call, workspace):
    workspace.write(f"{workspace.pool}/STREAM_LOG.md", b"# Log\n\n2024-04-02T08:00:00Z \xb7 T-01 \xb7 DELIVERED\n")
    workspace.write(".harness/intervention.md", "please stop soon\n")
    text, found = call("doctor", workspace.root), json.loads(call("doctor", "--json", workspace.root).out)
    assert found["ok"] is False
    assert found["schema_version"] == 1
    assert len(found["problems"]) >= 2
    for problem in found["problems"]:
        place = f"{problem['path']}:{problem['line']}" if problem["line"] else problem["path"]
        assert f"  {problem['severity']} {place}: {problem['message']} [{problem['code']}]" in text.out
        assert re.fullmatch(r"[a-z][a-z0-9-]+", problem["code"])
        assert problem["message"].strip()
    order = ["error", "warning", "info"]
    ranks = [order.index(problem["severity"]) for problem in found["problems"]]
    assert ranks == sorted(ranks)


def test_json_of_a_sound_workspace_is_ok(call, sound):
    answer = call("doctor", "--json", sound.root)
    assert answer.code == 0
    assert json.loads(answer.out)["ok"] is True


def test_problems_of_every_kind_of_file_are_listed(call, sound, tmp_path):
    (tmp_path / "elsewhere.md").write_text("secret", "utf-8")
    (sound / "docs/batches/lost").mkdir()
    sound.write("docs/batches/lost/STREAM_LOG.md", "# Log\n")
    (sound / "docs/features/press-cider/04_DEVELOPMENT.md").symlink_to(tmp_path / "elsewhere.md")
    sound.append(".harness/scripts/verification_history.log", "not json\n")
    (sound / ".harness/state").mkdir()
    sound.write(".harness/state/press-cider.json", "{")
    sound.append(f"{sound.pool}/BATCH_PLAN.md", "")
    found = json.loads(call("doctor", "--json", sound.root).out)["problems"]
    told = {problem["path"] for problem in found}
    assert {
        "docs/batches/lost/BATCH_PLAN.md", "docs/features/press-cider/04_DEVELOPMENT.md",
        ".harness/scripts/verification_history.log", ".harness/state/press-cider.json",
    } <= told  # fmt: skip
    assert "secret" not in json.dumps(found)


def test_an_empty_workspace_says_that_nothing_was_found(call, empty_workspace):
    answer = call("doctor", empty_workspace.root)
    assert answer.code == 0
    assert "no pool" in answer.out


def test_a_missing_folder_is_code_3(call, tmp_path):
    assert call("doctor", tmp_path / "gone").code == 3
