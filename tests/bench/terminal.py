"""Programs in a pseudo-terminal of 160 x 48, watched by the bytes that they write."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

ESCAPES = re.compile(rb"\x1b\[[0-9;:?<>= ]*[a-zA-Z]|\x1b[()][0-9A-Za-z]|\x1b[=>78]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class Terminal:
    """One program. Leaving the `with` block ends it."""

    def __init__(self, argv: list[str], *, cwd: str | None = None, size: tuple[int, int] = (160, 48)) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if cwd:
                os.chdir(cwd)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.seen = b""
        self.read_at = self.started
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        deadline = time.perf_counter() + 5
        while time.perf_counter() < deadline:
            self.pump(0.05)
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def pump(self, seconds: float) -> bool:
        """Take what the program writes within `seconds`; True when it wrote something."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        self.read_at = time.perf_counter()
        self.written += len(data)
        self.seen = (self.seen + data)[-(1 << 18) :]
        return bool(data)

    def wait_for(self, text: str, limit: float = 30.0) -> float:
        """Perf-counter time at which `text` had been written, escape sequences aside, since the last `drain`."""
        wanted, deadline = text.encode(), time.perf_counter() + limit
        while time.perf_counter() < deadline:
            self.pump(0.2)
            if wanted in self.seen or wanted in ESCAPES.sub(b"", self.seen):
                return self.read_at
        raise TimeoutError(f"{text!r} was not shown within {limit} s")

    def drain(self, seconds: float) -> None:
        """Take output for `seconds`, and look for no text in what came until then: that would take milliseconds."""
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            self.pump(left)
        self.seen = b""

    def cpu(self) -> float:
        """Seconds of processor time of all threads so far (scheduler nanoseconds)."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                total += int((task / "schedstat").read_bytes().split()[0])
        return total / 1e9

    def rss(self) -> float:
        """Resident memory in MiB."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.fd, keys.encode())
