"""Which of the things that need the operator are there to stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.inbox import InboxItem

SETTLE: Final = 3.0
"""Seconds after which a broken file counts as broken, and not as half written; files that differ likewise."""
_DOUBTFUL: Final = frozenset({"problem", "budget", "drift"})


class Settling:
    """Holds back what may be over in a moment; anything else counts at once.

    A file that can't be read may be half written; one that says something else than another may be written next.
    """

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def settled(self, new: Iterable[InboxItem], clock: float) -> list[InboxItem]:
        """Those of `new` that are there to stay; `clock` counts seconds. What was held back must be given again."""
        new = list(new)
        since = self._since
        self._since = {item.id: since.get(item.id, clock) for item in new if item.kind in _DOUBTFUL}
        found = [item for item in new if clock - self._since.get(item.id, clock - SETTLE) >= SETTLE]
        for item in found:
            self._since.pop(item.id, None)
        return found

    @property
    def until(self) -> float | None:
        """When the first of those that are held back will count; None when there are none."""
        return min(self._since.values()) + SETTLE if self._since else None
