"""What an epic does next, and which of its tasks can run (formats/interrupt-budget 2)."""

from __future__ import annotations

from typing import NamedTuple

from harness_tui.model.frozen import frozen


class EpicTask(NamedTuple):
    """One task of an epic; `status` is pending, in_progress, done, failed, blocked, cancelled, or any other word."""

    id: str
    status: str
    dependencies: tuple[str, ...] = ()


@frozen
class EpicOutlook:
    """What would happen next if nobody changed a file.

    `next_action` is the engine's word: `wait_user` while it waits for the answers to `waits_for`, else `run_<stage>` or
    `complete`. `order` are the tasks in the order in which they can run, the first `runnable` of them at once: none
    where the stage runs no tasks, or the engine waits. `blocked` are tasks that somebody has to lift, `tasks` counts
    all of the epic.
    """

    next_action: str
    waits_for: tuple[str, ...] = ()
    runnable: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    tasks: int = 0
