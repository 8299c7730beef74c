"""Everything that is known about a workspace at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.frozen import field, frozen
from harness_tui.model.intervention import Interventions
from harness_tui.model.stream import Stream

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.epic import Epics
    from harness_tui.model.git import Git
    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool
    from harness_tui.model.problem import Problem
    from harness_tui.model.sent import PendingSignal, SentSignal
    from harness_tui.model.servo import Servo
    from harness_tui.model.verify import VerifyRun
    from harness_tui.model.work_plan import WorkPlans


@frozen
class Snapshot:
    """A whole reading of a workspace; two of them are compared by value.

    `streams` holds the state of each pool by its id, `stream` that of the pool that matters most (running before
    interrupted before stopped before idle before drained). `verify_runs` is the history of verify_all, oldest first;
    `verify_baseline` the result with which the current run began. `found` says in words what was read.
    `epics`, `plans` and `servo` are None where the workspace has nothing of that family. `pending` are the signals that
    stand unread, in the order of the file; `sent` the operator's own ones, newest first, with how far each got.
    """

    root: str
    generated_at: datetime
    git: Git | None = None
    pools: tuple[Pool, ...] = ()
    stream: Stream = field(default_factory=Stream)
    streams: dict[str, Stream] = field(default_factory=dict)
    logs: tuple[Log, ...] = ()
    interventions: Interventions = field(default_factory=Interventions)
    verify_runs: tuple[VerifyRun, ...] = ()
    inbox: tuple[InboxItem, ...] = ()
    problems: tuple[Problem, ...] = ()
    found: tuple[str, ...] = ()
    verify_baseline: VerifyRun | None = None
    epics: Epics | None = None
    plans: WorkPlans | None = None
    servo: Servo | None = None
    pending: tuple[PendingSignal, ...] = ()
    sent: tuple[SentSignal, ...] = ()
