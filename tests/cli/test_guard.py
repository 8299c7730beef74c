"""`harness-tui guard`: what a script or an agent gets."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from harness_tui.cli.commands.guard import GUARDS, defaults, guard_module, guard_parser, list_guards

STATE = """\
# Control state

## Current Control Level

- repo_scope: active
- current_function: Observe

## Active Milestone

- active_milestone: MS-8

## Active Worktrack

- active_worktrack: WT-3

## Baseline Branch

- baseline_branch: trunk

## Baseline Traceability

- latest_observed_checkpoint: old

## Handback Guard

- handback_lock_active: false
- handoff_state: none
- handback_reaffirmed_rounds: 0
- stable_handback_threshold: 2
- last_stop_reason: none
- last_handback_signature: none
- last_unlock_signal: N/A
"""
FILES = {
    ".servo/control-state.md": STATE,
    ".servo/milestone/MS-8.md": "---\nmilestone_id: MS-8\n---\n\n- milestone_kind: work-collection\n",
    ".servo/repo/pre-milestone-intake-MS-8.md": "# Intake\n\n```yaml\nintake_status: questions_required\n```\n",
    ".servo/worktrack/MS-8-WT-3-intake-review.md": "- intake_review_verdict: blocked\n",
    ".servo/worktrack/WT-3/gate-evidence.md": (
        "---\nworktrack_id: WT-3\n---\n\n- worktrack_gate_verdict: pass\n- implementation_gate: pass\n"
        "- validation_gate: pass\n- policy_gate: pass\n"
    ),
}
NEEDED = {
    "branch-context-check": ["--control-state", "{file}", "--scope", "RepoScope", "--function", "Observe"],
    "git-hash-check": ["--control-state", "{file}"],
    "milestone-kind-routing": ["--milestone", "{file}"],
    "pre-milestone-intake-guard": ["--intake-review", "{file}"],
    "complex-project-entry-gate-check": ["--gate-source", "{file}"],
    "milestone-review-gate-check": ["--control-state", "{file}"],
    "runtime-backfill-detect": ["--artifact", "{file}"],
    "worktrack-intake-review-check": ["--intake-review", "{file}"],
    "evidence-completeness-check": ["--evidence-file", "{file}"],
    "autonomy-policy-check": ["--operation", "observe", "--skill", "x", "--control-state", "{file}"],
}
MODE = [
    word
    for name, said in (
        ("task-coupling", "low"), ("state-sharing", "low"), ("parallel-value", "high"), ("risk-profile", "low"),
        ("context-budget-fit", "yes"), ("runtime-supports-subagent", "yes"), ("permission-allows-delegation", "yes"),
        ("dispatch-package-safe", "yes"),
    )
    for word in (f"--{name}", said)
]  # fmt: skip


@pytest.fixture
def git(workspace):
    return workspace.git


@pytest.fixture
def loop(workspace, git, monkeypatch):
    """A workspace with a control loop, under git, and this process in it."""
    for name, text in FILES.items():
        workspace.write(name, text)
    git("init", "-q", "-b", "trunk", ".")
    git("commit", "-q", "--allow-empty", "-m", "start")
    monkeypatch.chdir(workspace.root)
    return workspace


def ask(call, *words, code=0):
    answer = call("guard", *words)
    assert (answer.code, answer.err) == (code, "")
    return json.loads(answer.out)


def test_every_name_has_a_module_with_the_four_parts():
    for name in GUARDS:
        module = guard_module(name)
        assert all(hasattr(module, part) for part in ("ABOUT", "EXAMPLES", "declare")), name
        assert hasattr(module, "judge") != hasattr(module, "run"), name


def test_the_list_names_every_guard_with_purpose_and_flags(call):
    answer = call("guard", "--list")
    assert (answer.code, answer.err) == (0, "")
    assert re.findall(r"^\S.*$", answer.out, re.MULTILINE) == [*GUARDS]
    found = ask(call, "--list", "--json")["guards"]
    assert found == list_guards()
    assert all(item["purpose"] and "--help" not in item["flags"] for item in found)
    flags = {item["name"]: item["flags"] for item in found}
    assert flags["branch-context-check"][:4] == ["--control-state", "--scope", "--function", "--worktrack-contract"]


@pytest.mark.parametrize("name", GUARDS)
def test_each_guard_has_help_with_examples(call, name):
    answer = call("guard", name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert re.search(rf"^  harness-tui guard {name}", answer.out.partition("examples:\n")[2], re.MULTILINE)
    assert all(len(line) < 119 for line in answer.out.split("\n"))


@pytest.mark.parametrize("name", ["milestone-kind-routing", "milestone_kind_routing", "milestone_kind_routing.py"])
def test_the_names_of_the_scripts_are_accepted(call, loop, name):
    assert ask(call, name, "--milestone", ".servo/milestone/MS-8.md")["milestone_kind"] == "work-collection"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "guard: which guard"), (["nosuch"], "guard: there is no guard nosuch"), (["--nosuch"], "guard: "),
        (["milestone-kind-routing"], "guard milestone-kind-routing: "),
        (["autonomy-policy-check", "--operation", "sleep", "--skill", "x"], "guard autonomy-policy-check: "),
        (["branch-context-check", "--control-state", "x", "--scope", "x", "--function", "Init"], "guard branch"),
        (["lock", "a", "b"], "guard lock: "),
    ],
)  # fmt: skip
def test_wrong_words_are_told_in_one_line_with_code_2(call, words, says):
    answer = call("guard", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"harness-tui: {says}")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("name", NEEDED)
def test_a_file_that_is_not_there_is_an_answer(call, loop, name):
    words = [word.format(file="nosuch.md") for word in NEEDED[name]]
    code = 0 if name in {"runtime-backfill-detect", "branch-context-check"} else 1
    ask(call, name, *words, code=code)


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00", "- kind: x\n".encode("utf-16"), b"\xef\xbb\xbf- milestone_kind: x\r\n", b"\0" * 500,
     b"- baseline_branch: \xe9\x1b[2J\xe2\x80\xae\r- milestone_kind: \xe9\r", b"milestone_kind: \xed\xa0\x80"],
)  # fmt: skip
def test_no_encoding_of_a_file_ends_a_guard(call, loop, name, data):
    (loop / "odd.md").write_bytes(data)
    answer = call("guard", name, *(word.format(file="odd.md") for word in NEEDED[name]))
    assert answer.code in {0, 1}
    assert answer.err == ""
    json.loads(answer.out)
    assert answer.out.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", NEEDED)
def test_what_can_not_be_read_is_code_4(call, loop, name):
    words = [word.format(file=".servo") for word in NEEDED[name]]
    answer = call("guard", name, *words)
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == "harness-tui: .servo: it is not a regular file\n"


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(call, loop):
    (loop / "w.md").write_bytes(b"\xef\xbb\xbf- milestone_kind: goal-driven\r\n")
    assert ask(call, "milestone-kind-routing", "--milestone", "w.md")["handback_required"] is True


def test_the_word_for_delegation(call):
    assert ask(call, "dispatch-mode-recommend", *MODE)["recommended_mode"] == "delegated"
    assert ask(call, "dispatch-mode-recommend", *MODE, "--json")["recommended_mode"] == "delegated"


def test_git_is_asked_for_branch_and_commit(call, loop, git):
    head = git("rev-parse", "HEAD").strip()
    words = ["branch-context-check", "--control-state", ".servo/control-state.md", "--scope", "RepoScope"]
    found = ask(call, *words, "--function", "Init")
    assert (found["current_branch"], found["head_hash"], found["legal"]) == ("trunk", head, True)
    git("switch", "-q", "-c", "a/b")
    assert ask(call, *words, "--function", "Init", code=1)["current_branch"] == "a/b"
    git("switch", "-q", "--detach")
    found = ask(call, *words, "--function", "Init", code=1)
    assert (found["current_branch"], found["head_hash"]) == ("", head)


def test_the_baseline_that_the_remote_has_is_taken_without_asking_it(call, loop, git):
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git("remote", "add", "origin", "ext::touch asked")
    loop.write("bare.md", "# nothing\n")
    words = ["--control-state", "bare.md", "--scope", "RepoScope", "--function", "Init"]
    found = ask(call, "branch-context-check", *words, code=1)
    assert found["config_hydration_gaps"] == ["baseline_branch_missing_resolved_to_main"]
    assert not (loop / "asked").exists()


def test_contract_and_id_exclude_each_other(call, loop):
    words = ["--control-state", ".servo/control-state.md", "--scope", "WorktrackScope", "--function", "Init"]
    answer = call("guard", "branch-context-check", *words, "--worktrack-contract", "c.md", "--worktrack-id", "WT-3")
    assert answer.code == 2


def test_without_git_a_guard_that_needs_it_is_code_4(call, loop, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    answer = call("guard", "git-hash-check", "--control-state", ".servo/control-state.md")
    assert (answer.code, answer.err) == (4, "harness-tui: git: git is not installed\n")


def test_the_evidence_of_autonomy_lies_beside_the_control_state(call, loop):
    words = ["autonomy-policy-check", "--operation", "verify", "--skill", "x"]
    loop.write(".servo/control-state.md", "- rule_check: done\n")
    ask(call, *words, code=1)
    (loop / ".servo/evidence").mkdir()
    ask(call, *words)
    (loop / "below").mkdir()
    os.chdir(loop / "below")
    ask(call, *words, "--control-state", "../.servo/control-state.md")


def test_an_operators_signal_says_no_until_it_is_read(call, loop):
    assert ask(call, "intervention") == {"kind": None, "count": 0, "safest": None, "path": ".harness/intervention.md",
                                         "signals": []}  # fmt: skip
    loop.write(".harness/intervention.md", "# Intervention\n\nNOTE — mind the frost\n\nSTOP — the river rises\n")
    found = ask(call, "intervention", ".", code=1)
    assert (found["kind"], found["count"], found["safest"]) == ("NOTE", 2, "STOP")
    loop.write(".harness/intervention.md", "# Intervention\n\nplease hurry\n")
    found = ask(call, "intervention", code=1)
    assert (found["kind"], found["count"], found["safest"]) == (None, 1, "STOP")
    (loop / ".harness/intervention.md").unlink()
    (loop / ".harness/intervention.md").symlink_to("/etc/hostname")
    assert ask(call, "intervention", code=1)["safest"] == "STOP"


@pytest.mark.parametrize(("value", "locked"), [("false", False), ("true", True), ("perhaps", None), ("", None)])
def test_only_a_plain_no_opens_the_lock(call, loop, value, locked):
    loop.write(".servo/control-state.md", STATE.replace("lock_active: false", f"lock_active: {value}"))
    found = ask(call, "lock", code=0 if locked is False else 1)
    assert (found["locked"], found["unlock_valid"]) == (locked, None)
    assert [gap["key"] for gap in found["gaps"]] == ([] if value in {"true", "false"} else ["handback_lock_active"])


GATE = FILES[".servo/worktrack/WT-3/gate-evidence.md"]


@pytest.mark.parametrize(
    ("text", "code", "verdict", "missing"),
    [
        (GATE, 0, "pass", []),
        (GATE.replace("policy_gate: pass\n", ""), 1, None, ["policy"]),
        (GATE.replace("y_gate: pass", "y_gate: hard-fail"), 1, "hard-fail", []),
    ],
)  # fmt: skip
def test_the_gate_of_the_current_worktrack(call, loop, text, code, verdict, missing):
    loop.write(".servo/worktrack/WT-3/gate-evidence.md", text)
    found = ask(call, "gate", code=code)
    assert found["verdict"] == (verdict or found["verdict"])
    assert (found["missing"], [*found["axes"]]) == (missing, ["implementation", "validation", "policy"])
    assert ask(call, "gate", "--worktrack", "WT-3", code=code)["worktrack"] == "WT-3"


def epic(loop, name, total, consumed, decisions=()):
    budget = {"total": total, "consumed": consumed, "remaining": total - consumed}
    state = {"epic_id": name, "current_stage": "SPEC", "risk_level": "medium", "interrupt_budget": budget}
    loop.write(f".harness/features/{name}/state.json", json.dumps(state))
    if decisions:
        packet = {"epic_id": name, "packet_id": "DP-1", "stage": "SPEC", "questions": list(decisions)}
        loop.write(f".harness/features/{name}/decision-packet.json", json.dumps(packet))


def test_the_budget_with_least_left_is_told(call, loop):
    epic(loop, "sh-1-hay", 2, 0)
    found = ask(call, "budget")
    assert [found[name] for name in ("total", "consumed", "remaining", "left", "consistent")] == [2, 0, 2, 2, True]
    epic(loop, "sh-2-oats", 1, 1)
    found = ask(call, "budget", code=1)
    assert (found["epic_id"], found["left"], len(found["epics"])) == ("sh-2-oats", 0, 2)
    assert ask(call, "budget", "--epic-id", "sh-1-hay")["epic_id"] == "sh-1-hay"
    loop.write(".harness/features/sh-2-oats/state.json", "{")
    assert ask(call, "budget", code=1)["total"] is None


def test_an_open_question_says_no(call, loop):
    epic(loop, "sh-1-hay", 2, 0)
    assert ask(call, "packet") == {"questions": [], "open": 0, "error": None}
    epic(loop, "sh-1-hay", 2, 0, [{"id": "Q-1", "question": "Turn it?", "options": ["A: yes", "B: no"]}])
    found = ask(call, "packet", code=1)
    assert (found["open"], found["questions"][0]["question_id"]) == (1, "Q-1")
    loop.write(".harness/features/sh-1-hay/decision-packet.json", "{")
    assert ask(call, "packet", code=1)["error"].startswith(".harness/features/sh-1-hay/decision-packet.json: ")


PLAN = """\
# Plan

