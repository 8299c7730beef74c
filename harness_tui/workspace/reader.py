"""From the files of a workspace to one snapshot, reading again only what changed."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from harness_tui.formats.board import parse_board
from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.lease import parse_lease
from harness_tui.formats.pool import PlanParser
from harness_tui.formats.report import parse_report
from harness_tui.formats.task_state import parse_task_state
from harness_tui.formats.text import counted
from harness_tui.formats.verify import parse_history, run_from_text
from harness_tui.model.frozen import replace
from harness_tui.model.intervention import Interventions
from harness_tui.model.pool import Plan, Pool
from harness_tui.model.problem import Problem
from harness_tui.model.snapshot import Snapshot
from harness_tui.model.stream import Stream
from harness_tui.rules.frontier import with_frontier
from harness_tui.rules.inbox import inbox
from harness_tui.rules.pools import PoolInputs, PoolJudge
from harness_tui.rules.stream import Signs, foremost, stream_state
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.families import Families
from harness_tui.workspace.features import FeatureReader
from harness_tui.workspace.files import is_plain_file
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.logs import SLICE, LogReader
from harness_tui.workspace.process import judge_lease

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from harness_tui.model.board import Board
    from harness_tui.model.git import Git
    from harness_tui.model.lease import LeaseClaim
    from harness_tui.model.log import Log
    from harness_tui.model.pool import PoolKind
    from harness_tui.model.report import Report
    from harness_tui.model.sent import PendingSignal, SentSignal
    from harness_tui.model.stream import Lease
    from harness_tui.model.task_state import TaskState
    from harness_tui.model.verify import VerifyRun
    from harness_tui.workspace.layout import PoolFiles
    from harness_tui.workspace.sent import SentReader

    History = tuple[tuple[VerifyRun, ...], tuple[Problem, ...]]

_TRIES = 3
"""Further looks at a log that was cut while it was read."""
T = TypeVar("T")


class Reader:
    """Reads one workspace again and again, in one thread. Files that did not change are neither read nor judged.

    `git` is set from outside, as asking git takes its own time.
    """

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root)
        self.logs = LogReader(root)
        self.features = FeatureReader(self.layout)
        self.families = Families(self.layout)
        self.git: Git | None = None
        self._parsers: dict[str, PlanParser] = {}
        self._plans: Cache[Plan] = Cache(root, self._parse_plan, whole=_whole)
        self._boards: Cache[Board] = Cache(root, parse_board)
        self._reports: Cache[Report] = Cache(root, parse_report)
        self._histories: Cache[History] = Cache(root, parse_history)
        self._states: Cache[tuple[TaskState | None, tuple[Problem, ...]]] = Cache(root, parse_task_state)
        self._leases: Cache[LeaseClaim] = Cache(root, parse_lease, whole=_names_process)
        self._interventions: Cache[Interventions] = Cache(root, parse_interventions)
        self._sent: SentReader | None = None
        self._judges: dict[tuple[str, PoolKind], PoolJudge] = {}
        self._judged: dict[str, tuple[Pool, bool, Pool]] = {}
        self._pools: Sequence[PoolFiles] = ()
        self._plan_paths: frozenset[str] = frozenset()
        self._lease_paths: frozenset[str] = frozenset()
        self._holder: LeaseClaim | None = None
        self._board: tuple[Board, ...] = ()
        self._state: dict[str, TaskState] = {}
        self._state_problems: tuple[Problem, ...] = ()
        self._ambient = False
        self._observed: dict[str, tuple[datetime, str]] = {}
        self._dirty: frozenset[str] | None = None
        self._clock = 0.0
        self._passes = 0

    @property
    def unsettled(self) -> bool:
        """Whether a file looks half written and should be looked at again soon."""
        return self._plans.unsettled or self.families.unsettled

    @property
    def listed(self) -> bool:
        """Whether the last pass listed the folders, so that there may be new ones."""
        return self._dirty is None

    @property
    def has_holder(self) -> bool:
        """Whether a living process held the run at the last reading. No file tells of its end when it is killed."""
        return self._holder is not None

    @property
    def holder_gone(self) -> bool:
        """Whether the process that held the run at the last reading lives no more."""
        return self._holder is not None and not judge_lease(self._holder).alive

    def read(self, changed: frozenset[str] | None = None, *, budget: int = SLICE) -> Snapshot:
        """The workspace now. With `changed` (absolute paths) only those files are looked at, else all are.

        `budget` bytes of each log are scanned at most; `logs.complete` says whether that was all.
        """
        self._clock = time.monotonic()
        now = datetime.now(UTC)
        self._dirty = changed if changed is not None and self._known(changed) else None
        if self._dirty is None:
            self._list_files()
        plans = {files.id: self._plan(files) for files in self._pools}
        rows = [plan.rows for plan, _ in plans.values()]
        self.features.refresh(rows, self._dirty, self._clock, told=changed or frozenset())
        self.families.refresh(self._dirty, self._clock, self.git)
        lease = self._lease()
        pools: list[Pool] = []
        streams: dict[str, Stream] = {}
        logs: list[Log] = []
        main_logs: dict[str, Log] = {}
        for files in self._pools:
            of_pool = self._logs(files, budget)
            log = of_pool[0] if of_pool else None
            pool = self._judge(files, *plans[files.id], log)
            signs = self._signs(files, pool, changed, now)
            stream = stream_state(pool, log, lease, signs, ambient=self._ambient, now=now)
            pools.append(self._with_frontier(pool, running=stream.state == "running"))
            streams[pool.id] = stream
            logs += of_pool
            if log is not None:
                main_logs[pool.id] = log
        runs, run_problems = self._verify_runs(main_logs)
        self._refresh_sent()  # before the file: what the history calls sent stands in the file, unless it was read
        interventions = self._intervention()
        pending, sent = self._signals(interventions, pools, logs)
        problems = self._problems(logs, run_problems)
        first = foremost(streams.values())
        self._passes += 1
        return Snapshot(
            root=str(self.layout.root),
            generated_at=now,
            git=self.git,
            pools=tuple(pools),
            stream=first or Stream(ambient=self._ambient, why="no pool was found"),
            streams=streams,
            logs=tuple(logs),
            interventions=interventions,
            verify_runs=runs,
            inbox=inbox(
                pools,
                main_logs,
                interventions,
                runs[-1] if runs else None,
                problems,
                self.families.needs(),
                held=[name for name, stream in streams.items() if stream.owner is not None],
            ),
            problems=problems,
            found=self._found(pools, logs),
            verify_baseline=_baseline(main_logs, first, runs),
            epics=self.families.epics,
            plans=self.families.plans,
            servo=self.families.servo,
            pending=pending,
            sent=sent,
        )

    def read_all(self) -> Snapshot:
        """The workspace with every log scanned to its end, for commands that print once."""
        snapshot = self.read(budget=1 << 62)
        for _ in range(_TRIES):
            if not self.logs.broke:
                break
            snapshot = self.read(budget=1 << 62)
        return snapshot

    def watched_slugs(self, pools: Sequence[Pool]) -> list[str]:
        """Slugs whose folders are worth a watch: what is worked on first, then what is open."""
        rank = {"in-progress": 0, "needs-human": 1, "pending": 2, "blocked": 3, "failed": 3, "unknown": 4}
        tasks = [task for pool in pools for task in pool.tasks if task.effective_status in rank]
        tasks.sort(key=lambda task: rank[task.effective_status])
        return [task.slug for task in tasks]

    def close(self) -> None:
        """Give the open log files back."""
        self.logs.close()

    def _known(self, changed: frozenset[str]) -> bool:
        """Whether all of `changed` were read before and are still files, so that no folder has to be listed again."""
        return self._passes > 0 and all(self._knows(path) and is_plain_file(path) for path in changed)

    def _knows(self, path: str) -> bool:
        known = (
            path in self._plan_paths or path in self._lease_paths or self.logs.knows(path) or self.features.knows(path)
        )
        known = known or (self._sent is not None and self._sent.knows(path))
        return known or self.families.knows(path)

    def _look(self, path: str) -> bool:
        return self._dirty is None or path in self._dirty

    def _list_files(self) -> None:
        self.layout.find_leftovers()
        self._pools = self.layout.pools()
        self._board = _keep(self._board, self._get_all(self._boards, self.layout.boards()))
        found = self._get_all(self._states, self.layout.task_states())
        states = {state.slug: state for state, _ in found if state is not None}
        self._state = self._state if states == self._state else states
        self._state_problems = tuple(problem for _, problems in found for problem in problems)
        self._ambient = self.layout.ambient_flag is not None
        self.logs.forget({str(path) for files in self._pools for path in files.logs})
        self._plan_paths = frozenset(str(files.plan) for files in self._pools if files.plan is not None)
        self._plans.forget(self._plan_paths)
        self._lease_paths = frozenset(str(path) for path in self.layout.leases)
        self._reports.forget({str(path) for files in self._pools for path in files.reports})

    def _get(self, cache: Cache[T], path: Path) -> T | None:
        reading = cache.get(str(path), self.layout.rel(path), look=self._look(str(path)), clock=self._clock)
        return reading.value if reading is not None else None

    def _get_all(self, cache: Cache[T], paths: Sequence[Path]) -> tuple[T, ...]:
        """The readings of `paths`, and of no other file: a problem goes with its file."""
        cache.forget({str(path) for path in paths})
        return tuple(found for path in paths if (found := self._get(cache, path)) is not None)

    def _parse_plan(self, data: bytes, name: str) -> Plan:
        return self._parsers.setdefault(name, PlanParser(name)).parse(data)

    def _plan(self, files: PoolFiles) -> tuple[Plan, bool]:
        """The plan of a pool, empty and unreadable when there is none, and whether it is stale."""
        if files.plan is None:
            name = self.layout.rel(files.folder / "BATCH_PLAN.md")
            message = "this pool has a log or a report but no plan; its tasks are not known"
            return Plan(name, problems=(Problem(name, None, "error", "no-plan", message),)), False
        path, name = str(files.plan), self.layout.rel(files.plan)
        look = self._look(path) or self._plans.unsettled
        reading = self._plans.get(path, name, look=look, clock=self._clock)
        return (reading.value, reading.stale) if reading is not None else (Plan(name), False)

    def _judge(self, files: PoolFiles, plan: Plan, stale: bool, log: Log | None) -> Pool:  # noqa: FBT001 - from _plan
        main = (*files.logs, *files.reports)[:1]
        kind: PoolKind = "batch" if main and not main[0].name.startswith("STREAM") else "stream"
        judge = self._judges.setdefault((files.id, kind), PoolJudge(files.id, kind))
        reports = [report for path in files.reports if (report := self._get(self._reports, path)) is not None]
        inputs = PoolInputs(self.features.features, log, self._board, reports[0] if reports else None, self._state)
        pool = judge.judge(plan, inputs)
        return replace(pool, stale=True) if stale else pool

    def _with_frontier(self, pool: Pool, *, running: bool) -> Pool:
        """`pool` with its frontier; the same object as the last time when it has not changed."""
        known = self._judged.get(pool.id)
        if known is None or known[0] is not pool or known[1] != running:
            self._judged[pool.id] = known = (pool, running, with_frontier(pool, running=running))
        return known[2]

    def _logs(self, files: PoolFiles, budget: int) -> list[Log]:
        found = [
            self.logs.refresh(str(path), files.id, self.layout.rel(path), look=self._look(str(path)), budget=budget)
            for path in files.logs
        ]
        return [log for log in found if log is not None]

    def _signs(self, files: PoolFiles, pool: Pool, changed: frozenset[str] | None, now: datetime) -> Signs:
        """When the pool's own files changed, and when we ourselves last saw that happen."""
        active = [task for task in pool.tasks if task.effective_status == "in-progress"]
        found = [
            (task.touched_at, task.folder) for task in active if task.touched_at is not None and task.folder is not None
        ]
        own = {str(files.plan), *(str(path) for path in files.logs)}
        slugs = {task.slug for task in active}
        for path in changed or ():
            if path in own or (slugs and self.features.changed_slugs((path,)) & slugs):
                self._observed[files.id] = (now, self.layout.rel(path))
        return Signs(tuple(found), self._observed.get(files.id))

    def _lease(self) -> Lease | None:
        """The lock of a run that lives; without one, what a dead run left, our own first."""
        found = [(claim, judge_lease(claim)) for claim in self._get_all(self._leases, self.layout.leases)]
        self._holder, lease = next((pair for pair in found if pair[1].alive), (None, found[0][1] if found else None))
        return lease

    def _verify_runs(self, logs: Mapping[str, Log]) -> tuple[tuple[VerifyRun, ...], tuple[Problem, ...]]:
        """The history of verify_all; where the project keeps none, the last gate line of the newest log."""
        found = self._get_all(self._histories, self.layout.verify_history())
        runs = [run for item, _ in found for run in item]
        problems = tuple(problem for _, items in found for problem in items)
        gates = [(log, log.gate) for log in logs.values() if log.gate is not None]
        for log, gate in gates:
            run = run_from_text(gate.text, log.path, gate.line, gate.at)
            newest = max((item.at for item in runs if item.at is not None), default=None)
            if run is not None and (not runs or (newest is not None and run.at is not None and run.at > newest)):
                runs.append(run)
        return tuple(runs), problems

    def _intervention(self) -> Interventions:
        """What waits, looked at again too when the history of what was sent changed: they are one act."""
        path = self.layout.intervention
        if path is None:
            self._interventions.forget(set())
            nothing = Interventions()
            unread = any(problem.path == nothing.path for problem in self.layout.problems)
            return Interventions(safest="STOP") if unread else nothing
        name = str(path)
        look = self._look(name) or (self._sent is not None and self._look(str(self._sent.path)))
        self._interventions.forget({name})
        reading = self._interventions.get(name, self.layout.rel(path), look=look, clock=self._clock)
        return reading.value if reading is not None else Interventions()

    def _refresh_sent(self) -> None:
        """Read the history of sent signals, once there is one, or something unread that may be told of."""
        if self._sent is None:
            if self.layout.intervention is None and self.layout.sent is None:
                return
            from harness_tui.workspace.sent import SentReader  # noqa: PLC0415 - most workspaces have none

            self._sent = SentReader(self.layout)
        self._sent.refresh(self._dirty, self._clock)

    def _signals(
        self, interventions: Interventions, pools: Sequence[Pool], logs: Sequence[Log]
    ) -> tuple[tuple[PendingSignal, ...], tuple[SentSignal, ...]]:
        """What stands unread, and what became of the operator's own signals."""
        if self._sent is None:
            return (), ()
        return self._sent.pending(interventions), self._sent.follow(interventions, pools, logs)

    def _problems(self, logs: Sequence[Log], more: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Problems of all files but the plans, which have theirs in their pools."""
        found = [*self.layout.problems, *more, *self._state_problems, *self.features.problems, *self.families.problems]
        for cache in (self._plans, self._boards, self._reports, self._histories, self._states, self._interventions):
            found += cache.stale_problems()
        for board in self._board:
            found += board.problems
        found += self._sent.problems if self._sent is not None else ()
        for log in logs:
            found += log.problems
        return tuple(found)

    def _found(self, pools: Sequence[Pool], logs: Sequence[Log]) -> tuple[str, ...]:
        """What is there, in words, for `doctor`."""
        lines = [f"{pool.path}: {pool.kind} pool {pool.id}, {counted(len(pool.tasks), 'task')}" for pool in pools]
        lines += [
            f"{log.path}: {counted(log.entries, 'entry', 'entries')} in {counted(log.lines, 'line')}" for log in logs
        ]
        lines += [f"{board.path}: {counted(len(board.rows), 'row')}" for board in self._board]
        if self.features.features:
            archived = sum(feature.archived for feature in self.features.features.values())
            folders = counted(len(self.features.features), "folder")
            lines.append(f"docs/features: {folders} of these tasks, {archived} archived")
        lines += [self.layout.rel(path) for path in self.layout.verify_history()]
        lines += self.families.found
        return tuple(lines)


def _baseline(logs: Mapping[str, Log], stream: Stream | None, runs: Sequence[VerifyRun]) -> VerifyRun | None:
    """The result of verify_all with which the run began: as its log says, else the last one before its first event."""
    log = logs.get(stream.pool_id or "") if stream is not None else None
    if log is None:
        return None
    if log.baseline is not None:
        found = run_from_text(log.baseline.text, log.path, log.baseline.line, log.baseline.at)
        if found is not None:
            return found
    began = log.run.at if log.run is not None else None
    earlier = [run for run in runs if began is not None and run.at is not None and run.at <= began]
    return earlier[-1] if earlier else None


def _names_process(old: LeaseClaim, new: LeaseClaim) -> bool:
    """Whether a lock may replace the last reading at once: it is written in place, and may be seen half written."""
    return new.pid is not None or old.pid is None


def _whole(old: Plan, new: Plan) -> bool:
    """Whether a plan may replace the last one at once: it lost neither its table nor rows off its end."""
    if old.table and not new.table:
        return False
    lost = len(new.rows) < len(old.rows)
    return not (lost and all(a.id == b.id for a, b in zip(old.rows, new.rows, strict=False)))


def _keep(old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    return old if len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True)) else new
