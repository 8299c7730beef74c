from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness_tui.workspace.layout import Layout, PoolFiles, find_root


def make(root, *names):
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x\n")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    make(folder, ".git/HEAD", ".git/refs/heads/", "docs/batches/kiln/BATCH_PLAN.md")
    return folder


def codes(layout):
    return {(problem.code, problem.path) for problem in layout.problems}


@pytest.mark.parametrize("mark", ["docs/batches/", ".harness/", ".servo/", "PLAN.md"])
def test_root_without_git_is_the_nearest_folder_with_a_mark(tmp_path, mark):
    make(tmp_path, f"a/{mark}", "a/b/c/file.txt")
    assert find_root(tmp_path / "a/b/c/file.txt") == tmp_path / "a"
    assert find_root(tmp_path / "a/b/c/not/there/yet") == tmp_path / "a"
    assert find_root(tmp_path / "a") == tmp_path / "a"


@pytest.mark.parametrize("git", [".git/", ".git"])
def test_git_above_goes_before_marks_when_it_has_one_too(tmp_path, git):
    make(tmp_path, f"top/{git}", "top/docs/batches/", "top/inner/.harness/", "top/inner/deep/")
    assert find_root(tmp_path / "top/inner/deep") == tmp_path / "top"


def test_marked_folder_inside_a_repository_without_marks_is_the_root(tmp_path):
    make(tmp_path, "top/.git/", "top/inner/.harness/", "top/inner/deep/", "top/bare/deep/")
    assert find_root(tmp_path / "top/inner/deep") == tmp_path / "top/inner"
    assert find_root(tmp_path / "top/bare/deep") == tmp_path / "top"


def test_marked_folder_above_the_repository_is_another_workspace(tmp_path):
    make(tmp_path, ".harness/", "top/.git/", "top/deep/")
    assert find_root(tmp_path / "top/deep") == tmp_path / "top"


def test_no_root(tmp_path):
    make(tmp_path, "a/b/")
    assert find_root(tmp_path / "a/b") is None


def test_pools_with_their_files_in_order(root):
    make(
        root,
        *(
            f"docs/batches/kiln/{name}"
            for name in ("BATCH_LOG.md", "STREAM_LOG.md", "BATCH_REPORT.md", "STREAM_REPORT.md")
        ),
        "docs/batches/only-log/BATCH_LOG.md",
        "docs/batches/_template/BATCH_PLAN.md",
        "docs/batches/.hidden/BATCH_PLAN.md",
        "docs/batches/nothing/README.md",
        "docs/batches/BATCH_PLAN.md",
    )
    kiln, only_log = Layout(root).pools()
    folder = root / "docs/batches/kiln"
    assert kiln == PoolFiles(
        "kiln",
        folder,
        folder / "BATCH_PLAN.md",
        (folder / "STREAM_LOG.md", folder / "BATCH_LOG.md"),
        (folder / "STREAM_REPORT.md", folder / "BATCH_REPORT.md"),
    )
    assert (only_log.id, only_log.plan) == ("only-log", None)
    assert [path.name for path in only_log.logs] == ["BATCH_LOG.md"]


def test_features_live_archived_and_both(root):
    make(root, "docs/features/glaze/01.md", "docs/features/_archived/glaze/07.md", "docs/features/_archived/clay/07.md")
    make(root, "docs/features/_supervision/a.md", "docs/features/note.md", "docs/features/slip/")
    features = Layout(root).features()
    base = root / "docs/features"
    assert {slug: (found.live, found.archived) for slug, found in features.items()} == {
        "clay": (None, base / "_archived/clay"),
        "glaze": (base / "glaze", base / "_archived/glaze"),
        "slip": (base / "slip", None),
    }


def test_documents_are_markdown_and_the_goal_state(root):
    make(
        root,
        *(f"docs/features/glaze/{name}" for name in ("07_DELIVERY.md", "01_A.md", "goal_state.json", "b.json", "x/")),
    )
    documents = Layout(root).documents(root / "docs/features/glaze")
    assert [entry.name for entry in documents] == ["01_A.md", "07_DELIVERY.md", "goal_state.json"]
    assert documents[0].path == str(root / "docs/features/glaze/01_A.md")


