"""The end of a run at once, from outside: its engine is asked to, which ends the worker with all its processes."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Final

from harness_tui.model.refusal import Refused
from harness_tui.stream.lease import GRACE, living, own_lock
from harness_tui.workspace.process import PROC, judge_lease, own_host, process_state
from harness_tui.workspace.process_tree import send

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.lease import LeaseClaim

_WHAT: Final = "the run"
_PATIENCE: Final = GRACE + 3.0
"""Seconds for which the end is waited for: a worker has `GRACE` to end by itself."""
_TURN: Final = 0.02


def run_to_end(root: Path) -> LeaseClaim:
    """The run of our own engine that lives and may be ended from here. Raises `Refused` with the reason if not."""
    claim = own_lock(root)
    if claim is None or not judge_lease(claim).alive:
        other = living(root)
        if other is not None:
            why = f"process {other.pid} of another program holds {other.path}: end it where it was started"
            raise Refused("not-ours", _WHAT, why)
        if claim is not None and claim.host and claim.host != own_host():
            raise Refused("elsewhere", _WHAT, f"it was started on {claim.host}: end process {claim.pid} there")
        why = judge_lease(claim).why if claim is not None else "nobody holds the run lock"
        raise Refused("nothing-runs", _WHAT, f"nothing runs: {why}")
    if claim.pid == os.getpid():
        raise Refused("not-ours", _WHAT, "the run is in this very program, as in the demo: X stops it, q ends both")
    if _owner(claim.pid) not in (os.geteuid(), None) and os.geteuid() != 0:
        raise Refused("not-ours", _WHAT, f"process {claim.pid} belongs to another user")
    return claim


def end_run(root: Path, shown: LeaseClaim) -> str:
    """End the run that was shown, and wait a while for its end; what came of it, in words.

    The engine is asked by SIGTERM: it ends the worker's processes, writes log and report, and goes. Raises `Refused`
    when another run is under way by now or none.
    """
    now = run_to_end(root)
    if (now.pid, now.start_ticks, now.run) != (shown.pid, shown.start_ticks, shown.run):
        raise Refused("changed", _WHAT, "another run is under way than the one that was shown")
    assert now.pid is not None  # noqa: S101 - a run that lives has both
    assert now.start_ticks is not None  # noqa: S101 - as above
    try:
        there = send(now.pid, now.start_ticks, signal.SIGTERM)
    except PermissionError:
        raise Refused("not-ours", _WHAT, f"process {now.pid} may not be ended by you") from None
    if not there:
        return f"process {now.pid} has just ended by itself"
    deadline = time.monotonic() + _PATIENCE
    while _lives(now.pid, now.start_ticks):
        if time.monotonic() >= deadline:
            return f"process {now.pid} was asked to end and is still ending its worker"
        time.sleep(_TURN)
    return f"the run is ended: process {now.pid} is gone, and its worker with it"


def _lives(pid: int, start_ticks: int) -> bool:
    state = process_state(pid)
    return state is not None and state.start_ticks == start_ticks and state.state not in "ZXx"


def _owner(pid: int | None) -> int | None:
    try:
        return (PROC / str(pid)).stat().st_uid
    except OSError:
        return None
