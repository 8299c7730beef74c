"""Tells of every change of a workspace, on the calling thread, until a signal ends it."""

from __future__ import annotations

import queue
import signal
from typing import TYPE_CHECKING

from harness_tui.store.store import Store
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot

    News = tuple[Snapshot, tuple[Change, ...], int]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def follow(root: Path, tell: Callable[[Snapshot, tuple[Change, ...], int], None]) -> int:
    """Call `tell` with each new snapshot, its changes and its revision; returns 128 + n once signal n has come."""
    waiting: queue.SimpleQueue[News | None] = queue.SimpleQueue()
    store = Store()
    store.subscribe(lambda snapshot, changes, revision: waiting.put((snapshot, changes, revision)))
    ended: list[int] = []

    def end(number: int, _frame: object) -> None:
        ended.append(128 + number)
        waiting.put(None)

    for number in _SIGNALS:
        signal.signal(number, end)
    live = Live(root, store.replace)
    live.start()
    try:
        while (news := waiting.get()) is not None:
            tell(*news)
    finally:
        live.stop()
    return ended[0]
