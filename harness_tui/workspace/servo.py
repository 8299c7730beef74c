"""Reads the control loop's files in `.servo/`, each once per change, the current worktrack first."""

from __future__ import annotations

from harness_tui.model.problem import Problem
from harness_tui.model.servo import Servo
from harness_tui.rules.pipeline import as_problems, inconsistencies
from harness_tui.workspace.control_reader import ControlReader
from harness_tui.workspace.milestones import MilestoneReader
from harness_tui.workspace.reads import Reads
from harness_tui.workspace.servo_layout import ServoFiles, ServoLayout
from harness_tui.workspace.worktracks import WorktrackReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from harness_tui.model.handback import Handback
    from harness_tui.workspace.cache import Cache, Reading
    from harness_tui.workspace.layout import Layout


_ABSENT = Servo()


class ServoReader:
    """Reads `.servo/` of one workspace again and again, in one thread.

    `unsettled` is True while a file looks half written or `limit` kept files from being read: look again soon.
    """

    def __init__(self, layout: Layout) -> None:
        root = layout.root
        self._layout = layout
        self._places = ServoLayout(layout)
        self._reads = Reads(layout)
        self._control = ControlReader(root)
        self._worktracks = WorktrackReader(root)
        self._milestones = MilestoneReader(root)
        self._caches: tuple[Cache[Any], ...] = (
            self._control.cache, self._worktracks.cache, *self._milestones.caches,
        )  # fmt: skip
        self._files = ServoFiles()
        self._known: set[str] = set()
        self.family = _ABSENT

    @property
    def unsettled(self) -> bool:
        """Whether something should be looked at again soon."""
        return self._reads.skipped or any(cache.unsettled for cache in self._caches)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong in the files, and with them."""
        return self.family.problems

    @property
    def files(self) -> ServoFiles:
        """The files as they were listed last."""
        return self._files

    def reading(self, path: str) -> Reading[Any] | None:
        """What was read last of a control file, a milestone or a gate, for who reads it in another way."""
        caches: tuple[Cache[Any], ...] = (self._control.cache, self._milestones.milestones, self._worktracks.cache)
        return next((reading for cache in caches if (reading := cache.last(path)) is not None), None)

    def knows(self, path: str) -> bool:
        """Whether `path` is a file that is read."""
        return path in self._known

    def folders(self) -> list[Path]:
        """Folders worth a watch, at most five."""
        if not self._places.exists():
            return []
        control = self.family.control
        return self._places.folders(control.active_worktrack if control is not None else "")

    def refresh(self, dirty: frozenset[str] | None, clock: float, limit: int | None = None) -> Servo:
        """The control loop now; the same object as before when nothing changed.

        With `dirty` (absolute paths) only those files are looked at, else all are listed anew. `clock` is monotonic,
        in seconds. At most `limit` gate and milestone files are read for the first time: None means all.
        """
        if not self._places.exists():
            if self.family is not _ABSENT:
                self.__dict__.update(ServoReader(self._layout).__dict__)  # what was known is gone
            return self.family
        self._reads.begin(dirty, clock, limit)
        if dirty is None or not self._known:
            self._files = self._places.files()
            self._known = self._files.paths()
            self._reads.forget(self._known)
            for cache in self._caches:
                cache.forget(self._known)
        family = self._read()
        if family != self.family:
            self.family = family
        return self.family

    def _read(self) -> Servo:
        reads, files = self._reads, self._files
        control = self._control.read(reads, files.control)
        handback = self._control.handback()
        worktracks = self._worktracks.read(reads, files.worktracks, control)
        found = self._milestones.read(reads, files, control)
        disagreements = inconsistencies(
            control, found.backlog, found.history, found.milestones, handback, found.worktrack_backlog
        )
        problems = [
            *(problem for cache in self._caches for problem in cache.stale_problems()),
            *_handback_problems(handback),
            *(problem for gate in worktracks for problem in gate.problems),
            *(problem for milestone in found.milestones for problem in milestone.problems),
            *(problem for index in found.lists() for problem in index.problems),
            *as_problems(disagreements),
        ]
        return Servo(
            present=True,
            handback=handback,
            control=control,
            worktracks=worktracks,
            milestones=found.milestones,
            backlog=found.backlog,
            history=found.history,
            worktrack_backlog=found.worktrack_backlog,
            problems=tuple(problems),
            stale=tuple(sorted(reads.stale)),
            inconsistencies=disagreements,
        )


def _handback_problems(handback: Handback | None) -> list[Problem]:
    """Gaps that a line is to blame for: what is only missing is told by the gaps themselves."""
    if handback is None:
        return []
    return [
        Problem(gap.path, gap.line, "warning", "handback-gap", f"{gap.key}: {gap.why}")
        for gap in handback.gaps
        if gap.line is not None
    ]
