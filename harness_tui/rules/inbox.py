"""Everything that waits for the operator, most urgent first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.inbox import InboxItem
from harness_tui.model.report import HARD_STOP
from harness_tui.rules.status import log_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from harness_tui.model.intervention import Interventions, Signal
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.problem import Problem
    from harness_tui.model.report import NeedsInput
    from harness_tui.model.verify import VerifyRun

BLOCKS_ALL: Final = 3
BLOCKS_SOME: Final = 2
SOON: Final = 1
MAY_WAIT: Final = 0
_NAMED: Final = 3

BROKEN_BUDGET: Final = "unreadable-budget"
_RING: Final = "dependency-ring"  # each row of a ring has one


def inbox(
    pools: Sequence[Pool],
    logs: Mapping[str, Log],
    interventions: Interventions,
    verify: VerifyRun | None,
    problems: Iterable[Problem],
    others: Iterable[InboxItem] = (),
    *,
    held: Collection[str] = (),
) -> tuple[InboxItem, ...]:
    """One item for each thing that needs a person.

    `logs` gives the main log of each pool by its id, `verify` the newest run of verify_all, `problems` those of no
    pool, `others` what other families ask (`rules.needs`), `held` the ids of pools that a live run of our own engine
    drains. Questions that name the same task are one item: a needs-human row, its log line and its line in the report.
    """
    items: list[InboxItem] = []
    for pool in pools:
        items += _questions(pool, logs.get(pool.id))
        items += _drift(pool, logs.get(pool.id) if pool.id in held else None)
        items += _unknown(pool)
        items += _broken(pool.problems, pool.id)
    items += _broken(problems, None)
    items += _gate(verify)
    items += _unclear(interventions)
    items += others
    return tuple(sorted(items, key=_order))


def waiting_behind(pool: Pool, task_id: str) -> int:
    """How many rows of `pool` can't run before `task_id` is done, directly or through others."""
    behind: dict[str, list[str]] = {}
    for task in pool.tasks:
        if _is_open(task):
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
    told = pool.report.needs_input if pool.report else ()
    needs = [need for need in told if need.stage != HARD_STOP]  # its Blocker is an item of its own
    if not needs and "needs-human" not in pool.tally:
        return []
    owners = _Owners(pool)
    asked: dict[int, list[NeedsInput]] = {}
    items: list[InboxItem] = []
    for need in needs:
        place = owners.find(need)
        if place is not None and pool.tasks[place].effective_status == "needs-human":
            asked.setdefault(place, []).append(need)
        elif place is None or not _is_answered(pool.tasks[place], log):
            items.append(_clarification(pool, need, pool.tasks[place] if place is not None else None))
    needed = {name for task in pool.tasks if _is_open(task) for name in task.depends_on if name != task.id}
    return [
        _needs_human(pool, task, log, asked.get(place, []), BLOCKS_SOME if task.id in needed else SOON)
        for place, task in enumerate(pool.tasks)
        if task.effective_status == "needs-human"
    ] + items


class _Owners:
    """Finds the row that a question of the report is about: by its id, else by its slug; never one of several."""

    def __init__(self, pool: Pool) -> None:
        self._tasks = pool.tasks
        self._ids: dict[str, list[int]] = {}
        self._slugs: dict[str, list[int]] = {}
        for place, task in enumerate(pool.tasks):
            self._ids.setdefault(task.id, []).append(place)
            self._slugs.setdefault(task.slug, []).append(place)

    def find(self, need: NeedsInput) -> int | None:
        """The position of that row; None when there is none, or it is not clear which one is meant."""
        places = self._ids.get(need.task_id) or self._slugs.get(need.slug) or []
        if need.slug and need.task_id:
            places = [place for place in places if self._tasks[place].slug == need.slug]
        return places[0] if len(places) == 1 else None


def _is_open(task: Task) -> bool:
    return task.effective_status not in ("done", "skipped")


def _is_answered(task: Task, log: Log | None) -> bool:
    """Whether a question about `task` is over: it is settled, or was dispatched again after it had asked."""
    if not _is_open(task):
        return True
    entry = log_of(log, task)
    asked = entry.result if entry is not None and entry.result is not None else None
    if entry is None or asked is None or entry.dispatch is None or asked.kind not in ("needs-human", "blocked"):
        return False
    return entry.dispatch.line > asked.line


def _clarification(pool: Pool, need: NeedsInput, task: Task | None) -> InboxItem:
    label = need.task_id or need.slug or pool.id
    return InboxItem(
        "clarification", f"{pool.id}/{label}/{need.line}", _named(label, need.ask), need.path, need.line, None, SOON,
        pool.id, task.id if task is not None else need.task_id or None, need.unblock, "the question stays open",
    )  # fmt: skip


def asking(items: Iterable[InboxItem]) -> list[InboxItem]:
    """Those of `items` that ask for something; the rest may wait."""
    return [item for item in items if item.urgency > MAY_WAIT]


