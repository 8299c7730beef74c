"""Lines about budgets, questions and unknowns of epics (formats/interrupt-budget)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.rules.span import age
from harness_tui.tui.facts import Fact, heading, line_of, short_place
from harness_tui.tui.gauge import budget_words, gauge
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from harness_tui.model.budget import Budget, BudgetState, StageLimit
    from harness_tui.model.decision import Decision, DecisionState
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


def budget_facts(budgets: Sequence[Budget], now: datetime) -> list[Fact]:
    """Every epic's budget with what its numbers say, its advice by stage, and its history."""
    facts: list[Fact] = []
    for budget in budgets:
        title = f"{budget.epic_id}  {budget.title}".rstrip()
        facts.append(heading(f"Budget of {title}"))
        mark = "  (last good reading, re-reading)" if budget.stale else ""
        words = Content.assemble(
            literal(f"{gauge(budget)} ", BUDGET_STYLE[budget.state]),
            literal(budget_words(budget), BUDGET_STYLE[budget.state]),
            literal(mark, "$text-warning"),
        )
        facts.append(Fact(line_of("left", words), budget.path))
        numbers = " · ".join(
            f"{name} {'?' if value is None else value}"
            for name, value in (("total", budget.total), ("consumed", budget.consumed), ("remaining", budget.remaining))
        )
        source = {"risk": "by risk", "config": "from config.json", "state": "as the state file has it", "": ""}
        facts.append(Fact(line_of("numbers", literal(f"{numbers}  {source[budget.total_source]}")), budget.path))
        if budget.state != "ok":
            facts.append(Fact(line_of("because", literal(budget.why)), budget.path))
        differs = f" (its epic file says {budget.epic_risk})" if budget.epic_risk else ""
        risk = f"{budget.risk_level or 'unknown'}{differs}"
        facts.append(Fact(line_of("stage, risk", literal(f"{budget.stage or 'unknown'}, {risk}")), budget.path))
        if budget.limits:
            facts.append(Fact(line_of("advice", literal(_limits(budget.limits), "$text-muted")), budget.path))
        facts += [
            Fact(
                line_of("spent", literal(f"in {spend.stage or '?'} on {spend.packet_id or '?'}  {age(spend.at, now)}")),
                budget.path,
            )
            for spend in budget.history
        ]
    return facts


def decision_line(decision: Decision) -> Fact:
    """One question of the list: state by sign and word, then the question."""
    sign, style = DECISION_SIGN[decision.state]
    text = Content.assemble(
        literal(f"{sign} {decision.state.ljust(8)} ", style),
        literal(f"{decision.question_id} ", "bold"),
        literal(_one_line(decision.question)),
    )
    return Fact(text, decision.path, decision.line, key=f"{decision.epic_id}/{decision.question_id}")


def decision_facts(decision: Decision, now: datetime) -> list[Fact]:
    """Everything about one question, each part of the file's text framed by what it is."""
    sign, style = DECISION_SIGN[decision.state]
    why = f"  {decision.why}" if decision.why else ""
    head = Content.assemble(
        literal(f"{decision.question_id}  ", "bold"),
        literal(f"{sign} {decision.state}", style),
        literal(why, "$text-muted"),
    )
    facts = [Fact(head, decision.path, decision.line)]
    facts += _framed("Question", decision.question, decision)
    facts += _framed("Context", decision.context, decision)
    facts.append(heading("Options"))
    for choice in decision.choices:
        mark = "  ← default" if choice.default else ""
        text = Content.assemble(
            literal(f"  [{choice.key}] ", "$text-accent bold"),
            literal(_one_line(choice.label)),
            literal(mark, "$text-warning bold"),
        )
        facts.append(Fact(text, decision.path, decision.line))
    if not decision.choices:
        facts.append(
            Fact(literal("  none given: a free answer is asked for", "$text-muted"), decision.path, decision.line)
        )
    meant = next((choice for choice in decision.choices if choice.default), None)
    default = _one_line(decision.default) if decision.default else "none: it can't be assumed"
    if meant is not None and meant.label != decision.default:
        default = f"{default} = {_one_line(meant.label)}"
    rows = (
        ("default", default),
        ("why now", decision.why_now),
        ("if wrong", decision.risk),
        ("severity", decision.severity),
        ("deadline", decision.deadline),
        ("source", decision.source_ref),
        ("asked", age(decision.asked_at, now)),
        ("packet", decision.packet_id or ""),
        ("answer", decision.resolution or ""),
        ("answered", age(decision.resolved_at, now)),
    )
    facts.append(heading("About it"))
    facts += [
        Fact(line_of(label, literal(_one_line(value))), decision.path, decision.line) for label, value in rows if value
    ]
    if decision.critical_blocked:
        facts.append(
            Fact(literal("CRITICAL-BLOCKED: the budget is used up and no default is safe", "$text-error bold"))
        )
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


def _unknown(item: Unknown) -> Fact:
    mark = "CRITICAL-BLOCKED " if item.critical_blocked else "⚠ ASSUMPTION " if item.assumption else ""
    style = "$text-error bold" if item.critical_blocked else "$text-warning"
    text = Content.assemble(
        literal(f"  {item.id} ", "bold"),
        literal(f"{item.state} ", "$text-muted"),
        literal(mark, style),
        literal(_one_line(item.description)),
        literal(f"  {item.impact} impact · {short_place(item.path, item.line)}", "$text-muted"),
    )
    return Fact(text, item.path, item.line)


def _framed(label: str, text: str, decision: Decision) -> list[Fact]:
    """A part of foreign text inside a frame, so that nothing in it can pass for ours."""
    if not text:
        return []
    return [
        heading(label),
        *(
            Fact(Content.assemble(literal("│ ", "$text-muted"), literal(line)), decision.path, decision.line)
            for line in text.split("\n")
        ),
    ]


def _one_line(text: str) -> str:
    """`text` with runs of blanks shortened and their number said, so that nothing is pushed out of sight."""
    parts = text.split(" " * BLANKS)
    if len(parts) == 1:
        return text
    kept = [part for part in parts if part]
    return f" ‹{len(text) - sum(map(len, kept))} blanks› ".join(kept)


BLANKS: Final = 20
"""Blanks in a row from which they are counted instead of shown."""


def _limits(limits: Iterable[StageLimit]) -> str:
    return " · ".join(f"{item.stage} {_range(item)}{f' (spent {item.spent})' if item.spent else ''}" for item in limits)


def _range(item: StageLimit) -> str:
    if item.most is None:
        return "any"
    return str(item.most) if item.least == item.most else f"{item.least}-{item.most}"
