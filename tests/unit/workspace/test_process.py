from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness_tui.model.lease import LeaseClaim
from harness_tui.workspace.process import boot_id, judge_lease, own_claim, process_state

needs_proc = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no /proc on this system")
PATH = ".harness/stream.lock"


@pytest.fixture
def ours():
    return LeaseClaim(PATH, **own_claim("kiln"))


@pytest.fixture
def proc(tmp_path):
    """A /proc with process 7, whose name tries to pass for the end of the name field."""
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("boot-1\n")
    make_process(tmp_path, 7, "S", 4242)
    return tmp_path


def make_process(proc, pid, state, start):
    (proc / str(pid)).mkdir()
    fields = " ".join(str(number) for number in range(18))
    (proc / str(pid) / "stat").write_bytes(
        b"%d (a) Z 1 (b\xff) %s %s %d 0 0\n" % (pid, state.encode(), fields.encode(), start)
    )


CLAIM = LeaseClaim(PATH, 7, "2026-01-01T00:00:00Z", 4242, "boot-1", "potter", "kiln")


def judge(proc, **changes):
    return judge_lease(replace(CLAIM, **changes), proc=proc, host="potter")


@needs_proc
def test_own_claim_is_alive(ours):
    lease = judge_lease(ours)
    assert lease.alive, lease.why
    assert (lease.pid, lease.pool_id, lease.path) == (os.getpid(), "kiln", PATH)
    assert abs((datetime.now(UTC) - lease.started_at).total_seconds()) < 60


@needs_proc
def test_own_start_time_agrees_with_that_of_the_system(ours):
    ticks = os.sysconf("SC_CLK_TCK")
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    assert 0 <= uptime - ours.start_ticks / ticks < 24 * 3600 * 365


@needs_proc
def test_process_that_ended_and_was_not_reaped_is_dead():
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    state = process_state(child.pid)
    claim = replace(LeaseClaim(PATH, **own_claim("kiln")), pid=child.pid, start_ticks=state.start_ticks)
    assert state.state == "Z"
    assert judge_lease(claim).why == f"process {child.pid} has ended and was not reaped"
    child.wait()
    assert judge_lease(claim).why == f"process {child.pid} is gone"


@needs_proc
def test_first_process_of_another_boot_is_a_stranger():
    claim = LeaseClaim(PATH, 1, "2019-04-01T00:00:00Z", None, "00000000-0000-0000-0000-000000000000", "", "kiln")
    lease = judge_lease(claim)
    assert not lease.alive
    assert "another boot" in lease.why
    assert lease.started_at == datetime(2019, 4, 1, tzinfo=UTC)


def test_agreeing_claim_is_alive(proc):
    assert judge(proc).alive


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"pid": None}, "names no process"),
        ({"pid": 8}, "process 8 is gone"),
        ({"pid": 10**30}, "is gone"),
        ({"start_ticks": None}, "does not say when"),
        ({"start_ticks": 4241}, "stranger"),
        ({"boot_id": ""}, "in which boot"),
        ({"boot_id": "boot-2"}, "another boot"),
        ({"host": ""}, "on which machine"),
        ({"host": "elsewhere"}, "taken on elsewhere"),
    ],
)
def test_whatever_is_missing_or_differs_makes_it_dead(proc, changes, why):
    lease = judge(proc, **changes)
    assert not lease.alive
    assert why in lease.why


@pytest.mark.parametrize("state", ["Z", "X", "x"])
def test_dead_states(proc, state):
    make_process(proc, 9, state, 4242)
    assert not judge(proc, pid=9).alive


@pytest.mark.parametrize("content", [b"", b"9", b"9 (x", b"9 (x) S 1 2", b"9 (x) S" + b" y" * 30])
def test_damaged_stat_is_no_proof(proc, content):
    (proc / "9").mkdir()
    (proc / "9" / "stat").write_bytes(content)
    assert not judge(proc, pid=9).alive


def test_without_proc_nothing_is_proved(tmp_path):
    lease = judge_lease(CLAIM, proc=tmp_path, host="potter")
    assert not lease.alive
    assert "cannot be proved" in lease.why
    assert boot_id(tmp_path) == ""
    assert own_claim("kiln", proc=tmp_path)["start_ticks"] is None


@pytest.mark.parametrize("text", ["", "yesterday", "2026-01-01T00:00:00"])
def test_time_without_zone_or_sense_is_no_time(proc, text):
    assert judge(proc, started_at=text).started_at is None


def test_no_signal_is_sent(proc, monkeypatch):
    def refuse(*arguments):
        raise AssertionError(arguments)

    monkeypatch.setattr(os, "kill", refuse)
    assert judge(proc).alive
    assert not judge(proc, pid=1).alive
