"""Bell and desktop notifications: once for each new thing that needs the operator, and only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import clean
from harness_tui.rules.inbox import asking
from harness_tui.rules.settling import Settling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.inbox import InboxItem

_KEPT: Final = 5000
_NAME: Final = 40
"""Characters of an id that a notification names: terminals limit its length."""
_BELL: Final = "\x07"


class Announcer:
    """Knows what was announced: what is there at the start is not new, nor what comes back after it was settled.

    A rewritten file changes no item's id, so it announces nothing. What may be over in a moment is announced
    once it has settled (`rules.settling`).
    """

    def __init__(self, *, bell: bool = False, notify: bool = False) -> None:
        self._bell = bell
        self._notify = notify
        self._known: dict[str, None] | None = None
        self._settling = Settling()

    def sequence(self, items: Iterable[InboxItem], clock: float = 0.0) -> str:
        """What to write to the terminal for the new ones among `items`; empty when there is nothing to announce.

        `clock` counts seconds.
        """
        found = asking(items)
        if self._known is None:
            self._known = {item.id: None for item in found}
            return ""
        new = self._settling.settled([item for item in found if item.id not in self._known], clock)
        self._known |= {item.id: None for item in new}
        for old in list(self._known)[:-_KEPT]:
            del self._known[old]
        if not new:
            return ""
        return (_BELL if self._bell else "") + (_notification(new) if self._notify else "")


def _notification(new: list[InboxItem]) -> str:
    """Made of kinds and ids, never of words of a file."""
    names = ", ".join(f"{item.kind} {(item.task_id or '')[:_NAME]}".strip() for item in new[:3])
    more = f" and {len(new) - 3} more" if len(new) > 3 else ""  # noqa: PLR2004 - as many as are named
    text = clean(f"needs you: {names}{more}").replace(";", ",")
    return f"\x1b]9;harness-tui {text}\x1b\\\x1b]777;notify;harness-tui;{text}\x1b\\"
