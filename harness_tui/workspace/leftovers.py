"""Processes that a dead run left behind: found by a mark in their environment, ended, and proved dead.

A process number alone proves nothing, so no signal is ever sent by number: a process is opened first (pidfd), then its
environment is read, and only what carries the mark of that run is ended. Linux only; elsewhere nothing is found.
"""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.workspace.process import PROC, process_state

if TYPE_CHECKING:
    from pathlib import Path

MARK: Final = "HARNESS_TUI_RUN"
"""The variable that all processes of a run inherit; its value is the run's own random name."""
GRACE: Final = 5.0
"""Seconds between asking processes to end and killing them."""

_DEAD: Final = frozenset("ZXx")


def marked(run: str, proc: Path = PROC) -> list[int]:
    """Living processes of the run with that name, except this one."""
    names: list[str] = []
    with suppress(OSError):
        names = os.listdir(proc) if run else []  # noqa: PTH208 - names only
    pids = (int(name) for name in names if name.isdigit())
    return [pid for pid in pids if pid != os.getpid() and _carries(pid, run, proc)]


def end_all(run: str, grace: float = GRACE) -> list[int]:
    """End every process of that run; returns those that live on all the same. Takes up to twice `grace` seconds."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + grace
        while alive := marked(run):
            opened = [descriptor for pid in alive if (descriptor := _signal(pid, run, number)) is not None]
            try:
                _wait(opened, deadline)
            finally:
                for descriptor in opened:
                    os.close(descriptor)
            if time.monotonic() >= deadline:
                break
    return marked(run)


def _carries(pid: int, run: str, proc: Path = PROC) -> bool:
    try:
        data = (proc / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    if f"{MARK}={run}".encode() not in data.split(b"\0"):
        return False
    state = process_state(pid, proc)
    return state is not None and state.state not in _DEAD


def _signal(pid: int, run: str, number: int) -> int | None:
    """Send `number` to the process if it carries the mark; its descriptor, which turns readable when it ends."""
    try:
        descriptor = os.pidfd_open(pid)
    except (OSError, AttributeError):
        return None
    try:
        if _carries(pid, run):
            signal.pidfd_send_signal(descriptor, number)
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _wait(descriptors: list[int], deadline: float) -> None:
    """Until all of these processes have ended, or the time is over."""
    left = list(descriptors)
    while left and (rest := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select(left, [], [], rest)
        left = [descriptor for descriptor in left if descriptor not in ready]
    if not descriptors:
        time.sleep(min(0.05, max(0.0, deadline - time.monotonic())))