| ID | Slug | Goal | Mode | Depends on | Status |
|---|---|---|---|---|---|
| T-01 | dig-beds | Dig. | full | T-02 | pending |
| T-02 | sow-rye | Sow. | full | T-01 | pending |
| T-03 | Sow Oats! | Sow. | full | T-77 | pending |
| T-03 | mow-hay | Mow. | full | — | pending |
"""


HEAD = PLAN.split("| T-01", maxsplit=1)[0]


def test_what_keeps_a_plan_from_being_worked_off(call, loop):
    assert ask(call, "pool", code=1)["unknown_dependencies"] == [{"id": "T-05", "depends_on": "T-99", "line": 14}]
    loop.write("docs/batches/garden/BATCH_PLAN.md", PLAN)
    found = ask(call, "pool", "--pool", "garden", code=1)
    assert (found["tasks"], found["cycles"], found["duplicates"]) == (4, [["T-01", "T-02"]], ["T-03"])
    assert [(item["id"], item["depends_on"]) for item in found["unknown_dependencies"]] == [("T-03", "T-77")]
    assert found["invalid_slugs"] == ["Sow Oats!"]
    assert ask(call, "pool", code=1)["tasks"] == 9
    loop.write(
        "docs/batches/garden/BATCH_PLAN.md",
        PLAN.split("| T-01", maxsplit=1)[0] + "| T-01 | dig | Dig. | full | — | done |\n",
    )
    assert ask(call, "pool", "--pool", "garden")["pools"][0]["readable"] is True
    loop.write("docs/batches/garden/BATCH_PLAN.md", "no table\n")
    ask(call, "pool", "--pool", "garden", code=1)
    loop.write("docs/batches/garden/BATCH_PLAN.md", HEAD + "|  | dig | Dig. | full | — | done |\n| T-02 | a |\n")
    assert ask(call, "pool", "--pool", "garden", code=1)["bad_rows"] == [5, 6]
    loop.write(
        "docs/batches/garden/BATCH_PLAN.md", HEAD.replace("Mode", "Way") + "| T-1 | a | A. | full | — | done |\n"
    )
    assert ask(call, "pool", "--pool", "garden", code=1)["pools"][0]["readable"] is False


def test_a_row_outside_the_table_of_tasks_is_a_bad_one(call, loop):
    row = "| T-0{0} | mow-{0} | Mow. | full | — | pending |\n"
    plan = loop.write("docs/batches/garden/BATCH_PLAN.md", HEAD + row.format(1))
    assert ask(call, "pool", "--pool", "garden")["tasks"] == 1
    plan.write_text(
        HEAD + row.format(1) + "\n## Later\n\n" + row.format(2) + "\n" + HEAD[HEAD.index("|") :] + row.format(3)
    )
    found = ask(call, "pool", "--pool", "garden", code=1)
    assert (found["tasks"], found["bad_rows"]) == (1, [9, 11])


def put(path, kind):
    """Something that is no plain file of the workspace where `path` is looked for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"ring": path.name, "link": "/etc/hostname"}[kind])


