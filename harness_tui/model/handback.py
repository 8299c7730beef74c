"""The handback lock: while it holds, the control loop does nothing until the operator says something new."""

from __future__ import annotations

from harness_tui.model.frozen import frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.gap import Gap


class Said(NamedTuple):
    """One value of a guard field as written. `flag` and `number` are None where the text is no such thing.

    `empty` says that the text stands for nothing (`N/A`, `none`, nothing at all).
    """

    text: str
    line: int
    flag: bool | None = None
    number: int | None = None
    empty: bool = False


class UnlockSignal(NamedTuple):
    """A recorded unlock signal. `structured` ones should have all four parts, others are one line in `instruction`."""

    instruction: str
    line: int
    source: str = ""
    timestamp: str = ""
    confirmation: str = ""
    structured: bool = False


@frozen
class GuardRecord:
    """What the section Handback Guard says, every value of every key in file order, before anybody weighs them.

    `present` is False when there is no such section; `line` is that of its heading.
    """

    path: str
    present: bool = False
    line: int | None = None
    lock: tuple[Said, ...] = ()
    state: tuple[Said, ...] = ()
    rounds: tuple[Said, ...] = ()
    threshold: tuple[Said, ...] = ()
    signature: tuple[Said, ...] = ()
    stop_reasons: tuple[Said, ...] = ()
    unlocks: tuple[UnlockSignal, ...] = ()
    misspelt: tuple[tuple[str, Said], ...] = ()


@frozen
class StopReason:
    """One entry of the history of stops."""

    text: str
    line: int


@frozen
class Handback:
    """The lock as it must be taken. `locked` is None when it is not recorded or unreadable: that is not unlocked.

    `rounds` and `threshold` count reaffirmed handbacks, 0 and up. `state` is the file's own word, `unknown` when it is
    missing. `last_unlock` is the instruction of the last signal; `unlock_valid` tells whether it would unlock,
    `unlock_why` why (not), in words. `line` is that of the lock. `stop_reasons` are in file order.
    """

    path: str
    locked: bool | None
    state: str
    rounds: int | None
    threshold: int | None
    signature: str | None
    last_unlock: str | None
    unlock_valid: bool | None
    gaps: tuple[Gap, ...] = ()
    unlock_why: str = ""
    stop_reasons: tuple[StopReason, ...] = ()
    line: int | None = None
    unlock: UnlockSignal | None = None
