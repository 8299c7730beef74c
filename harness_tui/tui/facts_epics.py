"""Lines about budgets, questions and unknowns of epics (formats/interrupt-budget)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import replace
from harness_tui.model.regex import regex
from harness_tui.rules.decisions import question_ids
from harness_tui.rules.span import age, ago
from harness_tui.tui.facts import Fact, heading, in_sight, labelled, short_place
from harness_tui.tui.gauge import budget_words, gauge
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.hanging import FRAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from harness_tui.model.budget import Budget, BudgetState, StageLimit
    from harness_tui.model.decision import Choice, Decision, DecisionState, Packet
    from harness_tui.model.unknown import Unknown

BUDGET_STYLE: Final[dict[BudgetState, str]] = {
    "ok": "$text-success",
    "exhausted": "$text-error bold",
    "inconsistent": "$text-error bold",
    "unreadable": "$text-error bold",
}
DECISION_SIGN: Final[dict[DecisionState, tuple[str, str]]] = {
    "open": ("⚑", "$text-error bold"),
    "assumed": ("≈", "$text-warning"),
    "deferred": ("…", "$text-muted"),
    "answered": ("✓", "$text-success"),
}
LISTED: Final = 200
"""Characters of a question in the list; its details show more."""

_STATES: Final[tuple[DecisionState, ...]] = ("open", "assumed", "deferred", "answered")
_STALE: Final = "  (last good reading, re-reading)"
_TOTAL_SOURCE: Final = {
    "risk": "  (total by risk)", "config": "  (total from config.json)", "state": "  (total as recorded)", "": "",
}  # fmt: skip
_MARKED: Final = regex("(?:CRITICAL[- ]BLOCKED|\u26a0\ufe0f? ?ASSUMPTION)[: ]*", re.IGNORECASE)


def in_order(decisions: Sequence[Decision]) -> dict[str, Decision]:
    """Questions by their names in the inbox: open ones first, then by epic, in the order of their packets."""
    named = zip(question_ids(decisions), decisions, strict=True)
    return dict(sorted(named, key=lambda pair: (_STATES.index(pair[1].state), pair[1].epic_id, pair[1].order or 999)))


def budget_facts(budgets: Sequence[Budget], now: datetime) -> list[Fact]:
    """Every epic's budget with what its numbers say, its advice by stage, and its history."""
    return [fact for budget in budgets for fact in _budget(budget, now)]


def _budget(budget: Budget, now: datetime) -> list[Fact]:
    path = budget.path
    style = BUDGET_STYLE[budget.state]
    words = Content.assemble(
        literal(f"{gauge(budget)} ".lstrip(), style),
        literal(budget_words(budget), style),
        literal(_STALE if budget.stale else "", "$text-warning"),
    )
    numbers = " · ".join(
        f"{name} {'?' if value is None else value}"
        for name, value in (("total", budget.total), ("consumed", budget.consumed), ("remaining", budget.remaining))
    )
    differs = f" (its epic file says {budget.epic_risk})" if budget.epic_risk else ""
    facts = [
        heading(f"Budget of {budget.epic_id}  {budget.title}".rstrip()),
        replace(labelled("left", words, path), key=f"{budget.epic_id}/budget"),
        labelled("numbers", literal(numbers + _TOTAL_SOURCE[budget.total_source]), path),
    ]
    if budget.state != "ok":
        facts.append(labelled("because", literal(budget.why, "$text-warning"), path))
    facts.append(labelled("stage, risk", literal(f"{budget.stage or '?'}, {budget.risk_level or '?'}{differs}"), path))
    if budget.limits:
        facts.append(labelled("advice", literal(_limits(budget.limits), "$text-muted"), path))
    facts += [
        labelled("spent", literal(f"in {spend.stage or '?'} on {spend.packet_id or '?'}  {age(spend.at, now)}"), path)
        for spend in budget.history
    ]
    return facts


def packet_facts(packets: Iterable[Packet]) -> list[Fact]:
    """Packets that can't be read, or of which only the last good reading is known."""
    facts: list[Fact] = []
    for packet in packets:
        if packet.unreadable:
            text = f"✗ the packet of {packet.epic_id} can't be read: {packet.unreadable}"
            facts.append(Fact(literal(f"{text}  {packet.path}", "$text-error bold"), packet.path))
        elif packet.stale:
            text = f"! the packet of {packet.epic_id}{_STALE}"
            facts.append(Fact(literal(f"{text}  {packet.path}", "$text-warning"), packet.path))
    return facts


def decision_line(decision: Decision, key: str, *, epic: bool = False) -> Fact:
    """One question of the list: state by sign and word, then the question; `epic` adds whose it is."""
    asked = decision.question if len(decision.question) <= LISTED else f"{decision.question[:LISTED]}…"
    sign, style = DECISION_SIGN[decision.state]
    text = Content.assemble(
        literal(f"{sign} {decision.state.ljust(8)} ", style),
        literal(f"{decision.question_id} ".lstrip(), "bold"),
        literal(in_sight(asked) or "(no question)", "" if decision.question else "$text-muted"),
        literal(f"  {decision.epic_id}" if epic else "", "$text-muted"),
    )
    return Fact(text, decision.path, decision.line, key=key, hang=11)


