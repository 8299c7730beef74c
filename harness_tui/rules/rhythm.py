"""When a worker is quiet for longer than it usually is. Pure: the time is an argument."""

from __future__ import annotations

from collections import deque
from typing import Final

FACTOR: Final = 3.0
"""A worker is quiet after this many times the longest of its recent pauses."""
FLOOR: Final = 30.0
"""Seconds of silence that are never remarkable."""
CEILING: Final = 600.0
"""Seconds of silence that always are."""
REMEMBERED: Final = 20
"""Recent pauses that make the rhythm."""


class Rhythm:
    """The pauses between signs of life of one worker, in seconds of any one clock. Each silence is told of once."""

    def __init__(self, now: float, *, floor: float = FLOOR) -> None:
        self._last = now
        self._pauses: deque[float] = deque(maxlen=REMEMBERED)
        self._floor = floor
        self._told = False

    def heard(self, now: float) -> None:
        """The worker gave a sign of life at `now`."""
        self._pauses.append(max(0.0, now - self._last))
        self._last = max(now, self._last)
        self._told = False

    @property
    def usual(self) -> float:
        """Seconds of silence after which it counts as quiet."""
        longest = max(self._pauses, default=0.0)
        return min(max(self._floor, FACTOR * longest), max(self._floor, CEILING))

    def silence(self, now: float) -> float:
        """Seconds since its last sign of life."""
        return max(0.0, now - self._last)

    def quiet(self, now: float) -> bool:
        """Whether it has just become quiet; True once in a silence."""
        if self._told or self.silence(now) < self.usual:
            return False
        self._told = True
        return True
