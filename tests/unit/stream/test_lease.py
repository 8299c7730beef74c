"""One run at a time: a second one says who holds the lease, a stale one is taken over, strangers are left alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from support.runs import Mill, Script

from harness_tui.model.lease import FOREIGN, OWN
from harness_tui.model.refusal import Refused
from harness_tui.model.work import Doing
from harness_tui.stream.lease import MARK, held
from harness_tui.workspace.once import read_workspace
from harness_tui.workspace.process import own_claim, process_state


def write_claim(root, name=OWN, **changes):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**own_claim("mill"), **changes}))


def test_while_it_is_held_the_stream_runs_and_names_its_owner(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    seen = []
    mill.run(Script({"T-01": lambda _work, **_: seen.append(read_workspace(tmp_path).stream)}))
    (stream,) = seen
    assert (stream.state, stream.task_id, stream.owner.pid) == ("running", "T-01", os.getpid())
    assert read_workspace(tmp_path).stream.state == "drained"
    assert not (tmp_path / OWN).exists()


def test_a_second_run_is_refused_and_told_who_holds_it(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with (
        held(tmp_path, "other-pool"),
        pytest.raises(
            Refused,
            match=f"process {os.getpid()} on .* drains pool other-pool since .*whatever the pool: the tasks of two",
        ),
    ):
        mill.run()
    assert mill.run().code == 0


def test_a_worker_that_cleans_up_what_git_ignores_lets_no_second_run_in_and_the_run_is_still_seen(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    seen = []

    def clean(_work, *, heard, **_):
        shutil.rmtree(tmp_path / ".harness")
        with pytest.raises(Refused, match="its lock file was removed"), held(tmp_path, "mill"):
            pass
        heard(Doing("said", "cleaned up"))
        with pytest.raises(Refused, match=f"process {os.getpid()} on"), held(tmp_path, "mill"):
            pass
        seen.append(read_workspace(tmp_path).stream.state)

    mill.run(Script({"T-01": clean}))
    assert mill.statuses() == {"T-01": "done"}
    assert seen == ["running"]
    assert mill.run().code == 0


def test_at_the_end_only_the_own_lease_is_taken_away(tmp_path):
    path = tmp_path / OWN
    with held(tmp_path, "mill"):
        path.unlink()
        path.write_text("{}")
    assert path.read_text() == "{}"
    path.unlink()
    with held(tmp_path, "mill"):
        path.unlink()
    assert not path.exists()


def test_the_lock_of_a_stranger_is_taken_over_and_nobody_is_signalled(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    write_claim(tmp_path, FOREIGN, pid=1, boot_id="00000000-0000-0000-0000-000000000000")
    write_claim(tmp_path, start_ticks=1, run="long-gone")
    sent = []
    monkeypatch.setattr(os, "kill", lambda *arguments: sent.append(arguments))
    monkeypatch.setattr(os, "killpg", lambda *arguments: sent.append(arguments))
    monkeypatch.setattr(signal, "pidfd_send_signal", lambda *arguments: sent.append(arguments))
    mill.run()
    told = [line for line in mill.lines() if "stale run lock" in line]
    assert len(told) == 2
    assert "from another boot" in told[0]
    assert sent == []


def test_a_living_run_of_another_program_is_respected(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    write_claim(tmp_path, FOREIGN)
    with pytest.raises(Refused, match="another program"):
        mill.run()
    assert not mill.log.exists()


DEAD = 2**22 - 1
"""The highest number that a process can have: nobody's."""
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"


@pytest.mark.parametrize("mark", ["run-of-the-dead", ""])
def test_the_worker_of_a_dead_run_is_ended_before_anything_is_dispatched(tmp_path, mark, monkeypatch):
    """Once it carries the mark of the run, once it is known by its process group alone."""
    monkeypatch.setattr("harness_tui.stream.lease.GRACE", 0.1)
    environment = {MARK: mark} if mark else {}
    worker = subprocess.Popen(
        [sys.executable, "-S", "-c", STUBBORN], env=environment, stdout=subprocess.PIPE, start_new_session=True
    )
    worker.stdout.readline()
    ticks = process_state(worker.pid).start_ticks
    group = {} if mark else {"worker": worker.pid, "worker_ticks": ticks}
    mill = Mill(tmp_path, ("T-01", "", "in-progress"))
    write_claim(tmp_path, pid=DEAD, start_ticks=1, run="run-of-the-dead", **group)
    alive = []
    mill.run(Script({"T-01": lambda _work, **_: alive.append(worker.poll())}))
    assert alive in ([None], [-signal.SIGKILL])
    assert worker.wait(30) == -signal.SIGKILL
    worker.stdout.close()
    assert mill.worker.ids == ["T-01"]
    assert any("was still alive and was ended" in line for line in mill.lines())