def _needs_human(pool: Pool, task: Task, log: Log | None, asked: Sequence[NeedsInput], urgency: int) -> InboxItem:
    """The question in the words of the log, else of the report, else of the witness that calls the task needs-human."""
    entry = log_of(log, task)
    result = entry.result if entry is not None else None
    unblock = ""
    place: tuple[str, int | None] = (pool.path, task.line)
    since = task.touched_at
    if log is not None and result is not None and result.kind == "needs-human":
        ask, unblock, place, since = result.ask or result.text, result.unblock, (log.path, result.line), result.at
    elif asked:
        ask, unblock, place = asked[-1].ask, asked[-1].unblock, (asked[-1].path, asked[-1].line)
    else:
        witness = task.witness
        ask = witness.text if witness is not None and len(witness.text) > len("needs-human") else task.goal
        place = (witness.path, witness.line) if witness is not None else place
    name = f"{pool.id}/{task.id}/{task.slug}"
    return InboxItem(
        "needs-human", name, _named(task.id, ask), *place, since, urgency, pool.id, task.id, unblock,
        "the row stays where it is",
    )  # fmt: skip


def _named(name: str, ask: str) -> str:
    """The question with the name of its task in front, once."""
    return ask if ask.startswith(name) else f"{name}: {ask}"


def _drift(pool: Pool, running: Log | None) -> list[InboxItem]:
    """Rows of which the plan says something else; `running` is the log of a live run, which brings its own rows up."""
    drifted = [task for task in pool.tasks if task.drift and not (running is not None and _in_hand(task, running))]
    if not drifted:
        return []
    first = drifted[0]
    rows = "row differs" if len(drifted) == 1 else "rows differ"
    title = f"{len(drifted)} {rows} from what log and documents say: {_few(drifted)}"
    return [
        InboxItem(
            "drift", f"{pool.id}/drift", title, pool.path, first.line, None, MAY_WAIT, pool.id, first.id,
            "plan and documents say the same", "the state that counts is shown, and the files go on to differ",
        )
    ]  # fmt: skip


def _unknown(pool: Pool) -> list[InboxItem]:
    """Rows whose status is no known word: no run takes them, and none says so again."""
    rows = [task for task in pool.tasks if task.effective_status == "unknown"]
    if not rows:
        return []
    first = rows[0]
    title = f"{first.id} can't run before the plan is mended: {first.status_text or 'nothing'!r} is no known status"
    if len(rows) > 1:
        title = f"{len(rows)} rows can't run before the plan is mended, their status is no known word: {_few(rows)}"
    return [
        InboxItem(
            "problem", f"{pool.id}/unknown", title, pool.path, first.line, None, SOON, pool.id, first.id,
            "the plan gives one of the known words", "no run takes such a row",
        )
    ]  # fmt: skip


def _few(rows: Sequence[Task]) -> str:
    return ", ".join(task.id for task in rows[:_NAMED]) + (" …" if len(rows) > _NAMED else "")


def _in_hand(task: Task, log: Log) -> bool:
    """Whether the plan lags only because the run under way has not written the row yet: its log comes first."""
    entry = log_of(log, task)
    last = entry.last if entry is not None else None
    began = log.run.line if log.run is not None else 0
    return task.decided_by == "log" and last is not None and last.line > began


def _broken(problems: Iterable[Problem], pool_id: str | None) -> list[InboxItem]:
    """The errors, each ring of dependencies once: the problems of its rows have the same words.

    A budget that can't be read is among the needs of its epic.
    """
    errors = [problem for problem in problems if problem.severity == "error" and problem.code != BROKEN_BUDGET]
    rings = {(item.path, item.message): item for item in reversed(errors) if item.code == _RING}
    return [_problem(item, pool_id) for item in errors if item.code != _RING or rings[item.path, item.message] is item]


def _problem(problem: Problem, pool_id: str | None) -> InboxItem:
    name = f"{problem.path}:{problem.line or 0}:{problem.code}"
    return InboxItem(
        "problem", name, problem.message, problem.path, problem.line, None, SOON, pool_id,
        otherwise="what it spoils is not known and counts as the worst",
    )  # fmt: skip


def _gate(verify: VerifyRun | None) -> list[InboxItem]:
    if verify is None or verify.verdict not in ("hard-fail", "blocked"):
        return []
    title = f"verify_all fails: {verify.failed} of its checks" if verify.failed else "verify_all fails"
    return [
        InboxItem(
            "gate", "verify_all", title, verify.path, verify.line, verify.at, BLOCKS_ALL,
            unblock="verify_all passes again", otherwise="each regression gate fails, which stops a stream",
        )
    ]  # fmt: skip


def _unclear(interventions: Interventions) -> list[InboxItem]:
    return [_signal(interventions, signal) for signal in interventions.signals if signal.state != "waiting"]


def _signal(interventions: Interventions, signal: Signal) -> InboxItem:
    path, line = interventions.path, signal.line
    title = f"an unread signal is {signal.state}, so it counts as {interventions.safest or 'STOP'}: {signal.text}"
    return InboxItem(
        "intervention", f"{path}:{line}", title, path, line, None, BLOCKS_ALL,
        unblock="you say what is meant", otherwise=f"it counts as {interventions.safest or 'STOP'}",
    )  # fmt: skip
