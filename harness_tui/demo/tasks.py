"""How each task of the story goes, from its first document to its outcome."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from harness_tui.demo import documents, epic, past
from harness_tui.demo.files import append, replace, write
from harness_tui.model.work import Doing, Result
from harness_tui.rules.questions import ASSUMPTION

if TYPE_CHECKING:
    from harness_tui.demo.desk import Desk
    from harness_tui.demo.features import Feature
    from harness_tui.model.work import Assignment

Steps = Generator[float, None, Result]
"""A part of the story: it yields how many seconds to rest, and returns how it ended. Files are valid when it yields."""

_QUICK = 2.2
_USUAL = 2.8
_SLOW = 3.3
_COST, _TOKENS = 0.07, 6100
"""What one step of the played agent would cost, in dollars and tokens."""


def play(desk: Desk, assignment: Assignment, feature: Feature, heard: Callable[[Doing], None]) -> Steps:
    """Work on one task; what has no part of its own in the story is simply delivered."""
    part = _PARTS.get(assignment.slug) or _BY_MODE.get(feature.mode, _full)
    work = _Work(desk, assignment, feature, heard)
    desk.open_task(assignment, feature, documents.STAGES_OF[feature.mode][0])
    return part(work)


@dataclass(slots=True)
class _Work:
    """One task on one desk."""

    desk: Desk
    assignment: Assignment
    feature: Feature
    heard: Callable[[Doing], None]
    steps: int = field(init=False)
    step: int = 0

    def __post_init__(self) -> None:
        self.steps = len(documents.STAGES_OF[self.feature.mode]) + _MORE_STEPS.get(self.feature.slug, 0)

    def uses(self, tool: str, path: str = "", text: str = "") -> None:
        """Tell what is being done."""
        self.heard(Doing("tool", text or path, tool=tool, path=path or None))

    def steps_on(self) -> None:
        """Tell that one more step is done, and what all of them cost."""
        self.step += 1
        cost = round(self.step * _COST, 2)
        self.heard(Doing("step", step=self.step, steps=self.steps, cost_usd=cost, tokens=self.step * _TOKENS))

    def has(self, stage: int) -> bool:
        """Whether an earlier attempt left the document of `stage`."""
        return self.desk.document(self.feature, stage).exists()

    def stage(
        self, stage: int, verdict: str = "", pace: float = _USUAL, route: str = "advance", decided: str = ""
    ) -> Generator[float]:
        """Write the document of one stage in one go, by rename."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        self._begins(stage)
        yield pace * 0.6
        if stage == documents.DEVELOPMENT:
            desk.add_source(feature)
        word = verdict or documents.VERDICTS[stage]
        text = documents.document(feature, stage, word, past.GREEN_LONG, decided)
        self.uses("Write", documents.NAMES[stage])
        replace(desk.document(feature, stage), text)
        desk.judged(feature, stage, word, route)
        self.steps_on()
        yield pace * 0.4

    def stage_in_halves(self, stage: int, pace: float = _USUAL) -> Generator[float]:
        """Write the document of one stage in place: only its first half for a while, without a verdict."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        self._begins(stage)
        yield pace * 0.3
        word = documents.VERDICTS[stage]
        text = documents.document(feature, stage, word, past.GREEN_LONG)
        half = len(text) // 2
        self.uses("Write", documents.NAMES[stage])
        write(desk.document(feature, stage), text[:half])
        yield pace * 0.5
        append(desk.document(feature, stage), text[half:])
        desk.judged(feature, stage, word)
        self.steps_on()
        yield pace * 0.2

    def again(self, stage: int, finding: str, verdict: str, route: str) -> Generator[float]:
        """Judge the same document again: a further verdict is appended to it."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, stage)
        self._begins(stage)
        yield 1.2
        text = documents.second_round(1 + desk.rounds(feature, stage), finding, verdict)
        append(desk.document(feature, stage), text)
        desk.judged(feature, stage, verdict, route)
        self.steps_on()
        yield 0.8

    def delivery(self, word: str = "DELIVERED", rollbacks: int = 0) -> Steps:
        """Write the delivery document and put the work away."""
        desk, feature = self.desk, self.feature
        desk.at_stage(feature, documents.DELIVERY)
        self.uses("Write", documents.NAMES[documents.DELIVERY])
        yield 0.9
        text = documents.delivery(
            feature, self.assignment.task_id, word, rollbacks=rollbacks, verify=past.GREEN_LONG
        )  # fmt: skip
        write(desk.document(feature, documents.DELIVERY), text)
        desk.judged(feature, documents.DELIVERY, word)
        self.steps_on()
        yield 0.7
        self.uses("Bash", text="git commit")
        desk.deliver(self.assignment, feature)
        return Result("delivered", f"rollbacks={rollbacks}")

    def _begins(self, stage: int) -> None:
        """What an agent would do first at that stage."""
        feature = self.feature
        if stage == documents.DEVELOPMENT:
            self.uses("Edit", feature.module)
        elif stage == documents.TEST:
            self.uses("Bash", text=f"python3 -m unittest {documents.test_file(feature)}")
        elif stage > 1:
            self.uses("Read", documents.NAMES[stage - 1])
        else:
            self.uses("Grep", text=feature.slug.partition("-")[0])


