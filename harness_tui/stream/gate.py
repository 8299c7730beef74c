"""The project's own check, run by the loop, judged by its exit code (formats/harness-kit 1.9; section 6, 11 to 15)."""

from __future__ import annotations

import os
import sys
from collections import deque
from typing import TYPE_CHECKING, Final

from harness_tui.formats.verify import run_from_output, why_unknown
from harness_tui.model.refusal import Refused
from harness_tui.stream.workers.process import Limits, run_process
from harness_tui.workspace.raw_runs import RawRun

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.formats.agent_lines import OutputLine
    from harness_tui.model.verify import VerifyRun
    from harness_tui.stream.book import Book
    from harness_tui.stream.lease import Lease

_TAIL: Final = 400
"""Lines at the end of the output in which the summary is looked for."""
_GREEN: Final = ("pass", "soft-fail")
_RUNNERS: Final = {".sh": ["bash"], ".py": [sys.executable], ".ps1": ["pwsh", "-NoProfile", "-File"]}


class Gate:
    """The project's check in one run: before its first task, and after each. `last` is its newest result."""

    def __init__(self, book: Book, lease: Lease, cancel: threading.Event) -> None:
        self._book, self._lease, self._cancel = book, lease, cancel
        self._script = book.layout.verify_script() if book.options.gate else None
        self.last: VerifyRun | None = None

    @property
    def there(self) -> bool:
        """Whether there is a check, and it is wanted."""
        return self._script is not None

    def baseline(self) -> None:
        """Run it before anything is done. Raises `Refused` when it is not green."""
        if self._script is None:
            return
        run = self.run("baseline")
        if self._cancel.is_set():
            raise Refused("cancelled", "verify_all", "it was ended before it was through")
        if not self.is_green(run):
            kept = f"; its output is in {run.path}" if run.path else ""
            why = f"the tree is not green before the run: {self.words(run)}{kept}"
            raise Refused("red-baseline", self._book.layout.rel(self._script), why)

    def run(self, why: str) -> VerifyRun:
        """Run it now; there must be one."""
        assert self._script is not None  # noqa: S101 - asked by all callers
        book = self._book
        book.event("gate-started", f"verify_all ({why})")
        self.last = run = verify(
            book.root, self._script, cancel=self._cancel, limit=book.options.gate_limit, born=self._lease.worker,
            now=book.clock.now,
        )  # fmt: skip
        book.event("gate", run.text)
        return run

    def is_green(self, run: VerifyRun) -> bool:
        """Whether work goes on after `run`: all passed, but for warnings and as many failures as are borne."""
        borne = run.verdict == "hard-fail" and run.failed is not None and 0 < run.failed <= self._book.options.tolerate
        return run.verdict in _GREEN or borne

    def words(self, run: VerifyRun) -> str:
        """What `run` said, and what it must say where that is not clear."""
        return " - ".join(part for part in (run.text, why_unknown(run)) if part)


class _Tail:
    """Keeps the last lines of what the script prints."""

    def __init__(self) -> None:
        self.lines: deque[bytes] = deque(maxlen=_TAIL)

    def line(self, stream: str, line: OutputLine) -> bool:
        if stream == "out":
            self.lines.append(line.data)
        return False

    def turn(self, now: float) -> None:
        """Nothing changes while it runs."""

    def told(self, text: str) -> None:
        """Its processes are waited for in silence."""


def verify(
    root: Path, script: Path, *, cancel: threading.Event, limit: float, born: Callable[[int], None],
    now: Callable[[], datetime],
) -> VerifyRun:  # fmt: skip
    """Run `script` in `root`, `limit` seconds at most; its output is kept beside that of the workers.

    What did not end by itself, or could not be started, is `unknown`. The `path` is empty where nothing was kept.
    """
    began = now()
    tail, raw = _Tail(), RawRun(root, "verify_all", began, str(os.getpid()))
    ended = run_process(
        [*_RUNNERS.get(script.suffix, []), str(script)], cwd=root, environment=os.environ,
        limits=Limits(silence=None, total=limit), cancel=cancel, born=born, listener=tail, raw=raw,
    )  # fmt: skip
    text = b"\n".join(tail.lines).decode("utf-8", "replace")
    return run_from_output(ended.status if ended.by == "itself" else None, text, raw.path or "", now())
