"""All processes of one run of a worker, and their end: found in `/proc`, proved dead before anything goes on.

A worker's first process leads a session of its own, and all that it starts inherit a mark in their environment. So a
process is found that forked twice or left the session; one that cleared its environment, too, is found as long as it
was seen while its parent lived, or was adopted as an orphan (`workspace.orphans`). Signals go only to processes whose
number and start time are those that were found.
Without `/proc` the process group stands for all.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.workspace.orphans import is_adopted, reap
from harness_tui.workspace.process import PROC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARK: Final = "HARNESS_TUI_WORKER"
"""Environment variable that all processes of a worker inherit: its value is used once."""

_COUNTER: Final = itertools.count(1)
_PARENT, _SESSION, _START = 1, 3, 19  # fields of proc(5) stat, counted from the state
_DEAD: Final = frozenset("ZXx")
_FIRST_PAUSE: Final = 0.002
_LONGEST_PAUSE: Final = 0.05
_STUBBORN: Final = 5.0
_YOUNG: Final = 1.0
"""Seconds in which no machine gives away all process numbers."""


class Process(NamedTuple):
    """A process as it was found; `start_ticks` are clock ticks since boot."""

    pid: int
    start_ticks: int
    state: str
    parent: int
    session: int
    name: str


def new_mark() -> str:
    """The mark of one more run of this process."""
    return f"{os.getpid()}-{time.time_ns()}-{next(_COUNTER)}"


def ticks_now() -> int:
    """Clock ticks since boot, no later than the start of any process that begins from now on; 0 where not known."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0 if clock is None else int(time.clock_gettime(clock) * os.sysconf("SC_CLK_TCK")) - 1


class Tree:
    """The processes of one run: those of the session `leader`, those that carry `mark`, and what they started.

    None is older than `since` clock ticks. `mark` is the value of the environment variable `variable`. `new` says that
    the leader was started just now.
    """

    def __init__(self, leader: int, mark: str, since: int = 0, *, variable: str = MARK, new: bool = False) -> None:
        self._leader = leader
        self._mark = f"{variable}={mark}".encode()
        self._since = since
        self._young_until = time.monotonic() + _YOUNG if new else float("-inf")
        self._seen: set[tuple[int, int]] = set()

    def living(self) -> list[Process]:
        """All of them that live now."""
        if not os.path.exists("/proc/self"):  # noqa: PTH110 - asked for every run
            return self._group()
        found = {process.pid: process for process in self._candidates()}
        members = {pid for pid, process in found.items() if self._is_member(process)}
        while True:
            more = {pid for pid, process in found.items() if process.parent in members} - members
            if not more:
                break
            members |= more
        self._seen = {(pid, found[pid].start_ticks) for pid in members}
        for pid in members - {self._leader}:  # that one is waited for by who started it
            if found[pid].state in _DEAD and is_adopted(found[pid].parent, found[pid].session):
                reap(pid)
        return [found[pid] for pid in sorted(members) if found[pid].state not in _DEAD]

    def end(self, grace: float, told: Callable[[str], None] | None = None) -> None:
        """Ask all to end (TERM), then end them (KILL) after `grace` seconds; returns when none lives.

        `told` hears once of processes that outlive even that, while they are waited for: nothing may start before.
        """
        deadline = time.monotonic() + grace
        living = self.living()
        for process in living:
            _send(process, signal.SIGTERM)
        for pause in _pauses():
            if not living or time.monotonic() >= deadline:
                break
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            living = self.living()
        patience = time.monotonic() + _STUBBORN
        for pause in _pauses():
            if not living:
                return
            for process in living:
                _send(process, signal.SIGKILL)
            if told is not None and time.monotonic() >= patience:
                told(", ".join(f"{process.pid} ({process.name})" for process in living))
                told = None
            time.sleep(pause)
            living = self.living()

    def _group(self) -> list[Process]:
        try:
            os.killpg(self._leader, 0)
        except (ProcessLookupError, PermissionError):
            return []
        return [Process(-self._leader, 0, "R", 0, self._leader, "process group")]

    def _candidates(self) -> Iterator[Process]:
        """Processes that may be of the run."""
        for number in self._numbers():
            found = _read(number)
            if found is not None and found.start_ticks >= self._since and found.pid != os.getpid():
                yield found

    def _numbers(self) -> list[int]:
        """Their numbers. In a young run only those after its leader, and the leader alone if none was given since.

        In an older one all may have been given meanwhile, and begun anew.
        """
        lowest = 0
        if time.monotonic() < self._young_until:
            last = _last_pid()
            if last == self._leader:
                return [last]
            lowest = self._leader if self._leader < last else 0
        numbers = [int(name) for name in os.listdir(PROC) if name.isdecimal()]  # noqa: PTH208 - again and again
        return [number for number in numbers if number >= lowest]

    def _is_member(self, process: Process) -> bool:
        if self._leader and process.session == self._leader:  # no group of it is outside
            return True
        if (process.pid, process.start_ticks) in self._seen or is_adopted(process.parent, process.session):
            return True
        try:
            environment = (PROC / str(process.pid) / "environ").read_bytes()
        except OSError:  # gone, or somebody else's
            return False
        return self._mark in environment.split(b"\0")


def _last_pid() -> int:
    """The number that the last process was given; 0 when that is not known."""
    try:
        return int((PROC / "loadavg").read_bytes().split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


def _read(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as source:  # noqa: PTH123 - hundreds of files at a time
            text = source.read()
        head, _, tail = text.rpartition(b")")
        fields = tail.split()
        parent, session, start = (int(fields[place]) for place in (_PARENT, _SESSION, _START))
    except (OSError, ValueError, IndexError):
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return Process(pid, start, fields[0].decode("ascii", "replace"), parent, session, name)


def send(pid: int, start_ticks: int, number: signal.Signals) -> bool:
    """Signal the process that was started then, and never another one that has its number now.

    False when it is gone. Raises `PermissionError`.
    """
    try:
        handle = os.pidfd_open(pid)
    except (AttributeError, OSError):
        handle = -1
    try:
        now = _read(pid)
        if now is None or now.start_ticks != start_ticks:
            return False
        if handle >= 0:
            signal.pidfd_send_signal(handle, number)
        else:
            os.kill(pid, number)
    except ProcessLookupError:
        return False
    finally:
        if handle >= 0:
            os.close(handle)
    return True


def _send(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if process.pid < 0:
            os.killpg(-process.pid, number)
        else:
            send(process.pid, process.start_ticks, number)


def _pauses() -> Iterator[float]:
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, _LONGEST_PAUSE)
