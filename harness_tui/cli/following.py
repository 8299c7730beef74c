"""Tells of every change of a workspace, on the calling thread, until a signal ends it."""

from __future__ import annotations

import queue
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from harness_tui.store.needs import Needs
from harness_tui.store.store import Store
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot

    News = tuple[Snapshot, tuple[Change, ...], int]

_NEEDS = frozenset({"inbox-added", "inbox-removed"})
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def follow(root: Path, tell: Callable[[Snapshot, tuple[Change, ...], int], None]) -> int:
    """Call `tell` with each new snapshot, its changes and its revision; returns 128 + n once signal n has come.

    Things that need the operator are told of once they have settled (`rules.settling`).
    """
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
        _tell_all(waiting, tell)
    finally:
        live.stop()
    return ended[0]


def _tell_all(
    waiting: queue.SimpleQueue[News | None], tell: Callable[[Snapshot, tuple[Change, ...], int], None]
) -> None:
    needs = Needs()
    news: News | None = None
    while True:
        changes: tuple[Change, ...] = ()
        with suppress(queue.Empty):
            news = waiting.get(timeout=needs.wait(time.monotonic()))
            changes = tuple(change for change in news[1] if change.kind not in _NEEDS) if news is not None else ()
        if news is None:
            return
        tell(news[0], (*changes, *needs.changes(news[0].inbox, time.monotonic())), news[2])