def test_a_process_that_has_the_number_of_the_last_worker_by_chance_is_left_alone(tmp_path):
    other = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        mill = Mill(tmp_path, ("T-01", "", "pending"))
        earlier = process_state(other.pid).start_ticks - 100_000
        write_claim(tmp_path, pid=DEAD, start_ticks=1, run="x", worker=other.pid, worker_ticks=max(1, earlier))
        mill.run()
        time.sleep(0.05)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_of_two_locks_the_one_that_lives_is_shown(tmp_path):
    Mill(tmp_path, ("T-01", "", "in-progress"))
    write_claim(tmp_path, start_ticks=1)
    assert read_workspace(tmp_path).stream.state == "interrupted"
    write_claim(tmp_path, FOREIGN)
    assert read_workspace(tmp_path).stream.state == "running"


def test_what_the_worker_is_at_can_be_read_from_outside(tmp_path, monkeypatch):
    monkeypatch.setattr("harness_tui.stream.lease.PAUSE", 0.0)
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    seen = []

    def work(_work, *, heard, born, **_):
        born(os.getpid())
        seen.append(read_workspace(tmp_path).stream.doing)
        heard(Doing("tool", "x" * 300, tool="Edit", path="src/\x1b[2Ja.py"))
        heard(Doing("step", step=3, steps=40, cost_usd=0.25, tokens=1200))
        seen.append(read_workspace(tmp_path).stream.doing)

    def between(event):
        if event.kind == "dispatched":
            seen_between.append(json.loads((tmp_path / OWN).read_text()).get("doing"))

    seen_between = []
    mill.run(Script({"T-01": work, "T-02": work}), on_event=between)
    assert seen_between == [None, None]
    assert seen[0] is None
    assert seen[2] is None
    assert datetime.now(UTC) - seen[1].since < timedelta(minutes=1)
    assert replace(seen[1], since=None) == Doing("tool", "x" * 300, "Edit", "src/␛[2Ja.py", 3, 40, 0.25, 1200)
    assert read_workspace(tmp_path).stream.doing is None


def test_the_last_of_many_is_said_soon_and_nothing_once_it_is_released(tmp_path, monkeypatch):
    monkeypatch.setattr("harness_tui.stream.lease.PAUSE", 0.05)
    Mill(tmp_path, ("T-01", "", "in-progress"))

    def shown():
        found = read_workspace(tmp_path).stream.doing
        return found.text if found is not None else ""

    with held(tmp_path, "mill") as lease:
        lease.worker(os.getpid())
        for text in ("one", "two", "three"):
            lease.doing(Doing("said", text))
        assert shown() in ("one", "three")
        end = time.monotonic() + 5
        while shown() != "three" and time.monotonic() < end:
            time.sleep(0.01)
        assert shown() == "three"
        lease.doing(Doing("said", "four"))
        lease.doing(Doing("said", "five"))
        path = tmp_path / OWN
        other = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)
    assert not path.exists()
    time.sleep(0.1)
    assert os.pread(other, 99, 0) == b""
    os.close(other)


def test_what_a_dead_run_left_is_ended_also_where_it_has_a_lower_number_than_its_worker(tmp_path, monkeypatch):
    """Numbers begin anew when all were given: in a long run what the worker started may have any."""
    monkeypatch.setattr("harness_tui.stream.lease.GRACE", 0.1)
    early = subprocess.Popen(["sleep", "60"], env={**os.environ, MARK: "run-of-the-dead"}, start_new_session=True)
    last = subprocess.Popen(["sleep", "60"], env={**os.environ, MARK: "run-of-the-dead"}, start_new_session=True)
    try:
        ticks = process_state(last.pid).start_ticks
        mill = Mill(tmp_path, ("T-01", "", "in-progress"))
        write_claim(tmp_path, pid=DEAD, start_ticks=1, run="run-of-the-dead", worker=last.pid, worker_ticks=ticks)
        alive = []
        mill.run(Script({"T-01": lambda _work, **_: alive.append((early.poll(), last.poll()))}))
        assert alive == [(-signal.SIGTERM, -signal.SIGTERM)]
    finally:
        for child in (early, last):
            child.kill()
            child.wait()


JOB = """
import os, signal, time
os.setpgid(0, 0)
print(os.getpid(), flush=True)
if os.fork():
    os._exit(0)
time.sleep(60)
"""


def test_a_job_of_a_shell_whose_first_process_had_the_number_of_the_last_worker_is_left_alone(tmp_path):
    """A worker leads a session; the group of a job lies in the session of its shell."""
    reader, writer = os.pipe()
    first = subprocess.Popen([sys.executable, "-S", "-c", JOB], stdout=subprocess.PIPE, pass_fds=[writer])
    os.close(writer)
    try:
        assert int(first.stdout.readline()) == first.pid
        first.wait(30)
        mill = Mill(tmp_path, ("T-01", "", "pending"))
        write_claim(tmp_path, pid=DEAD, start_ticks=1, run="x", worker=first.pid, worker_ticks=1)
        mill.run()
        os.set_blocking(reader, False)
        with pytest.raises(BlockingIOError):  # the job still holds the other end
            os.read(reader, 1)
    finally:
        os.close(reader)
        first.stdout.close()
        os.killpg(first.pid, signal.SIGKILL)
