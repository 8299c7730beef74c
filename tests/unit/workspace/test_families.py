"""Families beside the pools: read when they are there, once a change, and at no cost when they are not."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import families as lighthouse

from harness_tui.workspace import cache
from harness_tui.workspace.families import Families
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.reader import Reader

READERS = ("harness_tui.workspace.epics", "harness_tui.workspace.servo", "harness_tui.workspace.work_plans")
IMPORTED = """
import json, sys
from harness_tui.cli.main import main
main(["status", sys.argv[1]])
sys.stderr.write(json.dumps(sorted(sys.modules)))
"""


@pytest.fixture
def reads(monkeypatch):
    """Paths that were opened, in order."""
    opened = []
    real = cache.read_file

    def spy(path, **options):
        opened.append(Path(path).name)
        return real(path, **options)

    monkeypatch.setattr(cache, "read_file", spy)
    later = time.time_ns() + 3600 * 10**9  # long after every change, so that no file is looked at twice to be sure
    monkeypatch.setattr(cache.time, "time_ns", lambda: later)
    return opened


def fill(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def families(root):
    return Families(Layout(root))


def modules(root, environment):
    argv = [sys.executable, "-c", IMPORTED, str(root)]
    done = subprocess.run(argv, capture_output=True, env=environment, timeout=50, check=True, stdin=subprocess.DEVNULL)
    return set(json.loads(done.stderr.rpartition(b"\n")[2]))


def test_a_workspace_of_pools_alone_imports_no_reader_of_another_family(workspace, environment):
    names = modules(workspace.root, environment)
    assert "harness_tui.workspace.families" in names
    assert not {*READERS, "harness_tui.rules.needs"} & names


@pytest.mark.parametrize(
    ("files", "reader"), [(lighthouse.EPICS, 0), (lighthouse.SERVO, 1), (lighthouse.PLANS, 2)],
    ids=["epics", "servo", "plan"],
)  # fmt: skip
def test_only_the_reader_of_the_family_that_is_there_is_imported(tmp_path, environment, files, reader):
    fill(tmp_path, files)
    assert {name for name in READERS if name in modules(tmp_path, environment)} == {READERS[reader]}


def test_what_is_absent_is_none_and_needs_nothing(tmp_path):
    found = families(tmp_path)
    found.refresh(None, 0.0)
    assert (found.epics, found.plans, found.servo) == (None, None, None)
    assert (found.needs(), found.problems, found.folders(), found.found, found.unsettled) == ([], (), [], [], False)
    assert not found.knows(str(tmp_path / "PLAN.md"))


def test_all_families_are_read(tmp_path):
    fill(tmp_path, lighthouse.EVERY)
    found = families(tmp_path)
    found.refresh(None, 0.0)
    assert found.epics.budgets[0].left == 2
    assert found.plans.waiting
    assert found.servo.handback.locked is True
    assert {item.kind for item in found.needs()} == {"decision", "critical-blocked", "blocker", "lock", "gate"}
    assert any("epic sh-3" in line for line in found.found)
    assert any("control state" in line for line in found.found)
    assert any("3 tasks" in line for line in found.found)
    assert found.knows(str(tmp_path / lighthouse.STATE))
    assert tmp_path / ".servo" in found.folders()


@pytest.mark.parametrize(
    ("name", "text", "seen"),
    [
        (lighthouse.STATE, lighthouse.state(), lambda snapshot: snapshot.epics.budgets[0].left == 2),
        (lighthouse.PLAN, lighthouse.plan(), lambda snapshot: snapshot.plans.waiting),
        ("docs/features/horn/PLAN.md", lighthouse.plan(), lambda snapshot: snapshot.plans.plans[0].slug == "horn"),
        (lighthouse.CONTROL, lighthouse.control(), lambda snapshot: snapshot.servo.handback.locked),
    ],
    ids=["epic", "plan", "plan of a feature", "control"],
)  # fmt: skip
def test_a_family_that_appears_later_is_found_by_the_next_listing(workspace, name, text, seen):
    reader = Reader(workspace.root)
    first = reader.read()
    assert (first.epics, first.plans, first.servo) == (None, None, None)
    path = workspace.write(name, text)
    assert seen(reader.read(frozenset({str(path)})))
    reader.close()


def test_each_file_is_read_once_a_change(tmp_path, reads):
    fill(tmp_path, lighthouse.EVERY)
    found = families(tmp_path)
    found.refresh(None, 0.0)
    assert sorted(reads) == sorted(Path(name).name for name in lighthouse.EVERY)
    reads.clear()
    found.refresh(frozenset(), 0.5)  # now the guards are asked, too
    before = (found.epics, found.plans, found.servo, found.needs())
    found.refresh(None, 1.0)
    found.refresh(frozenset(), 2.0)
    assert reads == []
    assert all(
        new is old for new, old in zip((found.epics, found.plans, found.servo, found.needs()), before, strict=True)
    )
    fill(tmp_path, {lighthouse.STATE: lighthouse.state(3, 3, 0)})
    found.refresh(frozenset({str(tmp_path / lighthouse.STATE)}), 3.0)
    assert reads == ["state.json"]
    assert found.epics.budgets[0].state == "exhausted"
    assert (found.plans, found.servo) == before[1:3]
    assert "budget" in {item.kind for item in found.needs()}


def test_a_family_that_goes_leaves_nothing_behind(tmp_path):
    fill(tmp_path, lighthouse.EVERY)
    found = families(tmp_path)
    found.refresh(None, 0.0)
    for name in lighthouse.EVERY:
        (tmp_path / name).unlink()
    (tmp_path / ".servo/worktrack").rmdir()
    (tmp_path / ".servo/milestone").rmdir()
    (tmp_path / ".servo").rmdir()
    found.refresh(None, 20.0)
    assert found.epics.budgets == found.epics.decisions == found.plans.plans == ()
    assert not found.servo.present
    assert (found.needs(), found.problems, found.found) == ([], (), [])


def test_the_reader_puts_their_needs_and_problems_with_its_own(workspace):
    workspace.fill(lighthouse.EVERY)
    reader = Reader(workspace.root)
    snapshot = reader.read_all()
    kinds = [item.kind for item in snapshot.inbox]
    assert kinds[0] == "lock"
    assert {"needs-human", "decision", "blocker", "gate", "critical-blocked"} <= set(kinds)
    assert "done-but-refused" in {problem.code for problem in snapshot.problems}
    assert any("control state" in line for line in snapshot.found)
    reader.close()
