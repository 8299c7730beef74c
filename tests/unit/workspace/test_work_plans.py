import os

import pytest

from harness_tui.workspace.cache import GRACE
from harness_tui.workspace.work_plans import WorkPlanReader

HEAD = "# Plan: {0}\n\n## Implementation Steps\n\n- [x] **Task 1: A**\n- [/] **Task 2: B**\n"
BLOCKER = "\n## Blocker\n\n- **Trigger:** permission wall\n- **Needed:** a key\n"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "mill"
    folder.mkdir()
    return folder


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def titles(plans):
    return [(plan.path, plan.title) for plan in plans.plans]


def test_nothing_there(root):
    reader = WorkPlanReader(root)
    found = reader.refresh(None, 0.0)
    assert found.plans == ()
    assert (found.current, found.blockers, found.waiting) == (None, (), ())
    assert reader.refresh(None, 1.0) is found
    assert reader.problems == ()
    assert reader.folders() == [root]
    assert not reader.unsettled


def test_root_live_features_and_the_newest_archive(root):
    write(root, "PLAN.md", HEAD.format("main") + BLOCKER)
    write(root, "docs/features/oil/PLAN.md", HEAD.format("oil") + BLOCKER)
    write(root, "docs/features/_archived/wax/PLAN.md", HEAD.format("wax") + BLOCKER)
    write(root, "docs/features/_draft/PLAN.md", HEAD.format("draft"))
    write(root, "docs/features/bare/01_REQUIREMENT.md", "x")
    write(root, "plans/2026-03-01-old.md", HEAD.format("old"))
    write(root, "docs/plans/2026-03-09_new.md", HEAD.format("new") + BLOCKER)
    write(root, "plans/2026-13-41-never.md", HEAD.format("never"))
    write(root, "plans/zz-notes.md", HEAD.format("notes"))
    reader = WorkPlanReader(root)
    found = reader.refresh(None, 0.0)
    assert titles(found) == [
        ("PLAN.md", "main"), ("docs/features/oil/PLAN.md", "oil"), ("docs/plans/2026-03-09_new.md", "new"),
    ]  # fmt: skip
    assert [(plan.slug, plan.archived) for plan in found.plans] == [(None, False), ("oil", False), (None, True)]
    assert [(item.path, item.line, item.task) for item in found.blockers] == [
        ("PLAN.md", 8, "2"), ("docs/features/oil/PLAN.md", 8, "2"), ("docs/plans/2026-03-09_new.md", 8, "2"),
    ]  # fmt: skip
    assert [plan.title for plan, _ in found.waiting] == ["main", "oil"]
    assert found.current is found.plans[0]
    assert found.plans[0].modified_at is not None
    assert reader.folders() == [
        root, root / "plans", root / "docs/plans", root / "docs/features/oil",
    ]  # fmt: skip


def test_of_one_day_the_plan_that_changed_last(root):
    late = write(root, "plans/2026-03-01-aa.md", HEAD.format("late"))
    early = write(root, "plans/2026-03-01-zz.md", HEAD.format("early"))
    os.utime(early, (1, 1))
    os.utime(late, (2, 2))
    assert [plan.title for plan in WorkPlanReader(root).refresh(None, 0.0).plans] == ["late"]


def test_unchanged_files_give_the_same_object_and_a_change_only_its_own_plan(root):
    write(root, "PLAN.md", HEAD.format("main"))
    path = write(root, "docs/features/oil/PLAN.md", HEAD.format("oil"))
    reader = WorkPlanReader(root)
    first = reader.refresh(None, 0.0)
    assert reader.refresh(None, 1.0) is first
    path.write_text(HEAD.format("oil") + BLOCKER)
    assert reader.refresh(frozenset({str(root / "elsewhere")}), 2.0) is first
    assert reader.knows(str(path))
    second = reader.refresh(frozenset({str(path)}), 3.0)
    assert second is not first
    assert second.plans[0] is first.plans[0]
    assert [item.needed for item in second.blockers] == ["a key"]


