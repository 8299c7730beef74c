"""What a signal would change, before it is sent: the same rules over the pool as it would be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from harness_tui.model.consequences import Consequences, Orphan
from harness_tui.model.document import TaskGates
from harness_tui.model.frozen import replace
from harness_tui.model.pool import PlanRow, Task
from harness_tui.rules import schedule
from harness_tui.rules.frontier import BLOCKING_CODES, waits, with_frontier
from harness_tui.rules.next_id import next_id

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from harness_tui.model.intervention import Signal
    from harness_tui.model.pool import Pool, Status
    from harness_tui.model.stream import Stream

_NAMED: Final = 8
_ORDERED: Final = 12


def consequences(pool: Pool, signal: Signal, *, running: bool) -> Consequences:
    """The preview of `signal` for `pool`. `running` says whether a run is alive, as for the frontier."""
    before = order(pool, running=running)
    if signal.keyword == "STOP":
        if not running:
            text = f"nothing runs: the next run ends at once and reads no further row; {len(before)} could still run"
            return Consequences(pool.id, before, (), blocked=before, text=text)
        text = f"no further row is dispatched until a run is started again; {len(before)} could still run"
        under_way = [task.id for task in pool.tasks if task.effective_status == "in-progress"]
        if under_way:
            text = f"{_names(under_way)} may end first: a loop reads STOP between tasks. Then {text}"
        return Consequences(pool.id, before, (), blocked=before, text=text)
    if signal.keyword == "SKIP":
        found = difference(pool, with_statuses(pool, {signal.argument}, "skipped", running=running), running=running)
        at_it = running and any(
            task.id == signal.argument and task.effective_status == "in-progress" for task in pool.tasks
        )
        return replace(found, text=f"unless it is delivered: {found.text}") if at_it else found
    if signal.keyword == "ADD":
        after = with_row(pool, signal.argument, signal.text, running=running)
        found = difference(pool, after, running=running)
        added = after.tasks[-1].id
        place = found.after.index(added) + 1 if added in found.after else 0
        where = f"runs as number {place} of {len(found.after)}" if place else "can't run as things stand"
        text = f"{added} {signal.argument} becomes the last row: pending, mode full, no dependency; it {where}"
        return replace(found, added=added, text=text)
    if signal.keyword == "NOTE":
        return Consequences(pool.id, before, before, text="the note goes with the next dispatch; no row changes")
    return Consequences(pool.id, before, before, text="the loop over a pool rejects this signal")


def unaddressed(keyword: str, streams: Mapping[str, Stream]) -> str:
    """What follows from a signal that is meant for no pool in particular; whoever reads the file first takes it."""
    running = [name for name, stream in streams.items() if stream.state == "running"]
    if keyword not in ("STOP", "NOTE"):
        return ""
    if not streams:
        return "no run is known here: it waits for whoever reads it first"
    if keyword == "NOTE":
        return "the note goes with the next dispatch of whichever run reads it first; no row changes"
    if not running:
        return "nothing runs: the next run, of whichever pool, ends at once and reads no further row"
    return f"whichever run reads it first dispatches nothing more ({_names(running)}); the others go on"


def as_if_read(pool: Pool, waiting: Iterable[Signal], *, running: bool) -> Pool:
    """`pool` as it will be once the ADD and SKIP signals have been read that wait before another one.

    `running` says whether a run is alive, as for the frontier.
    """
    for signal in waiting:
        if signal.state != "waiting":
            continue
        if signal.keyword == "ADD" and all(task.slug != signal.argument for task in pool.tasks):
            pool = with_row(pool, signal.argument, signal.text, running=running)
        elif signal.keyword == "SKIP" and any(task.id == signal.argument for task in pool.tasks):
            pool = with_statuses(pool, {signal.argument}, "skipped", running=running)
    return pool


def with_statuses(pool: Pool, ids: Collection[str], status: Status, *, running: bool) -> Pool:
    """`pool` as it would be if the rows `ids` counted as `status`; what hangs on them is judged anew."""
    tasks = tuple(
        replace(task, status=status, effective_status=status) if task.id in ids else task for task in pool.tasks
    )
    return _judged(pool, tasks, running=running)


def with_row(pool: Pool, slug: str, goal: str, *, running: bool) -> Pool:
    """`pool` with one more row, as ADD makes it (CONTRACT rule 4)."""
    last = max((task.line for task in pool.tasks), default=0)
    needed = (name for task in pool.tasks for name in task.depends_on)
    row = Task(
        next_id((task.id for task in pool.tasks), needed), slug, goal, "full", (), "—", "pending", "pending", "pending",
        "plan",
        drift=False, evidence=(), runnable=True, waiting_on=(), stage=0, rollbacks=None, gates=TaskGates(),
        line=last + 1,
    )  # fmt: skip
    return _judged(pool, (*pool.tasks, row), running=running)


def order(pool: Pool, *, running: bool) -> tuple[str, ...]:
    """Ids in the order in which they would be dispatched if each were delivered (`rules.schedule`), without retries.

    What an interrupted run left in progress comes first; what is under way in a live run counts as delivered.
    """
    rows = schedule.order(pool, retry=False)
    return tuple(task.id for task in rows if not (running and task.effective_status == "in-progress"))


def together(found: Sequence[Consequences]) -> Consequences:
    """Of several signals, each seen as if those before it were read: all that becomes runnable, and the last order."""
    runnable = dict.fromkeys(name for item in found for name in item.runnable)
    return replace(found[-1], runnable=tuple(runnable))


def order_rows(found: Consequences, *, ordered: bool = True) -> list[tuple[str, str]]:
    """What becomes runnable or can't run any more, and with `ordered` the order that would follow, by ids."""
    order = found.after if ordered else ()
    rows = (("runnable", found.runnable, ", "), ("no longer", found.blocked, ", "), ("order then", order, " → "))
    return [(label, between.join(ids[:_ORDERED]) + _more(ids)) for label, ids, between in rows if ids]


