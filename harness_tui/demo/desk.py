"""The hands of the played agent: every file of the workspace that a run touches, one small change a method."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from harness_tui.demo import board, documents, past, plan, project, repository
from harness_tui.demo.files import append, edit, replace, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.demo.features import Feature
    from harness_tui.demo.plan import Row

LEASE = ".harness/stream.lock"
INTERVENTION = ".harness/intervention.md"
_BOARD_STAGES = {1: "req", 2: "design", 3: "gate", 4: "dev", 5: "review", 6: "test", 7: "delivery"}


class Desk:
    """Changes the files below `root`; `now` gives the UTC time that they are stamped with."""

    def __init__(self, root: Path, now: Callable[[], datetime]) -> None:
        self.root = root
        self.now = now
        self.pool = root / past.POOL_FOLDER
        self._tests = past.FIRST_TESTS
        self._numbers: dict[str, int] = {}
        self._delivered = 0
        self._verdicts: dict[str, list[tuple[int, int, str]]] = {}

    # the pool

    def rows(self) -> list[plan.Row]:
        """The rows of the plan as they stand now."""
        return plan.rows(self._plan.read_bytes().decode(errors="replace"))

    def set_status(self, task_id: str, status: str) -> None:
        """Change one status cell, in place."""
        edit(self._plan, lambda text: plan.with_status(text, task_id, status))

    def add_row(self, slug: str, goal: str) -> str:
        """Append a pending row for `slug` and return its id."""
        task_id = plan.next_id(self._plan.read_bytes().decode(errors="replace"))
        cells = plan.Row(task_id, slug, goal.replace("|", "\\|"), "full", plan.EMPTY, "pending")
        edit(self._plan, lambda text: plan.with_row(text, cells))
        return task_id

    def add_note(self, note: str) -> None:
        """Add a bullet to the Notes."""
        edit(self._plan, lambda text: plan.with_note(text, note))

    def tally(self) -> Counter[str]:
        """How many rows have each status."""
        return Counter(row.status for row in self.rows())

    @property
    def _plan(self) -> Path:
        return self.pool / "BATCH_PLAN.md"

    # the log and the report

    def log(self, *fields: str) -> None:
        """Append one event, stamped with the time."""
        append(self.pool / "STREAM_LOG.md", " · ".join((past.stamp(self.now()), *fields)) + "\n")

    def begin_log(self, *fields: str) -> None:
        """Append the first part of an event, its end still missing; `end_log` completes it."""
        append(self.pool / "STREAM_LOG.md", " · ".join((past.stamp(self.now()), *fields)))

    def end_log(self, *fields: str) -> None:
        """The rest of an event that `begin_log` left unfinished."""
        append(self.pool / "STREAM_LOG.md", "".join(f" · {field}" for field in fields) + "\n")

    def report(self, text: str) -> None:
        """Write the report by rename."""
        replace(self.pool / "STREAM_REPORT.md", text)

    # one task

    def folder(self, slug: str) -> Path:
        """The live folder of a feature."""
        return self.root / "docs/features" / slug

    def open_task(self, row: Row, feature: Feature) -> None:
        """What the project manager does first: its log, the task's state, a row on the board."""
        self._numbers[row.slug] = len(past.DELIVERED) + 1 + len(self._numbers)
        self._verdicts[row.slug] = []
        write(self.folder(row.slug) / "PM_LOG.md", documents.pm_log(feature, row.id))
        self.at_stage(feature, documents.STAGES_OF[feature.mode][0])

    def at_stage(self, feature: Feature, stage: int) -> None:
        """Board and state say that the task is at `stage`."""
        self._board_stage(feature, _BOARD_STAGES[stage])
        self._state(feature, stage)

    def stuck(self, feature: Feature, stage: int, why: str) -> None:
        """Board and state say that the task cannot go on at `stage`."""
        self._board_stage(feature, "blocked")
        self._state(feature, stage, why)

    def pm_note(self, slug: str, text: str) -> None:
        """Append to the task's PM_LOG.md."""
        append(self.folder(slug) / "PM_LOG.md", text)

    def document(self, feature: Feature, stage: int) -> Path:
        """Path of a stage document in the live folder."""
        return self.folder(feature.slug) / documents.NAMES[stage]

    def rounds(self, feature: Feature, stage: int) -> int:
        """How often the document of `stage` was judged so far."""
        return sum(1 for at, _, _ in self._verdicts[feature.slug] if at == stage)

    def judged(self, feature: Feature, stage: int, verdict: str, route: str = "advance") -> None:
        """Keep a verdict in state and PM_LOG; its round is how often this stage was judged."""
        number = 1 + self.rounds(feature, stage)
        self._verdicts[feature.slug].append((stage, number, verdict))
        self._state(feature, stage)
        line = f"- {past.stamp(self.now())} · 0{stage} round {number} · {verdict} · {route} · no intervention\n"
        self.pm_note(feature.slug, line)

    def add_source(self, feature: Feature) -> None:
        """The source file that the development adds, not yet committed."""
        write(self.root / feature.module, project.module(feature.title, feature.goal))

    def archive(self, row: Row, feature: Feature, outcome: str) -> None:
        """Move the folder of a delivered task into the archive and keep what it learned."""
        target = self.root / past.ARCHIVE / feature.slug
        if not target.exists():
            self.folder(feature.slug).rename(target)
        self._tests += 3
        write(
            self.root / ".harness/scripts/baseline.json",
            past.baseline(past.day(self.now()), self._tests),
        )
        line = f"- {past.day(self.now())} · {feature.insight} · evidence: {feature.slug}/07_DELIVERY.md\n"
        append(self.root / ".harness/insight-index.md", line)
        self.close_task(feature, outcome, f"{past.ARCHIVE}/{feature.slug}")
        self.commit(f"Deliver {row.id} {feature.slug}")

    def close_task(self, feature: Feature, outcome: str, folder: str) -> None:
        """Move the board row to the completed ones; the task's state file is no longer needed."""
        self._edit_board(lambda text: board.with_active(text, feature.slug, None))
        number = self._numbers.get(feature.slug, 0)
        line = board.completed_line(number, feature.slug, outcome, past.day(self.now()), folder)
        self._edit_board(lambda text: board.with_completed(text, line))
        self._state_path(feature).unlink(missing_ok=True)
        self._delivered += 1
        count = f"delivered_since_sweep={self._delivered}"
        edit(self.root / ".harness/entropy-watch.state", lambda text: re.sub(r"delivered_since_sweep=\d*", count, text))

    def sweep(self) -> str:
        """Look for entropy as is due after deliveries; returns the path of what was written, relative to the root."""
        name = f"docs/features/_supervision/entropy-{past.day(self.now())}.md"
        write(self.root / name, documents.entropy(past.POOL))
        state = f"delivered_since_sweep=0\nlast_sweep={past.stamp(self.now())}\n"
        write(self.root / ".harness/entropy-watch.state", state)
        self._delivered = 0
        return name

    # around the run

    def verified(self, warn: int = 0) -> str:
        """Append a run of verify_all to its history; returns how a log line words it."""
        append(self.root / ".harness/scripts/verification_history.log", past.verify_line(self.now(), warn))
        return f"PASS {24 - warn}/{warn}/0/1"

    def set_ambient(self, *, on: bool) -> None:
        """Raise or lower the flag of the ambient mode."""
        flag = self.root / ".harness/ambient.flag"
        if on:
            write(flag, "")
        else:
            flag.unlink(missing_ok=True)

    def hold_lease(self, text: str) -> None:
        """Write the run lock."""
        replace(self.root / LEASE, text)

    def drop_lease(self) -> None:
        """Take the run lock away."""
        (self.root / LEASE).unlink(missing_ok=True)

    def commit(self, message: str) -> None:
        """Commit everything that changed."""
        repository.commit(self.root, message, self.now())

    def _board_stage(self, feature: Feature, stage: str) -> None:
        number = self._numbers.get(feature.slug, 0)
        line = board.active_line(number, feature.slug, stage, feature.mode, past.day(self.now()))
        self._edit_board(lambda text: board.with_active(text, feature.slug, line))

    def _edit_board(self, change: Callable[[str], str]) -> None:
        edit(self.root / "docs/tasks.md", change)

    def _state_path(self, feature: Feature) -> Path:
        return self.root / ".harness/state" / f"{feature.slug}.json"

    def _state(self, feature: Feature, stage: int, blocked: str | None = None) -> None:
        text = documents.state(feature, stage, self._verdicts.get(feature.slug, ()), blocked)
        replace(self._state_path(feature), text)
