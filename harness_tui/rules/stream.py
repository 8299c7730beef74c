"""Whether a stream runs, rests, stopped or broke off, and how that is known.

A run of our own engine holds a lease and can be proved alive. An agent that drains the pool by itself holds none: it
is taken to run only while its files show signs of life, and the reason always says on what the claim rests.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import frozen, replace
from harness_tui.model.pool import STATUSES
from harness_tui.model.stream import Cause, Owner, Stream, StreamState
from harness_tui.rules.run_end import run_end
from harness_tui.rules.span import span
from harness_tui.rules.status import log_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.log import Log, LogEntry
    from harness_tui.model.pool import Pool, ShownStatus, Status, Task
    from harness_tui.model.stream import Lease
    from harness_tui.rules.run_end import RunEnd

QUIET: Final = timedelta(minutes=30)
"""How old the newest sign of life may be for a run without a lease: stages often take longer than ten minutes."""

BELIEVABLE: Final = timedelta(hours=26)
"""How far a file's modification time may lie from the log's own last time and still mean something.

A day because of local times labelled Z (formats/harness-kit L5); more than that is a checkout or a copy.
"""

CLOCK_SKEW: Final = timedelta(minutes=1)
"""How far ahead of us another machine's clock may be. A later time is invented or mislabelled: no sign of life."""

_RANK: Final[tuple[StreamState, ...]] = ("running", "interrupted", "stopped", "idle", "unknown", "drained")
_LEFT: Final[tuple[Status, ...]] = ("needs-human", "failed", "blocked", "unknown")


@frozen
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
    view = _View(pool, log, ours, signs, now, run_end(log, pool.report))
    stream = _state(view)
    since = stream.since
    return replace(
        stream,
        pool_id=pool.id,
        ambient=ambient,
        since=since if since is None or since <= now + CLOCK_SKEW else None,
        why=stream.causes[0].text if stream.causes else "",
        evidence_at=_newest(log, signs),
    )


def foremost(streams: Iterable[Stream]) -> Stream | None:
    """The stream that an operator should see first: running, then broken off, stopped, idle, unknown, drained."""
    return min(streams, key=lambda stream: _RANK.index(stream.state), default=None)


def shown_status(status: Status, stream: Stream | None) -> ShownStatus:
    """An effective status as it is shown: what is in progress is interrupted when the run that was at it is over."""
    return "interrupted" if status == "in-progress" and _is_over(stream) else status


def shown_tally(pool: Pool, stream: Stream | None) -> dict[ShownStatus, int]:
    """The tally of `pool` by the status that its rows are shown with, in the order of `STATUSES`."""
    return {shown_status(status, stream): count for status in STATUSES if (count := pool.tally.get(status))}


def _is_over(stream: Stream | None) -> bool:
    return stream is not None and stream.state in ("interrupted", "stopped")


def left_open(pool: Pool) -> dict[Status, int]:
    """How many rows a drained `pool` leaves neither done nor skipped, by status, the most pressing first."""
    return {status: count for status in _LEFT if (count := pool.tally.get(status, 0))}


@frozen
class _View:
    """All that the state of one pool's stream is made from."""

    pool: Pool
    log: Log | None
    lease: Lease | None
    signs: Signs
    now: datetime
    end: RunEnd | None


def _state(view: _View) -> Stream:
    pool, end = view.pool, view.end
    task = _current(view)
    if view.lease is not None and view.lease.alive:
        return _running_by_lease(view, view.lease, task)
    if end is not None and end.stopped:
        return Stream("stopped", since=end.entry.at, causes=(*end.causes, *_left(task)))
    if task is not None:
        return _active_without_lease(view, task)
    if not pool.readable or pool.stale:
        causes = (Cause("the plan cannot be read, so nothing is known about its run", pool.path),)
        return Stream("unknown", causes=causes)
    stream = _between_tasks(view) or _resting(view)
    if view.lease is None:
        return stream
    return replace(stream, causes=(Cause(f"no run is alive: {view.lease.why}", view.lease.path), *stream.causes))


def _current(view: _View) -> Task | None:
    """The task in progress; where several rows say so, the one that was dispatched last."""
    active = [task for task in view.pool.tasks if task.effective_status == "in-progress"]
    return max(active, key=lambda task: _dispatch_line(view.log, task), default=None)


def _running_by_lease(view: _View, lease: Lease, task: Task | None) -> Stream:
    since = _dispatched(view.log, task) if task else lease.started_at
    causes = (Cause(f"process {lease.pid} holds the run lock and is alive", lease.path), *_in_progress(task))
    owner = Owner(lease.pid, lease.host) if lease.pid is not None else None
    doing = lease.doing if task is not None else None
    return Stream("running", task_id=task.id if task else None, since=since, owner=owner, causes=causes, doing=doing)


def _active_without_lease(view: _View, task: Task) -> Stream:
    since = _dispatched(view.log, task)
    if view.lease is not None:
        head = Cause(f"{task.id} was left in progress; no run is alive: {view.lease.why}", view.lease.path)
        return Stream("interrupted", task_id=task.id, since=since, causes=(head, *_in_progress(task)))
    if view.end is not None:
        head = Cause(f"{task.id} was left in progress: the log says that its run is over", *where(task))
        return Stream("interrupted", task_id=task.id, since=since, causes=(head, *_in_progress(task), *view.end.causes))
    sign = _fresh_sign(view)
    if sign is not None:
        text = f"{task.id} is in progress and its files changed {_ago(view, sign[0])} (no run lock)"
        head = Cause(text, sign[1])
        return Stream("running", task_id=task.id, since=since, causes=(head, *_in_progress(task)))
    head = Cause(f"{task.id} is in progress but no run is alive: no run lock, no sign of life", where(task)[0])
    causes = (head, _last_words(view, task), *_in_progress(task))
    return Stream("interrupted", task_id=task.id, since=since, causes=causes)


