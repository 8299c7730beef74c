"""The worker of the demo: it plays each task that the engine gives it, file by file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.demo import documents, epic, loop, tasks
from harness_tui.demo.desk import Desk
from harness_tui.demo.features import feature_for
from harness_tui.model.work import Doing, Result
from harness_tui.stream.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from threading import Event

    from harness_tui.model.work import Assignment

_SWEEP = "entropy-watch"


class ScriptedWorker:
    """Plays tasks in `root`; `speed` divides all rests. No process is started but git's."""

    def __init__(self, root: Path, *, speed: float = 1.0, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._speed = speed
        self._root = root
        self._desk = Desk(root, self._clock.now)
        self._asks = False

    def run(
        self,
        assignment: Assignment,
        *,
        root: Path,  # noqa: ARG002 - it has one of its own, the same
        cancel: Event,
        heard: Callable[[Doing], None],
        born: Callable[[int], None],  # noqa: ARG002 - there is no process
    ) -> Result:
        """Play the task; `cancel` is heeded at each rest, and files are valid then."""
        heard(Doing("started"))
        loop.lift_lock(self._root)
        if assignment.slug == _SWEEP:
            self._desk.sweep()
            return Result("delivered")
        mode = assignment.mode if assignment.mode in documents.STAGES_OF else "full"
        feature = feature_for(assignment.slug, assignment.goal, mode)
        result = self._play(tasks.play(self._desk, assignment, feature, heard), cancel)
        self._asks = self._asks or result.outcome == "needs-human"
        return result

    def answered(self) -> bool:
        """Whether the question that a task was left with has got its answer since; told once."""
        if not self._asks or epic.way(self._root) is None:
            return False
        self._asks = False
        return True

    def _play(self, steps: tasks.Steps, cancel: Event) -> Result:
        while True:
            try:
                seconds = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            if self._clock.wait(cancel, seconds / self._speed):
                return Result("cancelled", "the demo was left")
