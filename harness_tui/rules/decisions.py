"""Which questions still wait for a person: the packet against the bundle against the pending list.

The packet only asks; answers stand in the bundle; the pending list is what the engine goes by (formats/interrupt-budget
1). What two of them say differently is taken the way in which nothing counts as answered without a recorded answer.
"""

from __future__ import annotations

from harness_tui.model.decision import Decision
from harness_tui.model.problem import Problem
from harness_tui.model.typed import NamedTuple
from harness_tui.rules.questions import rows_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final, Literal

    from harness_tui.model.decision import Bundle, DecisionState, Level, Packet, Question
    from harness_tui.model.epic import EpicState

_BY_CATEGORY: Final[dict[str, DecisionState]] = {"assumable": "assumed", "deferrable": "deferred"}
_WORST: Final[tuple[DecisionState, ...]] = ("open", "deferred", "assumed", "answered")
_LEVELS: Final[tuple[Level, ...]] = ("critical", "high", "medium", "low")


class _Rows(NamedTuple):
    """Everything that is known of one question: as the packet asks it, in the bundle, in the pending list."""

    asked: tuple[Question, ...] = ()
    decided: tuple[Question, ...] = ()
    pending: tuple[Question, ...] = ()


def decide(
    epic_id: str, packet: Packet | None, bundle: Bundle | None, state: EpicState | None
) -> tuple[tuple[Decision, ...], tuple[Problem, ...]]:
    """All questions of an epic: those of the packet in its order, then others of the bundle and the pending list.

    The problems name what the three files say differently.
    """
    decided = bundle.questions if bundle is not None else ()
    pending = state.pending if state is not None else ()
    decided_by, pending_by = _by_id(decided), _by_id(pending)
    found: list[Decision] = []
    problems: list[Problem] = []
    seen: set[str] = set()

    def add(rows: _Rows, path: str, order: int = 0) -> None:
        found.append(_decision(epic_id, rows, path, packet if order else None, order))
        problems.extend(_differences(rows, found[-1]))

    for order, question in enumerate(packet.questions if packet is not None else (), 1):
        seen.add(question.id)
        rows = _Rows((question,), decided_by.get(question.id, ()), pending_by.get(question.id, ()))
        add(rows, packet.path if packet is not None else "", order)
    for question in decided:
        if not question.id:
            add(_Rows(decided=(question,)), bundle.path if bundle is not None else "")
        elif question.id not in seen:
            seen.add(question.id)
            rows = _Rows((), decided_by[question.id], pending_by.get(question.id, ()))
            add(rows, bundle.path if bundle is not None else "")
    for question in pending:
        if not question.id or question.id not in seen:
            seen.add(question.id)
            add(_Rows(pending=(question,)), state.path if state is not None else "")
    return tuple(found), tuple(problems)