def _between_tasks(view: _View) -> Stream | None:
    """A run without a lease that has closed one task and not yet opened the next, while the gate is run, say."""
    log = view.log
    at_work = log is not None and any(task.dispatch or task.result for task in log.tasks.values())
    if log is None or log.last is None or not at_work or view.end is not None or view.lease is not None:
        return None
    sign = _fresh_sign(view)
    if sign is None or not any(task.effective_status == "pending" and task.runnable for task in view.pool.tasks):
        return None
    text = f"no task is in progress, but the run is not over: its files changed {_ago(view, sign[0])} (no run lock)"
    head = Cause(text, sign[1])
    return Stream("running", since=log.last.at, causes=(head, Cause(log.last.text, log.path, log.last.line)))


def _resting(view: _View) -> Stream:
    pool, end = view.pool, view.end
    ended, since = (end.causes, end.entry.at) if end is not None else ((), None)
    open_tasks = [task for task in pool.tasks if task.effective_status == "pending"]
    if not pool.tasks:
        return Stream("idle", causes=(Cause("the pool has no tasks yet", pool.path), *ended))
    unknown = None if open_tasks else next((task for task in pool.tasks if task.effective_status == "unknown"), None)
    if unknown is not None:
        text = f"{unknown.id} has a status that is no known word: {unknown.status_text or 'nothing'}"
        return Stream("unknown", causes=(Cause(text, pool.path, unknown.line), *ended))
    state: StreamState = "idle" if open_tasks else "drained"
    return Stream(state, since=since, causes=(*_rest(pool, open_tasks), *ended))


def _rest(pool: Pool, open_tasks: list[Task]) -> tuple[Cause, ...]:
    runnable = [task for task in open_tasks if task.runnable]
    if runnable:
        names = ", ".join(task.id for task in runnable[:3]) + (" …" if len(runnable) > len(runnable[:3]) else "")
        return (Cause(f"no run is under way; {len(runnable)} can run: {names}", pool.path, runnable[0].line),)
    if open_tasks:
        first = open_tasks[0]
        text = f"no run is under way and none of {len(open_tasks)} pending rows can run"
        return (Cause(text, pool.path, first.line),)
    left = ", ".join(f"{count} {status}" for status, count in left_open(pool).items())
    return (Cause(f"no row is left to run{f'; left open: {left}' if left else ''}", pool.path),)


def _fresh_sign(view: _View) -> tuple[datetime, str] | None:
    """The newest sign of life that can be trusted, unless it is too old.

    What we saw ourselves, what the log dates, file times near those dates; never a time that lies ahead.
    """
    log, signs, now = view.log, view.signs, view.now
    found = [signs.observed] if signs.observed is not None else []
    if log is not None and log.last is not None:
        if log.last.at is not None:
            found.append((log.last.at, log.path))
        changed = (*signs.changed, (log.modified_at, log.path)) if log.modified_at is not None else signs.changed
        found += [sign for sign in changed if _believable(sign[0], log.last)]
    past = [(min(at, now), path) for at, path in found if at <= now + CLOCK_SKEW]
    sign = max(past, default=None)
    return sign if sign is not None and now - sign[0] <= QUIET else None


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
    entry = log_of(log, task)
    return entry.dispatch.at if entry is not None and entry.dispatch is not None else None


def _dispatch_line(log: Log | None, task: Task) -> int:
    entry = log_of(log, task)
    return entry.dispatch.line if entry is not None and entry.dispatch is not None else 0


def _last_words(view: _View, task: Task) -> Cause:
    """The last log line about `task` and its age."""
    entry = log_of(view.log, task)
    if view.log is None or entry is None or entry.last is None:
        return Cause("no log line speaks of it", view.log.path if view.log else None)
    last = entry.last
    if last.at is not None and last.at <= view.now + CLOCK_SKEW:
        return Cause(f"the last log line about it was written {_ago(view, last.at)}", view.log.path, last.line)
    ahead = ", which lies ahead" if last.at is not None else ""
    return Cause(f"the last log line about it is of {last.at_text}{ahead}", view.log.path, last.line)


def _ago(view: _View, at: datetime) -> str:
    """The age of `at`; seconds are left out, as a text that changes each second would be drawn each second."""
    length = view.now - at
    return f"{span(length)} ago" if length >= timedelta(minutes=1) else "less than a minute ago"


def _in_progress(task: Task | None) -> tuple[Cause, ...]:
    return (Cause(f"{task.id} is in progress", *where(task)),) if task is not None else ()


def _left(task: Task | None) -> tuple[Cause, ...]:
    return (Cause(f"{task.id} was left in progress", *where(task)),) if task is not None else ()


def where(task: Task) -> tuple[str | None, int | None]:
    """The place that makes `task` count as what it does."""
    return (task.witness.path, task.witness.line) if task.witness is not None else (None, None)