@pytest.mark.parametrize("kind", ["folder", "pipe", "ring", "link"])
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["lock"], ".servo/control-state.md"), (["gate"], ".servo/control-state.md"),
        (["gate"], ".servo/worktrack/WT-3/gate-evidence.md"), (["pipeline"], ".servo/control-state.md"),
        (["pipeline"], ".servo/repo/milestone-backlog.md"), (["pipeline"], ".servo/repo/milestone-history.md"),
        (["pipeline"], ".servo/milestone/MS-8.md"), (["pool"], "docs/batches/orchard/BATCH_PLAN.md"),
        (["pool", "--pool", "orchard"], "docs/batches/orchard/BATCH_PLAN.md"),
    ],
)  # fmt: skip
def test_what_is_no_plain_file_is_not_taken_for_missing(call, loop, words, name, kind):
    loop.write("docs/batches/orchard/BATCH_PLAN.md", HEAD + "| T-1 | a | A. | full | — | done |\n")
    loop.write("docs/batches/kiln/BATCH_PLAN.md", HEAD + "| T-1 | a | A. | full | — | done |\n")
    call("guard", *words)
    put(loop / name, kind)
    answer = call("guard", *words)
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith(f"harness-tui: {name}: this ")


def test_a_link_that_can_hold_nothing_that_is_asked_about_is_no_matter(call, loop):
    before = [call("guard", words).code for words in ("gate", "pipeline")]
    for folder in ("worktrack/WT-3", "milestone", "repo"):
        (loop / ".servo" / folder / "trace.log").symlink_to("/etc/hostname")
    assert [call("guard", words).code for words in ("gate", "pipeline")] == before


