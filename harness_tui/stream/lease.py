"""One run at a time in a workspace: the lease of whoever drains a pool (CONTRACT rule 3; FAILURES ENG).

A lock of the kernel keeps others out and goes with the process, however that ends. A file beside it says to everybody
else who holds it: process, start time, boot, machine, pool, and the process group of the worker.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.lease import parse_lease
from harness_tui.formats.text import clean
from harness_tui.model.frozen import replace
from harness_tui.model.lease import FOREIGN, OWN
from harness_tui.model.refusal import Refused
from harness_tui.rules.activity import merged
from harness_tui.stream.clock import Clock
from harness_tui.workspace.atomic import ANY, WriteError, read_target, remove_file, replace_file
from harness_tui.workspace.lock import LockedError, folder_locked, locked
from harness_tui.workspace.place import open_inside
from harness_tui.workspace.process import boot_id, judge_lease, own_claim, process_state
from harness_tui.workspace.process_tree import Tree, ticks_now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from harness_tui.model.lease import LeaseClaim
    from harness_tui.model.work import Doing

LOCK: Final = "stream"
MARK: Final = "HARNESS_TUI_RUN"
"""The variable that all processes of a run inherit; its value is the run's own random name."""
GRACE: Final = 5.0
"""Seconds between asking what a dead run left behind to end, and killing it."""

PAUSE: Final = 0.5
"""Seconds between two notes of what the worker is at."""

_MACHINE: Final = Clock()
ONE_RUN: Final = (
    "one run at a time in a working tree, whatever the pool: the tasks of two would change each other's files "
    "(for a second one make another with git worktree)"
)
_SECOND: Final = os.sysconf("SC_CLK_TCK")


class Lease:
    """What the run holds. `told` are sentences about what was found when it was taken; `now` is the run's own clock."""

    def __init__(self, root: Path, pool_id: str, now: Callable[[], datetime]) -> None:
        self._now = now
        self._path = root / OWN
        self._root = root
        self.run = secrets.token_hex(8)
        self.told: list[str] = []
        self._claim: dict[str, Any] = {**own_claim(pool_id, now=now()), "run": self.run}
        self._doing: Doing | None = None
        self._told_at = float("-inf")
        self._later: threading.Timer | None = None
        self._lock = threading.Lock()
        self._data = b""
        self._descriptor = -1

    def write(self) -> None:
        """Say who holds it. Raises `WriteError`."""
        self._data = self._render()
        replace_file(self._path, self._data, root=self._root, expect=ANY)
        self._descriptor = open_inside(self._path, os.O_WRONLY, root=self._root, links=False)

    def worker(self, group: int | None) -> None:
        """Name the process group of the worker, None when there is none any more.

        Not brought to the disk: it has to outlive this process, but no process outlives a machine that goes down.
        """
        with self._lock:
            self._claim |= {"worker": group, "worker_ticks": ticks_now() if group else None, "doing": None}
            self._doing = None
            self._put()

    def doing(self, what: Doing) -> None:
        """Say what the worker is at, for whoever watches from outside; not more often than anybody can read.

        The last of many in a row is said a little later: it may be what goes on for an hour.
        """
        if what.since is None:
            what = replace(what, since=self._now().replace(microsecond=0))
        with self._lock:
            self._doing = merged(self._doing, what)
            wait = self._told_at + PAUSE - time.monotonic()
            if wait <= 0 or what.kind == "quiet":
                self._note()
            elif self._later is None:
                self._later = threading.Timer(wait, self._note_later)
                self._later.daemon = True
                self._later.start()

    def _note_later(self) -> None:
        with self._lock:
            self._later = None
            if self._doing is not None:
                self._note()

    def _note(self) -> None:
        assert self._doing is not None  # noqa: S101 - asked by both callers
        self._told_at = time.monotonic()
        self._claim["doing"] = asdict(self._doing)
        self._put()

    def _put(self) -> None:
        """Write in place, never shorter than before: there is no moment at which the file is cut.

        A file that somebody removed, as who cleans up what git ignores does, is made again.
        """
        data = self._render()
        data += b" " * (len(self._data) - len(data) - 1) + b"\n" if len(data) < len(self._data) else b""
        with suppress(OSError, WriteError):
            if os.fstat(self._descriptor).st_nlink == 0:
                descriptor, self._descriptor = self._descriptor, -1
                os.close(descriptor)
                self.write()
                return
            os.pwrite(self._descriptor, data, 0)
        self._data = data

    def release(self) -> None:
        """Take the file away, if it is still ours."""
        with self._lock, suppress(OSError):  # whoever comes later writes into no other file that has the number then
            descriptor, self._descriptor, self._doing = self._descriptor, -1, None
            os.close(descriptor)
        with suppress(WriteError):
            found = read_target(self._path, root=self._root)
            if found is not None and f'"run": "{self.run}"'.encode() in found:
                remove_file(self._path, root=self._root, expect=found)

    def _render(self) -> bytes:
        return json.dumps(self._claim, default=datetime.isoformat).encode() + b"\n"


