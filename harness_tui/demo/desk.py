"""The hands of the scripted worker: every file that it touches, one small change a method.

Plan, log, report and lease are not among them: those are the engine's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.demo import board, documents, past, project, repository
from harness_tui.demo.files import append, edit, replace, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.demo.features import Feature
    from harness_tui.model.work import Assignment

_BOARD_STAGES = {1: "req", 2: "design", 3: "gate", 4: "dev", 5: "review", 6: "test", 7: "delivery"}
_COLLEAGUES = "# Intervention\n\nADD opening-hours-banner — Show today's opening hours on the booking page\n"


class Desk:
    """Changes the files below `root`; `now` gives the UTC time that they are stamped with."""

    def __init__(self, root: Path, now: Callable[[], datetime]) -> None:
        self.root = root
        self.now = now
        self._numbers: dict[str, int] = {}
        self._verdicts: dict[str, list[tuple[int, int, str]]] = {}

    # one task

    def folder(self, slug: str) -> Path:
        """The live folder of a feature."""
        return self.root / "docs/features" / slug

    def open_task(self, work: Assignment, feature: Feature, stage: int) -> None:
        """What comes first: the log of the task with the operator's notes, its state, a row on the board."""
        self._numbers.setdefault(work.slug, len(past.DELIVERED) + 1 + len(self._numbers))
        self._verdicts.setdefault(work.slug, [])
        notes = self.folder(work.slug) / "PM_LOG.md"
        if not notes.exists():
            write(notes, documents.pm_log(feature, work.task_id))
        for text in work.notes:
            self.pm_note(work.slug, f"\n## Intervention consumed at {past.stamp(self.now())}\n\n{text}\n\n")
        self.at_stage(feature, stage)

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
        """The source file that the development adds, with its test; not yet committed."""
        write(self.root / feature.module, project.module(feature.title, feature.goal))
        write(self.root / documents.test_file(feature), project.test(feature.module))

    def drop_source(self, feature: Feature) -> None:
        """Take both away again."""
        (self.root / documents.test_file(feature)).unlink(missing_ok=True)
        (self.root / feature.module).unlink(missing_ok=True)

    def deliver(self, work: Assignment, feature: Feature) -> None:
        """Move the folder of a delivered task into the archive, keep what it learned, commit."""
        target = self.root / past.ARCHIVE / feature.slug
        if not target.exists():
            self.folder(feature.slug).rename(target)
        tests = sum(path.read_text("utf-8").count("def test_") for path in (self.root / "tests").glob("*.py"))
        write(self.root / ".harness/scripts/baseline.json", past.baseline(past.day(self.now()), tests))
        line = f"- {past.day(self.now())} · {feature.insight} · evidence: {feature.slug}/07_DELIVERY.md\n"
        append(self.root / ".harness/insight-index.md", line)
        self.close_task(feature, "Delivered", f"{past.ARCHIVE}/{feature.slug}")
        repository.commit(self.root, f"Deliver {work.task_id} {feature.slug}", self.now())

    def close_task(self, feature: Feature, outcome: str, folder: str) -> None:
        """Move the board row to the completed ones; the task's state file is no longer needed."""
        self._edit_board(lambda text: board.with_active(text, feature.slug, None))
        number = self._numbers.get(feature.slug, 0)
        line = board.completed_line(number, feature.slug, outcome, past.day(self.now()), folder)
        self._edit_board(lambda text: board.with_completed(text, line))
        self._state_path(feature).unlink(missing_ok=True)

    # beside the tasks

    def sweep(self) -> None:
        """Look for entropy, as the engine asks for after deliveries."""
        write(self.root / f"docs/features/_supervision/entropy-{past.day(self.now())}.md", documents.entropy(past.POOL))

    def colleague(self) -> None:
        """A colleague asks for one more task, unless something else waits there to be read."""
        path = self.root / ".harness/intervention.md"
        if not path.exists():
            write(path, _COLLEAGUES)

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
