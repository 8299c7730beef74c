"""Which row is dispatched next, and what hangs on one that failed (CONTRACT rule 3; formats/harness-kit 1.11, 1.12).

Built from a judged pool in one pass; after that each outcome costs what hangs on it, however long the pool is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

from harness_tui.rules.frontier import BLOCKING_CODES
from harness_tui.rules.status import OPEN_RESULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from harness_tui.model.pool import Pool, Status, Task

Key = tuple[str, str]
"""A row is known by id and slug together: an id that stands for another task is another row."""

_FRESH: Final[frozenset[Status]] = frozenset({"pending", "in-progress"})


def key_of(task: Task) -> Key:
    """What stands for the row in the memory of a run."""
    return task.id, task.slug


class Schedule:
    """The open rows of a pool. `attempted` are those that this run dispatched before: they get no second try.

    Rows that an earlier run left failed, blocked or needs-human are tried again, unless `retry` is False.
    """

    def __init__(self, pool: Pool, attempted: Collection[Key] = (), *, retry: bool = True) -> None:
        tasks = self._tasks = pool.tasks
        self._status: list[Status] = [task.effective_status for task in tasks]
        self._places: dict[str, list[int]] = {}
        self._dependents: defaultdict[str, list[int]] = defaultdict(list)
        for place, task in enumerate(tasks):
            self._places.setdefault(task.id, []).append(place)
            for name in task.depends_on:
                self._dependents[name].append(place)
        wanted = _FRESH | OPEN_RESULTS if retry else _FRESH
        self._open = [
            task.effective_status in wanted and key_of(task) not in attempted and not _is_barred(task) for task in tasks
        ]
        self._missing = [self._unmet(task) for task in tasks]
        self._ready = [
            self._rank(place) for place in range(len(tasks)) if self._open[place] and not self._missing[place]
        ]
        heapify(self._ready)
        self.tally: Counter[str] = Counter(self._status)

    def pick(self) -> Task | None:
        """The row to dispatch next: one that a dead run left in progress before all others, then in plan order."""
        while self._ready:
            place = self._ready[0][1]
            if self._open[place] and not self._missing[place]:
                return self._tasks[place]
            heappop(self._ready)
        return None

    def find(self, task_id: str) -> list[Task]:
        """All rows of that id."""
        return [self._tasks[place] for place in self._places.get(task_id, ())]

    def like(self, task: Task) -> Task | None:
        """The one row of that id and slug, None when there is none."""
        return next((found for found in self.find(task.id) if found.slug == task.slug), None)

    def status(self, task: Task) -> Status:
        """The status of a row as it is known now."""
        return self._status[self._place(task)]

    def start(self, task: Task) -> None:
        """The row is dispatched; it is not picked again."""
        place = self._place(task)
        self._open[place] = False
        self._set(place, "in-progress")

    def settle(self, task: Task, status: Status) -> tuple[Task, ...]:
        """The row has ended so. Returns rows that are blocked by that and were pending, in plan order."""
        place = self._place(task)
        self._open[place] = False
        met = status == "done"
        lost = self._status[place] == "done"
        self._set(place, status)
        if met != lost and len(self._places[task.id]) == 1:
            for other in self._dependents[task.id]:
                self._missing[other] += -1 if met else 1
                if met and not self._missing[other] and self._open[other]:
                    heappush(self._ready, self._rank(other))
        return self._block(task.id) if status in OPEN_RESULTS else ()

    def stuck(self) -> Iterator[tuple[str, tuple[Task, ...]]]:
        """Once nothing can run any more: each row that is closed and not done, and those that are blocked by it now."""
        for place, task in enumerate(self._tasks):
            if self._status[place] in OPEN_RESULTS:
                blocked = self._block(task.id)
                if blocked:
                    yield task.id, blocked

    def _block(self, task_id: str) -> tuple[Task, ...]:
        blocked: list[int] = []
        seen = {task_id}
        names = [task_id]
        while names:
            for place in self._dependents.get(names.pop(), ()):
                name = self._tasks[place].id
                if self._status[place] == "pending":
                    self._set(place, "blocked")
                    blocked.append(place)
                if name not in seen and self._status[place] != "done":
                    seen.add(name)
                    names.append(name)
        return tuple(self._tasks[place] for place in sorted(blocked))

    def _set(self, place: int, status: Status) -> None:
        self.tally[self._status[place]] -= 1
        self.tally[status] += 1
        self._status[place] = status

    def _place(self, task: Task) -> int:
        places = self._places[task.id]
        return places[0] if len(places) == 1 else next(place for place in places if self._tasks[place] is task)

    def _rank(self, place: int) -> tuple[bool, int]:
        return self._status[place] != "in-progress", place

    def _unmet(self, task: Task) -> int:
        return sum(not self._is_met(name) for name in task.depends_on)

    def _is_met(self, name: str) -> bool:
        places = self._places.get(name, ())
        return len(places) == 1 and self._status[places[0]] == "done"


def order(pool: Pool, *, retry: bool = True) -> tuple[Task, ...]:
    """The rows in the order in which a run would dispatch them if each were delivered; none when rows form a ring."""
    schedule = Schedule(pool, retry=retry)
    found: list[Task] = []
    while not pool.cycles and (task := schedule.pick()) is not None:
        found.append(task)
        schedule.start(task)
        schedule.settle(task, "done")
    return tuple(found)


def _is_barred(task: Task) -> bool:
    if not task.problems:
        return False
    return any(problem.code in BLOCKING_CODES for problem in task.problems)
