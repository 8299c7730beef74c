"""Whether a worker may ask a person, and what is done with open questions when it may not (CONTRACT rules 6 and 7)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import Refused
from harness_tui.rules.questions import ASSUMPTION
from harness_tui.workspace.answers import plan_answer, record_answer
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.epic_files import find_epic, read_epic

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.stream.book import Book

NOBODY: Final = (
    "Nobody answers questions during this run. What needs a person is deferred: end with "
    "BLOCKED: NEEDS-HUMAN — <what is asked> — <what unblocks it>, and never do it yourself."
)
USED_UP: Final = (
    "The interrupt budget of epic {epic} is used up: ask nobody. Where a safe default exists, take it and mark the "
    f"task '{ASSUMPTION}'; otherwise end with BLOCKED: NEEDS-HUMAN — <what is asked> — <what unblocks it>."
)


def deferred_line(root: Path, epic: str | None, book: Book) -> str:
    """The line for the next assignment; empty when the worker may ask through a packet of `epic`.

    With nothing left, what the packet still asks is settled by the rule for used-up budgets first. A budget that can't
    be read has nothing left, and its files are left alone.
    """
    if epic is None:
        return NOBODY
    try:
        budget = read_epic(root, find_epic(root, epic)).budget
        if budget.left > 0:
            return ""
        if budget.state == "exhausted":
            _settle(root, epic, book)
    except (Refused, WriteError) as error:
        book.event("said", f"the interrupt budget counts as used up: {error}")
    return USED_UP.format(epic=epic)


def _settle(root: Path, epic: str, book: Book) -> None:
    answer = Answer(epic, "", "defaults")
    with suppress(Refused):  # nothing is open
        if plan_answer(root, answer, book.clock.now()).exhausted:
            plan = record_answer(root, answer, book.clock.now())
            if plan.changes:
                names = ", ".join(f"{item.question_id} {item.status}" for item in plan.settled)
                book.say(f"interrupt budget of {epic} used up, settled without asking: {names}")
