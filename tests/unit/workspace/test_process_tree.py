from __future__ import annotations

import os
import signal
import subprocess
import uuid
from pathlib import Path

import pytest
from support.processes import living, wait_for

from harness_tui.workspace import process_tree
from harness_tui.workspace.process_tree import MARK, Tree, new_mark, ticks_now

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self"), reason="needs /proc")  # noqa: PTH110 - at import


@pytest.fixture
def start():
    """Start shells in sessions of their own, each with a mark; nothing of them is left at the end."""
    begun = []

    def shell(text, mark=None):
        mark = mark or new_mark()
        child = subprocess.Popen(["sh", "-c", text], env={**os.environ, MARK: mark}, start_new_session=True)
        begun.append((child, mark))
        return child, mark

    yield shell
    for child, mark in begun:
        for pid in living(mark):
            os.kill(pid, signal.SIGKILL)
        child.wait()


def test_marks_differ_and_the_clock_is_that_of_starts(start):
    assert new_mark() != new_mark()
    before = ticks_now()
    child, mark = start("exec sleep 300")
    (found,) = Tree(child.pid, mark).living()
    assert 0 <= found.start_ticks - before <= 2 * os.sysconf("SC_CLK_TCK")
    assert (found.pid, found.session) == (child.pid, child.pid)


def test_a_process_of_the_same_mark_is_found_without_its_leader(start):
    child, mark = start("setsid sleep 300 & setsid sleep 300 & wait")
    wait_for(lambda: sorted(process.name for process in Tree(0, mark).living()) == ["sh", "sleep", "sleep"])
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    left = Tree(0, mark).living()
    assert [process.name for process in left] == ["sleep", "sleep"]
    Tree(0, mark).end(0.2)
    assert living(mark) == []


def test_processes_of_another_mark_or_older_ones_are_strangers(start):
    _, mark = start("exec sleep 300")
    assert Tree(0, mark[:-1]).living() == []
    assert Tree(0, mark + "1").living() == []
    assert Tree(0, mark, since=ticks_now() + 1000).living() == []
    assert len(Tree(0, mark).living()) == 1


def test_one_that_hides_is_known_when_it_was_seen_while_its_parent_lived(start):
    hidden = f"hidden-{uuid.uuid4()}"
    child, mark = start(f"env -i setsid sh -c ': {hidden}; exec sleep 300.0' & exec sleep 300")
    tree = Tree(child.pid, mark)

    def found():
        return [process.pid for process in tree.living() if process.session not in {child.pid, os.getsid(0)}]

    (pid,) = wait_for(found)
    wait_for(lambda: b"300.0" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert found() == [pid]
    tree.end(0.2)
    assert found() == []


def test_a_number_that_was_given_away_is_not_signalled(start, monkeypatch):
    child, mark = start("exec sleep 300")
    (found,) = Tree(child.pid, mark).living()
    stranger = found._replace(start_ticks=found.start_ticks - 1)
    process_tree._send(stranger, signal.SIGKILL)
    monkeypatch.delattr(os, "pidfd_open")
    process_tree._send(stranger, signal.SIGKILL)
    assert child.poll() is None
    process_tree._send(found, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL


def test_only_processes_of_the_tree_are_signalled(start, monkeypatch):
    _, other = start("exec sleep 300")
    child, mark = start("trap '' TERM; while :; do sh -c 'sleep 0.01' & sleep 0.005; done")
    ours, send = set(), process_tree._send

    def recorded(process, number):
        ours.add(process.session)
        send(process, number)

    monkeypatch.setattr(process_tree, "_send", recorded)
    wait_for(lambda: len(living(mark)) > 1)
    Tree(child.pid, mark).end(0.2)
    assert ours == {child.pid}
    assert living(mark) == []
    assert len(living(other)) == 1


def test_who_outlives_everything_is_named_and_waited_for(start, monkeypatch):
    child, mark = start("exec sleep 300")
    told = []
    send = process_tree._send
    monkeypatch.setattr(process_tree, "_STUBBORN", 0.0)
    monkeypatch.setattr(process_tree, "_send", lambda process, number: told and send(process, number))
    Tree(child.pid, mark).end(0.0, told.append)
    assert len(told) == 1
    assert str(child.pid) in told[0]
    assert living(mark) == []


def test_without_proc_the_group_stands_for_all(start, monkeypatch):
    child, mark = start("sleep 300 & sleep 300")
    wait_for(lambda: len(living(mark)) == 3)
    monkeypatch.setattr(process_tree.os.path, "exists", lambda _path: False)
    tree = Tree(child.pid, mark)
    assert [process.session for process in tree.living()] == [child.pid]
    process_tree._send(tree.living()[0], signal.SIGKILL)
    child.wait()
    wait_for(lambda: tree.living() == [])
    assert living(mark) == []
