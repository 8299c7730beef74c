"""The difference between two snapshots: the one list of changes that screens, commands and tests read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness_tui.formats.text import counted
from harness_tui.model.change import Change
from harness_tui.model.differing import differing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.change import ChangeKind
    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.problem import Problem
    from harness_tui.model.snapshot import Snapshot

_CELLS = {"depends_text": "depends on"}


def diff(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """What changed from `old` to `new`, in the order of the screen; empty when they say the same.

    A task is known by its pool, its id, its slug and which of several equal rows it is, so a moved row is no change.
    """
    changes: list[Change] = []
    changes += _pools(old, new)
    changes += _streams(old, new)
    changes += _logs(old, new)
    changes += _git(old, new)
    if old.interventions != new.interventions:
        before, after = (item.safest if item.present else None for item in (old.interventions, new.interventions))
        words = f"an unread signal: {after or 'unclear'}" if new.interventions.present else "the signal was taken"
        changes.append(Change("intervention", words, before=before, after=after, path=new.interventions.path))
    if old.sent is not new.sent:
        changes += _sent(old, new)
    if old.verify_runs[-1:] != new.verify_runs[-1:] and new.verify_runs:
        run = new.verify_runs[-1]
        changes.append(Change("verify", f"verify_all: {run.verdict}", after=run.verdict, path=run.path, line=run.line))
    if (old.epics, old.plans, old.servo) != (new.epics, new.plans, new.servo):
        from harness_tui.store.diff_families import family_changes  # noqa: PLC0415 - most workspaces have none

        changes += family_changes(old, new)
    changes += _inbox(old, new)
    changes += _problems(old, new)
    return tuple(changes)


def _sent(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    """Signals of the operator that got further."""
    before = {signal.id: signal.state for signal in old.sent}
    for signal in reversed(new.sent):
        was = before.get(signal.id)
        if was != signal.state:
            name = f"{signal.keyword} {signal.argument}".strip()
            place = signal.evidence or (None, None)
            yield Change("sent", f"{name}: {signal.state}", signal.pool_id, None, was, signal.state, place[0], place[1])


def _pools(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    before = {pool.id: pool for pool in old.pools}
    after = {pool.id: pool for pool in new.pools}
    for pool in new.pools:
        earlier = before.get(pool.id)
        if earlier is None:
            yield Change("pool-added", f"pool {pool.id} appeared", pool.id, path=pool.path)
        elif earlier is not pool:
            yield from _tasks(earlier, pool)
    for pool in old.pools:
        if pool.id not in after:
            yield Change("pool-removed", f"pool {pool.id} is gone", pool.id, path=pool.path)


def _tasks(old: Pool, new: Pool) -> Iterator[Change]:
    pairs = [(old.tasks[place], new.tasks[place]) for place in differing(old.tasks, new.tasks)]
    if len(old.tasks) == len(new.tasks) and all(a.id == b.id and a.slug == b.slug for a, b in pairs):
        for a, b in pairs:
            if a != b:
                yield from _task(new, a, b)
        return
    before, after = _keyed(old), _keyed(new)
    for name, task in after.items():
        earlier = before.get(name)
        if earlier is None:
            yield Change(
                "task-added", f"{task.id} {task.slug} was added", new.id, task.id, None, task.effective_status,
                new.path, task.line,
            )  # fmt: skip
        elif earlier != task:
            yield from _task(new, earlier, task)
    for name, task in before.items():
        if name not in after:
            yield Change(
                "task-removed", f"{task.id} {task.slug} is gone", new.id, task.id, task.effective_status, None, new.path
            )


def _keyed(pool: Pool) -> dict[tuple[str, str, int], Task]:
    times: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str, int], Task] = {}
    for task in pool.tasks:
        name = (task.id, task.slug)
        found[*name, times[name]] = task
        times[name] += 1
    return found


def _task(pool: Pool, old: Task, new: Task) -> Iterator[Change]:
    def change(kind: ChangeKind, title: str, before: str, after: str) -> Change:
        return Change(kind, title, pool.id, new.id, before, after, pool.path, new.line)

    if old.effective_status != new.effective_status:
        title = f"{new.id} {old.effective_status} → {new.effective_status}"
        yield change("task-status", title, old.effective_status, new.effective_status)
    elif old.status_text != new.status_text:
        title = f"{new.id} was edited: status"
        yield change("task-edited", title, old.status_text, new.status_text)
    if old.stage != new.stage:
        words = "reached" if new.stage > old.stage else "went back to"
        yield change("task-stage", f"{new.id} {words} stage {new.stage}", str(old.stage), str(new.stage))
    yield from _gates(pool, old, new)
    for name in ("goal", "mode", "depends_text"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield change("task-edited", f"{new.id} was edited: {_CELLS.get(name, name)}", before, after)


def _gates(pool: Pool, old: Task, new: Task) -> Iterator[Change]:
    for name in ("gate_review", "code_review", "qa", "delivery"):
        before, after = getattr(old.gates, name), getattr(new.gates, name)
        if after is not None and (before is None or before.verdict != after.verdict):
            label = name.replace("_", " ")
            yield Change(
                "task-gate", f"{new.id} {label}: {after.verdict}", pool.id, new.id,
                before.verdict if before else None, after.verdict, after.path, after.line,
            )  # fmt: skip


def _streams(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    for name, stream in new.streams.items():
        before = old.streams.get(name)
        if before is None or (before.state, before.task_id) != (stream.state, stream.task_id):
            words = f"stream {name}: {stream.state}" + (f" {stream.task_id}" if stream.task_id else "")
            cause = stream.causes[0] if stream.causes else None
            yield Change(
                "stream", words, name, stream.task_id, before.state if before else None, stream.state,
                cause.path if cause else None, cause.line if cause else None,
            )  # fmt: skip
    if old.stream.ambient != new.stream.ambient:
        yield Change("ambient", f"ambient mode is {'on' if new.stream.ambient else 'off'}")


def _logs(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    known = {log.path: log for log in old.logs}
    for log in new.logs:
        earlier = known.get(log.path)
        if earlier is log:
            continue
        before, after = str(earlier.entries) if earlier is not None else None, str(log.entries)
        if earlier is not None and log.restarts != earlier.restarts:
            title = f"{log.path} was cut or replaced, it has {counted(log.entries, 'entry', 'entries')} now"
            yield Change("log", title, log.pool_id, None, before, after, log.path)
        elif log.last is not None and (earlier is None or (earlier.last, earlier.entries) != (log.last, log.entries)):
            last = log.last
            yield Change("log", last.text, log.pool_id, last.task_id, before, after, log.path, last.line)


def _git(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    if old.git == new.git or new.git is None:
        return
    head = (new.git.head or "")[:9]
    dirty = " with uncommitted changes" if new.git.dirty else ""
    words = f"git: {new.git.error or new.git.branch or 'detached'} {head}".rstrip() + dirty
    yield Change("git", words, before=old.git.head if old.git else None, after=new.git.head)


def _inbox(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    before, after = {item.id: item for item in old.inbox}, {item.id: item for item in new.inbox}
    for name, item in after.items():
        if name not in before:
            yield need_added(item)
    for name, item in before.items():
        if name not in after:
            yield need_removed(item)


def need_added(item: InboxItem) -> Change:
    """Something needs the operator."""
    return Change("inbox-added", item.title, item.pool_id, item.task_id, None, item.kind, item.path, item.line)


def need_removed(item: InboxItem) -> Change:
    """It does no longer."""
    return Change("inbox-removed", item.title, item.pool_id, item.task_id, item.kind, None, item.path, item.line)


def _problems(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    before = {*old.problems, *(problem for pool in old.pools for problem in pool.problems)}
    after = {*new.problems, *(problem for pool in new.pools for problem in pool.problems)}
    if before == after:
        return
    for problem in sorted(after - before, key=_place):
        yield Change("problem", problem.message, after=problem.code, path=problem.path, line=problem.line)
    for problem in sorted(before - after, key=_place):
        yield Change("problem-gone", problem.message, before=problem.code, path=problem.path, line=problem.line)


def _place(problem: Problem) -> tuple[str, int, str, str]:
    return problem.path, problem.line or 0, problem.code, problem.message
