"""A small workspace of a kiln controller, and the dashboard opened on it without a terminal."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
POOL = "docs/batches/default"
BATCH = "docs/batches/glaze-archive"
HEAD = "## Tasks\n\n| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |\n|----|----|----|----|----|----|\n"
ROWS = (
    ("T-01", "burner-relay", "Switch the burner by a relay with a watchdog.", "full", "—", "done"),
    ("T-02", "thermocouple-scale", "Scale the thermocouple to degrees.", "full", "T-01", "done"),
    ("T-03", "ramp-editor", "Edit ramps of a firing on the panel.", "full", "T-01", "in-progress"),
    ("T-04", "hold-timer", "Hold a temperature for a given time.", "full", "T-03", "pending"),
    ("T-05", "door-interlock", "Never fire while the door is open.", "full", "T-02", "needs-human"),
    ("T-06", "vent-damper", "Open the damper above 600 degrees.", "full", "T-05", "blocked"),
    ("T-07", "firing-export", "Export a firing as a table.", "full", "T-02", "failed (two rollbacks too many)"),
    ("T-08", "shelf-map", "Draw the shelves of the kiln.", "plan", "—", "skipped"),
    ("T-09", "cone-table", "Look up Orton cones.", "plan", "—", "pending"),
    ("T-10", "alarm-sounds", "Sound an alarm when a firing stalls.", "full", "—", "pending"),
    ("T-11", "night-tariff", "Fire when current is cheap.", "full", "—", "someday, maybe"),
    ("T-12", "cooling-curve", "Cool down along a curve.", "goal", "T-04, T-06", "pending"),
)
ASK = 'ask="Which door switch is wired?" · unblock="the part number stands in the goal"'
NOTES = (
    "ramp-editor keeps the old file format until T-12.",
    'Decomposed vent-* (2 rows) ← "the fumes must go" (2026-03-10)',
)
VERDICTS = {
    "03_GATE_REVIEW": "APPROVED WITH CONDITIONS",
    "05_CODE_REVIEW": "APPROVED",
    "06_TEST_REPORT": "APPROVED FOR DELIVERY",
}


def stamp(minutes: int) -> str:
    """The time so many minutes before `NOW`, as logs write it."""
    return (NOW - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def plan(pool: str, rows=ROWS, notes=NOTES) -> str:
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    bullets = "".join(f"- {note}\n" for note in notes)
    return f"# Batch Plan — {pool}\n\n> Created: 2026-03-10\n\n{HEAD}{table}\n## Notes (optional)\n\n{bullets}"


def log() -> str:
    lines = ["# Stream Log — default", "", "## Run 1", ""]
    lines.append(f"{stamp(1500)} · pre-flight · baseline verify_all PASS 20/0/0/0")
    for minutes, name, slug, rollbacks in ((1490, "T-01", "burner-relay", 0), (1400, "T-02", "thermocouple-scale", 1)):
        lines += [
            f"{stamp(minutes)} · {name} · dispatching pm-orchestrator · slug={slug} · mode=full",
            f"{stamp(minutes - 40)} · {name} · DELIVERED · rollbacks={rollbacks} · final verify_all PASS 21/0/0/0",
            f"{stamp(minutes - 41)} · {name} · regression gate · verify_all PASS 21/0/0/0",
        ]
    lines += [
        f"{stamp(1300)} · T-07 · dispatching pm-orchestrator · slug=firing-export · mode=full",
        f"{stamp(1290)} · T-07 · note · first check FAIL, fixed, now PASS",
        f"{stamp(1280)} · T-07 · FAILED · slug=firing-export · rollbacks=3",
        f"{stamp(1270)} · T-09 · dispatching pm-orchestrator · slug=cone-table · mode=plan",
        f"{stamp(1260)} · T-09 · DELIVERED · 07=07_DELIVERY.md · final verify_all PASS 22/0/0/0",
        "",
        "## Run 2",
        "",
        f"{stamp(300)} · pre-flight · baseline verify_all PASS 22/0/0/0",
        f"{stamp(290)} · T-05 · dispatching pm-orchestrator · slug=door-interlock · mode=full",
        f"{stamp(280)} · T-05 · NEEDS-HUMAN · slug=door-interlock · stage=03 · {ASK}",
        f"{stamp(279)} · T-06 · BLOCKED · slug=vent-damper · waits for T-05",
        f"{stamp(30)} · T-03 · dispatching pm-orchestrator · slug=ramp-editor · mode=full",
    ]
    lines += [f"{stamp(30 - number // 2)} · T-03 · note · step {number:02} of the ramp editor" for number in range(40)]
    return "".join(f"{line}\n" for line in lines)


def report() -> str:
    return (
        "# Stream Report — default\n\n## Needs your input\n\n"
        "- T-05 `door-interlock` — raised by gate review\n"
        "  - Ask: Which door switch is wired?\n  - Unblocks when: the part number stands in the goal\n\n"
        "## Tasks\n\n| id | slug | verdict | link |\n|---|---|---|---|\n| T-01 | burner-relay | DELIVERED | — |\n"
    )


def document(name: str, slug: str) -> str:
    verdict = VERDICTS.get(name, "READY")
    title = f"# {name.replace('_', ' ').title()} of {slug}"
    text = f"What was thought about {slug}, in **two** lines\nand `a name`.\n"
    return f"{title}\n\n{text}\n- one point\n- another point\n\n## Verdict\n\n{verdict}\n"


def delivery(slug: str, task: str) -> str:
    return (
        f"# Delivery Summary\n\n## Summary\n\n- Task: {task} {slug}\n- Mode: full\n- Rollbacks: 1\n"
        "- Final verify_all result: PASS (PASS: 22, WARN: 0, FAIL: 0, SKIP: 0)\n\n## Verdict\n\nDELIVERED\n"
    )


def files() -> dict[str, str]:
    """The whole workspace, text by path."""
    stages = ("01_REQUIREMENT_ANALYSIS", "02_SOLUTION_DESIGN", "03_GATE_REVIEW", "04_DEVELOPMENT")
    later = ("05_CODE_REVIEW", "06_TEST_REPORT")
    found = {
        f"{POOL}/BATCH_PLAN.md": plan("default"),
        f"{POOL}/STREAM_LOG.md": log(),
        f"{POOL}/STREAM_REPORT.md": report(),
        f"{BATCH}/BATCH_PLAN.md": plan(
            "glaze-archive",
            tuple((f"T-0{n}", f"glaze-{n}", f"Keep glaze {n}.", "full", "—", "done") for n in (1, 2, 3)),
            ("All glazes of the old book.",),
        ),
        f"{BATCH}/BATCH_LOG.md": f"# Batch Log — glaze-archive\n\n{stamp(9000)} · T-03 · DELIVERED\n",
        ".harness/scripts/verification_history.log": "".join(
            json.dumps({"timestamp": stamp(minutes), "pass": count, "warn": 0, "fail": 0, "skip": 0}) + "\n"
            for minutes, count in ((1500, 20), (300, 22), (20, 23))
        ),
        ".harness/README": "state of the harness\n",
    }
    for slug, names, folder in (
        ("burner-relay", (*stages, *later), "_archived/burner-relay"),
        ("thermocouple-scale", (*stages, *later), "_archived/thermocouple-scale"),
        ("ramp-editor", stages, "ramp-editor"),
        ("door-interlock", stages[:2], "door-interlock"),
    ):
        for name in names:
            found[f"docs/features/{folder}/{name}.md"] = document(name, slug)
        if later[0] in names:
            found[f"docs/features/{folder}/07_DELIVERY.md"] = delivery(slug, "T")
    found["docs/features/_archived/cone-table/01_REQUIREMENT_ANALYSIS.md"] = document(stages[0], "cone-table")
    found["docs/features/_archived/cone-table/07_DELIVERY.md"] = delivery("cone-table", "T-09")
    found["docs/features/ramp-editor/PM_LOG.md"] = "# PM log\n\n- mode full\n"
    return found


class Desk:
    """A workspace on disk. Writes get a fixed time of change, so that what is shown does not depend on the day."""

    now = NOW
    log_path = f"{POOL}/STREAM_LOG.md"
    plan_path = f"{POOL}/BATCH_PLAN.md"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.plan_of, self.stamp, self.rows = plan, stamp, ROWS

    def path(self, name: str) -> Path:
        return self.root / name

    def write(self, name: str, text: str | bytes, minutes: int = 10) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.date(path, minutes)
        return path

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    def append(self, name: str, text: str | bytes) -> None:
        with (self.root / name).open("ab") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def replace(self, name: str, old: str, new: str) -> None:
        """Save with a change, as an editor does: a new file put in the place of the old one."""
        text = self.read(name)
        assert old in text
        other = self.root / f"{name}.new"
        other.write_text(text.replace(old, new, 1))
        other.replace(self.root / name)

    def date(self, path: Path, minutes: int) -> None:
        at = (NOW - timedelta(minutes=minutes)).timestamp()
        os.utime(path, (at, at))

    def log_line(self, text: str, minutes: int = 1) -> str:
        return f"{stamp(minutes)} · {text}\n"

    def commit(self) -> None:
        """Make it a repository with one commit whose hash is always the same."""
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Build the kiln controller")

    def git(self, *words: str) -> None:
        """Run git here, at no regard of how the machine or its user has set it up."""
        who = {f"GIT_{role}_{what}": "kiln" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        when = {f"GIT_{role}_DATE": stamp(20) for role in ("AUTHOR", "COMMITTER")}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.root)}
        env = {"PATH": os.environ["PATH"], **who, **when, **alone}
        subprocess.run(["git", *words], cwd=self.root, env=env, check=True, capture_output=True)


class Session:
    """An open dashboard and the pilot that presses its keys."""

    def __init__(self, desk, app, pilot, store, live) -> None:
        self.desk, self.app, self.pilot, self.store, self.live = desk, app, pilot, store, live

    @property
    def main(self):
        return self.app.main

    def one(self, selector, kind=None):
        """A widget of the screen on top."""
        return self.app.screen.query_one(selector, kind) if kind else self.app.screen.query_one(selector)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size, and wait until the screen has it."""
        await self.pilot.resize_terminal(*size)
        await self.until(lambda: self.app.screen.size == size)

    async def until(self, holds, *, within: float = 30.0):
        """Wait for a condition, however long the disk and the threads take; fails with what is on screen."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        while True:
            await self.pilot.pause()
            found = holds()
            if found:
                return found
            if loop.time() > end:
                pytest.fail(f"never came true; on screen:\n{self.text()}")
            await asyncio.sleep(0.01)

    async def shows(self, *words: str) -> None:
        """Wait until all these words are on the screen."""
        await self.until(lambda: all(word in self.text() for word in words))

    async def settle(self) -> None:
        """Wait until the reader has nothing to do and all messages of it are handled."""
        done: list[bool] = []
        for _ in range(2):
            done.clear()
            self.live.ask(lambda _reader: not done.append(True))
            await self.until(lambda: done)
            await self.pilot.pause()

    def strips(self):
        """The lines of the screen as drawn."""
        compositor = self.app.screen._compositor
        return compositor.render_strips(self.app.size)

    def rows(self) -> list[str]:
        """The whole screen as text."""
        return ["".join(segment.text for segment in strip) for strip in self.strips()]

    def text(self) -> str:
        return "\n".join(self.rows())

    def segments(self):
        """Every piece of text on the screen with its style."""
        return [segment for strip in self.strips() for segment in strip]

    @property
    def table(self):
        return self.main.query_one("#pool-table")

    @property
    def log(self):
        return self.main.query_one("#log")

    @property
    def log_view(self):
        return self.main.query_one("#log-view")

    @property
    def status(self) -> str:
        return self.main.query_one("#status").plain

    def facts(self, selector: str = "#facts") -> list[str]:
        """The lines of a list of facts."""
        return self.one(selector).lines

    def toasts(self) -> list[str]:
        return [str(note.message) for note in self.app._notifications]

    async def choose(self, task_id: str) -> None:
        """Put the cursor of the table on a task and wait until its details are shown."""
        assert self.table.select_task(task_id)
        await self.until(lambda: any(line.startswith(f"{task_id} ") for line in self.facts("#task-list")[:1]))
        await self.settle()


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path):
    """Nothing of the machine or of its user changes what is shown, and nothing is left there."""
    from harness_tui.workspace import reader

    class Fixed(datetime):
        @classmethod
        def now(cls, tz=None):
            return NOW.astimezone(tz) if tz else NOW.replace(tzinfo=None)

    monkeypatch.setattr(reader, "datetime", Fixed)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state-home"))
    for name in ("NO_COLOR", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TMUX", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HARNESS_TUI_CLIPBOARD", "osc52")


@pytest.fixture
def bare_desk(tmp_path):
    """A workspace in which nothing lies yet but the mark of a harness."""
    root = tmp_path / "kiln-controller"
    (root / ".harness").mkdir(parents=True)
    return Desk(root)


@pytest.fixture
def desk(bare_desk):
    """The whole sample workspace, not under git."""
    for name, text in files().items():
        bare_desk.write(name, text)
    return bare_desk


@pytest.fixture
def opened():
    """Opens the dashboard on a desk: `async with opened(desk, size=(120, 40)) as session`."""

    @asynccontextmanager
    async def opened(desk, size=(140, 44), *, ready: bool = True, **options):
        from harness_tui.store.store import Store
        from harness_tui.tui.app import Dashboard
        from harness_tui.workspace.live import Live

        store = Store()
        health: list = []
        live = Live(desk.root, store.replace, lambda news: health[0](news) if health else None)
        live.start()
        app = Dashboard(desk.root, store, live, now=lambda: NOW, **options)
        health.append(app.hear_health)
        try:
            async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
                session = Session(desk, app, pilot, store, live)
                if ready:
                    await session.until(lambda: app.snapshot is not None)
                    await session.settle()
                yield session
        finally:
            live.stop()

    return opened