def question_ids(decisions: Iterable[Decision]) -> list[str]:
    """A name for each question, unlike every other: its epic and its id, numbered where a file gives an id twice."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for decision in decisions:
        name = f"{decision.epic_id}/{decision.question_id}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return names


def at_zero(severity: Level, default: str | None) -> Literal["assumed", "critical-blocked"]:
    """What becomes of an open question when no unit is left (CONTRACT rule 7).

    Assumed where a default exists and the risk is low or medium, else CRITICAL-BLOCKED; the work goes on with the
    default, if there is one, in both cases.
    """
    return "assumed" if default is not None and severity in ("low", "medium") else "critical-blocked"


def _by_id(questions: Sequence[Question]) -> dict[str, tuple[Question, ...]]:
    """Rows by their id; of those that say the same about their state only the first, so that no id has many."""
    found: dict[str, dict[tuple[object, ...], Question]] = {}
    for row in questions:
        if row.id:
            says = (row.state, _BY_CATEGORY.get(row.category), bool(row.resolution), row.critical_blocked, row.level)
            found.setdefault(row.id, {}).setdefault(says, row)
    return {name: tuple(rows.values()) for name, rows in found.items()}


def _state(rows: _Rows) -> tuple[DecisionState, str]:
    """The state, and why where that is not plain."""
    still = any(row.state in (None, "open") for row in rows.pending)
    if not rows.decided:
        if rows.asked:
            return "open", "state.json lists it as pending" if still else "no decision bundle knows this question"
        return _worst(row.state or "open" for row in rows.pending), ""
    found = _worst(_of_row(row, asked=bool(rows.asked)) for row in rows.decided)
    if not still or found == "open":
        return found, ""
    if found == "answered" and all(row.resolution for row in rows.decided):
        return found, "answered in the bundle, but state.json still lists it as pending"
    return "open", f"{found} by the bundle, but state.json still lists it as pending"


def _of_row(row: Question, *, asked: bool) -> DecisionState:
    """The state of a bundle's row. One that nobody was asked follows its category while it is pending."""
    if row.state is not None and row.state != "open":
        return row.state
    return "open" if asked or row.critical_blocked else _BY_CATEGORY.get(row.category, "open")


def _worst(states: Iterable[DecisionState]) -> DecisionState:
    return min(states, key=_WORST.index)


def _decision(epic_id: str, rows: _Rows, path: str, packet: Packet | None, order: int) -> Decision:
    """One question out of all that is known about it; what the first file does not say, the next one may."""
    every = (*rows.asked, *rows.decided, *rows.pending)
    answered = [row for row in (*rows.decided, *rows.pending) if row.resolution is not None]
    with_options = next((row for row in every if row.options), every[0])
    state, why = _state(rows)
    return Decision(
        epic_id=epic_id,
        packet_id=packet.packet_id if packet is not None else None,
        question_id=every[0].id,
        question=_said(row.question for row in every),
        options=with_options.options,
        default=next((row.default for row in every if row.default is not None), None),
        why_now=_said(row.why_now for row in every),
        risk=_said(row.risk for row in every),
        state=state,
        path=path,
        context=_said(row.context for row in every),
        source_ref=_said(row.source_ref for row in every),
        deadline=_said(row.deadline for row in every),
        category=_said(row.category for row in every),
        severity=_severity(every),
        resolution=answered[0].resolution if answered else None,
        resolved_at=answered[0].resolved_at if answered else None,
        order=order,
        line=every[0].line,
        in_packet=packet is not None,
        choices=with_options.choices,
        critical_blocked=state != "answered" and any(row.critical_blocked for row in every),
        linked_unknown=_said(row.linked_unknown or "" for row in every) or None,
        asked_at=packet.created_at if packet is not None else None,
        why=why,
        digest=rows_digest(packet.packet_id if packet is not None else None, rows.asked + rows.decided or every),
    )


def _said(texts: Iterable[str]) -> str:
    return next((text for text in texts if text), "")


def _severity(rows: Sequence[Question]) -> Level:
    given = [row.level for row in rows if row.level is not None]
    return min(given, key=_LEVELS.index) if given else "high"


def _differences(rows: _Rows, decision: Decision) -> list[Problem]:
    found: list[Problem] = []
    name = decision.question_id or "a question without id"
    if rows.decided and rows.pending and decision.why:
        found.append(_problem(decision, "decision-differs", f"{name} is {decision.why}; one of them is out of date"))
    for asked in rows.asked:
        parts = ("question", "default", "options")
        told = [
            part
            for part in parts
            if getattr(asked, part)
            and any(getattr(row, part) not in ("", None, (), getattr(asked, part)) for row in rows.decided)
        ]
        if told:
            message = f"packet and bundle word {name} differently ({', '.join(told)}); the packet's wording is shown"
            found.append(_problem(decision, "question-differs", message))
    return found


def _problem(decision: Decision, code: str, message: str) -> Problem:
    return Problem(decision.path, decision.line, "warning", code, message)