def _more(ids: tuple[str, ...]) -> str:
    return f" and {len(ids) - _ORDERED} more" if len(ids) > _ORDERED else ""


def difference(pool: Pool, after: Pool, *, running: bool, text: str = "") -> Consequences:
    """From `pool` to `after`; without `text`, the words are about what would wait for ever."""
    was, will = order(pool, running=running), order(after, running=running)
    within_reach = {task.id for task in schedule.order(after)}
    tasks = {task.id: task for task in after.tasks}
    orphaned = tuple(
        Orphan(task.id, tasks[task.id].waiting_on)
        for task in schedule.order(pool)  # with those that an earlier run left open: the next one tries them again
        if task.id not in within_reach and tasks[task.id].effective_status not in ("skipped", "done")
    )
    now, then = set(pool.frontier), set(after.frontier)
    blocked = tuple(name for name in pool.frontier if name not in then)
    runnable = tuple(name for name in after.frontier if name not in now)
    lost_words = f"{_names([item.id for item in orphaned])} would wait for it for ever"
    text = text or (lost_words if orphaned else "no row hangs on it")
    return Consequences(pool.id, was, will, runnable, blocked, orphaned, text=text)


def _judged(pool: Pool, tasks: tuple[Task, ...], *, running: bool) -> Pool:
    index = _index(tasks)
    rings = {name: ", ".join(ring[:_NAMED]) for ring in pool.cycles for name in ring}
    status = _status_of(tasks)
    fresh = tuple(_task(task, index, status, rings) for task in tasks)
    tally: dict[str, int] = dict(Counter(task.effective_status for task in fresh))
    return with_frontier(replace(pool, tasks=fresh, tally=tally), running=running)


def _task(task: Task, index: dict[str, list[int]], status: Callable[[int], Status], rings: dict[str, str]) -> Task:
    barred = any(problem.code in BLOCKING_CODES for problem in task.problems)
    row = PlanRow(
        task.id, task.slug, task.goal, task.mode, task.depends_on, task.depends_text, task.status, task.status_text,
        task.line,
    )  # fmt: skip
    waiting = waits(row, index, status, rings)
    runnable = task.effective_status == "pending" and not waiting and not barred
    settled = task.effective_status in ("done", "skipped")
    return replace(task, runnable=runnable, waiting_on=() if settled else waiting)


def _index(tasks: Sequence[Task]) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for at, task in enumerate(tasks):
        index.setdefault(task.id, []).append(at)
    return index


def _status_of(tasks: Sequence[Task]) -> Callable[[int], Status]:
    return lambda at: tasks[at].effective_status


def _names(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more
