from __future__ import annotations

import pytest

from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.model.blocker import Blocker
from harness_tui.model.work import Result
from harness_tui.workspace import blocker_file
from harness_tui.workspace.atomic import ChangedError, WriteError
from harness_tui.workspace.blocker_file import blocker_of, plan_path, read_plan, write_blocker

BLOCKER = Blocker("", 0, trigger="Doom loop", error_signature="`read` 3 times", tried="read it", needed="a hint")
PLAN = b"# Plan: x\n\n## Implementation Steps\n\n- [/] **Task 1: A**\n"


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "docs/features/door-alarm"
    folder.mkdir(parents=True)
    return folder


def test_the_plan_of_the_feature_comes_before_the_one_at_the_root(tmp_path, home):
    assert plan_path(tmp_path, "door-alarm") == home / "PLAN.md"
    (tmp_path / "PLAN.md").write_bytes(PLAN)
    assert plan_path(tmp_path, "door-alarm") == tmp_path / "PLAN.md"
    (home / "PLAN.md").write_bytes(PLAN)
    assert plan_path(tmp_path, "door-alarm") == home / "PLAN.md"
    assert plan_path(tmp_path, "other") == tmp_path / "PLAN.md"


@pytest.mark.parametrize(
    "data",
    [PLAN, PLAN.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + PLAN, PLAN.rstrip(), PLAN + b"\xff\n\n\n", b"```\nopen"],
)
def test_every_byte_before_the_section_stays(tmp_path, home, data):
    path = home / "PLAN.md"
    path.write_bytes(data)
    assert write_blocker(tmp_path, "door-alarm", BLOCKER) == path
    after = path.read_bytes()
    assert after.startswith(data)
    plan = parse_work_plan(after, "PLAN.md")
    assert (plan.blocker.trigger_kind, plan.blocker.needed) == ("doom_loop", "a hint")
    assert (b"\r\n" in data) == (b"\n" not in after.replace(b"\r\n", b""))


def test_a_plan_is_made_where_there_is_none(tmp_path):
    path = write_blocker(tmp_path, "door-alarm", BLOCKER)
    assert path == tmp_path / "docs/features/door-alarm/PLAN.md"
    plan = read_plan(tmp_path, "door-alarm")
    assert (plan.title, plan.blocker.trigger) == ("door-alarm", "Doom loop")


def test_the_same_blocker_is_not_written_twice_and_another_one_is_added(tmp_path, home):
    for _ in range(2):
        write_blocker(tmp_path, "door-alarm", BLOCKER)
    assert len(read_plan(tmp_path, "door-alarm").blockers) == 1
    write_blocker(tmp_path, "door-alarm", Blocker("", 0, trigger="Step budget"))
    plan = read_plan(tmp_path, "door-alarm")
    assert [blocker.trigger for blocker in plan.blockers] == ["Doom loop", "Step budget"]


def test_the_blocker_of_a_result_that_the_agent_wrote_itself_is_not_written_again(tmp_path, home):
    (home / "PLAN.md").write_text(
        "## Blocker\n\nTrigger: step budget (80 of 100)\n\nError signature: 80\n  steps\n\nTried: a\n\nNeeded: b\n"
    )
    own = read_plan(tmp_path, "door-alarm").blocker
    result = Result("hard-stop", trigger="step_budget", signature=own.error_signature, tried="a", needed="b")
    write_blocker(tmp_path, "door-alarm", blocker_of(result))
    assert len(read_plan(tmp_path, "door-alarm").blockers) == 1
    write_blocker(tmp_path, "door-alarm", blocker_of(Result("hard-stop", trigger="doom_loop")))
    assert read_plan(tmp_path, "door-alarm").blocker.trigger_kind == "doom_loop"


def test_one_that_was_resolved_is_written_anew(tmp_path, home):
    path = write_blocker(tmp_path, "door-alarm", BLOCKER)
    path.write_bytes(path.read_bytes().replace(b"## Blocker", b"## Blocker (resolved)"))
    write_blocker(tmp_path, "door-alarm", BLOCKER)
    assert [blocker.resolved for blocker in read_plan(tmp_path, "door-alarm").blockers] == [True, False]


def test_what_somebody_else_writes_meanwhile_is_kept(tmp_path, home, monkeypatch):
    path = home / "PLAN.md"
    path.write_bytes(PLAN)
    replace, calls = blocker_file.replace_file, []

    def interrupted(target, data, *, root, expect):
        if not calls:
            path.write_bytes(PLAN.replace(b"[/]", b"[x]"))
        calls.append(1)
        replace(target, data, root=root, expect=expect)

    monkeypatch.setattr(blocker_file, "replace_file", interrupted)
    write_blocker(tmp_path, "door-alarm", BLOCKER)
    assert b"[x]" in path.read_bytes()
    assert len(calls) == 2


def test_a_plan_that_never_rests_is_given_up(tmp_path, home, monkeypatch):
    def changed(target, *_data, **_more):
        raise ChangedError(target, "it has changed since")

    monkeypatch.setattr(blocker_file, "replace_file", changed)
    with pytest.raises(ChangedError):
        write_blocker(tmp_path, "door-alarm", BLOCKER)


@pytest.mark.parametrize("slug", ["../x", "a/b", "", ".", "/etc", "a\0b"])
def test_a_slug_that_names_no_folder_is_refused(tmp_path, slug):
    with pytest.raises(WriteError):
        write_blocker(tmp_path, slug, BLOCKER)
    assert read_plan(tmp_path, slug) is None
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_leaves_the_workspace_is_refused(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside.md"
    root.mkdir()
    outside.write_bytes(PLAN)
    (root / "PLAN.md").symlink_to(outside)
    with pytest.raises(WriteError):
        write_blocker(root, "door-alarm", BLOCKER)
    assert read_plan(root, "door-alarm") is None
    assert outside.read_bytes() == PLAN
