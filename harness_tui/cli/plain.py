"""The dashboard in words: the state once, then a line per change, as screen readers and logs can take it."""

from __future__ import annotations

import queue
import signal
import sys
from typing import TYPE_CHECKING

from harness_tui.cli.text import console, status_lines
from harness_tui.store.store import Store
from harness_tui.workspace.live import Live
from harness_tui.workspace.once import read_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot


def run_plain(root: Path) -> int:
    """Print the state; on a terminal go on with a line per change until interrupted, else end."""
    out = console()
    for line in status_lines(read_workspace(root)):
        out.print(line)
    if not sys.stdout.isatty():
        return 0
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    store = Store()

    def heard(snapshot: Snapshot, changes: tuple[Change, ...], _revision: int) -> None:
        for change in changes:
            lines.put(f"{snapshot.generated_at:%H:%M:%S} {change.title}")

    store.subscribe(heard)
    ended: list[int] = []

    def end(number: int, _frame: object) -> None:
        ended.append(128 + number)
        lines.put(None)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    live = Live(root, store.replace)
    live.start()
    try:
        while (text := lines.get()) is not None:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
    finally:
        live.stop()
    return ended[0]
