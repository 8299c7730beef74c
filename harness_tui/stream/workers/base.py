"""What every worker offers to the engine."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Protocol

from harness_tui.model.work import Assignment, Doing, Result


class Worker(Protocol):
    """Does one assignment at a time."""

    def run(
        self,
        assignment: Assignment,
        *,
        root: Path,
        cancel: Event,
        heard: Callable[[Doing], None],
        born: Callable[[int], None],
    ) -> Result:
        """Blocks until the work has ended and no process of it is left alive.

        `born` gets the process group as soon as there is one, so that a lease can name it; `heard` is called from
        another thread for whatever the worker does. Setting `cancel` ends the whole process tree.
        """
