"""`status --json` is the contract other programs rely on: every key, every type, paths, times and exit codes."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime
from pathlib import Path

import pytest

TEXT, NUMBER, FLAG, ANY = str, int, bool, object
PROBLEM = {"path": TEXT, "line": (int, None), "severity": TEXT, "code": TEXT, "message": TEXT}
VERDICT = {"verdict": TEXT, "text": TEXT, "path": TEXT, "line": (int, None)}
TIME = "time"
ENTRY = {
    "line": NUMBER, "at": (TIME, None), "at_text": TEXT, "precision": TEXT, "task_id": (TEXT, None), "kind": TEXT,
    "text": TEXT,
}  # fmt: skip
TASK = {
    "id": TEXT, "slug": TEXT, "goal": TEXT, "mode": TEXT, "depends_on": [TEXT], "depends_text": TEXT, "status": TEXT,
    "status_text": TEXT, "effective_status": TEXT, "decided_by": TEXT, "drift": FLAG,
    "evidence": [{"source": TEXT, "says": TEXT, "path": TEXT, "line": (int, None)}], "runnable": FLAG,
    "waiting_on": [{"id": TEXT, "why": TEXT}], "stage": NUMBER, "rollbacks": (int, None),
    "gates": dict.fromkeys(("gate_review", "code_review", "qa", "delivery"), (VERDICT, None)),
    "line": NUMBER, "problems": [PROBLEM],
}  # fmt: skip
POOL = {
    "id": TEXT, "path": TEXT, "kind": TEXT, "title": TEXT, "tasks": [TASK], "tally": {TEXT: NUMBER},
    "frontier": [TEXT], "cycles": [[TEXT]], "notes": [ANY], "problems": [PROBLEM],
    "report": ({"path": TEXT, "needs_input": [ANY]}, None),
}  # fmt: skip
STREAM = {
    "state": TEXT, "pool_id": (TEXT, None), "task_id": (TEXT, None), "since": (TIME, None), "ambient": FLAG,
    "owner": ({"pid": int, "host": TEXT}, None), "why": TEXT,
}  # fmt: skip
VERIFY = {
    "verdict": TEXT, "pass": (int, None), "warn": (int, None), "fail": (int, None), "skip": (int, None),
    "exit": (int, None), "at": (TIME, None), "path": TEXT,
}  # fmt: skip
SIGNAL = {"keyword": TEXT, "argument": TEXT, "text": TEXT, "line": NUMBER, "state": TEXT}
STATUS = {
    "schema_version": NUMBER, "root": TEXT, "generated_at": TIME,
    "git": ({"branch": (TEXT, None), "head": (TEXT, None), "detached": FLAG, "unborn": FLAG, "dirty": (bool, None),
             "error": (TEXT, None)}, None),
    "pools": [POOL], "stream": STREAM,
    "logs": [{"pool_id": TEXT, "path": TEXT, "entries": NUMBER, "first_at": (TIME, None), "last_at": (TIME, None),
              "last": (ENTRY, None), "problems": [PROBLEM]}],
    "interventions": {"path": TEXT, "present": FLAG, "signals": [SIGNAL], "safest": (TEXT, None)},
    "sent": [ANY], "budgets": [ANY], "decisions": [ANY], "unknowns": [ANY], "blockers": [ANY],
    "handback": (ANY, None), "control": (ANY, None),
    "gates": {"worktracks": [ANY], "milestones": [ANY], "verify_all": (VERIFY, None)},
    "inbox": [{"kind": TEXT, "id": TEXT, "title": TEXT, "path": TEXT, "line": (int, None), "since": (TIME, None),
               "urgency": NUMBER}],
    "problems": [PROBLEM],
}  # fmt: skip
LATER_PARTS = {
    "sent": [], "budgets": [], "decisions": [], "unknowns": [], "blockers": [], "handback": None, "control": None,
}  # fmt: skip
STATUSES = {"pending", "in-progress", "done", "failed", "blocked", "needs-human", "skipped", "unknown"}
STATES = {"running", "idle", "stopped", "drained", "interrupted", "unknown"}


def differences(value, shape, where="$"):
    """In which places `value` is not of `shape`; more keys than asked for are fine."""
    if isinstance(shape, tuple):
        return [] if value is None else differences(value, shape[0], where)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{where}: no list"]
        return [found for n, item in enumerate(value) for found in differences(item, shape[0], f"{where}[{n}]")]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{where}: no object"]
        if shape == {TEXT: NUMBER}:
            return [f"{where}.{k}" for k, v in value.items() if type(v) is not int]
        found = [f"{where}.{name}: missing" for name in shape if name not in value]
        return found + [f for k, s in shape.items() if k in value for f in differences(value[k], s, f"{where}.{k}")]
    if shape == TIME:
        ok = isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
        return [] if ok else [f"{where}: {value!r} is no time with a zone"]
    if shape is object or type(value) is shape:
        return []
    return [f"{where}: {value!r} is no {shape.__name__}"]


def every(value, names, where=()):
    """All values below any of the keys `names`."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in names:
                yield item
            yield from every(item, names)
    elif isinstance(value, list):
        for item in value:
            yield from every(item, names)


