"""Changes of what needs the operator, for those who are told of each once: what is over in a moment is no change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.rules.settling import Settling
from harness_tui.store.diff import need_added, need_removed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.change import Change
    from harness_tui.model.inbox import InboxItem


class Needs:
    """Knows what was told. All that is there at the first look is known."""

    def __init__(self) -> None:
        self._known: dict[str, InboxItem] | None = None
        self._settling = Settling()

    def changes(self, items: Iterable[InboxItem], clock: float) -> tuple[Change, ...]:
        """What came to stay, and what was told and is gone. `clock` counts seconds."""
        now = {item.id: item for item in items}
        if self._known is None:
            self._known = now
            return ()
        known = self._known
        added = self._settling.settled([item for name, item in now.items() if name not in known], clock)
        gone = [item for name, item in known.items() if name not in now]
        self._known = {name: now[name] for name in known if name in now} | {item.id: item for item in added}
        return (*map(need_added, added), *map(need_removed, gone))

    def wait(self, clock: float) -> float | None:
        """Seconds after which `changes` is to be asked again though nothing has changed; None: not before it has."""
        until = self._settling.until
        return max(0.0, until - clock) if until is not None else None
