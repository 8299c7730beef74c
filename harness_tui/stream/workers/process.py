"""Runs one command to its end: both pipes drained, limits kept, and no process of it left alive when it returns."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from harness_tui.formats.agent_lines import MAX_LINE, LineReader, OutputLine
from harness_tui.workspace.process_tree import MARK, Tree, new_mark, ticks_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from threading import Event

    from harness_tui.workspace.raw_runs import RawRun

EndedBy = Literal["itself", "cancel", "silence", "time", "stop", "nothing"]
"""`itself`: the command ended. `silence`, `time`: a limit. `stop`: whoever listens asked. `nothing`: it never began."""

_CHUNK: Final = 1 << 18
_TURN: Final = 0.05
"""Seconds after which a cancellation is seen at the latest."""
_LAST_WORDS: Final = 0.2
"""Seconds for which the pipes are drained when the command has ended and something holds them open."""
_FILES: Final = {"out": "stdout", "err": "stderr"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run in seconds, None for none; `line` in bytes.

    `silence` ends a run that writes nothing at all, `total` any run; `grace` is the time between asking a process to
    end and ending it.
    """

    silence: float | None = 1800.0
    total: float | None = 14400.0
    grace: float = 5.0
    line: int = MAX_LINE


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. `status` is its exit status, below 0 the signal that ended it, None when it never began.

    `left` are the processes that it left behind and that were ended; `why` says why it never began.
    """

    by: EndedBy
    status: int | None
    why: str = ""
    left: int = 0


class Listener(Protocol):
    """Hears what a command writes; called in the thread that runs it."""

    def line(self, stream: str, line: OutputLine) -> bool:
        """One line of `out` or `err`; True when the command must be ended now."""

    def turn(self, now: float) -> None:
        """Called many times a second; `now` is monotonic."""

    def told(self, text: str) -> None:
        """Something about the processes themselves that a person should know."""


def run_process(  # noqa: PLR0913 - what to run, where, and who hears of it
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    limits: Limits,
    cancel: Event,
    born: Callable[[int], None],
    listener: Listener,
    raw: RawRun | None = None,
) -> Ended:
    """Run `command`, which is never read by a shell, with an empty standard input and a session of its own."""
    if cancel.is_set():
        return Ended("cancel", None)
    mark, since = new_mark(), ticks_now()
    try:
        child = subprocess.Popen(  # noqa: S603 - a list of words, and the operator's own command
            list(command), cwd=cwd, env={**environment, MARK: mark}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        return Ended("nothing", None, _why(command, error))
    return _Run(child, Tree(child.pid, mark, since, new=True), limits, cancel, listener, raw).finish(born)


class _Run:
    """A command that has begun."""

    def __init__(
        self, child: subprocess.Popen[bytes], tree: Tree, limits: Limits, cancel: Event, listener: Listener,
        raw: RawRun | None,
    ) -> None:  # fmt: skip
        self._child = child
        self._tree = tree
        self._limits, self._cancel, self._listener, self._raw = limits, cancel, listener, raw
        self._readers = {name: LineReader(limits.line) for name in _FILES}
        self._started = self._heard = self._looked = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._handle = _pidfd(child.pid)
        self._open = 0

    def finish(self, born: Callable[[int], None]) -> Ended:
        """Wait for the end and see to it that nothing is left, whatever happens meanwhile."""
        ended_by: EndedBy = "cancel"
        left = 0
        try:
            born(self._child.pid)
            self._watch()
            ended_by = self._wait()
        finally:
            left = self._end(ended_by)
        return Ended(ended_by, self._child.returncode, left=left)

    def _watch(self) -> None:
        for name, pipe in (("out", self._child.stdout), ("err", self._child.stderr)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._selector.register(pipe, selectors.EVENT_READ, name)
                self._open += 1
        if self._handle >= 0:
            self._selector.register(self._handle, selectors.EVENT_READ, "")

    def _wait(self) -> EndedBy:
        """Drain the pipes until the command ends, a limit is passed or somebody asks for the end."""
        gone = False
        while True:
            for key, _ in self._selector.select(_TURN):
                if key.data == "":
                    gone = True
                elif self._read(key):
                    return "stop"
            now = time.monotonic()
            # Without a handle the child is reaped here; its number may be given away then, its group may not while
            # anything of it lives.
            if gone or (self._handle < 0 and self._child.poll() is not None):
                return "stop" if self._drain() else "itself"
            if self._cancel.is_set():
                return "cancel"
            if self._limits.total is not None and now - self._started >= self._limits.total:
                return "time"
            if self._limits.silence is not None and now - self._heard >= self._limits.silence:
                return "silence"
            self._listener.turn(now)
            if now - self._looked >= 1.0:  # so that what leaves the tree later is known
                self._tree.living()
                self._looked = time.monotonic()

    def _drain(self) -> bool:
        """Read what is left in the pipes; a process that holds them open is not waited for."""
        deadline = time.monotonic() + _LAST_WORDS
        if self._handle >= 0:
            self._selector.unregister(self._handle)
        while self._open and not self._cancel.is_set():
            ready = self._selector.select(max(0.0, deadline - time.monotonic()))
            if any(self._read(key) for key, _ in ready):
                return True
            if not ready or time.monotonic() >= deadline + 10 * _LAST_WORDS:
                break
        rest = [(name, reader.close()) for name, reader in self._readers.items()]
        stops = [self._listener.line(name, line) for name, line in rest if line is not None]
        return any(stops)

    def _read(self, key: selectors.SelectorKey) -> bool:
        try:
            chunk = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(key.fileobj)
            self._open -= 1
            return False
        self._heard = time.monotonic()
        if self._raw is not None:
            self._raw.write(_FILES[key.data], chunk)
        stops = [self._listener.line(key.data, line) for line in self._readers[key.data].feed(chunk)]
        return any(stops)

    def _end(self, ended_by: EndedBy) -> int:
        """End what still lives, reap the command, let go of the pipes. How many it left behind by itself."""
        try:
            left = self._tree.living()
            if left:
                self._tree.end(self._limits.grace, self._listener.told)
            self._child.wait()
            while left and self._tree.living():  # without /proc the group holds the command until it is reaped
                self._tree.end(0.0)
        finally:
            self._selector.close()
            for pipe in (self._child.stdout, self._child.stderr):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            if self._handle >= 0:
                os.close(self._handle)
            if self._raw is not None:
                self._raw.close()
        return len(left) if ended_by == "itself" else 0


def _pidfd(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _why(command: Sequence[str], error: OSError | ValueError) -> str:
    name = command[0] if command else "an empty command"
    if isinstance(error, FileNotFoundError):
        return f"{name}: there is no such program"
    return f"{name}: {error.strerror or error}" if isinstance(error, OSError) else f"{name}: {error}"
