"""`state.json`, `epics/<epic>.json` and `config.json` of a `.harness` folder (formats/interrupt-budget 1, 4).

The numbers of a budget are whole and plain: a fraction, text, true, null or a negative number makes the budget
unreadable. Only `remaining` may be negative, also as the float that the original's own patch command stores, since
such a number grants nothing.
"""

from __future__ import annotations

from harness_tui.formats.epic_place import other_epic
from harness_tui.formats.json_fields import first, lines_of_ids, moment, quoted, read_json, text
from harness_tui.formats.questions import read_questions
from harness_tui.model.budget import Numbers, Spend
from harness_tui.model.epic import EpicConfig, EpicRecord, EpicState
from harness_tui.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from harness_tui.model.decision import Question

MAX_UNITS: Final = 1000
"""Units beyond which a budget is taken for damaged."""
NOT_RECORDED: Final = "no interrupt budget is recorded"

_NO_OBJECT: Final = "it holds no object"
_RISKS: Final = ("low", "medium", "high")


def parse_epic_state(data: bytes, path: str) -> EpicState:
    """The state, `unreadable` with a problem when it is none. Never raises."""
    row, why, problems = _object(data, path, "unreadable-state", "the epic's state")
    if row is None:
        return EpicState(path, unreadable=why, problems=problems)
    pending, remarks = _pending(first(row, "pending_decisions", "pendingDecisions"), data, path)
    return EpicState(
        path=path,
        stage=text(first(row, "current_stage", "currentStage", "stage")),
        risk_level=_risk(first(row, "risk_level", "riskLevel")),
        numbers=_numbers(row),
        pending=pending,
        updated_at=moment(first(row, "updated_at", "updatedAt")),
        problems=(*other_epic(row, path, "state"), *remarks),
    )


def parse_epic_record(data: bytes, path: str) -> EpicRecord:
    """Title and risk level of an epic's own file. Never raises."""
    row, why, problems = _object(data, path, "unreadable-epic", "the epic's file")
    if row is None:
        return EpicRecord(path, unreadable=why, problems=problems)
    return EpicRecord(path, text(row.get("title")), _risk(row.get("risk_level")), text(row.get("state")))


def parse_epic_config(data: bytes, path: str) -> EpicConfig:
    """The total that the configuration sets for new epics. Never raises."""
    row, why, problems = _object(data, path, "unreadable-config", "the configuration")
    if row is None:
        return EpicConfig(path, unreadable=why, problems=problems)
    value = row.get("interrupt_budget")
    return EpicConfig(path, None if value is None or _refused(value) else value)


def _object(data: bytes, path: str, code: str, what: str) -> tuple[dict[str, Any] | None, str, tuple[Problem, ...]]:
    value, why, problems = read_json(data, path, code, what)
    if why:
        return None, why, problems
    if isinstance(value, dict):
        return value, "", ()
    problem = Problem(path, None, "error", code, f"{what} can't be read: {_NO_OBJECT}; mend the file")
    return None, _NO_OBJECT, (problem,)


def _risk(value: Any) -> str:
    found = text(value)
    return found.lower() if found.lower() in _RISKS else found


def _numbers(row: dict[str, Any]) -> Numbers:
    if "interrupt_budget" not in row:
        return Numbers(damage=NOT_RECORDED)
    value = row["interrupt_budget"]
    if isinstance(value, dict):
        return _from_object(value)
    why = _refused(value)
    if why:
        return Numbers(damage=f"interrupt_budget is {why}")
    if "interrupts_used" not in row:
        return Numbers(value, damage="interrupt_budget is a bare number and interrupts_used is missing", old_shape=True)
    used = row["interrupts_used"]
    why = _refused(used)
    if why:
        return Numbers(value, damage=f"interrupts_used is {why}", old_shape=True)
    return Numbers(value, used, old_shape=True)


def _from_object(value: dict[str, Any]) -> Numbers:
    found: dict[str, int | None] = dict.fromkeys(("total", "consumed", "remaining"))
    damage: list[str] = []
    for name in found:
        if name not in value:
            continue
        given = value[name]
        why = _refused_rest(given) if name == "remaining" else _refused(given)
        if why:
            damage.append(f"{name} is {why}")
        else:
            found[name] = int(given)
    history = _history(value.get("history"))
    return Numbers(found["total"], found["consumed"], found["remaining"], ", ".join(damage), history=history)


def _refused(value: Any) -> str:
    """Why `value` is no number of units; empty when it is one."""
    if isinstance(value, bool) or not isinstance(value, int):
        return f"{quoted(value)}, no whole number"
    if value < 0:
        return f"{quoted(value)}, less than nothing"
    return f"{quoted(value)}, more than any budget" if value > MAX_UNITS else ""


def _refused_rest(value: Any) -> str:
    """The same for what remains, which may be negative."""
    spent = isinstance(value, int | float) and not isinstance(value, bool) and -MAX_UNITS <= value <= 0
    return "" if spent and int(value) == value else _refused(value)


def _history(value: Any) -> tuple[Spend, ...]:
    items = value if isinstance(value, list) else []
    return tuple(
        Spend(moment(item.get("at")), text(item.get("stage")), text(item.get("packet_id")))
        for item in items
        if isinstance(item, dict)
    )


def _pending(value: Any, data: bytes, path: str) -> tuple[tuple[Question, ...], tuple[Problem, ...]]:
    """Rows of the pending list; the predecessor lists bare ids."""
    if value is None:
        return (), ()
    if not isinstance(value, list):
        message = f"pending_decisions is {quoted(value)}, no list: what it held is not known"
        return (), (Problem(path, None, "warning", "unreadable-pending", message),)
    return read_questions([{"id": item} if isinstance(item, str) else item for item in value], lines_of_ids(data)), ()
