"""`harness-tui watch`: one JSON object per change."""

from __future__ import annotations

import queue
import signal
import sys
from typing import TYPE_CHECKING

from harness_tui.cli.output import change_line, dump_line
from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse
    from datetime import datetime

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot

    Batch = tuple[tuple[Change, ...], int, datetime]


def run(options: argparse.Namespace) -> int:
    """Print changes until interrupted (130) or told to end (143)."""
    from harness_tui.store.store import Store
    from harness_tui.workspace.live import Live

    batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
    store = Store()

    def heard(snapshot: Snapshot, changes: tuple[Change, ...], revision: int) -> None:
        batches.put((changes, revision, snapshot.generated_at))

    store.subscribe(heard)
    ended: list[int] = []

    def end(number: int, _frame: object) -> None:
        ended.append(128 + number)
        batches.put(None)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    live = Live(workspace_root(options.path), store.replace)
    live.start()
    try:
        while (batch := batches.get()) is not None:
            changes, revision, at = batch
            for change in changes:
                sys.stdout.write(dump_line(change_line(change, revision, at)) + "\n")
            sys.stdout.flush()
    finally:
        live.stop()
    return ended[0]
