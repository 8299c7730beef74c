"""Why a task counts as what it does, or does not run: the chain of causes down to one line of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.stream import Cause
from harness_tui.rules.frontier import BLOCKING_CODES
from harness_tui.rules.stream import shown_status

if TYPE_CHECKING:
    from harness_tui.model.pool import Evidence, Pool, Source, Task
    from harness_tui.model.stream import Stream

_WITNESS: Final[dict[Source, str]] = {
    "plan": "the plan",
    "delivery": "the delivery document",
    "log": "the log",
    "board": "the task board",
    "report": "the report",
    "state": "the task's state file",
}


_QUOTED: Final = 160
"""Characters of a witness that are quoted; the place tells where the rest is."""
_LINKS: Final = 25
"""Links of a chain of dependencies that are told."""


def why(pool: Pool, task: Task, stream: Stream) -> tuple[Cause, ...]:
    """Causes of the task's state, most general first; the last one that names a line is the root.

    A pending task is followed through its unmet dependencies to the first one that stands in the way by itself.
    """
    if task.effective_status == "pending":
        return _why_not_running(pool, task, stream)
    says = _WITNESS[task.decided_by]
    if shown_status(task.effective_status, stream) == "interrupted":
        head = Cause(f"{task.id} was interrupted: {says} says that it is in progress, and its run is over")
    else:
        head = Cause(f"{task.id} counts as {task.effective_status} because {says} says so")
    causes = [head, *_witnesses(task)]
    if task.effective_status == "in-progress" and (stream.pool_id, stream.task_id) == (pool.id, task.id):
        causes += stream.causes
    if task.effective_status == "blocked":
        causes += _chain(pool, task, stream)
    return tuple(causes)


def root(causes: tuple[Cause, ...]) -> Cause | None:
    """The deepest cause that names a file: where to look."""
    return next((cause for cause in reversed(causes) if cause.path is not None), None)


def _why_not_running(pool: Pool, task: Task, stream: Stream) -> tuple[Cause, ...]:
    barred = [problem for problem in task.problems if problem.code in BLOCKING_CODES]
    if barred:
        head = Cause(f"{task.id} can't run: its row must be mended first", pool.path, task.line)
        return (head, *(Cause(problem.message, problem.path, problem.line) for problem in barred))
    if task.waiting_on:
        head = Cause(f"{task.id} waits for {', '.join(wait.id for wait in task.waiting_on)}", pool.path, task.line)
        return (head, *_chain(pool, task, stream))
    head = Cause(f"{task.id} can run: it waits for nothing", pool.path, task.line)
    if pool.cycles:
        rings = [problem for problem in pool.problems if problem.code == "dependency-ring"][:1]
        text = "no run may start while rows wait for each other in a ring"
        return (head, Cause(text, pool.path), *(Cause(ring.message, ring.path, ring.line) for ring in rings))
    if stream.state == "running":
        ahead = pool.frontier.index(task.id) if task.id in pool.frontier else 0
        place = "it is next" if ahead == 0 else f"{ahead} before it can run too"
        return (head, Cause(f"one task at a time: {stream.task_id or 'a run'} is under way, {place}"), *stream.causes)
    return (head, *stream.causes)


def _chain(pool: Pool, task: Task, stream: Stream) -> list[Cause]:
    """From `task` along the first unmet dependency of each row, down to what keeps the last one from being done."""
    rows: dict[str, list[Task]] = {}
    for item in pool.tasks:
        rows.setdefault(item.id, []).append(item)
    causes: list[Cause] = []
    seen = {task.id}
    current = task
    while current.waiting_on:
        wait = current.waiting_on[0]
        causes.append(Cause(f"{current.id} depends on {wait.id}, which {wait.why}", pool.path, current.line))
        ahead = rows.get(wait.id, [])
        if len(ahead) > 1:
            return causes + [Cause(f"{item.id} {item.slug} is one of them", pool.path, item.line) for item in ahead]
        if not ahead or wait.id in seen:
            return causes
        seen.add(wait.id)
        current = ahead[0]
    if len(causes) > _LINKS:
        between = len(causes) - _LINKS
        causes = [*causes[: _LINKS - 1], Cause(f"… {between} more rows wait for each other in turn"), causes[-1]]
    return [*causes, *why(pool, current, stream)] if current is not task else causes


def _witnesses(task: Task) -> list[Cause]:
    """All that was said, the witness that decided last, so that it is the root."""
    others = [item for item in task.evidence if item.source != task.decided_by]
    decided = [item for item in task.evidence if item.source == task.decided_by]
    return [_said(item, task) for item in (*others, *decided)]


def _said(item: Evidence, task: Task) -> Cause:
    text = item.text if len(item.text) <= _QUOTED else f"{item.text[:_QUOTED]}…"
    words = f": “{text}”" if text and text != item.says else ""
    if item.says == "unknown":
        verdict = "states nothing that can be trusted"
    elif item.says == task.effective_status:
        verdict = f"says {item.says}"
    else:
        verdict = f"says {item.says}, which does not count here"
    return Cause(f"{_WITNESS[item.source]} {verdict}{words}", item.path, item.line)
