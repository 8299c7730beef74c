"""Looking at an interrupt budget, and spending one unit of it (CONTRACT rule 6; formats/interrupt-budget 2)."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from harness_tui.formats.epic_edit import spend, touch
from harness_tui.formats.epic_state import NOT_RECORDED, parse_epic_state
from harness_tui.formats.json_edit import EditError
from harness_tui.model.frozen import frozen
from harness_tui.model.problem import Problem
from harness_tui.model.refusal import Refused
from harness_tui.rules.budget import budget_of, budget_problems, checked
from harness_tui.rules.decisions import decide
from harness_tui.rules.questions import packet_key
from harness_tui.workspace.atomic import replace_file
from harness_tui.workspace.epic_files import LOCK, find_epic, read_epic
from harness_tui.workspace.lock import locked, sweep

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from harness_tui.workspace.epic_files import EpicFiles

DONE = "DONE"


@frozen
class BudgetCheck:
    """The three numbers; `remaining` is the smaller of the two ways to get it, negative when overspent.

    `warnings` name what does not agree.
    """

    epic_id: str
    total: int
    consumed: int
    remaining: int
    warnings: tuple[Problem, ...] = ()

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left."""
        return self.remaining <= 0


def stamp(now: datetime) -> str:
    """A time as the files of an epic hold it: UTC, whole seconds."""
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def check_budget(root: Path, epic_id: str) -> BudgetCheck:
    """What is left, without spending anything. Raises `Refused` when that can't be told, `NotThere`, `WriteError`."""
    return _checked(read_epic(root, find_epic(root, epic_id)))


def consume_unit(root: Path, epic_id: str, now: datetime) -> BudgetCheck:
    """Spend one unit and tell what is left then.

    It counts for the current packet as long as that has open questions and no unit of its own. Raises `Refused` at 0
    and when the budget is unreadable or does not add up; `NotThere`, `WriteError`.
    """
    paths = find_epic(root, epic_id)
    with locked(root, LOCK):
        sweep(root, [paths.state])
        files = read_epic(root, paths)
        found = files.budget
        name = files.the_state.path
        if found.state != "ok" or files.state_data is None:
            raise Refused(f"budget-{found.state}", name, f"no unit can be spent: {found.why}")
        at = stamp(now)
        try:
            after = touch(spend(files.state_data, at, files.the_state.stage, _packet_to_pay(files)), at)
        except EditError as error:
            raise Refused("budget-unreadable", name, str(error)) from None
        replace_file(paths.state, after, root=root, expect=files.state_data)
    numbers = parse_epic_state(after, name).numbers
    total, consumed, remaining = checked(numbers) or (0, 0, 0)
    return BudgetCheck(paths.id, total, consumed, remaining, _warnings(files))


def _checked(files: EpicFiles) -> BudgetCheck:
    state = files.the_state
    # A state without a budget has 0 of 0, as one with an empty budget has: nothing is known to be left.
    numbers = (0, 0, 0) if state.numbers.damage == NOT_RECORDED else checked(state.numbers)
    if numbers is None:
        raise Refused("budget-unreadable", state.path, f"the budget can't be read: {files.budget.why}")
    return BudgetCheck(files.paths.id, *numbers, warnings=_warnings(files))


def _packet_to_pay(files: EpicFiles) -> str | None:
    """The packet that a unit is spent for; None when no unpaid packet waits for an answer."""
    if files.packet is None or files.packet.unreadable or files.paid(answered=False):
        return None
    decisions, _ = decide(files.paths.id, files.packet, files.bundle, files.state)
    waits = any(item.in_packet and item.state == "open" for item in decisions)
    return packet_key(files.packet) if waits else None


def _warnings(files: EpicFiles) -> tuple[Problem, ...]:
    state = files.the_state
    found = budget_problems(budget_of(files.paths.id, state.path, state))
    if state.stage == DONE:
        message = "this epic is done: nobody should have to be asked any more"
        found = (*found, Problem(state.path, None, "warning", "epic-done", message))
    return found
