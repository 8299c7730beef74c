"""How each task of the story goes, from its first document to its outcome."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness_tui.demo import documents, past, signals
from harness_tui.demo.files import append, replace, write

if TYPE_CHECKING:
    from harness_tui.demo.desk import Desk
    from harness_tui.demo.features import Feature
    from harness_tui.demo.plan import Row


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended: DELIVERED, FAILED or NEEDS-HUMAN, and for the last what is asked and what would help."""

    word: str
    stage: int
    rollbacks: int = 0
    ask: str = ""
    unblock: str = ""


Steps = Generator[float, None, Outcome]
"""A part of the story: it yields how many seconds to rest, and returns how it ended."""

_QUICK = 1.4
_USUAL = 1.9
_SLOW = 2.6


def play(desk: Desk, row: Row, feature: Feature) -> Steps:
    """Work on one task; what has no part of its own in the story is simply delivered."""
    desk.open_task(row, feature)
    part = _PARTS.get(row.slug) or _BY_MODE.get(row.mode, _full)
    return part(_Work(desk, row, feature))


@dataclass(frozen=True, slots=True)
class _Work:
    """One task on one desk."""

    desk: Desk
    row: Row
    feature: Feature

    def stage(self, stage: int, verdict: str = "", pace: float = _USUAL, route: str = "advance") -> Generator[float]:
        """Write the document of one stage in one go, by rename."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        yield pace * 0.6
        if stage == documents.DEVELOPMENT:
            desk.add_source(feature)
        word = verdict or documents.VERDICTS[stage]
        replace(desk.document(feature, stage), documents.document(feature, stage, word, past.GREEN_LONG))
        desk.judged(feature, stage, word, route)
        yield pace * 0.4

    def stage_in_halves(self, stage: int, pace: float = _USUAL) -> Generator[float]:
        """Write the document of one stage in place: only its first half for a while, without a verdict."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        yield pace * 0.3
        word = documents.VERDICTS[stage]
        text = documents.document(feature, stage, word, past.GREEN_LONG)
        half = len(text) // 2
        write(desk.document(feature, stage), text[:half])
        yield pace * 0.5
        append(desk.document(feature, stage), text[half:])
        desk.judged(feature, stage, word)
        yield pace * 0.2

    def again(self, stage: int, finding: str, verdict: str, route: str) -> Generator[float]:
        """Judge the same document again: a further verdict is appended to it."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        yield 1.2
        text = documents.second_round(1 + desk.rounds(feature, stage), finding, verdict)
        append(desk.document(feature, stage), text)
        desk.judged(feature, stage, verdict, route)
        yield 0.8

    def delivery(self, word: str, rollbacks: int = 0) -> Steps:
        """Write the delivery document, and end with the outcome that goes with it."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, documents.DELIVERY)
        yield 0.9
        text = documents.delivery(feature, self.row.id, word, rollbacks=rollbacks, verify=past.GREEN_LONG)
        write(desk.document(feature, documents.DELIVERY), text)
        desk.judged(feature, documents.DELIVERY, word)
        yield 0.7
        return Outcome("DELIVERED", documents.DELIVERY, rollbacks)


def _full(work: _Work) -> Steps:
    yield from work.stage_in_halves(1, _QUICK)
    for stage in (2, 3, 4, 5, 6):
        yield from work.stage(stage, pace=_QUICK)
    return (yield from work.delivery("DELIVERED"))


def _planning(work: _Work) -> Steps:
    yield from work.stage(1)
    yield from work.stage_in_halves(2)
    yield from work.stage(3, "APPROVED FOR DEVELOPMENT")
    return Outcome("DELIVERED", 3)


def _goal(work: _Work) -> Steps:
    state = work.desk.folder(work.feature.slug) / "goal_state.json"
    tries = ("11 of 14 labels fit", "13 of 14 labels fit", "14 of 14 labels fit")
    yield from work.stage(4)
    for done in range(1, len(tries) + 1):
        write(state, documents.goal_state(work.feature, tries[:done]))
        yield 0.9
    yield from work.stage_in_halves(6)
    return (yield from work.delivery("GOAL ACHIEVED"))


