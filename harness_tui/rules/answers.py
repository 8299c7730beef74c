"""Whether an answer may be recorded, what it settles, and whether it costs a unit (CONTRACT rules 6, 7).

A packet costs one unit, spent with its first answer; a question outside of any packet and a deferral cost none. An
answer that stands already is taken as given when it is the same, so that what a crash left out can be completed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_tui.model.answer import Settled
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.rules.decisions import at_zero
from harness_tui.rules.near import did_you_mean
from harness_tui.rules.questions import answered_with, asked_text, default_text, questions_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness_tui.model.answer import Answer, AnswerPlan
    from harness_tui.model.decision import Bundle, Decision, Question

_RECORDED = {"answered": "resolved", "assumed": "assumed"}


class Asked(NamedTuple):
    """What is known when an answer comes: all questions of the epic, what the bundle says, and what may be spent.

    `paid` when the packet's unit was spent; `left` units remain. `read` tells how a text reads once it was recorded.
    `ours` are ids of questions that were settled from here.
    """

    decisions: Sequence[Decision]
    bundle: Bundle
    left: int
    paid: bool
    read: Callable[[str], str]
    ours: frozenset[str]


class Verdict(NamedTuple):
    """What is recorded. `exhausted` when the rule for used-up budgets is applied in place of an answer."""

    settled: tuple[Settled, ...]
    digest: str
    spends: bool
    exhausted: bool = False
    left_open: tuple[str, ...] = ()


def judge_answer(answer: Answer, asked: Asked) -> Verdict:
    """What `answer` settles. Raises `Refused` when it may not be recorded, `NotThere` when it names no question."""
    return _all_defaults(answer, asked) if answer.kind == "defaults" else _one(answer, asked)


def plan_words(plan: AnswerPlan) -> list[str]:
    """What a plan records and costs, a line each."""
    lines = [
        f"{item.question_id} {item.status}{f': {item.resolution}' if item.resolution is not None else ''}"
        for item in plan.settled
    ]
    if plan.added:
        lines.append(f"put into decision-bundle.json, which did not hold it: {', '.join(plan.added)}")
    if plan.left_open:
        lines.append(f"still open: {', '.join(plan.left_open)}")
    if not plan.changes:
        lines.append("recorded already, nothing to do")
    elif plan.spends:
        lines.append(f"one unit for {plan.packet_id or 'this packet'}, {plan.left} left")
    else:
        lines.append(f"costs no unit, {plan.left} left")
    return lines


def _one(answer: Answer, asked: Asked) -> Verdict:
    decision = _named(answer.question_id, asked)
    _same_as_shown(answer, decision.digest, asked_text(decision))
    row = _row(decision, asked.bundle)
    settled = answered_with(decision, answer)
    _not_answered_first(decision, row, settled, asked)
    spends = settled.status == "resolved" and decision.in_packet and not asked.paid
    if spends and asked.left <= 0:
        raise Refused(
            "budget-exhausted",
            decision.question_id,
            "no unit is left for this packet",
            now=asked_text(decision),
            offer=_offer(asked),
        )
    return Verdict((settled,), decision.digest, spends)


def _named(name: str, asked: Asked) -> Decision:
    found = [item for item in asked.decisions if name and asked.read(name) == item.question_id]
    if not found:
        hint = did_you_mean(name, [item.question_id for item in asked.decisions])
        raise NotThere(name or "a question without id", f"this epic has no such question{hint}")
    if len(found) > 1:
        raise Refused("duplicate-question", name, "the packet asks it more than once: an answer would count for all")
    return found[0]


def _row(decision: Decision, bundle: Bundle) -> Question | None:
    """The one row of the bundle that an answer is written to; None when the question is put in there with it."""
    rows = [row for row in bundle.questions if row.id == decision.question_id]
    if not rows and not decision.question:
        why = f"only its id is known ({decision.path}), not what is asked: put the question into decision-bundle.json"
        raise Refused("no-place", decision.question_id, why)
    if len(rows) > 1:
        why = f"decision-bundle.json holds it {len(rows)} times; leave one of them in there, then answer again"
        raise Refused("no-place", decision.question_id, why, now=asked_text(decision))
    return rows[0] if rows else None


def _not_answered_first(decision: Decision, row: Question | None, settled: Settled, asked: Asked) -> None:
    if row is None or row.state not in _RECORDED or decision.state == "open":
        return
    same = (
        row.id in asked.ours and row.resolution is not None and row.resolution == asked.read(settled.resolution or "")
    )
    if _RECORDED[row.state] == settled.status and same:
        return
    who = "somebody answered first" if row.state == "answered" else "it was assumed before"
    recorded = row.resolution or row.status
    wanted = settled.resolution or settled.status
    raise Refused("already-answered", decision.question_id, f"{who}: {recorded}", shown=wanted, now=recorded)


def _same_as_shown(answer: Answer, digest: str, now: str) -> None:
    if answer.digest in ("", digest):
        return
    shown = asked_text(answer.shown) if answer.shown is not None else ""
    said = f"; it was: {shown}" if shown else ""
    raise Refused(
        "question-changed",
        answer.question_id or answer.epic_id,
        f"the question is not what was shown{said}; now: {now}",
        shown=shown,
        now=now,
    )


def _all_defaults(answer: Answer, asked: Asked) -> Verdict:
    waiting = [item for item in asked.decisions if item.state == "open" and item.question_id]
    unsettled = [item for item in waiting if not item.critical_blocked]
    ready = [item for item in unsettled if default_text(item) is not None and _has_place(item, asked.bundle)]
    spends = any(item.in_packet for item in unsettled if _has_place(item, asked.bundle)) and not asked.paid
    exhausted = spends and asked.left <= 0
    blocked = [item for item in waiting if item.critical_blocked and item.question_id in asked.ours]
    if exhausted:
        ready = [item for item in unsettled if _has_place(item, asked.bundle)]
    if not ready:
        return _completed(answer, asked, waiting)
    now = " | ".join(asked_text(item) for item in unsettled)
    digest = questions_digest(waiting)
    _same_as_shown(answer, digest, now)
    settled = tuple(_unasked(item) if exhausted else answered_with(item, answer) for item in ready)
    if exhausted:  # those that a crash kept out of the ledger come along
        settled += tuple(_unasked(item, blocked=True) for item in blocked)
    spends = not exhausted and any(item.in_packet for item in ready) and not asked.paid
    names = {item.question_id for item in settled}
    left_open = tuple(item.question_id for item in unsettled if item.question_id not in names)
    return Verdict(settled, digest, spends, exhausted=exhausted, left_open=left_open)


def _completed(answer: Answer, asked: Asked, waiting: list[Decision]) -> Verdict:
    """The same command again: what its defaults settled, so that the rest can be completed."""
    here = [item for item in asked.decisions if item.question_id in asked.ours and _has_place(item, asked.bundle)]
    taken = [
        item for item in here if item.state in _RECORDED and item.resolution and item.resolution == default_text(item)
    ]
    blocked = [item for item in here if item.state == "open" and item.critical_blocked]
    if not taken and not blocked:
        why = "no open question has a default" if waiting else "no question is open"
        raise Refused("nothing-to-accept", answer.epic_id, why)
    last = max((item.resolved_at for item in taken if item.resolved_at is not None), default=None)
    together = [*waiting, *(item for item in taken if item.resolved_at == last)]
    digest = questions_digest(together)
    if answer.digest != questions_digest(waiting):
        _same_as_shown(answer, digest, " | ".join(asked_text(item) for item in together))
    settled = [
        Settled(item.question_id, "assumed" if item.state == "assumed" else "resolved", item.resolution)
        for item in taken
    ]
    spends = any(item.in_packet and item.state == "answered" for item in taken) and not asked.paid
    if spends and asked.left <= 0:
        raise Refused("budget-exhausted", answer.epic_id, "the answers stand, but no unit is left for their packet")
    left_open = tuple(item.question_id for item in waiting if not item.critical_blocked)
    settled += [_unasked(item, blocked=True) for item in blocked]
    return Verdict(tuple(settled), digest, spends, exhausted=bool(blocked), left_open=left_open)


def _has_place(decision: Decision, bundle: Bundle) -> bool:
    """Whether the bundle holds it once, or it can be put in there."""
    times = sum(row.id == decision.question_id for row in bundle.questions)
    return times == 1 or (not times and bool(decision.question))


def _unasked(decision: Decision, *, blocked: bool = False) -> Settled:
    """What becomes of a question that may not be asked any more."""
    default = default_text(decision)
    status = "critical-blocked" if blocked else at_zero(decision.severity, default)
    return Settled(decision.question_id, status, default, decision.linked_unknown)


def _offer(asked: Asked) -> str:
    """What the rule for used-up budgets would do, in words."""
    open_ones = [item for item in asked.decisions if item.state == "open" and not item.critical_blocked]
    said = []
    for item in open_ones:
        settled = _unasked(item)
        going = f" (going on with {settled.resolution})" if settled.resolution is not None else ""
        word = "CRITICAL-BLOCKED" if settled.status == "critical-blocked" else "assumed"
        said.append(f"{item.question_id} {word}{going}")
    return f"accepting all defaults applies the rule for used-up budgets: {', '.join(said)}"
