"""Which files the guards are asked about, in all the ways in which files are named."""

import pytest

from harness_tui.workspace.files import FileError
from harness_tui.workspace.git_head import GitError, Head, origin_branch, read_head
from harness_tui.workspace.guard_questions import guard_questions
from harness_tui.workspace.guard_text import guard_text
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo import ServoReader

STATE = """\
- repo_scope: active
- worktrack_scope: {scope}
- current_function: {function}

## Active Milestone

- active_milestone: MS-8

## Active Worktrack

- active_worktrack: WT-3
"""


@pytest.fixture
def loop(workspace):
    workspace.write(".servo/control-state.md", STATE.format(scope="none", function="Observe"))
    return workspace


def questions(workspace):
    layout = Layout(workspace.root)
    return guard_questions(layout, ServoReader(layout).refresh(None, 0.0))


def files(workspace, name):
    found = questions(workspace)[name]
    return found if isinstance(found, str) else [str(path.relative_to(workspace.root)) for path in found.files]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("pre-milestone-intake-guard", ".servo/repo/pre-milestone-intake-MS-8.md"),
        ("pre-milestone-intake-guard", ".servo/repo/MS-8-pre-milestone-intake-review.md"),
        ("complex-project-entry-gate-check", ".servo/repo/complex-project-entry-gate.md"),
        ("complex-project-entry-gate-check", ".servo/repo/pre-milestone-intake-MS-8.md"),
        ("worktrack-intake-review-check", ".servo/repo/worktrack-intake-WT-3.md"),
        ("worktrack-intake-review-check", ".servo/worktrack/MS-8-WT-3-intake-review.md"),
        ("milestone-kind-routing", ".servo/milestone/MS-8.md"),
        ("evidence-completeness-check", ".servo/worktrack/WT-3/gate-evidence.md"),
        ("evidence-completeness-check", ".servo/worktrack/WT-3-gate-evidence.md"),
    ],
)
def test_a_file_is_found_by_what_is_active(loop, name, path):
    assert isinstance(files(loop, name), str)
    loop.write(path, "- worktrack_id: WT-3\n- milestone_id: MS-8\n")
    assert files(loop, name) == [path]


@pytest.mark.parametrize(
    "path",
    [".servo/worktrack/WT-3-contract.md", ".servo/worktrack/WT-3/contract.md", ".servo/worktrack/contract.md"],
)
def test_the_contract_is_the_worktracks_own_or_the_rolling_one(loop, path):
    loop.write(path, "- worktrack_branch: wt/WT-3\n")
    assert files(loop, "branch-context-check") == [".servo/control-state.md", path]


@pytest.mark.parametrize("name", ["git-hash-check", "branch-context-check", "milestone-review-gate-check"])
def test_where_the_state_is_split_the_file_of_the_repository_is_asked(loop, name):
    assert files(loop, name) == [".servo/control-state.md"]
    loop.write(".servo/control-state-repo.md", "## Repo Metadata\n")
    assert files(loop, name) == [".servo/control-state-repo.md"]
    assert files(loop, "runtime-backfill-detect") == [".servo/control-state.md"]


def test_without_a_known_function_the_branch_is_not_asked_about(loop):
    loop.write(".servo/control-state.md", STATE.format(scope="none", function="Daydream"))
    assert "no scope and function" in files(loop, "branch-context-check")


def test_without_a_control_state_there_is_no_question(workspace):
    assert set(questions(workspace).values()) == {"there is no control state"}


def test_an_answer_is_that_of_the_files_as_they_are_now(loop):
    loop.write(".servo/milestone/MS-8.md", "- milestone_id: MS-8\n- milestone_kind: goal-driven\n")
    question = questions(loop)["milestone-kind-routing"]
    assert question.ask(Head()).go
    loop.write(".servo/milestone/MS-8.md", "- milestone_kind: seasonal\n")
    assert not question.ask(Head()).go
    (loop / ".servo/milestone/MS-8.md").unlink()
    assert question.ask(Head()).document["milestone_kind"] == "unknown"
    (loop / ".servo/milestone/MS-8.md").mkdir()
    with pytest.raises(FileError):
        question.ask(Head())


def test_only_questions_about_git_depend_on_it(loop):
    loop.write(".servo/milestone/MS-8.md", "- milestone_id: MS-8\n")
    asked = {name: item.git for name, item in questions(loop).items() if not isinstance(item, str)}
    assert {name for name, git in asked.items() if git} == {"git-hash-check", "branch-context-check"}
    loop.write(".servo/control-state.md", "- latest_observed_checkpoint: c0ffee\n")
    assert questions(loop)["git-hash-check"].ask(Head("trunk", "c0ffee")).go


def test_a_guards_text_has_plain_line_ends_and_no_mark(tmp_path):
    path = tmp_path / "odd.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\xff\n")
    assert guard_text(path) == "a\nb\nc\udcff\n"
    assert guard_text(tmp_path / "gone.md") is None


def test_head_is_branch_and_commit_also_before_the_first_and_off_a_branch(workspace):
    folder = str(workspace.root)

    def head():
        found = read_head(folder)
        return found.branch, found.commit

    assert head() == ("", "")
    workspace.git("init", "-q", "-b", "a/b", ".")
    assert head() == ("a/b", "")
    workspace.git("commit", "-q", "--allow-empty", "-m", "one")
    commit = workspace.git("rev-parse", "HEAD").strip()
    workspace.git("tag", "a/b")
    assert head() == ("a/b", commit)
    workspace.git("switch", "-q", "--detach")
    assert head() == ("", commit)
    assert origin_branch(folder) == ""


@pytest.mark.parametrize("kind", ["tag", "branch"])
def test_a_branch_or_tag_called_head_costs_neither_branch_nor_commit(workspace, kind):
    folder = str(workspace.root)
    workspace.git("init", "-q", "-b", "trunk", ".")
    workspace.git("commit", "-q", "--allow-empty", "-m", "one")
    commit = workspace.git("rev-parse", "HEAD").strip()
    workspace.git("update-ref", {"tag": "refs/tags/HEAD", "branch": "refs/heads/HEAD"}[kind], commit)
    found = read_head(folder)
    assert (found.branch, found.commit) == ("trunk", commit)
    workspace.git("checkout", "-q", "--detach", "trunk")
    found = read_head(folder)
    assert (found.branch, found.commit) == ("", commit)


def test_a_git_that_refuses_to_look_is_another_answer_than_no_repository(workspace):
    workspace.git("init", "-q", "-b", "trunk", ".")
    (workspace / ".git/config").write_text("[core\n")
    with pytest.raises(GitError, match="bad config line 1"):
        read_head(str(workspace.root))
    (workspace / ".git/HEAD").write_text("trunk\n")
    (workspace / ".git/config").write_text("")
    assert read_head(str(workspace.root)).commit == ""


def test_a_git_that_does_not_answer_is_told(workspace, tmp_path, monkeypatch):
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 20\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    with pytest.raises(GitError, match=r"no answer within 0\.1 s"):
        read_head(str(workspace.root), timeout=0.1)


def test_a_foreign_git_dir_does_not_lead_elsewhere(workspace, tmp_path, monkeypatch):
    workspace.git("init", "-q", "-b", "mine", ".")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    assert read_head(str(workspace.root)).branch == "mine"
