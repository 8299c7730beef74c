"""What an answer changes for the rows of pools, before it is recorded (CONTRACT rules 3, 7).

A row waits for a question when it needs a person and its own words (log or report) name the question. The answer
itself changes no plan: the next run dispatches such a row again, and then what was blocked behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen
from harness_tui.rules.consequences import difference, with_statuses
from harness_tui.rules.outlook import outlook_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness_tui.model.answer import AnswerPlan
    from harness_tui.model.consequences import Consequences
    from harness_tui.model.decision import Decision
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot

NOBODY = "no row of a pool waits for it"


@frozen
class Effects:
    """The preview of an answer: for each pool with a row that it is about, and all of it in lines of words."""

    pools: tuple[Consequences, ...]
    text: tuple[str, ...]


def effects(plan: AnswerPlan, snapshot: Snapshot) -> Effects:
    """What recording `plan` changes, for the epic and for the pools of `snapshot`."""
    text: list[str] = []
    if plan.before is not None and plan.after is not None:
        text += outlook_words(plan.epic_id, plan.before, plan.after)
    decisions = snapshot.epics.decisions if snapshot.epics is not None else ()
    settled = {item.question_id: item.status for item in plan.settled}
    asked = [item for item in decisions if item.epic_id == plan.epic_id and item.question_id in settled]
    recorded = [item for item in asked if settled[item.question_id] != "deferred"]
    deferred = [item for item in asked if settled[item.question_id] == "deferred"]
    found: list[Consequences] = []
    about: list[str] = []
    for pool in snapshot.pools:
        stream = snapshot.streams.get(pool.id)
        running = stream is not None and stream.state == "running"
        freed = [task.id for task in _waiting(pool, recorded, decisions, snapshot)]
        if freed:
            after = with_statuses(pool, {*freed, *_blocked_behind(pool, freed)}, "pending", running=running)
            found.append(difference(pool, after, running=running, text=_freed_words(pool, freed, running=running)))
            about.append(found[-1].text)
        kept = [task.id for task in _waiting(pool, deferred, decisions, snapshot)]
        if kept:
            about.append(f"pool {pool.id}: {', '.join(kept)} asked this and still waits: the question is put off")
        named = [task.id for task in _named(pool, asked) if task.id not in (*freed, *kept)]
        if named:
            about.append(
                f"pool {pool.id}: {', '.join(named)}, named in the question, runs by the plan with or without it"
            )
        if (kept or named) and not freed:
            found.append(difference(pool, pool, running=running, text=about[-1]))
    if plan.spends and plan.left <= 0:
        text.append("no unit is left then: what is asked later goes on with its default, or counts as CRITICAL-BLOCKED")
    return Effects(tuple(found), (*text, *(about or [NOBODY])))


def _waiting(pool: Pool, asked: Iterable[Decision], every: Iterable[Decision], snapshot: Snapshot) -> Iterator[Task]:
    """Rows that need a person and whose words name one of `asked`, and its epic where another one has that id, too."""
    words: dict[str, str] = {}
    for item in snapshot.inbox:
        if item.pool_id == pool.id and item.task_id is not None and item.kind in ("needs-human", "clarification"):
            words[item.task_id] = f"{words.get(item.task_id, '')} {item.title} {item.unblock}"
    epics: dict[str, set[str]] = {}
    for decision in every:
        epics.setdefault(decision.question_id, set()).add(decision.epic_id)
    for task in pool.tasks:
        said = words.get(task.id, "")
        if task.effective_status == "needs-human" and any(
            _names(said, item.question_id) and (len(epics[item.question_id]) == 1 or _names(said, item.epic_id))
            for item in asked
        ):
            yield task


def _named(pool: Pool, asked: Iterable[Decision]) -> Iterator[Task]:
    """Open rows that the questions themselves name."""
    said = " ".join(f"{item.why_now} {item.deadline} {item.context} {item.source_ref}" for item in asked)
    for task in pool.tasks:
        if task.effective_status not in ("done", "skipped") and (_names(said, task.id) or _names(said, task.slug)):
            yield task


def _blocked_behind(pool: Pool, freed: Iterable[str]) -> set[str]:
    """Rows that are blocked and hang on `freed`, directly or through each other."""
    behind: set[str] = set()
    ahead = [*freed]
    while ahead:
        name = ahead.pop()
        for task in pool.tasks:
            if name in task.depends_on and task.id not in behind and task.effective_status == "blocked":
                behind.add(task.id)
                ahead.append(task.id)
    return behind


def _freed_words(pool: Pool, freed: list[str], *, running: bool) -> str:
    one = len(freed) == 1
    when = "a run tries no row twice, so the next one" if running else "the next run"
    return f"pool {pool.id}: {', '.join(freed)} asked this: {when} dispatches {'it' if one else 'them'} again"


def _names(text: str, name: str) -> bool:
    """Whether `name` stands in `text` as a word of its own."""
    return bool(name) and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
