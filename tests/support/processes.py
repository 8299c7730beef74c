"""Processes of a test, found by a mark that the test put into their environment."""

from __future__ import annotations

import os
import time
from pathlib import Path

from harness_tui.workspace.process import process_state

STATE = 0


def living(mark: str) -> list[int]:
    """Processes, zombies left out, whose environment or command line holds `mark`."""
    wanted = mark.encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            text = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[STATE]
        except OSError:
            continue
        if wanted in text and state not in b"ZX":
            found.append(int(folder.name))
    return found


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    state = process_state(pid)
    return state is not None and state.state != "Z"


def wait_for(condition, seconds: float = 30.0):
    """What `condition` gives once it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("waited in vain")