@contextmanager
def held(root: Path, pool_id: str, now: Callable[[], datetime] = _MACHINE.now) -> Iterator[Lease]:
    """The lease of `root` while the block runs.

    What a dead run left behind is ended first. Raises `Refused` when a living run holds it, and `WriteError`.
    """
    mark = os.environ.get(MARK)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(root, LOCK, timeout=0.0))
            stack.enter_context(folder_locked(root))
        except LockedError as error:
            raise Refused("running", "stream", _holder(root)) from error
        lease = Lease(root, pool_id, now)
        lease.told += _take_over(root)
        stack.callback(lease.release)
        lease.write()
        stack.callback(_restore, mark)
        os.environ[MARK] = lease.run
        yield lease


def _restore(mark: str | None) -> None:
    if mark is None:
        os.environ.pop(MARK, None)
    else:
        os.environ[MARK] = mark


def living(root: Path) -> LeaseClaim | None:
    """The lock of a run that lives: of our own engine, else of another program. Raises `WriteError`."""
    claims = (_read(root, name) for name in (OWN, FOREIGN))
    return next((claim for claim in claims if claim is not None and judge_lease(claim).alive), None)


def own_lock(root: Path) -> LeaseClaim | None:
    """What the lock of our own engine claims, whether its run lives or not. Raises `WriteError`."""
    return _read(root, OWN)


def holder_words(claim: LeaseClaim) -> str:
    """Who holds the run, as a reason why there is no second one."""
    since = f" since {claim.started_at}" if claim.started_at else ""
    return f"process {claim.pid} on {claim.host} drains pool {claim.pool or '?'}{since}; {ONE_RUN}"


def _holder(root: Path) -> str:
    claim = _read(root, OWN)
    if claim is None or claim.pid is None:
        return "another run has just begun or is just ending, or its lock file was removed; try again when it has ended"
    return holder_words(claim)


def _take_over(root: Path) -> list[str]:
    """What is left of runs that did not end by themselves: said, their worker ended and proved dead."""
    told: list[str] = []
    for name in (FOREIGN, OWN):
        claim = _read(root, name)
        if claim is not None:
            told += _from_dead(claim)
    return told


def _from_dead(claim: LeaseClaim) -> list[str]:
    lease = judge_lease(claim)
    if lease.alive and not (claim.path == OWN and claim.pid == os.getpid()):
        raise Refused("running", claim.path, f"a run of another program holds it: {lease.why}")
    told = [f"a stale run lock is taken over ({claim.path}): {lease.why}"]
    if claim.boot_id != boot_id() or not claim.boot_id:
        return told
    tree = _left_of(claim)
    alive = tree.living()
    if alive:
        names = ", ".join(f"{process.pid} ({process.name})" for process in alive[:8])
        tree.end(GRACE)  # returns when none of them lives any more
        told.append(f"the worker of that run was still alive and was ended: {clean(names)}")
    return told


def _left_of(claim: LeaseClaim) -> Tree:
    """The processes that a dead run left: they carry its mark, or are of the session of its last worker.

    That session's number may stand for somebody else by now; then its leader was started at another time.
    """
    leader = process_state(claim.worker) if claim.worker else None
    began = claim.worker_ticks or 0
    reused = leader is not None and not 0 <= leader.start_ticks - began <= _SECOND
    trusted = claim.worker or 0 if began and not reused else 0
    since = claim.start_ticks or 0
    return Tree(trusted, claim.run or "no process has this mark", since=since, variable=MARK)


def _read(root: Path, name: str) -> LeaseClaim | None:
    data = read_target(root / name, root=root)
    return None if data is None else parse_lease(data, name)
