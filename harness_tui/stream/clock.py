"""The time of a run, which a test can replace."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threading import Event


class Clock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The date and time, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds from an arbitrary point on, never going back."""
        return time.monotonic()

    def wait(self, event: Event, seconds: float) -> bool:
        """Rest until `event` is set, `seconds` at most; whether it is set."""
        return event.wait(seconds)
