"""Whether the process that holds the run lock still lives, proved from `/proc`; no signal is ever sent.

A process number proves nothing: numbers are used again, within a boot and in the next one. A holder lives only when
its number, the start time of the process and the boot of the machine all agree with what the lock says
(model.stream.Lease). What is missing or cannot be proved counts as not alive, with the reason.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.formats.text import clean
from harness_tui.model.frozen import frozen
from harness_tui.model.stream import Lease

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.lease import LeaseClaim

PROC = Path("/proc")
_BOOT_ID = "sys/kernel/random/boot_id"
_DEAD_STATES = frozenset("ZXx")
_START_FIELD = 19  # field 22 of proc(5) stat, counted from the state that follows the name


@frozen
class ProcessState:
    """State letter of a process (`R`, `S`, `Z`, …) and its start in clock ticks since boot."""

    state: str
    start_ticks: int


def judge_lease(claim: LeaseClaim, *, proc: Path = PROC, host: str | None = None) -> Lease:
    """The lease that `claim` tells of, with the judgement whether its holder lives, and why.

    `proc` and `host` are those of this machine unless a test gives others.
    """
    doubt = _doubt(claim, proc, own_host() if host is None else host)
    return Lease(
        path=claim.path,
        pid=claim.pid,
        host=claim.host,
        pool_id=claim.pool,
        started_at=_instant(claim.started_at),
        alive=not doubt,
        doing=claim.doing,
        why=doubt or f"process {claim.pid} is running, started when the lock says, in this boot",
    )


def own_claim(pool: str, *, now: datetime | None = None, proc: Path = PROC) -> Mapping[str, str | int | None]:
    """What this process would write into the lock of `pool` at `now`: the fields of `LeaseClaim`, ready for JSON."""
    state = process_state(os.getpid(), proc)
    return {
        "pid": os.getpid(),
        "started_at": (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "start_ticks": state.start_ticks if state else None,
        "boot_id": boot_id(proc),
        "host": own_host(),
        "pool": pool,
    }


def own_host() -> str:
    """Name of this machine."""
    return os.uname().nodename


def boot_id(proc: Path = PROC) -> str:
    """Identity of this boot of the machine; empty where the system has none."""
    try:
        return (proc / _BOOT_ID).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def process_state(pid: int, proc: Path = PROC) -> ProcessState | None:
    """State of process `pid`; None when it is gone or may not be looked at."""
    if pid <= 0:
        return None
    try:
        text = (proc / str(pid) / "stat").read_bytes()
        # The name is in brackets and may hold blanks and brackets itself: what follows the last one counts.
        fields = text[text.rindex(b")") + 1 :].split()
        return ProcessState(fields[0].decode("ascii"), int(fields[_START_FIELD]))
    except (OSError, ValueError, IndexError):
        return None


def _doubt(claim: LeaseClaim, proc: Path, host: str) -> str:
    boot = boot_id(proc)
    if claim.pid is None:
        return "the lock names no process"
    if not boot:
        return f"this system has no /proc, so process {claim.pid} cannot be proved to live"
    if not claim.boot_id:
        return "the lock does not say in which boot it was taken"
    if claim.boot_id != boot:
        return f"the lock is from another boot; process {claim.pid} of today is a stranger"
    if not claim.host:
        return "the lock does not say on which machine it was taken"
    if claim.host != clean(host):
        return f"the lock was taken on {claim.host}, this is {clean(host)}"
    return _doubt_process(claim.pid, claim.start_ticks, proc)


def _doubt_process(pid: int, start_ticks: int | None, proc: Path) -> str:
    if start_ticks is None:
        return f"the lock does not say when process {pid} was started"
    found = process_state(pid, proc)
    if found is None:
        return f"process {pid} is gone"
    if found.start_ticks != start_ticks:
        return f"process {pid} was started at another time; it is a stranger"
    if found.state in _DEAD_STATES:
        return f"process {pid} has ended and was not reaped"
    return ""


def _instant(text: str) -> datetime | None:
    """The instant that `text` names; None without a zone, for a time is never guessed."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return at if at.tzinfo is not None else None