def _full(work: _Work) -> Steps:
    yield from work.stage_in_halves(1, _QUICK)
    for stage in (2, 3, 4, 5, 6):
        yield from work.stage(stage, pace=_QUICK)
    return (yield from work.delivery())


def _planning(work: _Work) -> Steps:
    yield from work.stage(1)
    yield from work.stage_in_halves(2)
    yield from work.stage(3, "APPROVED FOR DEVELOPMENT")
    work.desk.close_task(work.feature, "Delivered (plan)", f"docs/features/{work.feature.slug}")
    return Result("delivered", "plan")


def _goal(work: _Work) -> Steps:
    state = work.desk.folder(work.feature.slug) / "goal_state.json"
    tries = ("11 of 14 labels fit", "13 of 14 labels fit", "14 of 14 labels fit")
    yield from work.stage(4)
    for done in range(1, len(tries) + 1):
        work.uses("Bash", text=f"python3 -m unittest {documents.test_file(work.feature)}")
        write(state, documents.goal_state(work.feature, tries[:done]))
        work.steps_on()
        yield 0.9
    yield from work.stage_in_halves(6)
    return (yield from work.delivery("GOAL ACHIEVED"))


def _pickup_notice(work: _Work) -> Steps:
    """The design comes back once from the gate, then everything passes."""
    yield from work.stage_in_halves(1, _SLOW)
    yield from work.stage(2, pace=_SLOW)
    yield from work.stage(3, "CHANGES REQUIRED", _SLOW, "rollback to 02")
    yield from work.stage_in_halves(2, _SLOW)
    answer = "F-1 is answered: the outbox keeps a key of its own for each repair, so a late answer changes nothing."
    yield from work.again(3, answer, "APPROVED", "advance")
    for stage in (4, 5, 6):
        yield from work.stage(stage, pace=_SLOW)
    return (yield from work.delivery(rollbacks=1))


def _pickup_payment(work: _Work) -> Steps:
    """Development hangs on what the operator decides about the epic's question, and goes on where it stood."""
    desk, feature = work.desk, work.feature
    for stage, verdict in ((1, ""), (2, ""), (3, "APPROVED WITH CONDITIONS")):
        if not work.has(stage):
            yield from work.stage(stage, verdict)
    desk.at_stage(feature, documents.DEVELOPMENT)
    work.uses("Read", "decision-bundle.json")
    yield 1.2
    chosen = epic.way(desk.root)
    if chosen is None:
        desk.stuck(feature, documents.DEVELOPMENT, f"NEEDS-HUMAN: {epic.ASK}")
        note = f"BLOCKED: NEEDS-HUMAN — {epic.ASK} — {epic.UNBLOCK} · stop"
        desk.pm_note(feature.slug, f"- {past.stamp(desk.now())} · 04 · {note}\n")
        yield 0.8
        return Result("needs-human", epic.ASK, needed=epic.UNBLOCK)
    decided = f"{ASSUMPTION if chosen.assumed else 'Decided by the operator'}: {chosen.text}"
    desk.pm_note(feature.slug, f"- {past.stamp(desk.now())} · 04 · {epic.QUESTION} · {decided}\n")
    yield from work.stage(4, decided=f"{decided}.")
    for stage in (5, 6):
        yield from work.stage(stage, pace=_QUICK)
    return (yield from work.delivery())


def _parts_reorder(work: _Work) -> Steps:
    """Three rounds of tests, each with a defect: the task is given up. Another attempt finds the way."""
    desk, feature = work.desk, work.feature
    finding = "MAJOR: half of an order arrives, and the rest is ordered a second time."
    if work.has(documents.DELIVERY):
        desk.document(feature, documents.DELIVERY).unlink()
        yield from work.stage(4)
        answer = "An order is open until the wholesaler's delivery note closes it; half of one changes nothing."
        yield from work.again(6, answer, documents.VERDICTS[6], "advance")
        return (yield from work.delivery(rollbacks=2))
    for stage in (1, 2, 3):
        yield from work.stage(stage, pace=_QUICK)
    desk.colleague()
    for stage in (4, 5):
        yield from work.stage(stage, pace=_QUICK)
    yield from work.stage(6, "CHANGES REQUIRED (2 defects)", _QUICK, "rollback to 04")
    yield from work.stage(4, pace=_QUICK)
    yield from work.again(6, finding, "CHANGES REQUIRED (1 defect)", "rollback to 04")
    yield from work.stage(4, pace=_QUICK)
    yield from work.again(6, finding, "CHANGES REQUIRED (1 defect)", "stop: third round without approval")
    yield 0.6
    desk.drop_source(feature)
    verify = "not run (the work was set aside)"
    text = documents.delivery(feature, work.assignment.task_id, "FAILED", rollbacks=2, verify=verify)
    write(desk.document(feature, documents.DELIVERY), text)
    why = "third round without approval at 06"
    desk.stuck(feature, documents.TEST, f"FAILED: {why}")
    yield 0.8
    return Result("failed", f"{why} · rollbacks=2")


_PARTS: Final[dict[str, Callable[[_Work], Steps]]] = {
    "pickup-notice": _pickup_notice,
    "pickup-payment": _pickup_payment,
    "parts-reorder": _parts_reorder,
}
_BY_MODE: Final[dict[str, Callable[[_Work], Steps]]] = {"plan": _planning, "goal": _goal}
_MORE_STEPS: Final = {"pickup-notice": 2, "parts-reorder": 3, "shelf-labels-i18n": 3}
