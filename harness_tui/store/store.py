"""Holds the current snapshot and tells its listeners of a new one."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from harness_tui.store.diff import diff

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot

    Listener = Callable[[Snapshot, tuple[Change, ...], int], None]


class Store:
    """The one current snapshot. `revision` counts the snapshots that differed from the one before.

    Listeners are called in the thread that replaced the snapshot, with the snapshot, its changes and its revision;
    they must return at once and hand the work to their own thread. Only `replace` makes differences.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self.snapshot: Snapshot | None = None
        self.revision = 0

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called for each new snapshot; returns what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave

    def replace(self, snapshot: Snapshot) -> tuple[Change, ...]:
        """Make `snapshot` the current one. Listeners hear of the first one, and of each that differs."""
        with self._lock:
            old, self.snapshot = self.snapshot, snapshot
            changes = diff(old, snapshot) if old is not None else ()
            if old is not None and not changes and _same(old, snapshot):
                return ()
            self.revision += 1
            revision, listeners = self.revision, tuple(self._listeners)
        for listener in listeners:
            listener(snapshot, changes, revision)
        return changes


def _same(old: Snapshot, new: Snapshot) -> bool:
    """Whether nothing that a screen shows differs, though no change has a name (a note, a reason, an age)."""
    return _shown(old) == _shown(new)


def _shown(snapshot: Snapshot) -> tuple[object, ...]:
    return (
        snapshot.pools, snapshot.stream, snapshot.streams, snapshot.logs, snapshot.interventions, snapshot.git,
        snapshot.verify_runs, snapshot.verify_baseline, snapshot.inbox, snapshot.problems, snapshot.epics,
        snapshot.plans, snapshot.servo, snapshot.pending, snapshot.sent,
    )  # fmt: skip
