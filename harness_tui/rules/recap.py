"""What happened while nobody looked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot

BROKEN = frozenset({"failed", "blocked", "unknown"})
ASKING = frozenset({"decision", "needs-human", "clarification", "lock", "critical-blocked"})


@frozen
class Recap:
    """Tasks done since, tasks that newly failed or got blocked, and what waits for the operator now."""

    done: tuple[tuple[Pool, Task], ...] = ()
    broken: tuple[tuple[Pool, Task], ...] = ()
    asking: tuple[InboxItem, ...] = ()
    added: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.done or self.broken or self.added or self.asking)


def seen(snapshot: Snapshot) -> dict[str, str]:
    """What an operator who looks at `snapshot` has seen: the status of each task, and the items of the inbox."""
    found: dict[str, str] = {}
    for pool in snapshot.pools:
        found.update({name: task.effective_status for name, task in _named(pool)})
    found.update({f"?{item.id}": item.kind for item in snapshot.inbox})
    return found


def _named(pool: Pool) -> Iterator[tuple[str, Task]]:
    """Each task with a name that lasts: ids are given out again, so the slug belongs to it; equal rows are counted."""
    times: Counter[str] = Counter()
    for task in pool.tasks:
        name = f"{pool.id}/{task.id}/{task.slug}"
        times[name] += 1
        yield (name if times[name] == 1 else f"{name}#{times[name]}"), task


def recap(before: Mapping[str, str], snapshot: Snapshot) -> Recap:
    """The difference between what was seen then and `snapshot`, told by tasks."""
    done, broken, added = [], [], 0
    for pool in snapshot.pools:
        for name, task in _named(pool):
            was = before.get(name)
            added += was is None
            if was == task.effective_status:
                continue
            if task.effective_status == "done":
                done.append((pool, task))
            elif task.effective_status in BROKEN:
                broken.append((pool, task))
    asking = tuple(item for item in snapshot.inbox if item.kind in ASKING and f"?{item.id}" not in before)
    return Recap(tuple(done), tuple(broken), asking, added)
