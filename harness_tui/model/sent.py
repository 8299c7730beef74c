"""The operator's own signals and what became of them (CONTRACT rule 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.intervention import Signal
    from harness_tui.model.problem import Problem

SentEvent = Literal[
    "writing", "sent", "dropped", "withdrawing", "kept", "withdrawn", "picked-up", "refused", "in-effect"
]
SENT_EVENTS: tuple[SentEvent, ...] = (
    "writing", "sent", "dropped", "withdrawing", "kept", "withdrawn", "picked-up", "refused", "in-effect",
)  # fmt: skip
SentState = Literal["waiting", "picked-up", "in-effect", "no-effect-seen", "withdrawn"]


class Where(NamedTuple):
    """A line of a file, relative to the root; `line` counts from 1 and is None when the whole file is meant."""

    path: str
    line: int | None = None


@frozen
class SentRecord:
    """One line of `.harness/harness-tui/sent.jsonl`: something happened to the signal `id`.

    `writing` goes before the signal is put into the file and `sent` after it, so that a writer that was killed in
    between is found out: what has `writing` alone is reported by nobody until that is settled by `sent` or `dropped`.
    `withdrawing`, then `withdrawn` or `kept`, do the same for taking a signal back. `refused` is what a run says that
    read a signal and could not heed it; its evidence is the line of the log that says why. `seen` holds the number of
    lines that each log had; what stands below came later, whatever its dates say. `by` is user and host. `batch` is
    the id of the first signal that was written at once with this one, empty for the first itself and for single ones.
    """

    id: str
    at: datetime
    event: SentEvent
    keyword: str
    argument: str
    text: str
    pool_id: str | None = None
    seen: tuple[tuple[str, int], ...] = ()
    evidence: Where | None = None
    by: str = ""
    batch: str = ""


@frozen
class SentHistory:
    """All records in their order, and lines that could not be read."""

    path: str = ".harness/harness-tui/sent.jsonl"
    records: tuple[SentRecord, ...] = ()
    problems: tuple[Problem, ...] = ()


@frozen
class SentSignal:
    """A signal that was sent. `at` is when; `state` is how far it got, `evidence` the line that shows it.

    One that was refused has no effect, and that line for evidence.
    `boundaries` counts the task boundaries that its log shows since; `why` says the state in words.
    """

    id: str
    at: datetime
    keyword: str
    argument: str
    text: str
    state: SentState
    evidence: Where | None = None
    pool_id: str | None = None
    boundaries: int = 0
    why: str = ""
    by: str = ""


@frozen
class PendingSignal:
    """A signal that stands unread. `number` counts from 1 in the order of the file.

    `id`, `at` and `by` are None when it is none of those that were sent from here: somebody else wrote it. `pool_id` is
    the pool that it was sent for; without one, it is for whoever reads it.
    """

    number: int
    signal: Signal
    id: str | None = None
    at: datetime | None = None
    by: str | None = None
    pool_id: str | None = None
