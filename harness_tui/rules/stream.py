"""Whether a stream runs, rests, stopped or broke off, and how that is known.

A run of our own engine holds a lease and can be proved alive. An agent that drains the pool by itself holds none: it
is taken to run only while its files show signs of life, and the reason always says on what the claim rests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from harness_tui.model.stream import Cause, Owner, Stream, StreamState
from harness_tui.rules.span import span
from harness_tui.rules.status import log_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.intervention import Interventions
    from harness_tui.model.log import Log, LogEntry
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.stream import Lease

QUIET: Final = timedelta(minutes=30)
"""How old the newest sign of life may be for a run without a lease: stages often take longer than ten minutes."""

BELIEVABLE: Final = timedelta(hours=26)
"""How far a file's modification time may lie from the log's own last time and still mean something.

A day because of local times labelled Z (formats/harness-kit L5); more than that is a checkout or a copy.
"""

_RANK: Final[tuple[StreamState, ...]] = ("running", "interrupted", "stopped", "idle", "unknown", "drained")
_STOP_WORDS: Final = ("hard stop", "verify_all fail", "destructive", " stop ")


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs of life of one pool besides its log's words.

    `changed` holds (time, path) of the pool's own files and of the live documents of its tasks in progress;
    `observed` is the last moment at which this process itself saw one of them change.
    """

    changed: tuple[tuple[datetime, str], ...] = ()
    observed: tuple[datetime, str] | None = None


def stream_state(
    pool: Pool, log: Log | None, lease: Lease | None, signs: Signs, *, ambient: bool, now: datetime
) -> Stream:
    """The state of `pool`'s stream at `now`, with its chain of causes."""
    ours = lease if lease is not None and lease.pool_id in ("", pool.id) else None
    active = [task for task in pool.tasks if task.effective_status == "in-progress"]
    evidence = _newest(log, signs)
    stream = _state(pool, log, ours, active, signs, now)
    return replace(
        stream,
        pool_id=pool.id,
        ambient=ambient,
        why=stream.causes[0].text if stream.causes else "",
        evidence_at=evidence,
    )


def foremost(streams: Iterable[Stream]) -> Stream | None:
    """The stream that an operator should see first: running, then broken off, stopped, idle, unknown, drained."""
    return min(streams, key=lambda stream: _RANK.index(stream.state), default=None)


def _state(pool: Pool, log: Log | None, lease: Lease | None, active: list[Task], signs: Signs, now: datetime) -> Stream:
    if lease is not None and lease.alive:
        return _running_by_lease(lease, active, log)
    if active:
        return _active_without_lease(lease, active, log, signs, now)
    if not pool.readable or pool.stale:
        causes = (Cause("the plan cannot be read, so nothing is known about its run", pool.path),)
        return Stream("unknown", causes=causes)
    stop = _stop_entry(log)
    open_tasks = [task for task in pool.tasks if task.effective_status == "pending"]
    if stop is not None and log is not None:
        causes = (
            Cause("the log's last run ended with a hard stop", log.path, stop.line),
            Cause(stop.text, log.path, stop.line),
        )
        return Stream("stopped", since=stop.at, causes=causes)
    if lease is not None:
        causes = (Cause(f"no run is alive: {lease.why}", lease.path), *_rest(pool, open_tasks))
        return Stream("idle" if open_tasks else "drained", causes=causes)
    return _resting(pool, log, open_tasks)


def _running_by_lease(lease: Lease, active: list[Task], log: Log | None) -> Stream:
    task = active[0] if active else None
    since = _dispatched(log, task) if task else lease.started_at
    causes = [Cause(f"process {lease.pid} holds the run lock and is alive", lease.path)]
    if task is not None:
        causes.append(Cause(f"{task.id} is in progress", *_where(task)))
    owner = Owner(lease.pid, lease.host) if lease.pid is not None else None
    return Stream("running", task_id=task.id if task else None, since=since, owner=owner, causes=tuple(causes))


def _active_without_lease(
    lease: Lease | None, active: list[Task], log: Log | None, signs: Signs, now: datetime
) -> Stream:
    task = active[0]
    since = _dispatched(log, task)
    row = Cause(f"{task.id} is in progress", *_where(task))
    if lease is not None:
        causes = (Cause(f"{task.id} was left in progress; no run is alive: {lease.why}", lease.path), row)
        return Stream("interrupted", task_id=task.id, since=since, causes=causes)
    sign = _sign_of_life(log, signs)
    if sign is not None and now - sign[0] <= QUIET:
        age = span(now - sign[0])
        causes = (Cause(f"{task.id} is in progress and its files changed {age} ago (no run lock)", sign[1]), row)
        return Stream("running", task_id=task.id, since=since, causes=causes)
    seen = _last_words(log, task)
    if seen is not None and seen.at is not None and log is not None:
        last = Cause(f"last log line about it is {span(now - seen.at)} old", log.path, seen.line)
    elif seen is not None and log is not None:
        last = Cause(f"last log line about it is of {seen.at_text}", log.path, seen.line)
    else:
        last = Cause("no log line speaks of it", log.path if log else None)
    causes = (Cause(f"{task.id} is in progress but no run is alive: no run lock, no sign of life", task_path(task)),)
    return Stream("interrupted", task_id=task.id, since=since, causes=(*causes, last, row))


