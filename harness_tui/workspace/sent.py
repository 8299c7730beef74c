"""Reads the history of sent signals and looks for what came of them. Nothing is written here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from harness_tui.formats.quote import find_quote
from harness_tui.formats.sent import PATH, parse_sent
from harness_tui.model.sent import SentHistory, SentSignal, Where
from harness_tui.rules.sent import Sights, follow, open_notes, pending
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.files import FileError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from harness_tui.model.intervention import Interventions
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool
    from harness_tui.model.problem import Problem
    from harness_tui.model.sent import PendingSignal
    from harness_tui.workspace.layout import Layout

SEARCH_EVERY: Final = 2.0
"""Seconds between two searches for quotes, which read files that no change told of."""
SEARCHED: Final = 64
"""Files in which a quote is looked for at most, those that changed last first."""
_LIMIT: Final = 4 << 20
_PM_LOG: Final = "PM_LOG.md"


class SentReader:
    """The operator's own signals (CONTRACT, `sent`). Empty at the cost of one look while none was ever sent."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.path = layout.root / PATH
        self._cache: Cache[SentHistory] = Cache(layout.root, parse_sent)
        self._searched = 0.0
        self._quotes: dict[str, Where] = {}
        self._clock = 0.0
        self._last: tuple[SentSignal, ...] = ()
        self.history = SentHistory()

    def refresh(self, dirty: frozenset[str] | None, clock: float) -> SentHistory:
        """The history now; the same object as before when nothing changed."""
        self._clock = clock
        path = str(self.path)
        look = dirty is None or path in dirty
        reading = self._cache.get(path, PATH, look=look, clock=clock)
        self.history = reading.value if reading is not None else SentHistory() if self.history.records else self.history
        return self.history

    def follow(
        self, interventions: Interventions, pools: Sequence[Pool], logs: Sequence[Log]
    ) -> tuple[SentSignal, ...]:
        """Every sent signal, newest first, with how far it got; to be asked after `refresh`."""
        if not self.history.records:
            return ()
        self._search(interventions, logs)
        found = follow(self.history, Sights(interventions, pools, logs, self._quotes))
        self._last = self._last if found == self._last else found
        return self._last

    def pending(self, interventions: Interventions) -> tuple[PendingSignal, ...]:
        """What stands in the file, and which of it was sent from here."""
        return pending(self.history, interventions)

    def knows(self, path: str) -> bool:
        """Whether `path` is the history."""
        return path == str(self.path)

    def folders(self) -> list[Path]:
        """Our own folder, once it is there."""
        return [self.path.parent] if self.path.parent.is_dir() else []

    @property
    def unsettled(self) -> bool:
        """Never: the history is only appended to."""
        return False

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Lines of the history that could not be read."""
        return (*self.history.problems, *self._cache.stale_problems())

    def _search(self, interventions: Interventions, logs: Sequence[Log]) -> None:
        """Look for quotes of notes that have left the file, now and then."""
        wanted = [item for item in open_notes(self.history, interventions) if item.id not in self._quotes]
        if not wanted or (self._searched and self._clock - self._searched < SEARCH_EVERY):
            return
        self._searched = self._clock
        since = min(item.at.timestamp() for item in wanted)
        marks = {log.path: log.lines for log in logs}
        for path in self._worth_reading(since, logs):
            try:
                data = read_file(path, limit=_LIMIT, root=self._layout.root)
            except FileError:
                continue
            name = self._layout.rel(path)
            for item in wanted:
                after = dict(item.seen).get(name, 0)
                line = find_quote(data, item, after=after if after <= marks.get(name, 0) else 0)
                if line is not None and item.id not in self._quotes:
                    self._quotes[item.id] = Where(name, line)

    def _worth_reading(self, since: float, logs: Sequence[Log]) -> list[Path]:
        dated = [(changed, path) for path in self._candidates(logs) if (changed := _modified(path)) >= since - 1]
        return [path for _, path in sorted(dated, reverse=True)[:SEARCHED]]

    def _candidates(self, logs: Sequence[Log]) -> Iterator[Path]:
        for log in logs:
            yield self._layout.root / log.path
        for folder in self._layout.features().values():
            for home in (folder.live, folder.archived):
                if home is not None:
                    yield home / _PM_LOG


def _modified(path: Path) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 - asked for each feature folder
    except (OSError, ValueError):
        return 0.0
