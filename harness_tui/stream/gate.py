"""The project's own check, run by the loop, judged by its exit code (formats/harness-kit 1.9; section 6, 11 to 15)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.verify import run_from_output
from harness_tui.workspace.atomic import opened_place
from harness_tui.workspace.lock import OWN_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.model.verify import VerifyRun

_TAIL: Final = 256 * 1024
_OUTPUT: Final = "verify_all.log"
_GRACE: Final = 5.0
_FIRST_PAUSE: Final = 0.002
_LONGEST_PAUSE: Final = 0.1


def argv(script: Path) -> list[str]:
    """How a script is started: by what its name ends with, else as a program of its own."""
    runners = {".sh": ["bash"], ".py": [sys.executable], ".ps1": ["pwsh", "-NoProfile", "-File"]}
    return [*runners.get(script.suffix, []), str(script)]


def verify(
    root: Path,
    script: Path,
    *,
    cancel: threading.Event,
    limit: float,
    born: Callable[[int], None],
    now: Callable[[], datetime],
) -> VerifyRun:
    """Run `script` in `root` to its end, `limit` seconds at most; its output is kept in our own folder.

    What did not end by itself, or was not there, is `unknown`.
    """
    name = f"{OWN_FOLDER}/{_OUTPUT}"
    with opened_place(root / name, root=root, make=True, links=False) as place:
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        output = os.open(place.name, flags, 0o666, dir_fd=place.folder)
    try:
        code = _run(argv(script), root, output, cancel, limit, born)
        size = os.fstat(output).st_size
        text = os.pread(output, _TAIL, max(0, size - _TAIL)).decode("utf-8", "replace")
    finally:
        os.close(output)
    return run_from_output(code, text, name, now())


def _run(
    command: list[str], root: Path, output: int, cancel: threading.Event, limit: float, born: Callable[[int], None]
) -> int | None:
    """The exit code; None when it was ended or could not be started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the project's own script
            command, cwd=root, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    except OSError as error:
        os.write(output, f"{command[0]}: {error.strerror}\n".encode())
        return None
    born(process.pid)
    try:
        if _ended(process.pid, cancel, time.monotonic() + limit):
            return _reap(process)
        os.killpg(process.pid, signal.SIGTERM)
        _ended(process.pid, threading.Event(), time.monotonic() + _GRACE)
        return None
    finally:
        _reap(process)


def _ended(pid: int, cancel: threading.Event, deadline: float) -> bool:
    """Wait until the process has ended; it is not reaped, so that its number stays its own."""
    pause = _FIRST_PAUSE
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= deadline or cancel.wait(pause):
            return False
        pause = min(pause * 2, _LONGEST_PAUSE)
    return True


def _reap(process: subprocess.Popen[bytes]) -> int:
    """End what is left of the group, then take the leader's exit code."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