def decision_facts(decision: Decision, now: datetime) -> list[Fact]:
    """Everything about one question: answer and default beside its name, each part of the file's text in a frame."""
    sign, style = DECISION_SIGN[decision.state]
    head = Content.assemble(
        literal(f"{decision.question_id or '(no id)'}  ", "bold"), literal(f"{sign} {decision.state}", style),
        literal(f"  {decision.why}" if decision.why else "", "$text-muted"),
        literal("  D answers it after all" if decision.state == "deferred" else "", "$text-muted"),
    )  # fmt: skip
    path, line = decision.path, decision.line
    facts = [Fact(head, path, line)]
    if decision.resolution:
        facts.append(labelled("answer", literal(in_sight(decision.resolution), "bold"), path, line))
    facts.append(labelled("default", _default(decision), path, line))
    if decision.critical_blocked:
        blocked = "CRITICAL-BLOCKED: the budget is used up and no default is safe"
        facts.append(Fact(literal(blocked, "$text-error bold"), path, line))
    facts += _framed("Question", decision.question or "(no question)", decision)
    facts.append(heading("Options"))
    facts += [_option(choice, decision) for choice in decision.choices]
    if not decision.choices:
        facts.append(Fact(literal("  none given: a free answer is asked for", "$text-muted"), path, line))
    facts += _framed("Context", decision.context, decision)
    rows = (
        ("why now", decision.why_now),
        ("if wrong", decision.risk),
        ("severity", decision.severity if decision.severity != decision.risk.casefold() else ""),
        ("deadline", decision.deadline),
        ("source", decision.source_ref),
        ("asked", ago(decision.asked_at, now)),
        ("packet", decision.packet_id or ""),
        ("epic", decision.epic_id),
        ("unknown", decision.linked_unknown or ""),
        ("answered", ago(decision.resolved_at, now)),
    )
    facts.append(heading("About it"))
    facts += [labelled(label, literal(in_sight(value)), path, line) for label, value in rows if value]
    return facts


def unknown_facts(unknowns: Iterable[Unknown], assumptions: Iterable[Unknown]) -> list[Fact]:
    """The ledger of unknowns, CRITICAL-BLOCKED first, and the tasks that were built on an assumption."""
    listed = sorted(unknowns, key=lambda item: (not item.critical_blocked, item.state == "resolved", item.epic_id))
    facts = [heading("Unknowns")] if listed else []
    facts += [_unknown(item) for item in listed]
    assumed = list(assumptions)
    if assumed:
        facts.append(heading("Built on an assumption"))
    facts += [_unknown(item) for item in assumed]
    return facts


def _default(decision: Decision) -> Content:
    """What is done without an answer; of note while there is none."""
    style = "" if decision.state == "answered" else "$text-warning"
    if not decision.default:
        return literal("none: it can't be assumed", style)
    meant = next((choice for choice in decision.choices if choice.default), None)
    label = f" = {in_sight(meant.label)}" if meant is not None and meant.label != decision.default else ""
    return literal(f"{in_sight(decision.default)}{label}", f"{style} bold" if style else "")


def _option(choice: Choice, decision: Decision) -> Fact:
    lead = f"  [{choice.key}] "
    text = Content.assemble(
        literal(lead, "$text-accent bold"), literal(in_sight(choice.label)),
        literal("  ← default" if choice.default else "", "$text-warning bold"),
    )  # fmt: skip
    return Fact(text, decision.path, decision.line, hang=len(lead) if lead.isascii() else 0)


def _unknown(item: Unknown) -> Fact:
    mark = "CRITICAL-BLOCKED " if item.critical_blocked else "⚠ ASSUMPTION " if item.assumption else ""
    style = "$text-error bold" if item.critical_blocked else "$text-warning"
    words = in_sight(item.description)
    said = _MARKED.match(words) if mark else None
    tail = [f"{item.impact} impact" if item.impact else "", short_place(item.path, item.line)]
    text = Content.assemble(
        literal(f"  {item.id} ", "bold"),
        literal("" if item.task_id else f"{item.state} ", "$text-muted"),
        literal(mark, style),
        literal(words[said.end() :] if said else words),
        literal("  " + " · ".join(part for part in tail if part), "$text-muted"),
    )
    return Fact(text, item.path, item.line, key=f"{item.epic_id}/{item.id}", hang=2)


def _framed(label: str, text: str, decision: Decision) -> list[Fact]:
    """A part of foreign text inside a frame, so that nothing in it can pass for ours."""
    if not text:
        return []
    framed = Content.assemble(literal(FRAME, "$text-muted"), literal(in_sight(text)))
    return [heading(label), Fact(framed, decision.path, decision.line, hang=len(FRAME))]


def _limits(limits: Iterable[StageLimit]) -> str:
    return " · ".join(f"{item.stage} {_range(item)}{f' (spent {item.spent})' if item.spent else ''}" for item in limits)


def _range(item: StageLimit) -> str:
    if item.most is None:
        return "any"
    return str(item.most) if item.least == item.most else f"{item.least}-{item.most}"
