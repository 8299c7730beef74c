"""One run at a time in a workspace: the lease of whoever drains a pool (CONTRACT rule 3; FAILURES ENG).

A lock of the kernel keeps others out and goes with the process, however that ends. `.harness/stream.lock` says to
everybody else who holds it: process, start time, boot, machine, pool, and the process group of the worker.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.lease import PATH, parse_lease
from harness_tui.model.refusal import Refused
from harness_tui.workspace.atomic import ANY, WriteError, read_target, remove_file, replace_file
from harness_tui.workspace.leftovers import MARK, end_all, marked
from harness_tui.workspace.lock import LockedError, locked
from harness_tui.workspace.process import boot_id, judge_lease, own_claim, process_state, ticks_now

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness_tui.model.lease import LeaseClaim

LOCK: Final = "stream"


class Lease:
    """What the run holds. `told` are sentences about what was found when it was taken."""

    def __init__(self, root: Path, pool_id: str) -> None:
        self._path = root / PATH
        self._root = root
        self.run = secrets.token_hex(8)
        self.told: list[str] = []
        self._claim = {**own_claim(pool_id), "run": self.run, "worker": None, "worker_ticks": None}
        self._data = b""
        self._descriptor = -1

    def write(self) -> None:
        """Say who holds it. Raises `WriteError`."""
        self._data = self._render()
        replace_file(self._path, self._data, root=self._root, expect=ANY)
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)

    def worker(self, group: int | None) -> None:
        """Name the process group of the worker, None when there is none any more.

        Not brought to the disk: it has to outlive this process, but no process outlives a machine that goes down.
        """
        self._claim["worker"] = group
        self._claim["worker_ticks"] = ticks_now() if group else None
        data = self._render()
        data += b" " * (len(self._data) - len(data) - 1) + b"\n" if len(data) < len(self._data) else b""
        with suppress(OSError):
            os.pwrite(self._descriptor, data, 0)
        self._data = data

    def release(self) -> None:
        """Take the file away, if it is still ours."""
        with suppress(OSError):
            os.close(self._descriptor)
        with suppress(WriteError):
            found = read_target(self._path, root=self._root)
            if found is not None and f'"run": "{self.run}"'.encode() in found:
                remove_file(self._path, root=self._root, expect=found)

    def _render(self) -> bytes:
        return json.dumps(self._claim).encode() + b"\n"


@contextmanager
def held(root: Path, pool_id: str) -> Iterator[Lease]:
    """The lease of `root` while the block runs.

    Raises `Refused` when a living run holds it, or a worker of a dead run lives on and can't be ended; `WriteError`.
    """
    mark = os.environ.get(MARK)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(root, LOCK, timeout=0.0))
        except LockedError as error:
            raise Refused("running", "stream", _holder(root)) from error
        lease = Lease(root, pool_id)
        lease.told += _take_over(root)
        lease.write()
        stack.callback(lease.release)
        stack.callback(_restore, mark)
        os.environ[MARK] = lease.run
        yield lease


def _restore(mark: str | None) -> None:
    if mark is None:
        os.environ.pop(MARK, None)
    else:
        os.environ[MARK] = mark


def _holder(root: Path) -> str:
    claim = _read(root)
    if claim is None or claim.pid is None:
        return "another run has just begun or is just ending; try again"
    since = f" since {claim.started_at}" if claim.started_at else ""
    return f"process {claim.pid} on {claim.host} drains pool {claim.pool or '?'}{since}; one run at a time"


def _take_over(root: Path) -> list[str]:
    """What is left of a run that did not end by itself: said, its worker ended and proved dead."""
    claim = _read(root)
    if claim is None:
        return []
    lease = judge_lease(claim)
    if lease.alive and claim.pid != os.getpid():
        raise Refused("running", PATH, f"a run that is not ours holds it: {lease.why}")
    told = [f"a stale run lock is taken over: {lease.why}"]
    if claim.boot_id != boot_id() or not claim.boot_id:
        return told
    alive = marked(claim.run)
    if alive:
        left = end_all(claim.run)
        names = ", ".join(str(pid) for pid in alive)
        if left:
            raise Refused("worker-alive", PATH, f"processes of the last worker live on and can't be ended: {left}")
        told.append(f"the worker of that run was still alive and was ended: process {names}")
    state = process_state(claim.worker) if claim.worker else None
    same = state is not None and abs(state.start_ticks - (claim.worker_ticks or 0)) <= os.sysconf("SC_CLK_TCK")
    if state is not None and same and state.state not in "ZXx":
        why = f"the last worker, process {claim.worker}, lives on and hides its environment; end it first"
        raise Refused("worker-alive", PATH, why)
    return told


def _read(root: Path) -> LeaseClaim | None:
    data = read_target(root / PATH, root=root)
    return None if data is None else parse_lease(data, PATH)