@pytest.fixture
def status(call):
    def read(path):
        answer = call("status", "--json", path)
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return read


def test_every_key_of_the_contract_is_there_with_its_type(status, repository):
    repository.write(".harness/intervention.md", "SKIP T-03\nnot today\n")
    found = status(repository.root)
    assert differences(found, STATUS) == []
    assert found["pools"]
    assert found["logs"]
    assert found["inbox"]
    assert found["interventions"]["signals"]
    assert found["gates"]["verify_all"]["verdict"] == "pass"
    assert found["git"]["branch"] == "main"


def test_the_check_itself_finds_missing_keys_and_wrong_types():
    assert differences({"id": 1}, {"id": TEXT, "path": TEXT}) == ["$.path: missing", "$.id: 1 is no str"]
    assert differences([{"at": "2024-01-01T00:00"}], [{"at": (TIME, None)}]) != []


def test_an_empty_workspace_has_the_same_keys(status, empty_workspace):
    found = status(empty_workspace.root)
    assert differences(found, STATUS) == []
    assert found["pools"] == found["logs"] == found["inbox"] == []
    assert found["stream"]["state"] == "unknown"
    assert found["interventions"]["present"] is False


def test_keys_of_later_parts_are_there_and_empty(status, workspace):
    found = status(workspace.root)
    assert {name: found[name] for name in LATER_PARTS} == LATER_PARTS
    assert found["gates"]["worktracks"] == found["gates"]["milestones"] == []
    assert found["schema_version"] == 1


def test_words_are_those_of_the_contract(status, workspace):
    found = status(workspace.root)
    pool = found["pools"][0]
    assert {task["effective_status"] for task in pool["tasks"]} <= STATUSES
    assert set(pool["tally"]) <= STATUSES
    assert sum(pool["tally"].values()) == len(pool["tasks"]) == 5
    assert found["stream"]["state"] in STATES
    assert [task["id"] for task in pool["tasks"]] == ["T-01", "T-02", "T-03", "T-04", "T-05"]
    assert pool["tasks"][2]["waiting_on"][0]["id"] == "T-02"
    assert pool["tasks"][0]["rollbacks"] == 1


def test_paths_are_relative_to_the_root_with_slashes(status, workspace):
    found = status(workspace.root)
    assert found["root"] == str(workspace.root)
    paths = [path for path in every({**found, "root": None}, {"path", "folder"}) if path is not None]
    assert len(paths) > 10
    assert [path for path in paths if path.startswith("/") or "\\" in path or ".." in path] == []
    assert all((workspace / path).exists() for path in paths if path != ".harness/intervention.md")


def test_times_carry_a_zone_and_one_that_no_file_gives_is_null(status, workspace):
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", "2024-04-03 · T-04 · waits\nno time · T-05 · odd\n")
    found = status(workspace.root)
    assert differences(found, STATUS) == []
    assert found["logs"][0]["first_at"] == "2024-04-02T08:00:00Z"
    assert found["logs"][0]["last"]["at"] is None
    assert found["pools"][0]["tasks"][4]["touched_at"] is None


def test_it_is_two_space_indented_utf8_with_nothing_else_on_stdout(program, workspace):
    done = program("status", "--json", workspace.root, env={"PYTHONIOENCODING": "latin-1", "LC_ALL": "C"})
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "Größe-L" in text
    assert "标签" in text
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    assert re.search('^  "schema_version": 1,$', text, re.MULTILINE)


