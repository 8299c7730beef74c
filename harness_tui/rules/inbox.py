"""Everything that waits for the operator, most urgent first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.inbox import InboxItem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness_tui.model.intervention import Interventions
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.problem import Problem
    from harness_tui.model.verify import VerifyRun

BLOCKS_ALL: Final = 3
BLOCKS_SOME: Final = 2
SOON: Final = 1
MAY_WAIT: Final = 0


def inbox(
    pools: Sequence[Pool],
    logs: Mapping[str, Log],
    interventions: Interventions,
    verify: VerifyRun | None,
    problems: Iterable[Problem],
) -> tuple[InboxItem, ...]:
    """One item for each thing that needs a person.

    `logs` gives the main log of each pool by its id, `verify` the newest run of verify_all, `problems` those of no
    pool. Questions that name the same task are one item: a needs-human row, its log line and its line in the report.
    """
    items: list[InboxItem] = []
    for pool in pools:
        items += _questions(pool, logs.get(pool.id))
        items += _drift(pool)
        items += _broken(pool.problems, pool.id)
    items += _broken(problems, None)
    items += _gate(verify)
    items += _unclear(interventions)
    return tuple(sorted(items, key=_order))


def waiting_behind(pool: Pool, task_id: str) -> int:
    """How many rows of `pool` can't run before `task_id` is done, directly or through others."""
    behind: dict[str, list[str]] = {}
    for task in pool.tasks:
        if task.effective_status not in ("done", "skipped"):
            for name in task.depends_on:
                behind.setdefault(name, []).append(task.id)
    seen: set[str] = set()
    ahead = [task_id]
    while ahead:
        for name in behind.get(ahead.pop(), ()):
            if name not in seen and name != task_id:
                seen.add(name)
                ahead.append(name)
    return len(seen)


def _order(item: InboxItem) -> tuple[int, float, str]:
    since = item.since.timestamp() if item.since is not None else float("inf")
    return -item.urgency, since, item.id


def _questions(pool: Pool, log: Log | None) -> list[InboxItem]:
    """Needs-human rows with the words that their log line or the report gives, then questions of the report alone."""
    items: list[InboxItem] = []
    asked = {need.task_id: need for need in pool.report.needs_input} if pool.report else {}
    by_id = {task.id: task for task in pool.tasks}
    for task in pool.tasks:
        if task.effective_status == "needs-human":
            items.append(_needs_human(pool, task, log))
            asked.pop(task.id, None)
    for need in asked.values():
        task = by_id.get(need.task_id)
        if task is not None and task.effective_status in ("done", "skipped"):
            continue
        label = need.task_id or need.slug or pool.id
        items.append(
            InboxItem(
                "clarification",
                f"{pool.id}/{label}/{need.line}",
                f"{label}: {need.ask}",
                need.path,
                need.line,
                None,
                SOON,
                pool.id,
                need.task_id or None,
                need.unblock,
            )  # fmt: skip
        )
    return items


def _needs_human(pool: Pool, task: Task, log: Log | None) -> InboxItem:
    entry = log.tasks.get(task.id) if log is not None else None
    result = entry.result if entry is not None else None
    urgency = BLOCKS_SOME if waiting_behind(pool, task.id) else SOON
    if result is not None and result.kind == "needs-human" and log is not None:
        ask = result.ask or result.text
        return InboxItem(
            "needs-human", f"{pool.id}/{task.id}", f"{task.id}: {ask}", log.path, result.line, result.at, urgency,
            pool.id, task.id, result.unblock,
        )  # fmt: skip
    need = next((item for item in pool.report.needs_input if item.task_id == task.id), None) if pool.report else None
    if need is not None:
        return InboxItem(
            "needs-human", f"{pool.id}/{task.id}", f"{task.id}: {need.ask}", need.path, need.line, task.touched_at,
            urgency, pool.id, task.id, need.unblock,
        )  # fmt: skip
    title = f"{task.id}: {task.status_text if len(task.status_text) > len('needs-human') else task.goal}"
    return InboxItem(
        "needs-human", f"{pool.id}/{task.id}", title, pool.path, task.line, task.touched_at, urgency, pool.id, task.id
    )


def _drift(pool: Pool) -> list[InboxItem]:
    drifted = [task for task in pool.tasks if task.drift]
    if not drifted:
        return []
    first = drifted[0]
    names = ", ".join(task.id for task in drifted[:3]) + (" …" if len(drifted) > len(drifted[:3]) else "")
    rows = "row differs" if len(drifted) == 1 else "rows differ"
    title = f"{len(drifted)} {rows} from what log and documents say: {names}"
    return [InboxItem("drift", f"{pool.id}/drift", title, pool.path, first.line, None, MAY_WAIT, pool.id, first.id)]


def _broken(problems: Iterable[Problem], pool_id: str | None) -> list[InboxItem]:
    return [
        InboxItem(
            "problem",
            f"{problem.path}:{problem.line or 0}:{problem.code}",
            problem.message,
            problem.path,
            problem.line,
            None,
            SOON,
            pool_id,
        )  # fmt: skip
        for problem in problems
        if problem.severity == "error"
    ]


def _gate(verify: VerifyRun | None) -> list[InboxItem]:
    if verify is None or verify.verdict not in ("hard-fail", "blocked"):
        return []
    title = f"verify_all fails: {verify.failed} of its checks" if verify.failed else "verify_all fails"
    return [InboxItem("gate", "verify_all", title, verify.path, verify.line, verify.at, BLOCKS_ALL)]


def _unclear(interventions: Interventions) -> list[InboxItem]:
    return [
        InboxItem(
            "intervention",
            f"{interventions.path}:{signal.line}",
            f"an unread signal is {signal.state}, so it counts as {interventions.safest}: {signal.text}",
            interventions.path,
            signal.line,
            None,
            BLOCKS_ALL,
        )  # fmt: skip
        for signal in interventions.signals
        if signal.state != "waiting"
    ]
