"""Processes whose parent has gone become children of this one, so that nothing of a worker gets away (Linux alone).

One that cleared its environment, left its session and lost its parent is known by nothing else. Our own children stay
in our session unless they lead that of a worker; so a child in another session, which is no worker, was adopted.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SET_CHILD_SUBREAPER: Final = 36  # prctl(2)
_state = {"adopting": False}


@contextmanager
def adopting() -> Iterator[None]:
    """While the block runs, this process is the next parent of orphans below it, where the system knows that."""
    _state["adopting"] = _set(1)
    try:
        yield
    finally:
        if _state["adopting"]:
            _state["adopting"] = False
            _set(0)


def is_adopted(parent: int, session: int) -> bool:
    """Whether a process with that parent and session came to us as an orphan, or leads the session of a worker."""
    return _state["adopting"] and parent == os.getpid() and session != os.getsid(0)


def reap(pid: int) -> None:
    """Let go of an adopted process that has ended; nobody else waits for it."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _set(value: int) -> bool:
    if not sys.platform.startswith("linux") or not os.path.exists("/proc/self"):  # noqa: PTH110 - before a run
        return False
    with suppress(Exception):  # a system without ctypes, without prctl, or one that forbids it
        import ctypes  # noqa: PLC0415 - only a run needs it

        return bool(ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, value, 0, 0, 0) == 0)
    return False
