"""One pass over many files: which of them are looked at, and how many new ones are read at most."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from harness_tui.model.typed import T
    from harness_tui.workspace.cache import Cache
    from harness_tui.workspace.listing import Listing


class Reads:
    """Gets values out of caches. `begin` starts another pass; without it each file is looked at.

    In the pass `stale` names the files whose last good reading was taken; `skipped` is True when some were left for
    the next one.
    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._seen: set[str] = set()
        self._dirty: frozenset[str] | None = None
        self._clock = 0.0
        self._left: int | None = None
        self.skipped = False
        self.stale: set[str] = set()

    def begin(self, dirty: frozenset[str] | None, clock: float, limit: int | None) -> None:
        """With `dirty` (absolute paths) only those files are looked at, at the monotonic time `clock` in seconds.

        Of the files that `get` is told to limit, at most `limit` are read for the first time: None means all.
        """
        self._dirty, self._clock, self._left = dirty, clock, limit
        self.skipped = False
        self.stale = set()

    def forget(self, keep: Collection[str]) -> None:
        """What is not in `keep` is new when it comes again."""
        self._seen.intersection_update(keep)

    def get(self, cache: Cache[T], path: str | None, *, limited: bool = False) -> T | None:
        """The value of a file; None when there is none, or when it must wait for the next pass."""
        if path is None:
            return None
        if limited and path not in self._seen and self._left is not None:
            if self._left <= 0:
                self.skipped = True
                return None
            self._left -= 1
        self._seen.add(path)
        look = self._dirty is None or path in self._dirty
        reading = cache.get(path, self._listing.rel(path), look=look, clock=self._clock)
        if reading is None:
            return None
        if reading.stale:
            self.stale.add(self._listing.rel(path))
        return reading.value
