"""The project's own check, run by the loop, judged by its exit code (formats/harness-kit 1.9; section 6, 11 to 15)."""

from __future__ import annotations

import os
import sys
from collections import deque
from typing import TYPE_CHECKING, Final

from harness_tui.formats.verify import run_from_output
from harness_tui.stream.workers.process import Limits, run_process
from harness_tui.workspace.raw_runs import RawRun

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.formats.agent_lines import OutputLine
    from harness_tui.model.verify import VerifyRun

_TAIL: Final = 400
"""Lines at the end of the output in which the summary is looked for."""
_RUNNERS: Final = {".sh": ["bash"], ".py": [sys.executable], ".ps1": ["pwsh", "-NoProfile", "-File"]}


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

    What did not end by itself, or could not be started, is `unknown`.
    """
    began = now()
    tail, raw = _Tail(), RawRun(root, "verify_all", began, str(os.getpid()))
    ended = run_process(
        [*_RUNNERS.get(script.suffix, []), str(script)], cwd=root, environment=os.environ,
        limits=Limits(silence=None, total=limit), cancel=cancel, born=born, listener=tail, raw=raw,
    )  # fmt: skip
    text = b"\n".join(tail.lines).decode("utf-8", "replace")
    return run_from_output(ended.status if ended.by == "itself" else None, text, raw.path or "verify_all", now())