@pytest.mark.parametrize("kind", ["folder", "pipe", "ring", "link"])
def test_a_signal_that_is_no_plain_file_counts_as_stop(call, loop, kind):
    put(loop / ".harness/intervention.md", kind)
    assert ask(call, "intervention", code=1)["safest"] == "STOP"
    assert json.loads(call("status", "--json").out)["interventions"]["safest"] == "STOP"


@pytest.mark.parametrize("name", ["budget", "packet"])
def test_an_epic_that_lies_elsewhere_is_not_taken_for_none(call, loop, name, tmp_path_factory):
    epic(loop, "sh-1-hay", 2, 0)
    ask(call, name)
    (loop / ".harness/features/sh-2-oats").symlink_to(tmp_path_factory.mktemp("far"))
    assert call("guard", name).code == 4
    ask(call, name, "--epic-id", "sh-1-hay")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lock"], "no control state"), (["gate"], "no gate evidence"), (["budget"], "there is no epic"),
        (["packet", "--epic-id", "x"], "there is no epic x"), (["pool", "--pool", "x"], "no pool x"),
        (["gate", "--worktrack", "WT-9"], "of WT-9"), (["lock", "nosuch"], "no such file or folder"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_code_3(call, workspace, monkeypatch, words, says):
    monkeypatch.chdir(workspace.root)
    answer = call("guard", *words)
    assert (answer.code, answer.out) == (3, "")
    assert says in answer.err


def test_files_of_the_loop_that_disagree_are_named_with_the_recovery(call, loop):
    assert ask(call, "pipeline")["consistent"] is True
    loop.write(".servo/repo/milestone-backlog.md", "## Active\n\n### MS-9\n\n- status: active\n")
    found = ask(call, "pipeline", code=1)
    assert found["recoveries"] == ["clear-stale-reference", "rebuild-pipeline"]
    assert found["findings"][0]["files"] == [".servo/milestone/MS-8.md", ".servo/repo/milestone-backlog.md"]
    doctor = json.loads(call("doctor", "--json").out)["problems"]
    assert any("recovery: clear-stale-reference" in item["message"] for item in doctor)


def test_all_asks_every_guard_that_has_something_to_say(call, loop):
    epic(loop, "sh-1-hay", 2, 0)
    found = ask(call, "all", code=1)
    assert found["root"] == str(loop.root)
    assert {name: item["go"] for name, item in found["guards"].items()} == {
        "branch-context-check": True, "git-hash-check": False, "milestone-kind-routing": True,
        "pre-milestone-intake-guard": False, "complex-project-entry-gate-check": False,
        "milestone-review-gate-check": False, "runtime-backfill-detect": True, "worktrack-intake-review-check": False,
        "evidence-completeness-check": False, "intervention": True, "lock": True, "gate": True, "budget": True,
        "packet": True, "pool": False, "pipeline": True,
    }  # fmt: skip
    assert set(found["guards"]) | set(found["not_asked"]) == set(GUARDS) - {"all"}
    assert found["guards"]["milestone-kind-routing"]["result"]["milestone_kind"] == "work-collection"
    assert found["guards"]["branch-context-check"]["result"]["current_branch"] == "trunk"


def test_all_says_go_where_nothing_is_in_the_way(call, workspace):
    workspace.write(
        "docs/batches/orchard/BATCH_PLAN.md",
        PLAN.split("| T-01", maxsplit=1)[0] + "| T-1 | a | A. | full | — | done |\n",
    )
    found = ask(call, "all", workspace.root)
    assert [*found["guards"]] == ["intervention", "pool"]
    assert found["not_asked"]["lock"] == "there is no control state"


def test_all_tells_what_it_could_not_read(call, loop):
    (loop / ".servo/repo/pre-milestone-intake-MS-8.md").unlink()
    os.mkfifo(loop / ".servo/repo/pre-milestone-intake-MS-8.md")
    plan = loop / "docs/batches/orchard/BATCH_PLAN.md"
    plan.write_bytes(b"x" * ((32 << 20) + 1))
    found = ask(call, "all", code=1)
    assert found["guards"]["pool"] == {
        "go": False, "exit": 4,
        "error": "docs/batches/orchard/BATCH_PLAN.md: it is too big: 33554433 bytes, at most 33554432 are read",
    }  # fmt: skip


PROGRAM = """
import json, sys
from harness_tui.cli.main import main
code = main(sys.argv[1:])
sys.stderr.write(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("name", GUARDS)
def test_the_options_of_a_guard_without_a_word_are_those_of_its_parser(name):
    module = guard_module(name)
    found = defaults(module)
    if found is None:
        with pytest.raises(SystemExit):
            guard_parser(name, module).parse_args([])
    else:
        assert vars(found) | {"json": False} == vars(guard_parser(name, module).parse_args([]))


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["milestone-kind-routing", "--milestone", ".servo/milestone/MS-8.md"], 23),
        (["branch-context-check", "--control-state", ".servo/control-state.md", "--scope", "RepoScope", "--function",
          "Observe"], 25),
        (["dispatch-profile-check", "--profile-json", "{}"], 17),
        (["evidence-completeness-check"], 23),
    ],
)  # fmt: skip
def test_a_guard_imports_hardly_more_than_it_asks(loop, environment, words, most):
    argv = [sys.executable, "-c", PROGRAM, "guard", *words]
    done = subprocess.run(argv, capture_output=True, env=environment, timeout=50, check=True, cwd=loop.root)
    names = json.loads(done.stderr)
    top = {name.partition(".")[0] for name in names}
    assert not {"typing", "dataclasses", "shutil", "pathlib", "textwrap"} & top
    assert not {"pydantic", "git", "rich", "textual", "watchdog", "inspect"} & top
    assert ("argparse" in top) == (len(words) > 1)
    assert len([name for name in names if name.startswith("harness_tui")]) <= most


@pytest.mark.parametrize(
    "words", [["lock"], ["intervention"], ["checkpoint-writeback", "--checkpoint-type", "observed"]]
)
def test_no_guard_imports_a_heavy_library(loop, environment, words):
    argv = [sys.executable, "-c", PROGRAM, "guard", *words]
    done = subprocess.run(argv, capture_output=True, env=environment, timeout=50, check=False, cwd=loop.root)
    top = {name.partition(".")[0] for name in json.loads(done.stderr.rpartition(b"\n")[2])}
    assert not {"pydantic", "git", "rich", "textual", "watchdog", "asyncio"} & top