@pytest.mark.parametrize("below", [".", "docs", "docs/batches/orchard", "docs/tasks.md", "docs/not-there-yet/.."])
def test_any_folder_or_file_below_the_root_names_the_workspace(status, workspace, below):
    (workspace / "docs/not-there-yet").mkdir()
    assert status(workspace / below)["root"] == str(workspace.root)


def test_without_a_path_the_current_folder_is_meant(call, workspace, monkeypatch):
    monkeypatch.chdir(workspace / "docs/features")
    answer = call("status", "--json")
    assert json.loads(answer.out)["root"] == str(workspace.root)


def test_a_missing_path_is_code_3_and_one_line(call, tmp_path):
    answer = call("status", "--json", tmp_path / "gone")
    assert answer == (3, "", f"harness-tui: {tmp_path}/gone: no such file or folder\n")


def test_a_folder_outside_any_workspace_is_code_3_and_says_what_was_looked_for(call, tmp_path):
    (tmp_path / "bare").mkdir()
    answer = call("status", tmp_path / "bare")
    assert (answer.code, answer.out) == (3, "")
    assert re.fullmatch(r"harness-tui: \S+/bare: .*docs/batches.*\n", answer.err)


@pytest.mark.parametrize("length", [300, 5000])
def test_a_name_that_is_too_long_for_the_system_is_not_there(call, length):
    answer = call("status", "x" * length)
    assert answer.code in (3, 4)
    assert answer.err.count("\n") == 1


def test_a_loop_of_links_is_not_there(call, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert call("status", tmp_path / "loop").code in (3, 4)


@pytest.mark.parametrize("name", ["BATCH_PLAN.md", "STREAM_LOG.md", "STREAM_REPORT.md"])
@pytest.mark.parametrize("kind", ["pipe", "folder", "dangling"])
def test_something_else_in_place_of_a_file_neither_blocks_nor_fails(status, workspace, name, kind):
    path = workspace / f"{workspace.pool}/{name}"
    path.unlink()
    {"pipe": lambda: os.mkfifo(path), "folder": path.mkdir, "dangling": lambda: path.symlink_to("nowhere")}[kind]()
    found = status(workspace.root)
    assert differences(found, STATUS) == []
    assert any(problem["path"].endswith(name) for problem in found["problems"])


def test_a_file_that_is_too_big_is_a_problem_and_the_rest_is_read(status, workspace):
    with (workspace / "docs/tasks.md").open("r+b") as file:
        file.truncate((32 << 20) + 1)
    found = status(workspace.root)
    assert "unreadable" in [p["code"] for p in found["problems"] if p["path"] == "docs/tasks.md"]
    assert len(found["pools"][0]["tasks"]) == 5


def test_a_worktree_is_a_workspace_of_its_own(status, repository, tmp_path):
    repository.git("worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    assert (tmp_path / "side/.git").is_file()
    found = status(tmp_path / "side/docs")
    assert found["root"] == str(tmp_path / "side")
    assert (found["git"]["branch"], found["git"]["error"]) == ("side", None)
    assert len(found["pools"][0]["tasks"]) == 5


def test_the_old_folder_of_scripts_is_read(status, workspace):
    (workspace / ".harness/scripts").rename(workspace / "scripts")
    workspace.replace(f"{workspace.pool}/STREAM_LOG.md", "# Stream Log\n")
    assert status(workspace.root)["gates"]["verify_all"]["path"] == "scripts/verification_history.log"


def test_a_root_whose_name_is_no_utf8_is_valid_json(program, tmp_path):
    odd = os.fsencode(tmp_path) + b"/o\xffd"
    Path(os.fsdecode(odd), "docs/batches/a").mkdir(parents=True)
    done = program("status", "--json", odd)
    assert (done.returncode, done.stderr) == (0, b"")
    assert os.fsencode(json.loads(done.stdout.decode())["root"]) == odd


def test_a_root_with_control_characters_cannot_act_on_the_terminal(call, tmp_path):
    odd = tmp_path / "a\x1b]0;b\x07\u202e"
    (odd / "docs/batches").mkdir(parents=True)
    for arguments in (["status"], ["doctor"], ["status", "--json"], ["--plain"]):
        answer = call(*arguments, odd)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(answer.out + answer.err), arguments