def test_single_files(root):
    layout = Layout(root)
    assert (layout.intervention, layout.ambient_flag, layout.leases) == (None, None, [])
    assert layout.boards() == layout.task_states() == layout.verify_history() == layout.baseline() == []
    make(root, ".harness/intervention.md", ".harness/ambient.flag", ".harness/stream.lock", ".harness/state/a.json")
    make(root, ".harness/scripts/verification_history.log", "scripts/verification_history.log", "scripts/baseline.json")
    make(root, "docs/tasks.md", "docs/tasks-archive.md", ".harness/state/b.txt")
    assert layout.intervention == root / ".harness/intervention.md"
    assert layout.ambient_flag == root / ".harness/ambient.flag"
    assert layout.leases == [root / ".harness/stream.lock"]
    assert layout.task_states() == [root / ".harness/state/a.json"]
    assert layout.boards() == [root / "docs/tasks.md", root / "docs/tasks-archive.md"]
    assert layout.verify_history() == [
        root / ".harness/scripts/verification_history.log",
        root / "scripts/verification_history.log",
    ]
    assert layout.baseline() == [root / "scripts/baseline.json"]
    assert layout.problems == ()


def test_empty_root_has_nothing_and_no_problem(tmp_path):
    layout = Layout(tmp_path)
    assert layout.pools() == []
    assert layout.features() == {}
    assert layout.documents(tmp_path / "x") == []
    assert layout.folders_to_watch() == [tmp_path]
    assert layout.problems == ()


def test_links_out_of_the_root_are_reported_and_left_out(root, tmp_path):
    make(tmp_path, "outside/BATCH_PLAN.md", "outside/07_DELIVERY.md", "secret.md")
    (root / "docs/batches/far").symlink_to(tmp_path / "outside")
    (root / "docs/batches/kiln/STREAM_LOG.md").symlink_to(tmp_path / "secret.md")
    (root / "docs/features").symlink_to(tmp_path)
    (root / ".harness").mkdir()
    (root / ".harness/intervention.md").symlink_to(tmp_path / "secret.md")
    layout = Layout(root)
    assert [(pool.id, pool.logs) for pool in layout.pools()] == [("kiln", ())]
    assert layout.features() == {}
    assert layout.documents(root / "docs/features/outside") == []
    assert layout.intervention is None
    assert {("link-outside", path) for path in (
        "docs/batches/far", "docs/batches/kiln/STREAM_LOG.md", "docs/features", ".harness/intervention.md",
    )} <= codes(layout)  # fmt: skip
    assert root / "docs/features" not in layout.folders_to_watch()


def test_links_inside_the_root_are_followed(root):
    make(root, "elsewhere/plan.md", "elsewhere/pool/BATCH_PLAN.md")
    (root / "docs/batches/linked").symlink_to(root / "elsewhere/pool")
    (root / "docs/batches/kiln/STREAM_LOG.md").symlink_to("../../../elsewhere/plan.md")
    layout = Layout(root)
    kiln, linked = layout.pools()
    assert kiln.logs == (root / "docs/batches/kiln/STREAM_LOG.md",)
    assert linked.plan == root / "docs/batches/linked/BATCH_PLAN.md"
    assert layout.problems == ()


def test_problem_goes_when_its_cause_is_gone(root, tmp_path):
    link = root / "docs/batches/kiln/STREAM_LOG.md"
    link.symlink_to(tmp_path)
    layout = Layout(root)
    layout.pools()
    assert codes(layout) == {("link-outside", "docs/batches/kiln/STREAM_LOG.md")}
    link.unlink()
    layout.pools()
    assert layout.problems == ()


def test_plan_that_is_no_file_leaves_a_pool_without_plan_and_a_problem(root):
    plan = root / "docs/batches/kiln/BATCH_PLAN.md"
    plan.unlink()
    os.mkfifo(plan)
    layout = Layout(root)
    assert [(pool.id, pool.plan) for pool in layout.pools()] == [("kiln", None)]
    assert codes(layout) == {("not-a-file", "docs/batches/kiln/BATCH_PLAN.md")}


