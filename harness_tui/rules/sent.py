"""What became of the signals that were sent (CONTRACT rule 5; formats/harness-kit section 6, 1 and 31).

A signal waits while it stands in the file. Once it has gone, a line of another file must show its effect: a row that
was added or skipped, a run that stopped, a note that was quoted. Without one, it counts as picked up until two task
boundaries have gone by, and from then on as without effect.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import field, frozen, record, replace
from harness_tui.model.sent import PendingSignal, SentRecord, SentSignal, Where
from harness_tui.rules.run_end import run_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from harness_tui.model.intervention import Interventions
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool
    from harness_tui.model.sent import SentEvent, SentHistory

PATIENCE: Final = 2
"""Task boundaries after which a signal without a visible effect counts as having none."""

_Key = tuple[str, str, str]
_CLOSED: Final = frozenset({"withdrawn", "dropped"})


@frozen
class Sights:
    """What the workspace shows now. `quotes` gives the line that quotes a sent signal, by its id."""

    interventions: Interventions
    pools: Sequence[Pool] = ()
    logs: Sequence[Log] = ()
    quotes: Mapping[str, Where] = field(default_factory=dict)


@record
class _Story:
    """All records of one signal."""

    first: SentRecord
    last: SentRecord
    sent: bool = False
    picked_up: bool = False
    proof: SentRecord | None = None
    refusal: SentRecord | None = None


def follow(history: SentHistory, sights: Sights) -> tuple[SentSignal, ...]:
    """Every signal that was really sent, newest first, each with how far it got."""
    waiting = _waiting(history, sights.interventions)
    return tuple(_judge(story, sights, waiting) for story in reversed(_stories(history)))


def news(history: SentHistory, signals: Iterable[SentSignal], at: datetime) -> tuple[SentRecord, ...]:
    """Records to append so that what was seen outlives the files that showed it: picked up, in effect. Often none."""
    stories = {story.first.id: story for story in _stories(history)}
    found: list[SentRecord] = []
    for signal in signals:
        story = stories.get(signal.id)
        if story is None:
            continue
        if signal.state == "in-effect" and story.proof is None:
            found.append(_record(story, "in-effect", at, signal.evidence))
        elif signal.state in ("picked-up", "no-effect-seen") and not story.picked_up:
            found.append(_record(story, "picked-up", at, None))
    return tuple(found)


def pending(history: SentHistory, interventions: Interventions) -> tuple[PendingSignal, ...]:
    """What stands unread, in the order of the file, with those that were sent from here marked as such."""
    owners = {where.line: story.first for story, where in _matched(history, interventions)}
    found: list[PendingSignal] = []
    for number, signal in enumerate(interventions.signals, 1):
        owner = owners.get(signal.line)
        known = (owner.id, owner.at, owner.by, owner.pool_id) if owner is not None else (None, None, None, None)
        found.append(PendingSignal(number, signal, *known))
    return tuple(found)


def open_notes(history: SentHistory, interventions: Interventions) -> tuple[SentRecord, ...]:
    """Sent signals that have left the file and whose effect can only be a quote: worth a search."""
    waiting = _waiting(history, interventions)
    return tuple(
        story.first
        for story in _stories(history)
        if story.first.id not in waiting
        and story.proof is None
        and story.refusal is None
        and story.last.event not in _CLOSED
        and (story.first.keyword in ("NOTE", "REDIRECT") or _is_stage_skip(story.first))
    )


def record_of(signal: SentRecord, event: SentEvent, at: datetime, evidence: Where | None = None) -> SentRecord:
    """A further record of the same signal."""
    return replace(signal, event=event, at=at, evidence=evidence)


def unsettled(history: SentHistory) -> tuple[SentRecord, ...]:
    """The last records of signals whose writer was killed in the middle: `writing` or `withdrawing`."""
    last = {item.id: item for item in history.records}
    return tuple(item for item in last.values() if item.event in ("writing", "withdrawing"))


def boundaries(record: SentRecord, logs: Iterable[Log]) -> int:
    """Tasks that were closed, or dispatched, since the signal was sent: the most that any log of its pool shows."""
    most = 0
    for log in logs:
        if record.pool_id in (None, log.pool_id):
            mark = _mark(record, log)
            closed = sum(task.result is not None and task.result.line > mark for task in log.tasks.values())
            opened = sum(task.dispatch is not None and task.dispatch.line > mark for task in log.tasks.values())
            most = max(most, closed, opened)
    return most


def _record(story: _Story, event: SentEvent, at: datetime, evidence: Where | None) -> SentRecord:
    return record_of(story.first, event, at, evidence)


def _stories(history: SentHistory) -> list[_Story]:
    """One story for each signal that was sent, in the order of sending; those that never reached the file are none."""
    stories: dict[str, _Story] = {}
    for item in history.records:
        story = stories.get(item.id)
        if story is None:
            story = stories[item.id] = _Story(item, item)
        story.last = item
        story.sent = story.sent or item.event in ("sent", "withdrawn")
        story.picked_up = story.picked_up or item.event in ("picked-up", "refused", "in-effect")
        if item.event == "in-effect":
            story.proof = item
        elif item.event == "refused":
            story.refusal = item
    return [story for story in stories.values() if story.sent and story.last.event != "dropped"]


def _key(item: SentRecord) -> _Key:
    return item.keyword, item.argument, item.text


def _matched(history: SentHistory, interventions: Interventions) -> list[tuple[_Story, Where]]:
    """Sent signals that stand in the file. Of equal ones, those that were sent last: earlier ones were read first."""
    lines: dict[_Key, list[int]] = {}
    for signal in interventions.signals:
        lines.setdefault((signal.keyword, signal.argument, signal.text), []).append(signal.line)
    found: list[tuple[_Story, Where]] = []
    for story in reversed(_stories(history)):
        places = lines.get(_key(story.first))
        if places and story.last.event not in _CLOSED and not story.picked_up:
            found.append((story, Where(interventions.path, places.pop())))
    return found


def _waiting(history: SentHistory, interventions: Interventions) -> dict[str, Where]:
    return {story.first.id: where for story, where in _matched(history, interventions)}


def _judge(story: _Story, sights: Sights, waiting: Mapping[str, Where]) -> SentSignal:
    first = story.first
    passed = boundaries(first, sights.logs)
    signal = SentSignal(
        first.id, first.at, first.keyword, first.argument, first.text, "picked-up", pool_id=first.pool_id,
        boundaries=passed, by=first.by,
    )  # fmt: skip
    if story.proof is not None:
        return replace(signal, state="in-effect", evidence=story.proof.evidence, why=_EFFECTS[first.keyword])
    if story.refusal is not None:
        why = "it was refused when it was read: the log says why"
        return replace(signal, state="no-effect-seen", evidence=story.refusal.evidence, why=why)
    if story.last.event == "withdrawn":
        return replace(signal, state="withdrawn", why="it was taken back before it was read")
    if first.id in waiting:
        late = f", and {passed} task boundaries have gone by" if passed >= PATIENCE else ""
        return replace(signal, state="waiting", evidence=waiting[first.id], why=f"it stands in the file unread{late}")
    proof = _proof(first, sights)
    if proof is not None:
        return replace(signal, state="in-effect", evidence=proof, why=_EFFECTS[first.keyword])
    if passed >= PATIENCE:
        why = f"it left the file, but {passed} task boundaries later no file shows an effect; send it again"
        return replace(signal, state="no-effect-seen", why=why)
    return replace(signal, why="it left the file; its effect is not to be seen yet")


_EFFECTS: Final = {
    "STOP": "the run stopped",
    "SKIP": "the row is skipped",
    "ADD": "the row is in the plan",
    "NOTE": "it is quoted",
    "REDIRECT": "it is quoted",
}


def _proof(record: SentRecord, sights: Sights) -> Where | None:
    """The line that shows the effect of a signal that has left the file."""
    if record.id in sights.quotes:
        return sights.quotes[record.id]
    pools = [pool for pool in sights.pools if record.pool_id in (None, pool.id)]
    if record.keyword == "ADD":
        return next((Where(p.path, task.line) for p in pools for task in p.tasks if task.slug == record.argument), None)
    if record.keyword == "SKIP":
        return _skipped(record, pools)
    return _stopped(record, pools, sights.logs) if record.keyword == "STOP" else None


def _skipped(record: SentRecord, pools: Sequence[Pool]) -> Where | None:
    """Where the row is called skipped, if exactly one row of that id is."""
    times = Counter(task.id for pool in pools for task in pool.tasks)
    for pool in pools:
        for task in pool.tasks:
            if task.id == record.argument and task.effective_status == "skipped" and times[task.id] == 1:
                said = next((item for item in task.evidence if item.says == "skipped"), None)
                return Where(said.path, said.line) if said is not None else Where(pool.path, task.line)
    return None


def _stopped(record: SentRecord, pools: Sequence[Pool], logs: Iterable[Log]) -> Where | None:
    """The line of a log, written since, by which a run stopped."""
    reports = {pool.id: pool.report for pool in pools}
    for log in logs:
        if record.pool_id not in (None, log.pool_id):
            continue
        end = run_end(log, reports.get(log.pool_id))
        if end is not None and end.stopped and end.entry.line > _mark(record, log):
            return Where(log.path, end.entry.line)
    return None


def _mark(record: SentRecord, log: Log) -> int:
    """Lines that the log had when the signal was sent; 0 for a log that came, or was begun anew, since."""
    mark = dict(record.seen).get(log.path, 0)
    return mark if mark <= log.lines else 0


def _is_stage_skip(record: SentRecord) -> bool:
    return record.keyword == "SKIP" and record.pool_id is None
