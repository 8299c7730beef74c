"""A run that is started for the operator as a process of its own, which outlives whoever started it."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import clean, decode
from harness_tui.model.refusal import Refused
from harness_tui.stream.lease import holder_words, living
from harness_tui.stream.workers.choose import make_worker, missing_program
from harness_tui.workspace.atomic import WriteError, opened_place, why_not
from harness_tui.workspace.epic_files import find_epic
from harness_tui.workspace.lock import OWN_FOLDER, locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FOLDER: Final = f"{OWN_FOLDER}/starts"
"""Where the output of each run that was started so is kept."""
MOST_STARTS: Final = 10
MOST_OUTPUT: Final = 1 << 20
"""Bytes of one output."""
PATIENCE: Final = 2.0
"""Seconds for which a start is watched: most that go wrong do so at once."""

_TURN: Final = 0.02
_TAIL: Final = 4096
_COUNTER: Final = itertools.count(1)
_OURS: Final = re.compile(r"\d{8}T\d{6}Z-\d+\.\d+\.log")
_BEGUN: Final = re.compile("^(\\d\\d:\\d\\d:\\d\\d draining |… )".encode(), re.MULTILINE)
"""What a run says when it begins, or that it has said so much that its first lines were left out."""
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Launch:
    """What is to be run. `pool` None means the default pool, `epic` empty none."""

    pool: str | None
    adapter: str
    worker: str = ""
    follow: bool = False
    epic: str = ""


def command(root: Path, wish: Launch) -> list[str]:
    """The command line; nothing of it is read by a shell, and no module is taken from the workspace (`-P`)."""
    words = [sys.executable, "-P", "-m", "harness_tui", "stream", f"--adapter={wish.adapter}"]
    words += [f"--worker={wish.worker}"] if wish.worker else []
    words += ["--follow"] if wish.follow else []
    words += [f"--epic={wish.epic}"] if wish.epic else []
    words += [f"--output-limit={MOST_OUTPUT}", f"--path={root}"]
    return words if wish.pool is None else [*words, "--", wish.pool]


def check(root: Path, wish: Launch) -> None:
    """Raises `Refused` when it is plain that no run would begin, and `WriteError`."""
    claim = living(root)
    if claim is not None:
        raise Refused("running", "the run", holder_words(claim))
    if wish.adapter == "command" and not wish.worker.strip():
        raise Refused("empty", "worker", "a command is needed; the adapters claude and opencode have their own")
    try:
        make_worker(wish.adapter, wish.worker)
    except ValueError as error:
        raise Refused("no-worker", "worker", str(error)) from error
    missing = missing_program(wish.adapter, wish.worker, root)
    if missing:
        raise Refused("no-worker", "worker", f"{missing}: there is no such program")
    if wish.epic:
        find_epic(root, wish.epic)


def start(root: Path, wish: Launch, ended: Callable[[str], None] = lambda _words: None) -> str:
    """Start it; what came of it, in words. It is watched for `PATIENCE` seconds.

    `ended` is called from another thread when it ends later on. Raises `Refused` with its own words when it ended
    without having begun to drain, and `WriteError` when it could not be started.
    """
    check(root, wish)
    with _output(root) as (descriptor, path):
        try:
            child = subprocess.Popen(  # noqa: S603 - a list of words that the operator has seen
                command(root, wish), cwd=root, stdin=subprocess.DEVNULL, stdout=descriptor, stderr=descriptor,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            why = why_not(error) if isinstance(error, OSError) else str(error)
            raise WriteError(path, f"the run could not be started: {why}") from error
        output = _Output(os.dup(descriptor))
    deadline = time.monotonic() + PATIENCE
    while child.poll() is None and time.monotonic() < deadline and not output.begun:
        time.sleep(_TURN)
    if child.returncode is not None:
        try:
            return _over(child.returncode, output)
        finally:
            output.close()
    threading.Thread(target=_reap, args=(child, output, ended), name="harness-tui run", daemon=True).start()
    words = "" if output.begun else f"; so far: {output.last or 'nothing'}"
    return f"started as process {child.pid}{words}"


def _over(code: int, output: _Output) -> str:
    if not output.begun:
        raise Refused("not-started", "the run", output.last or f"it ended with {code} and said nothing")
    return f"the run is over already: {output.last}"


def _reap(child: subprocess.Popen[bytes], output: _Output, ended: Callable[[str], None]) -> None:
    """Wait for the end, so that no dead process is left standing, and tell of it."""
    code = child.wait()
    try:
        words = _over(code, output).replace("is over already", "has ended")
    except Refused as refused:
        words = f"the run did not begin: {refused.why}"
    output.close()
    ended(words)


class _Output:
    """What a run wrote, as far as it is still there."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = False

    @property
    def begun(self) -> bool:
        """Whether it said that it drains."""
        self._begun = self._begun or _BEGUN.search(self._read(0)) is not None
        return self._begun

    @property
    def last(self) -> str:
        """Its last line, fit to be shown."""
        tail = self._read(max(0, os.fstat(self._descriptor).st_size - _TAIL))
        lines = [line for line in tail.split(b"\n") if line.strip()]
        return clean(decode(lines[-1])).removeprefix("harness-tui: ") if lines else ""

    def close(self) -> None:
        os.close(self._descriptor)

    def _read(self, offset: int) -> bytes:
        try:
            return os.pread(self._descriptor, _TAIL, offset)
        except OSError:
            return b""


@contextmanager
def _output(root: Path) -> Iterator[tuple[int, Path]]:
    """A new file for the output of a run; of those of earlier ones the newest stay. Raises `WriteError`."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{os.getpid()}.{next(_COUNTER)}.log"
    path = root / FOLDER / name
    with locked(root, "starts"), opened_place(path, root=root, make=True, links=False) as place:
        kept = sorted((item for item in os.listdir(place.folder) if _OURS.fullmatch(item)), reverse=True)  # noqa: PTH208 - of an open folder
        for old in kept[MOST_STARTS - 1 :]:
            with suppress(OSError):
                os.unlink(old, dir_fd=place.folder)
        try:
            descriptor = os.open(name, _NEW, 0o600, dir_fd=place.folder)
        except OSError as error:
            raise WriteError(path, why_not(error)) from error
    try:
        yield descriptor, path
    finally:
        os.close(descriptor)