def _pickup_notice(work: _Work) -> Steps:
    """The design comes back once from the gate, then everything passes."""
    yield from work.stage_in_halves(1, _SLOW)
    yield from work.stage(2, pace=_SLOW)
    yield from work.stage(3, "CHANGES REQUIRED", _SLOW, "rollback to 02")
    work.desk.log(work.row.id, "gate review CHANGES REQUIRED", "rollback to 02", "rollbacks=1")
    yield from work.stage_in_halves(2, _SLOW)
    answer = "F-1 is answered: the outbox keeps a key of its own for each repair, so a late answer changes nothing."
    yield from work.again(3, answer, "APPROVED", "advance")
    for stage in (4, 5, 6):
        yield from work.stage(stage, pace=_SLOW)
    return (yield from work.delivery("DELIVERED", rollbacks=1))


def _pickup_payment(work: _Work) -> Steps:
    """Development finds that only a person can go on."""
    desk, feature = work.desk, work.feature
    yield from work.stage(1)
    yield from work.stage(2)
    yield from work.stage(3, "APPROVED WITH CONDITIONS")
    desk.at_stage(feature, documents.DEVELOPMENT)
    yield 1.2
    ask = "The card terminal is registered to the former owner of the shop. May it be registered anew?"
    unblock = "the terminal's new merchant number stands in .env as MERCHANT"
    desk.stuck(feature, documents.DEVELOPMENT, f"NEEDS-HUMAN: {ask}")
    desk.pm_note(feature.slug, f"- {past.stamp(desk.now())} · 04 · BLOCKED: NEEDS-HUMAN — {ask} — {unblock} · stop\n")
    yield 0.8
    return Outcome("NEEDS-HUMAN", documents.DEVELOPMENT, ask=ask, unblock=unblock)


def _parts_reorder(work: _Work) -> Steps:
    """Three rounds of tests, each with a defect: the task is given up."""
    desk, feature, task_id = work.desk, work.feature, work.row.id
    for stage in (1, 2, 3):
        yield from work.stage(stage, pace=_QUICK)
    signals.leave(desk.root, "ADD opening-hours-banner — Show today's opening hours on the booking page")
    for stage in (4, 5):
        yield from work.stage(stage, pace=_QUICK)
    yield from work.stage(6, "CHANGES REQUIRED (2 defects)", _QUICK, "rollback to 04")
    desk.log(task_id, "QA CHANGES REQUIRED (2 defects)", "rollback to 04", "rollbacks=1")
    finding = "MAJOR: half of an order arrives, and the rest is ordered a second time."
    yield from work.stage(4, pace=_QUICK)
    yield from work.again(6, finding, "CHANGES REQUIRED (1 defect)", "rollback to 04")
    desk.log(task_id, "QA CHANGES REQUIRED (1 defect)", "rollback to 04", "rollbacks=2")
    yield from work.stage(4, pace=_QUICK)
    yield from work.again(6, finding, "CHANGES REQUIRED (1 defect)", "stop: third round without approval")
    desk.log(task_id, "QA CHANGES REQUIRED (1 defect)", "third round without approval", "rollbacks=2")
    yield 0.6
    (desk.root / feature.module).unlink(missing_ok=True)
    verify = "not run (the work was set aside)"
    text = documents.delivery(feature, task_id, "FAILED", rollbacks=2, verify=verify)
    write(desk.document(feature, documents.DELIVERY), text)
    desk.stuck(feature, documents.TEST, "FAILED: third round without approval at 06")
    yield 0.8
    return Outcome("FAILED", documents.TEST, rollbacks=2)


_PARTS: dict[str, Callable[[_Work], Steps]] = {
    "pickup-notice": _pickup_notice,
    "pickup-payment": _pickup_payment,
    "parts-reorder": _parts_reorder,
}
_BY_MODE: dict[str, Callable[[_Work], Steps]] = {"plan": _planning, "goal": _goal}
