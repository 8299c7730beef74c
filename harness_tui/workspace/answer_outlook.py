"""What an epic does next, before and after an answer: the same rule over its files as they are and as they would be."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from harness_tui.formats.decision_bundle import parse_bundle
from harness_tui.formats.epic_state import parse_epic_state
from harness_tui.formats.epic_task import parse_epic_task
from harness_tui.model.frozen import replace
from harness_tui.rules.decisions import decide
from harness_tui.rules.outlook import outlook
from harness_tui.workspace.atomic import WriteError, read_target
from harness_tui.workspace.epic_files import find_tasks

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.answer import AnswerPlan
    from harness_tui.model.decision import Bundle
    from harness_tui.model.epic import EpicState
    from harness_tui.model.outlook import EpicOutlook, EpicTask
    from harness_tui.workspace.epic_files import EpicFiles


def with_outlook(root: Path, files: EpicFiles, plan: AnswerPlan) -> AnswerPlan:
    """`plan` with what the epic does next, before it is recorded and afterwards."""
    written = {change.file: change.after for change in plan.changes if not change.append}
    tasks = _tasks(root, files.paths.id)

    def look(bundle: Bundle | None, state: EpicState, left: int) -> EpicOutlook:
        decisions, _ = decide(files.paths.id, files.packet, bundle, state)
        return outlook(state.stage, decisions, left, tasks)

    bundle, state = written.get(files.paths.bundle), written.get(files.paths.state)
    return replace(
        plan,
        before=look(files.bundle, files.the_state, files.budget.left),
        after=look(
            files.bundle if bundle is None else parse_bundle(bundle, ""),
            files.the_state if state is None else parse_epic_state(state, ""),
            plan.left,
        ),
    )


def _tasks(root: Path, epic_id: str) -> list[EpicTask]:
    """The epic's tasks by their numbers; what can't be read is left out."""
    found: list[tuple[tuple[int, str], EpicTask]] = []
    with suppress(WriteError):
        for path in find_tasks(root, epic_id):
            with suppress(WriteError):
                task = parse_epic_task(read_target(path, root=root) or b"", path.name)
                number = path.stem.rpartition(".")[2]
                if task is not None:
                    found.append(((int(number) if number.isdecimal() else 0, path.name), task))
    return [task for _, task in sorted(found)]
