"""Recording what the operator answers (CONTRACT rules 6, 7; formats/interrupt-budget 3, "Writing an answer back").

One lock for all four files, and a fixed order: bundle, state, ledger, trace. A plan holds only what is not recorded
yet, so that after a crash between two files the same answer, given again, completes the rest and nothing is spent
twice. Bundle first: an answer counts as given before the unit for it does, and is never lost.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import replace
from harness_tui.model.refusal import Refused
from harness_tui.workspace.answer_outlook import with_outlook
from harness_tui.workspace.answer_plan import plan_from
from harness_tui.workspace.atomic import ChangedError, WriteError, append_line, replace_file
from harness_tui.workspace.epic_files import LOCK, find_epic, find_tasks, read_epic
from harness_tui.workspace.lock import locked, sweep

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from harness_tui.model.answer import Answer, AnswerPlan, FileChange

ATTEMPTS: Final = 5
"""How often the rest is planned anew when a file changes under our hands after the answer was recorded."""

RECORDED: Final = "the answer is recorded in the bundle; give it again to complete the rest"
"""What the operator hears when a file after the first can't be written."""


def plan_answer(root: Path, answer: Answer, now: datetime) -> AnswerPlan:
    """What `record_answer` would change now, and what the epic does then; nothing is written. Raises what that does."""
    files = read_epic(root, find_epic(root, answer.epic_id))
    return with_outlook(root, files, plan_from(root, files, answer, now))


def record_answer(root: Path, answer: Answer, now: datetime) -> AnswerPlan:
    """Record `answer` and tell what was changed; `changes` are empty when all of it was recorded already.

    Raises `Refused` when the question is not what was shown, somebody answered first, the budget does not allow it or
    a file changed, `NotThere`, and `WriteError`; in all these cases nothing is half written, and giving the same answer
    again completes what is missing.
    """
    paths = find_epic(root, answer.epic_id)
    done: list[FileChange] = []
    with locked(root, LOCK):
        sweep(root, paths.whole)
        with suppress(WriteError):  # tasks are needed for assumptions only
            sweep(root, find_tasks(root, paths.id))
        first: AnswerPlan | None = None
        for _ in range(ATTEMPTS):
            plan = plan_from(root, read_epic(root, paths), answer, now)
            first = first or plan
            try:
                _write(root, plan, done)
            except ChangedError as error:
                if not done:
                    what = error.path.name
                    raise Refused("file-changed", what, f"{error.why}; nothing was written, look again") from error
                continue
            except WriteError as error:
                if done:
                    why = f"{error.why}; {RECORDED}"
                    raise WriteError(error.path, why, undone=error.undone) from error
                raise
            return _told(first, plan, done)
    raise WriteError(paths.state, f"it changed again and again; {RECORDED}")


def _write(root: Path, plan: AnswerPlan, done: list[FileChange]) -> None:
    for change in plan.changes:
        if change.append:
            append_line(change.file, change.after, root=root)
        else:
            replace_file(change.file, change.after, root=root, expect=change.before)
        done.append(change)


def _told(first: AnswerPlan, last: AnswerPlan, done: list[FileChange]) -> AnswerPlan:
    """What the operator hears: the plan that was begun, with everything that was written."""
    return replace(first, changes=tuple(done), left=last.left, spends=first.spends or last.spends)
