"""Processes whose parent has gone become children of this one, so that nothing of a worker gets away (Linux alone).

One that cleared its environment, left its session and lost its parent is known by nothing else. Our own children stay
in our session unless they lead that of a worker; so a child in another session, which is no worker, was adopted.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

_SET_CHILD_SUBREAPER: Final = 36  # prctl(2)
_state = {"adopting": False}


def adopt() -> bool:
    """From now on this process is the next parent of orphans below it; whether the system knows that."""
    if not sys.platform.startswith("linux") or not os.path.exists("/proc/self"):  # noqa: PTH110 - before a run
        return False
    with suppress(Exception):  # a system without ctypes, without prctl, or one that forbids it
        import ctypes  # noqa: PLC0415 - only a run needs it

        _state["adopting"] = ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    return _state["adopting"]


def is_adopted(parent: int, session: int) -> bool:
    """Whether a process with that parent and session came to us as an orphan, or leads the session of a worker."""
    return _state["adopting"] and parent == os.getpid() and session != os.getsid(0)


def reap(pid: int) -> None:
    """Let go of an adopted process that has ended; nobody else waits for it."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