def test_new_and_removed_plans_are_seen(root):
    (root / "docs/features/oil").mkdir(parents=True)
    reader = WorkPlanReader(root)
    assert reader.refresh(None, 0.0).plans == ()
    path = write(root, "docs/features/oil/PLAN.md", HEAD.format("oil"))
    assert reader.knows(str(path))
    assert len(reader.refresh(frozenset({str(path)}), 1.0).plans) == 1
    write(root, "PLAN.md", HEAD.format("main"))
    write(root, "plans/2026-03-01-x.md", HEAD.format("x"))
    write(root, "docs/features/wax/PLAN.md", HEAD.format("wax"))
    assert [plan.title for plan in reader.refresh(None, 2.0).plans] == ["main", "oil", "wax", "x"]
    path.unlink()
    assert [plan.title for plan in reader.refresh(None, 3.0).plans] == ["main", "wax", "x"]


@pytest.mark.parametrize("rest", ["", "# Plan: main\n", HEAD.format("main"), HEAD.format("main")[:60]])
def test_a_plan_cut_off_keeps_the_last_good_reading_for_a_while(root, rest):
    path = write(root, "PLAN.md", HEAD.format("main") + BLOCKER)
    reader = WorkPlanReader(root)
    first = reader.refresh(None, 0.0)
    path.write_text(rest)
    held = reader.refresh(None, 1.0)
    assert held.plans[0].stale
    assert held.blockers == first.blockers
    assert reader.unsettled
    after = reader.refresh(None, 1.0 + GRACE)
    assert not after.plans[0].stale
    assert after.blockers == ()
    assert not reader.unsettled


def test_a_plan_written_again_in_full_is_taken_at_once(root):
    path = write(root, "PLAN.md", HEAD.format("main"))
    reader = WorkPlanReader(root)
    reader.refresh(None, 0.0)
    path.write_text("")
    assert reader.refresh(None, 1.0).plans[0].stale
    path.write_text(HEAD.format("main").replace("[/]", "[x]"))
    found = reader.refresh(None, 1.1)
    assert [task.state for task in found.plans[0].tasks] == ["done", "done"]
    assert not found.plans[0].stale


def test_an_emptied_plan_gives_way_to_the_newest_archived_one(root):
    path = write(root, "PLAN.md", HEAD.format("main") + BLOCKER)
    reader = WorkPlanReader(root)
    reader.refresh(None, 0.0)
    write(root, "plans/2026-03-02-main.md", path.read_text())
    path.write_text("")
    reader.refresh(None, 1.0)
    found = reader.refresh(None, 2.0 + GRACE)
    assert found.current is not None
    assert found.current.path == "plans/2026-03-02-main.md"
    assert [(plan.archived, blocker.needed) for plan, blocker in found.waiting] == [(True, "a key")]


def test_links_out_of_the_workspace_and_odd_files_are_not_read(root, tmp_path):
    outside = write(tmp_path, "away/PLAN.md", HEAD.format("away"))
    (root / "PLAN.md").symlink_to(outside)
    (root / "plans").symlink_to(outside.parent)
    (root / "docs/features/oil").mkdir(parents=True)
    os.mkfifo(root / "docs/features/oil/PLAN.md")
    reader = WorkPlanReader(root)
    found = reader.refresh(None, 0.0)
    assert all(plan.tasks == () for plan in found.plans)
    assert {(problem.code, problem.path) for problem in reader.problems} == {
        ("unreadable", "PLAN.md"), ("unreadable", "docs/features/oil/PLAN.md"), ("link-outside", "plans"),
    }  # fmt: skip


def test_problems_of_the_plans_are_told(root):
    write(root, "PLAN.md", "## Implementation Steps\n\n- [/] a\n- [/] b\n")
    reader = WorkPlanReader(root)
    reader.refresh(None, 0.0)
    assert [problem.code for problem in reader.problems] == ["several-in-progress"]
