"""A run is started, watched and ended from the keyboard; what it is at comes back from its files."""

import json
import os
import sys

import pytest
from support.processes import is_alive

from harness_tui.model.lease import OWN
from harness_tui.stream.ending import end_run, run_to_end
from harness_tui.tui.acts.run import LaunchAct
from harness_tui.workspace.process import own_claim, process_state

ROWS = (("T-01", "grind", "Grind it.", "full", "—", "pending"), ("T-02", "sift", "Sift it.", "full", "T-01", "pending"))
WORKER = """\
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
with open("pids.new", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("pids.new", "pids")
print("turning the stone", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def mill(bare_desk):
    """A pool of two rows; whatever a test leaves running is ended."""
    bare_desk.write("docs/batches/mill/BATCH_PLAN.md", bare_desk.plan_of("mill", ROWS))
    bare_desk.write("stone.py", WORKER)
    yield bare_desk
    if bare_desk.path(OWN).exists():
        end_run(bare_desk.root, run_to_end(bare_desk.root))


def is_dialog(session):
    return type(session.app.screen).__name__ == "ActDialog"


async def dialog(session, key):
    await session.press(key)
    await session.until(lambda: is_dialog(session) and session.app.focused)


async def launch(session, worker):
    await dialog(session, "L")
    assert session.app.focused.id == "field-worker"
    session.one("#field-worker").value = worker
    await session.until(lambda: any("harness_tui stream" in line for line in session.facts("#preview")))
    await session.press("f2")


def said(session):
    return str(session.one("#verdict").render())


async def test_the_dialog_shows_what_would_run_and_what_it_runs_is_seen_done(mill, opened):
    async with opened(mill) as session:
        await dialog(session, "L")
        session.one("#field-worker").value = "sh -c 'echo DELIVERED'"
        await session.until(lambda: any("T-01 → T-02" in line for line in session.facts("#preview")))
        text = " ".join(session.facts("#preview"))
        assert "there is none: nothing is checked" in text
        assert "--worker=sh -c '\"'\"'echo DELIVERED'\"'\"''" in text
        assert not mill.path(".harness/harness-tui/starts").exists()
        await session.press("f2")
        await session.until(lambda: not is_dialog(session), within=20)
        await session.until(lambda: "✓ drained" in session.status, within=20)
        assert [task.effective_status for task in session.table.rows] == ["done", "done"]
        await session.until(lambda: any("mill: 2 done" in toast for toast in session.toasts()), within=20)


async def test_a_run_is_watched_refuses_a_second_one_and_is_ended_with_its_whole_tree(mill, opened):
    async with opened(mill) as session:
        await launch(session, f"{sys.executable} -S stone.py")
        await session.until(lambda: "turning the stone" in session.status, within=20)
        assert "▶ running T-01" in session.status
        worker, child = (int(word) for word in mill.read("pids").split())
        await dialog(session, "L")
        await session.until(lambda: "drains pool mill since" in said(session))
        assert session.one("#field-worker").value.endswith("stone.py"), "the last one is offered again"
        await session.press("escape")
        await dialog(session, "K")
        await session.until(lambda: any("X stops it" in line for line in session.facts("#preview")))
        assert any("T-01 · turning the stone" in line for line in session.facts("#preview"))
        await session.press("enter")
        await session.until(lambda: not is_dialog(session), within=20)
        assert not is_alive(worker)
        assert not is_alive(child)
        await session.until(lambda: "■ stopped" in session.status and "turning" not in session.text())
        assert "cancelled" in mill.read("docs/batches/mill/STREAM_LOG.md")


async def test_a_run_goes_on_when_the_dashboard_is_left(mill, opened):
    async with opened(mill) as session:
        await launch(session, f"{sys.executable} -S stone.py")
        await session.until(lambda: "▶ running T-01" in session.status and mill.path("pids").exists(), within=20)
        pid = session.app.snapshot.stream.owner.pid
        await session.press("q")
        await session.until(lambda: not session.app.is_running or session.app._exit)
    assert is_alive(pid)
    assert os.getsid(pid) == pid
    assert run_to_end(mill.root).pid == pid


async def test_a_start_that_fails_says_why_instead_of_started_and_keeps_the_text(mill, opened):
    mill.write("scripts/verify_all.sh", "exit 1\n")
    async with opened(mill) as session:
        await launch(session, "true")
        await session.until(lambda: "the tree is not green" in said(session), within=20)
        assert session.one("#field-worker").value == "true"
        assert not any("started" in toast for toast in session.toasts())


async def test_a_stranger_with_the_number_of_a_dead_run_is_left_alone(mill, opened, stranger):
    ticks = process_state(stranger.pid).start_ticks - 5
    mill.write(OWN, json.dumps({**own_claim("mill"), "pid": stranger.pid, "start_ticks": ticks}))
    async with opened(mill) as session:
        await session.press("K")
        await session.until(lambda: any("it is a stranger" in toast for toast in session.toasts()))
        await session.press("enter", "f2")
        await session.settle()
        assert not is_dialog(session), "there is nothing to end"
        assert stranger.poll() is None
    mill.path(OWN).unlink()


async def test_with_nothing_to_end_no_dialog_opens(mill, opened):
    async with opened(mill) as session:
        await session.press("K")
        await session.until(lambda: any("nothing runs" in toast for toast in session.toasts()))
        assert not is_dialog(session)


async def test_read_only_refuses_both(mill, opened):
    async with opened(mill) as session:
        session.app.read_only = "the dashboard was started with --read-only"
        for key in ("L", "K"):
            await session.press(key)
            await session.until(lambda: any("nothing is written" in toast for toast in session.toasts()))
            assert not is_dialog(session)


def test_worker_and_adapter_come_from_the_settings_file_else_from_the_last_start(tmp_path):
    def values(last):
        return {field.name: field.value for field in LaunchAct("mill", last, print).fields}

    assert values({}) == {"worker": "", "adapter": "command", "follow": "no", "epic": ""}
    last = {"worker": "./a.sh", "adapter": "claude", "follow": "yes", "epic": "e"}
    assert values(last) == last
    path = tmp_path / "config/harness-tui/settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[stream]\nadapter = "opencode"\n')
    assert values(last) == {"worker": "", "adapter": "opencode", "follow": "yes", "epic": "e"}


async def test_a_worker_that_is_not_named_yet_is_asked_for_and_no_error(mill, opened):
    async with opened(mill) as session:
        await dialog(session, "L")
        await session.until(lambda: "a command is needed" in said(session))
        assert "✗" not in said(session)
        session.one("#field-worker").value = "no-such-program-anywhere"
        await session.until(lambda: "✗ worker" in said(session))
