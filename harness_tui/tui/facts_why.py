"""Lines that say why something is as it is: a task, a stream, or what waits for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.stream import Cause
from harness_tui.rules.why import why
from harness_tui.tui.facts import Fact, cause_facts, heading, in_sight
from harness_tui.tui.facts_epics import in_order
from harness_tui.tui.gauge import budget_words
from harness_tui.tui.text import literal
from harness_tui.tui.theme import STREAM_SIGN

if TYPE_CHECKING:
    from harness_tui.model.decision import Decision
    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot


def why_facts(snapshot: Snapshot, pool: Pool | None, task: Task | None, key: str = "") -> list[Fact]:
    """Why what is selected is as it is: the question or need named `key`, else the task and the stream of its pool.

    Where none of them is selected, the most urgent need; nothing when there is none.
    """
    decision = in_order(snapshot.epics.decisions).get(key) if key and snapshot.epics is not None else None
    item = next((item for item in snapshot.inbox if item.id == key), None) if key else None
    if decision is not None:
        return _decision(snapshot, decision, item)
    if item is None and pool is None:
        item = next(iter(snapshot.inbox), None)
    if item is not None:
        return _need(snapshot, item)
    return _task(snapshot, pool, task) if pool is not None else []


def _task(snapshot: Snapshot, pool: Pool, task: Task | None) -> list[Fact]:
    stream = snapshot.streams[pool.id]
    facts: list[Fact] = []
    if task is not None:
        facts += [
            heading(f"{task.id} {task.slug}"),
            *cause_facts(why(pool, task, stream)),
            Fact(literal(""), heading=True),
        ]
    facts.append(heading(f"stream of {pool.id}: {STREAM_SIGN[stream.state]} {stream.state}"))
    return facts + cause_facts(stream.causes)


def _need(snapshot: Snapshot, item: InboxItem) -> list[Fact]:
    causes = [Cause(in_sight(item.title), item.path, item.line), *_ends(item)]
    facts = [heading(f"{item.kind} needs you" if item.urgency else item.kind), *cause_facts(causes)]
    pool = next((pool for pool in snapshot.pools if pool.id == item.pool_id), None)
    task = next((task for task in pool.tasks if task.id == item.task_id), None) if pool is not None else None
    if pool is not None and task is not None:
        facts += [Fact(literal(""), heading=True), *_task(snapshot, pool, task)]
    return facts


def _decision(snapshot: Snapshot, decision: Decision, item: InboxItem | None) -> list[Fact]:
    name = decision.question_id or "(no id)"
    because = f": {in_sight(decision.why)}" if decision.why else ""
    causes = [Cause(f"{name} is {decision.state}{because}", decision.path, decision.line)]
    parts = (("asked", decision.question), ("why now", decision.why_now), ("if wrong", decision.risk))
    causes += [Cause(f"{label}: {in_sight(words)}") for label, words in parts if words]
    budgets = snapshot.epics.budgets if snapshot.epics is not None else ()
    causes += [
        Cause(f"budget of {budget.epic_id}: {budget_words(budget)}", budget.path)
        for budget in budgets
        if budget.epic_id == decision.epic_id
    ]
    causes += _ends(item) if item is not None else []
    return [heading(f"{name} of {decision.epic_id}"), *cause_facts(causes)]


def _ends(item: InboxItem) -> list[Cause]:
    """What settles it, and what happens until then."""
    ends = (("unblocks when", item.unblock), ("till then", item.otherwise))
    return [Cause(f"{label}: {in_sight(words)}") for label, words in ends if words]
