from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness_tui.model.git import Git
from harness_tui.workspace.git import changed_files, read_git

LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


def git(folder, *arguments, when="2026-01-01T00:00:00Z"):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    who = ("-c", "user.name=Potter", "-c", "user.email=potter@example.org")
    done = subprocess.run(("git", *who, *arguments), cwd=folder, env=environment, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repo(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main", ".")
    return tmp_path


def save(folder, name, text, **extra):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", name, **extra)
    return git(folder, "rev-parse", "HEAD")


def test_branch_before_the_first_commit(repo):
    assert read_git(repo) == Git(branch="main", unborn=True, dirty=False)


def test_clean_branch(repo):
    head = save(repo, "a.txt", "1")
    assert read_git(repo) == Git(branch="main", head=head, dirty=False)


@pytest.mark.parametrize("name", ["a.txt", "new.txt"])
def test_changed_or_untracked_file_makes_it_dirty(repo, name):
    save(repo, "a.txt", "1")
    (repo / name).write_text("22")
    assert read_git(repo).dirty is True


def test_root_may_be_given_relative_to_the_current_folder(repo, monkeypatch):
    head = save(repo, "a.txt", "1")
    monkeypatch.chdir(repo.parent)
    assert read_git(Path(repo.name)).head == head


def test_detached_head_has_no_branch(repo):
    head = save(repo, "a.txt", "1")
    git(repo, "checkout", "-q", "--detach")
    assert read_git(repo) == Git(head=head, detached=True, dirty=False)


def test_worktree_has_its_own_branch(repo, tmp_path_factory):
    save(repo, "a.txt", "1")
    other = tmp_path_factory.mktemp("trees") / "second"
    git(repo, "worktree", "add", "-q", "-b", "second", str(other))
    assert read_git(other).branch == "second"


def test_branch_name_is_cleaned(repo):
    save(repo, "a.txt", "1")
    git(repo, "checkout", "-q", "-b", "kiln\u202eevil")
    assert read_git(repo).branch == "kiln‹U+202E›evil"


def test_changed_files_are_uncommitted_ones_then_those_of_commits(repo):
    save(repo, "old.txt", "1", when="2026-01-01T00:00:00Z")
    save(repo, "docs/new one.txt", "1", when="2026-03-01T00:00:00Z")
    save(repo, "newest.txt", "1", when="2026-04-01T00:00:00Z")
    (repo / "new.txt").write_text("1")
    (repo / "old.txt").write_text("22")
    since = datetime(2026, 2, 1, tzinfo=UTC)
    assert changed_files(repo, since) == ("old.txt", "new.txt", "newest.txt", "docs/new one.txt")
    assert changed_files(repo, since, limit=2) == ("old.txt", "new.txt")


def test_renamed_and_odd_names_are_given_whole(repo):
    save(repo, "a.txt", "some text that is long enough to be found again\n" * 5)
    git(repo, "mv", "a.txt", "b\tc.txt")
    assert set(changed_files(repo, datetime(2030, 1, 1, tzinfo=UTC))) == {"a.txt", "b    c.txt"}


def test_changed_files_before_the_first_commit(repo):
    (repo / "a.txt").write_text("1")
    assert changed_files(repo, LONG_AGO) == ("a.txt",)


def test_conflict_is_dirty_and_named(repo):
    save(repo, "a.txt", "1\n")
    git(repo, "checkout", "-q", "-b", "other")
    save(repo, "a.txt", "2\n")
    git(repo, "checkout", "-q", "main")
    save(repo, "a.txt", "3\n")
    with pytest.raises(subprocess.CalledProcessError):
        git(repo, "merge", "other")
    assert read_git(repo).dirty is True
    assert changed_files(repo, datetime(2030, 1, 1, tzinfo=UTC)) == ("a.txt",)
