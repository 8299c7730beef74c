"""What a run lock claims, before anybody asks whether its process lives."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from harness_tui.model.problem import Problem
    from harness_tui.model.work import Doing

OWN: Final = ".harness/harness-tui/lease.json"
"""The lease of our own engine, where git does not see it: agents often commit all that they find."""
FOREIGN: Final = ".harness/stream.lock"
"""The lock of another program that drains pools; read and respected, never written."""


@frozen
class LeaseClaim:
    """The content of a run lock; empty or None where it names nothing usable.

    `pid` is above 0 or None. `started_at` is the text as written, `start_ticks` the process start in clock ticks since
    boot. A claim proves nothing: pid, start and boot must be compared with a living process.

    `run` is the run's own random name, which its processes carry in their environment; `worker` the process group of
    its worker and `worker_ticks` about when that group's leader was started.
    `doing` is what that worker was at when it was last set down.
    """

    path: str
    pid: int | None = None
    started_at: str = ""
    start_ticks: int | None = None
    boot_id: str = ""
    host: str = ""
    pool: str = ""
    problems: tuple[Problem, ...] = ()
    run: str = ""
    worker: int | None = None
    worker_ticks: int | None = None
    doing: Doing | None = None
