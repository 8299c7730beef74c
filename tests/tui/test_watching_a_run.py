"""What a run of our own engine is at is shown while it lives, and nowhere once it does not."""

import asyncio
import json
import subprocess
import sys

import pytest

from harness_tui.model.lease import OWN
from harness_tui.workspace.process import own_claim, process_state
from harness_tui.workspace.reader import Reader

TOOL = {
    "kind": "tool", "text": "src/ramp.py", "tool": "Edit", "path": "src/ramp.py", "step": 3, "steps": 40,
    "cost_usd": 0.25, "tokens": 1200, "since": "2026-03-14T11:59:02+00:00",
}  # fmt: skip
QUIET = {"kind": "quiet", "text": "no sign of life for 42 s; last: Bash make", "since": "2026-03-14T11:58:00+00:00"}


@pytest.fixture
def holder():
    """A process that may be said to hold the run."""
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield child
    child.kill()
    child.wait()
    child.stdin.close()


def hold(desk, child, **more):
    ticks = process_state(child.pid).start_ticks
    desk.write(OWN, json.dumps({**own_claim("default"), "pid": child.pid, "start_ticks": ticks, "run": "x", **more}))


async def test_header_and_detail_say_who_runs_it_and_what_its_worker_is_at(desk, opened, holder):
    async with opened(desk, size=(200, 50)) as session:
        await session.choose("T-03")
        assert "process" not in session.status
        hold(desk, holder, doing=TOOL)
        words = "Edit src/ramp.py · step 3 of 40 · $0.25 · 1,200 tokens"
        await session.until(lambda: words in session.status)
        assert f"process {holder.pid} on" in session.status
        facts = session.facts("#task-list")
        assert any(line.startswith("run by") and f"process {holder.pid} on" in line for line in facts)
        assert "worker      Edit src/ramp.py  since 11:59:02Z" in facts
        assert "figures     step 3 of 40 · $0.25 · 1,200 tokens" in facts
        hold(desk, holder, doing=QUIET)
        await session.until(lambda: "quiet since 11:58:00Z; last: Bash make" in session.status)
        assert not any(line.startswith("figures") for line in session.facts("#task-list"))
        desk.path(OWN).unlink()
        await session.until(lambda: "quiet since" not in session.status and "process" not in session.status)
        assert not any(line.startswith(("worker", "run by")) for line in session.facts("#task-list"))


@pytest.mark.parametrize(
    ("width", "words"),
    [(80, "Edit src/ramp.py · step"), (140, "Edit src/ramp.py · step 3 of 40 · $0.25 · 1,200 tokens")],
)
async def test_in_a_narrow_header_the_activity_is_cut_before_anything_that_counts_is_left_out(
    desk, opened, holder, width, words
):
    async with opened(desk, size=(width, 24)) as session:
        hold(desk, holder, doing=TOOL)
        await session.until(lambda: words in session.rows()[1])
        assert all(word in session.rows()[1] for word in ("▶ running T-03", "need you"))


async def test_a_killed_engine_is_interrupted_everywhere_within_two_seconds(desk, opened, holder):
    async with opened(desk, size=(200, 50)) as session:
        await session.choose("T-03")
        hold(desk, holder, doing=TOOL)
        await session.until(lambda: "▶ running" in session.status)
        await session.settle()
        holder.kill()
        holder.wait()
        await session.until(lambda: "! interrupted T-03" in session.status, within=2.0)
        assert "Edit src/ramp.py" not in session.text()
        assert "! interrupted" in next(row for row in session.rows() if "T-03" in row and "Edit ramps" in row)
        assert any(line.startswith("status      ! interrupted") for line in session.facts("#task-list"))


async def test_a_note_of_the_worker_is_read_alone_and_none_means_no_drawing(desk, opened, holder, monkeypatch):
    async with opened(desk) as session:
        hold(desk, holder, doing=TOOL)
        await session.until(lambda: "Edit src/ramp.py" in session.status)
        await session.settle()
        lists, drawn = [], []
        monkeypatch.setattr(session.live, "_next_poll", float("inf"))
        monkeypatch.setattr(Reader, "_list_files", lambda _self: lists.append(1))
        bar = session.one("#status")
        draw = bar.render
        monkeypatch.setattr(bar, "render", lambda: drawn.append(bar.plain) or draw())
        await asyncio.sleep(1.2)  # looks whether the holder lives, twice
        assert drawn == []
        hold(desk, holder, doing={**TOOL, "step": 4})
        await session.until(lambda: "step 4 of 40" in session.status)
        assert lists == []
