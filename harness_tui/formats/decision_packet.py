"""`decision-packet.json`: the questions of one interruption (formats/interrupt-budget 1).

There is no place for an answer in it: a status or answer that stands there all the same is not believed.
"""

from __future__ import annotations

from harness_tui.formats.epic_place import epic_of, other_epic
from harness_tui.formats.json_fields import (
    first,
    lines_of_ids,
    moment,
    read_json,
    repeated,
    skipped,
    text,
    text_or_none,
)
from harness_tui.formats.questions import read_questions
from harness_tui.model.decision import Packet
from harness_tui.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_CODE = "unreadable-packet"


def parse_packet(data: bytes, path: str) -> Packet:
    """The packet, `unreadable` with a problem when it is none. Never raises."""
    value, why, problems = read_json(data, path, _CODE, "the decision packet")
    if why:
        return Packet(epic_of(path), path, unreadable=why, problems=problems)
    row: dict[str, Any] = value if isinstance(value, dict) else {"questions": value}
    asked = row.get("questions")
    if not isinstance(asked, list | dict):
        why = "it holds no list of questions"
        problem = Problem(path, None, "error", _CODE, f"the decision packet can't be read: {why}; mend the file")
        return Packet(epic_of(path), path, unreadable=why, problems=(problem,))
    questions = read_questions(asked, lines_of_ids(data))
    return Packet(
        epic_id=epic_of(path),
        path=path,
        packet_id=text_or_none(first(row, "packet_id", "packetId")),
        stage=text(row.get("stage")),
        number=_count(row.get("interrupt_number")),
        budget_left=_count(row.get("total_interrupts_in_budget")),
        created_at=moment(row.get("created_at")),
        questions=questions,
        problems=(*other_epic(row, path, "packet"), *_remarks(asked, path, [item.id for item in questions])),
    )


def _remarks(asked: Any, path: str, ids: list[str]) -> list[Problem]:
    found: list[Problem] = []
    if skipped(asked):
        message = f"{skipped(asked)} of the packet's questions are no objects and can't be shown; mend the file"
        found.append(Problem(path, None, "error", "unreadable-question", message))
    if not all(ids):
        message = "a question of the packet has no id: it can't be answered by name; give it one"
        found.append(Problem(path, None, "warning", "question-without-id", message))
    twice = repeated(ids)
    if twice:
        message = f"the packet asks {', '.join(twice)} more than once: an answer would count for all of them"
        found.append(Problem(path, None, "warning", "duplicate-question", message))
    return found


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
