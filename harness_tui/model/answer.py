"""The operator's answer to questions of an epic, and what recording it changes."""

from __future__ import annotations

from harness_tui.model.frozen import frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Literal

    from harness_tui.model.decision import Decision
    from harness_tui.model.outlook import EpicOutlook

    AnswerKind = Literal["choice", "default", "free", "defer", "defaults"]
    Settlement = Literal["resolved", "deferred", "assumed", "critical-blocked"]


@frozen
class Answer:
    """What the operator wants. `text` is the key of a choice, or the free text.

    `question_id` is empty with `defaults`, which means all open questions of the epic. `digest` is that of what was
    shown (`Decision.digest`), empty when nothing is to be compared; `shown` the question itself.
    """

    epic_id: str
    question_id: str
    kind: AnswerKind
    text: str = ""
    digest: str = ""
    shown: Decision | None = None


class Settled(NamedTuple):
    """What becomes of one question. `resolution` is the text that is recorded, None when it stays unanswered."""

    question_id: str
    status: Settlement
    resolution: str | None
    linked_unknown: str | None = None


class FileChange(NamedTuple):
    """One file of a plan: all of its bytes before (None: there is none) and after.

    With `append`, `after` is the one line that is added, without its end. `path` is as it is shown, relative to the
    root; `file` is where it is.
    """

    path: str
    file: Path
    before: bytes | None
    after: bytes
    append: bool = False


@frozen
class AnswerPlan:
    """Everything that an answer changes, in the order in which it is written; nothing when it is recorded already.

    `spends` says that the packet's unit is spent, `left` is what remains then. `exhausted` when the rule for used-up
    budgets is applied in place of an answer. `left_open` are ids of questions that stay open, `added` of those that
    the bundle did not hold, so that they are put in there. `before` and `after` tell what the epic does next, where
    that was asked for.
    """

    epic_id: str
    packet_id: str | None
    settled: tuple[Settled, ...]
    changes: tuple[FileChange, ...]
    digest: str
    spends: bool
    left: int
    exhausted: bool = False
    left_open: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    before: EpicOutlook | None = None
    after: EpicOutlook | None = None