def test_folder_that_may_not_be_listed_is_a_problem(root, monkeypatch):
    real = os.scandir

    def refuse(folder):
        if str(folder).endswith("kiln"):
            raise PermissionError(13, "no")
        return real(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    layout = Layout(root)
    assert layout.pools() == []
    assert codes(layout) == {("unreadable", "docs/batches/kiln")}


def test_odd_names_are_cleaned_to_be_shown_and_still_open(root):
    odd = Path(os.fsdecode(os.fsencode(root / "docs/batches") + b"/k\xe9\x1b[2J\xe2\x80\xae"))
    odd.mkdir()
    (odd / "BATCH_PLAN.md").write_text("x")
    layout = Layout(root)
    pool = next(pool for pool in layout.pools() if pool.id != "kiln")
    assert pool.id == "k‹0xE9›␛[2J‹U+202E›"
    assert pool.plan.read_text() == "x"
    assert layout.rel(pool.plan) == "docs/batches/k‹0xE9›␛[2J‹U+202E›/BATCH_PLAN.md"


def test_relative_names(root):
    layout = Layout(root)
    assert layout.rel(root / "docs/tasks.md") == "docs/tasks.md"
    assert layout.rel(str(root / "docs")) == "docs"
    assert layout.rel(root) == "."
    assert layout.rel(f"{root}-other/x") == f"{root}-other/x"
    top = Layout(Path("/"))
    assert (top.rel("/docs/tasks.md"), top.rel("/")) == ("docs/tasks.md", "."), "a container that works at the top"


def test_folders_to_watch_come_in_order_and_within_the_limit(root):
    make(
        root,
        ".harness/scripts/",
        ".harness/state/",
        "scripts/",
        "docs/features/_archived/clay/",
        "docs/features/glaze/",
    )
    make(root, *(f"docs/batches/p{number:02}/BATCH_PLAN.md" for number in range(40)), "node_modules/deep/")
    layout = Layout(root)
    watched = layout.folders_to_watch(["glaze", "clay", "gone"])
    names = [layout.rel(path) for path in watched]
    assert names[:9] == [
        ".", ".harness", "docs", "docs/batches", "docs/features", "docs/features/_archived", ".harness/state",
        ".harness/scripts", "scripts",
    ]  # fmt: skip
    assert names[9:15] == [
        ".git", ".git/refs/heads", "docs/batches/kiln", "docs/features/glaze", "docs/batches/p00",
        "docs/features/_archived/clay",
    ]  # fmt: skip
    assert len(watched) == 32
    assert len(layout.folders_to_watch(limit=3)) == 3


def test_worktree_is_watched_where_git_keeps_it(tmp_path):
    make(tmp_path, "main/.git/worktrees/two/HEAD", "main/.git/refs/heads/", "two/docs/")
    (tmp_path / "main/.git/worktrees/two/commondir").write_text("../..\n")
    (tmp_path / "two/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/two\n")
    assert Layout(tmp_path / "two").folders_to_watch() == [
        tmp_path / "two",
        tmp_path / "two/docs",
        tmp_path / "main/.git/worktrees/two",
        tmp_path / "main/.git/refs/heads",
    ]


@pytest.mark.parametrize("pointer", ["", "gitdir: /dev\n", "gitdir: a\0b\n", "nonsense\n", "x" * 100_000])
def test_damaged_git_pointer_is_no_git_folder(tmp_path, pointer):
    (tmp_path / ".git").write_text(pointer)
    assert Layout(tmp_path).folders_to_watch() == [tmp_path]


def test_a_workspace_that_is_moved_away_while_it_is_watched_is_said_to_be_gone(tmp_path):
    make(tmp_path, "w/docs/batches/kiln/BATCH_PLAN.md")
    layout = Layout(tmp_path / "w")
    assert [pool.id for pool in layout.pools()] == ["kiln"]
    (tmp_path / "w").rename(tmp_path / "elsewhere")
    assert layout.pools() == []
    assert [(item.path, item.code, item.severity) for item in layout.problems] == [(".", "root-gone", "error")]
    (tmp_path / "elsewhere").rename(tmp_path / "w")
    assert len(layout.pools()) == 1
    assert layout.problems == ()
