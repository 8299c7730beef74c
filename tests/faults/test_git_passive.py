"""Reading git runs nothing that the repository names, takes no lock and leaves the index alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from harness_tui.workspace.git import changed_files, read_git
from harness_tui.workspace.git_head import origin_branch, read_head

LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


def run(folder, *command, **extra):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"} | extra
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "git", "init", "-q", "-b", "main", ".")
    run(folder, "git", "config", "user.name", "Potter")
    run(folder, "git", "config", "user.email", "potter@example.org")
    (folder / "clay.txt").write_text("wet\n")
    return folder


def commit(folder, message="a change"):
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-q", "-m", message)
    return run(folder, "git", "rev-parse", "HEAD").strip()


def canary(folder, name, then="cat"):
    """A program that leaves a mark when it is run; returns its path and that of the mark."""
    mark = folder.parent / f"{name}.mark"
    program = folder.parent / f"{name}.sh"
    program.write_text(f'#!/bin/sh\ntouch "{mark}"\n{then}\n')
    program.chmod(0o755)
    return program, mark


def touch_later(path):
    later = datetime.now(UTC).timestamp() + 5
    os.utime(path, (later, later))


def plain_status(folder):
    run(folder, "git", "--no-optional-locks", "status", "--porcelain")


def read_all(folder):
    read_git(folder)
    changed_files(folder, LONG_AGO)
    read_head(str(folder))
    origin_branch(str(folder))


def test_file_system_monitor_is_not_run(repo):
    program, mark = canary(repo, "monitor")
    run(repo, "git", "config", "core.fsmonitor", str(program))
    commit(repo)
    mark.unlink(missing_ok=True)
    for _ in range(10):
        read_all(repo)
    assert not mark.exists()
    subprocess.run(["git", "status"], cwd=repo, check=False, capture_output=True, stdin=subprocess.DEVNULL)
    assert mark.exists(), "the control does not fire, so this test shows nothing"


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("required", ["true", "false"])
def test_content_filters_are_not_run(repo, key, required):
    commit(repo)
    program, mark = canary(repo, "filter")
    (repo / ".gitattributes").write_text("*.txt filter=odd=Na.me\n")
    run(repo, "git", "config", f"filter.odd=Na.me.{key}", str(program))
    run(repo, "git", "config", "filter.odd=Na.me.required", required)
    touch_later(repo / "clay.txt")
    git = read_git(repo)
    read_all(repo)
    assert not mark.exists()
    assert git.error is None
    assert git.dirty is True
    subprocess.run(["git", "--no-optional-locks", "status"], cwd=repo, check=False, capture_output=True)
    assert mark.exists(), "the control does not fire, so this test shows nothing"


def test_filter_of_an_included_file_is_not_run(repo):
    commit(repo)
    program, mark = canary(repo, "included")
    (repo.parent / "more.cfg").write_text(f'[filter "inc"]\n\tclean = {program}\n')
    (repo / ".git" / "info").mkdir(exist_ok=True)
    (repo / ".git" / "info" / "attributes").write_text("* filter=inc\n")
    run(repo, "git", "config", "include.path", str(repo.parent / "more.cfg"))
    touch_later(repo / "clay.txt")
    read_all(repo)
    assert not mark.exists()
    plain_status(repo)
    assert mark.exists(), "the control does not fire, so this test shows nothing"


def test_signature_program_and_external_diff_are_not_run(repo):
    program, mark = canary(repo, "show")
    for key in ("gpg.program", "diff.external", "diff.kiln.command", "diff.kiln.textconv", "core.pager", "pager.log"):
        run(repo, "git", "config", key, str(program))
    run(repo, "git", "config", "log.showSignature", "true")
    (repo / ".gitattributes").write_text("* diff=kiln\n")
    commit(repo)
    (repo / "clay.txt").write_text("dry\n")
    read_all(repo)
    assert not mark.exists()


@pytest.mark.parametrize("key", ["core.sshCommand", "remote.far.uploadpack"])
def test_missing_object_is_not_fetched_by_a_command_of_the_repository(repo, key):
    commit(repo)
    program, mark = canary(repo, "transport", then="exit 1")
    url = "ssh://example.invalid/x" if key == "core.sshCommand" else str(repo.parent / "other")
    if key == "remote.far.uploadpack":
        shutil.copytree(repo, url)
    for name, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "far", "remote.far.url": url,
        "remote.far.promisor": "true", "remote.far.partialCloneFilter": "blob:none", key: str(program),
        "protocol.allow": "always",
    }.items():  # fmt: skip
        run(repo, "git", "config", name, value)
    tree = run(repo, "git", "rev-parse", "HEAD^{tree}").strip()
    (repo / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    git = read_git(repo)
    changed_files(repo, LONG_AGO)
    assert not mark.exists()
    assert git.error is None or git.dirty is None
    subprocess.run(["git", "log", "--name-only"], cwd=repo, check=False, capture_output=True)
    assert mark.exists(), "the control does not fire, so this test shows nothing"


def test_hooks_are_not_run(repo):
    commit(repo)
    program, mark = canary(repo, "hook")
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        hook = repo / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        shutil.copy(program, hook)
    touch_later(repo / "clay.txt")
    read_all(repo)
    assert not mark.exists()
    run(repo, "git", "status")
    assert mark.exists(), "the control does not fire, so this test shows nothing"


def test_index_is_neither_rewritten_nor_locked(repo):
    commit(repo)
    touch_later(repo / "clay.txt")
    index = repo / ".git" / "index"
    before = index.stat()
    (repo / ".git" / "index.lock").write_text("an agent commits just now")
    for _ in range(5):
        assert read_git(repo).error is None
        assert changed_files(repo, LONG_AGO) is not None
    after = index.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    (repo / ".git" / "index.lock").unlink()
    run(repo, "git", "status")
    assert index.stat().st_mtime_ns != before.st_mtime_ns, "the control does not fire, so this test shows nothing"


def test_submodules_are_left_alone(repo, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    run(inner, "git", "init", "-q", "-b", "main", ".")
    run(inner, "git", "config", "user.name", "Potter")
    run(inner, "git", "config", "user.email", "potter@example.org")
    (inner / "glaze.txt").write_text("blue\n")
    commit(inner)
    run(repo, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    commit(repo)
    program, mark = canary(repo, "submodule")
    run(repo / "inner", "git", "config", "core.fsmonitor", str(program))
    mark.unlink(missing_ok=True)
    (repo / "inner" / "glaze.txt").write_text("green\n")
    assert read_git(repo).dirty is False
    assert not mark.exists()


def test_environment_of_another_repository_is_ignored(repo, tmp_path, monkeypatch):
    head = commit(repo)
    other = tmp_path / "other"
    other.mkdir()
    run(other, "git", "init", "-q", "-b", "elsewhere", ".")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=/bin/false'")
    git = read_git(repo)
    assert (git.branch, git.head, git.dirty) == ("main", head, False)
    assert os.environ["GIT_DIR"] == str(other / ".git")


def test_program_called_git_in_the_workspace_is_not_run(repo, monkeypatch):
    commit(repo)
    program, mark = canary(repo, "git-of-the-repo")
    shutil.copy(program, repo / "git")
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert read_git(repo).branch == "main"
    assert not mark.exists()


def test_no_git_is_said_in_words(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    git = read_git(repo)
    assert git.error == "git is not installed"
    assert git.dirty is None
    assert changed_files(repo, LONG_AGO) is None


def test_folder_that_is_no_repository_is_said_in_words(tmp_path):
    assert read_git(tmp_path).error == "not a git repository"
    assert changed_files(tmp_path, LONG_AGO) is None


def test_folder_that_is_gone_is_said_in_words(tmp_path):
    assert "cannot change to" in (read_git(tmp_path / "gone").error or "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_foreign_owner_is_said_in_words(repo):
    commit(repo)
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    assert read_git(repo).error == "not trusted: owned by another user"


@pytest.mark.parametrize("trouble", ["echo fatal: bad config line 3 >&2; exit 128", "exec sleep 30"])
def test_nothing_that_may_run_a_filter_is_started_when_the_filters_are_not_known(repo, tmp_path, monkeypatch, trouble):
    read_git(repo)
    tools = tmp_path / "tools"
    tools.mkdir()
    fake = tools / "git"
    fake.write_text(f'#!/bin/sh\ncase "$*" in *get-regexp*) {trouble};; esac\ntouch "{tmp_path}/started"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert read_git(repo, timeout=0.3).error in ("bad config line 3", "no answer within 0.3 s")
    assert changed_files(repo, LONG_AGO, timeout=0.3) is None
    assert not (tmp_path / "started").exists()


def test_slow_git_is_given_up(repo, tmp_path, monkeypatch):
    tools = tmp_path / "tools"
    tools.mkdir()
    slow = tools / "git"
    slow.write_text('#!/bin/sh\ncase "$*" in *status*) exec sleep 30;; esac\nexit 1\n')
    slow.chmod(0o755)
    started = datetime.now(UTC)
    read_git(repo)  # the library is loaded here, not in the time that is measured
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert read_git(repo, timeout=0.3).error == "no answer within 0.3 s"
    assert datetime.now(UTC) - started < timedelta(seconds=20)
