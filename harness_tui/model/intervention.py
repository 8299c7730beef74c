"""Unread operator signals, `.harness/intervention.md` (formats/harness-kit 1.4; CONTRACT rule 4)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    SignalState = Literal["waiting", "unclear", "malformed"]


@frozen
class Signal:
    """One signal of the file. `keyword` is empty when the first word is none of the known ones."""

    keyword: str
    argument: str
    text: str
    line: int
    state: SignalState


@frozen
class Interventions:
    """What waits to be read. `safest` is how a careful reader must take it: STOP when anything is unclear."""

    path: str = ".harness/intervention.md"
    present: bool = False
    signals: tuple[Signal, ...] = ()
    safest: str | None = None
