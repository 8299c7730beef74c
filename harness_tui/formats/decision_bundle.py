"""`decision-bundle.json`: all decisions of an epic, with what became of them (formats/interrupt-budget 1)."""

from __future__ import annotations

from harness_tui.formats.epic_place import other_epic
from harness_tui.formats.json_fields import first, lines_of_ids, read_json, repeated, skipped
from harness_tui.formats.questions import read_questions
from harness_tui.model.decision import Bundle
from harness_tui.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_CODE = "unreadable-bundle"


def parse_bundle(data: bytes, path: str) -> Bundle:
    """The bundle, `unreadable` with a problem when it is none. Never raises."""
    value, why, problems = read_json(data, path, _CODE, "the decision bundle")
    if why:
        return Bundle(path, unreadable=why, problems=problems)
    row: dict[str, Any] = value if isinstance(value, dict) else {"decisions": value}
    decided = first(row, "decisions", "decisionBundle", "decision_bundle")
    if not isinstance(decided, list | dict):
        why = "it holds no list of decisions"
        problem = Problem(path, None, "error", _CODE, f"the decision bundle can't be read: {why}; mend the file")
        return Bundle(path, unreadable=why, problems=(problem,))
    questions = read_questions(decided, lines_of_ids(data))
    remarks: list[Problem] = [*other_epic(row, path, "bundle")]
    if skipped(decided):
        message = f"{skipped(decided)} of the bundle's decisions are no objects and can't be shown; mend the file"
        remarks.append(Problem(path, None, "error", "unreadable-question", message))
    twice = repeated(item.id for item in questions)
    if twice:
        message = f"the bundle holds {', '.join(twice)} more than once: as long as one of them is open, it is open"
        remarks.append(Problem(path, None, "warning", "duplicate-decision", message))
    return Bundle(path, questions, problems=tuple(remarks))
