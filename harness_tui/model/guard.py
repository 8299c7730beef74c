"""What the loop's guards say about a workspace as it is now, beside what its files claim (formats/servo 2)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    GuardState = Literal["ready", "doubtful", "blocked", "unreadable", "not-asked"]
    GuardStage = Literal["observe", "decide", "judge"]


class GuardItem(NamedTuple):
    """One of the fields or items that a guard looks for: whether it is `there`, its value or a remark, and its line.

    `denied` is what is there only to say that it is not.
    """

    name: str
    there: bool
    text: str
    line: int | None
    denied: bool = False


class Claim(NamedTuple):
    """What a file says about what the guard decides, read with care. `differs` when the guard says something else."""

    text: str
    path: str
    line: int | None
    differs: bool


@frozen
class GuardAnswer:
    """What one guard says.

    `ready` is its go; `doubtful` one that the loop's rules do not give (`findings` tell why); `blocked` its no. It is
    `unreadable` when it can't be asked because a file or git gives no answer, which counts as a no, and `not-asked`
    when there is nothing to ask it about; `reason` says what is missing. `step` counts the guards of Decide from 1, 0
    for others. `reached` is False behind the first guard of Decide that says no, which is marked by `stops`. `path` and
    `line` lead to what decided, `field` names it; `action` is what the guard asks for instead.
    """

    name: str
    stage: GuardStage
    state: GuardState
    reason: str
    step: int = 0
    path: str = ""
    line: int | None = None
    field: str = ""
    action: str = ""
    findings: tuple[str, ...] = ()
    items: tuple[GuardItem, ...] = ()
    claim: Claim | None = None
    reached: bool = True
    stops: bool = False


@frozen
class Route:
    """A function that could come next. `legal` is None when a guard that decides about it can't be asked.

    `why` says which guard holds it, or what it warns of; `path` and `line` lead to what decided.
    """

    name: str
    legal: bool | None
    why: str
    path: str = ""
    line: int | None = None


@frozen
class Guards:
    """All answers, those of Decide in their order, and the functions of the current scope."""

    answers: tuple[GuardAnswer, ...] = ()
    routes: tuple[Route, ...] = ()

    def named(self, name: str) -> GuardAnswer | None:
        """The answer of one guard."""
        return next((answer for answer in self.answers if answer.name == name), None)

    @property
    def decide(self) -> tuple[GuardAnswer, ...]:
        """The guards of Decide, in their order."""
        return tuple(answer for answer in self.answers if answer.step)