def _resting(pool: Pool, log: Log | None, open_tasks: list[Task]) -> Stream:
    run = log.run if log is not None else None
    ended = (Cause(run.text, log.path, run.line),) if run is not None and log is not None else ()
    if not pool.tasks:
        return Stream("idle", causes=(Cause("the pool has no tasks yet", pool.path), *ended))
    if open_tasks:
        return Stream("idle", since=run.at if run else None, causes=(*_rest(pool, open_tasks), *ended))
    unknown = [task for task in pool.tasks if task.effective_status == "unknown"]
    if unknown:
        text = f"{unknown[0].id} has a status that is no known word: {unknown[0].status_text or 'nothing'}"
        return Stream("unknown", causes=(Cause(text, pool.path, unknown[0].line), *ended))
    return Stream("drained", since=run.at if run else None, causes=(*_rest(pool, open_tasks), *ended))


def _rest(pool: Pool, open_tasks: list[Task]) -> tuple[Cause, ...]:
    runnable = [task for task in open_tasks if task.runnable]
    if runnable:
        names = ", ".join(task.id for task in runnable[:3]) + (" …" if len(runnable) > len(runnable[:3]) else "")
        return (Cause(f"no run is under way; {len(runnable)} can run: {names}", pool.path, runnable[0].line),)
    if open_tasks:
        first = open_tasks[0]
        text = f"no run is under way and none of {len(open_tasks)} pending rows can run"
        return (Cause(text, pool.path, first.line),)
    return (Cause("no row is left to run", pool.path),)


def _stop_entry(log: Log | None) -> LogEntry | None:
    """The event that stopped the last run hard, if nothing has been dispatched since."""
    if log is None or log.run is None:
        return None
    run = log.run
    if any(task.dispatch is not None and task.dispatch.line > run.line for task in log.tasks.values()):
        return None
    if run.kind == "stop":
        return run
    gate = log.gate
    if run.kind == "exit":
        text = f" {run.text.lower()} "
        if any(word in text for word in _STOP_WORDS) and not _denied(text):
            return gate if gate is not None and 0 <= run.line - gate.line <= 1 and "FAIL" in gate.text else run
    return None


def _denied(text: str) -> bool:
    """Whether an exit line only says that nothing of the sort happened (`No hard stop fired`, `stop reason: none`)."""
    return any(word in text for word in ("no hard stop", "without hard stop", "stop reason: none", "stop reason: 无"))


def _sign_of_life(log: Log | None, signs: Signs) -> tuple[datetime, str] | None:
    """The newest sign that can be trusted: what we saw ourselves, what the log dates, file times near those dates."""
    found: list[tuple[datetime, str]] = []
    if signs.observed is not None:
        found.append(signs.observed)
    if log is not None and log.last is not None:
        if log.last.at is not None:
            found.append((log.last.at, log.path))
        found += [sign for sign in signs.changed if _believable(sign[0], log.last)]
    return max(found, default=None)


def _believable(changed: datetime, last: LogEntry) -> bool:
    if last.at is not None:
        return abs(changed - last.at) <= BELIEVABLE
    try:
        day = date.fromisoformat(last.at_text[:10])
    except ValueError:
        return False
    return abs((changed.date() - day).days) <= 1


def _newest(log: Log | None, signs: Signs) -> datetime | None:
    times = [time for time, _ in signs.changed]
    if signs.observed is not None:
        times.append(signs.observed[0])
    if log is not None and log.modified_at is not None:
        times.append(log.modified_at)
    return max(times, default=None)


def _dispatched(log: Log | None, task: Task) -> datetime | None:
    entry = log.tasks.get(task.id) if log is not None else None
    return entry.dispatch.at if entry is not None and entry.dispatch is not None else None


def _last_words(log: Log | None, task: Task) -> LogEntry | None:
    entry = log.tasks.get(task.id) if log is not None else None
    if entry is None:
        return None
    found = log_status(entry)
    return entry.last or (found[1] if found else None)


def _where(task: Task) -> tuple[str, int | None]:
    witness = next((item for item in task.evidence if item.source == task.decided_by), task.evidence[0])
    return witness.path, witness.line


def task_path(task: Task) -> str | None:
    """The file that makes a task count as what it does."""
    return _where(task)[0] if task.evidence else None
