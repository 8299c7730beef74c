"""Giving an unlock signal to the control loop (CONTRACT rule 9): the signal is written, the lock is not touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.formats.control_edit import with_unlock
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.text import clean
from harness_tui.model.answer import FileChange
from harness_tui.model.frozen import frozen
from harness_tui.model.handback import UnlockSignal
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.rules.unlock import named, unlock_refusal
from harness_tui.workspace.atomic import ChangedError, replace_file
from harness_tui.workspace.budgets import stamp
from harness_tui.workspace.control_files import read_control_files
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.lock import CONTROL_LOCK, locked, sweep
from harness_tui.workspace.servo_layout import CONTROL, HOME

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from harness_tui.model.handback import Handback

SOURCE: Final = "programmer"
"""The only one whose signals count."""


@frozen
class UnlockPlan:
    """What giving a signal changes. `handback` is the lock as it is now; the loop itself lifts it."""

    signal: UnlockSignal
    change: FileChange
    handback: Handback

    @property
    def then(self) -> str:
        """What follows, in words."""
        if self.handback.locked is False:
            return "the lock is not active now: there is nothing to lift"
        return "whoever runs the loop checks the signal and lifts the lock"


def plan_unlock(root: Path, instruction: str, confirmation: str, now: datetime) -> UnlockPlan:
    """What a signal would change; nothing is written.

    Raises `Refused` when it would not unlock (a bare retry, a repeat, another milestone) or the file can't be changed
    safely, `NotThere` when there is no control state, `WriteError` when it can't be read.
    """
    files = read_control_files(root)
    if files is None:
        raise NotThere(f"{HOME}/{CONTROL}", "there is no control state")
    layout, handback, record = Layout(root), files.handback, files.record
    signal = UnlockSignal(instruction.strip(), 0, SOURCE, stamp(now), confirmation.strip(), structured=True)
    said = [reason.text for reason in handback.stop_reasons]
    earlier = [clean(unlock.instruction) for unlock in record.unlocks]
    why = unlock_refusal(
        signal,
        active_milestone=files.control.active_milestone,
        signature=handback.signature or "",
        repeats=(*said, handback.signature or "", *earlier),
    )
    active = files.control.active_milestone
    if not why and named(active) and not named(confirmation) & (named(active) | named(handback.signature or "")):
        why = f"its confirmation does not name the active milestone: write unlock {active}"
    if why:
        raise Refused("no-unlock", "unlock", why, shown=signal.instruction)
    homes = [path for path, document in files.documents.items() if guard_record((document,), "").present]
    if len(homes) != 1:
        where = "no file has a section Handback Guard" if not homes else "more than one file has a Handback Guard"
        raise Refused("no-place", f"{HOME}/{CONTROL}", f"{where}: mend the control state first")
    before = files.data[homes[0]]
    try:
        after = with_unlock(before, signal, layout.rel(homes[0]))
    except EditError as error:
        raise Refused("no-place", layout.rel(homes[0]), str(error)) from None
    return UnlockPlan(signal, FileChange(layout.rel(homes[0]), homes[0], before, after), handback)


def give_unlock(
    root: Path, instruction: str, confirmation: str, now: datetime, shown: UnlockPlan | None = None
) -> UnlockPlan:
    """Write the signal and tell what was changed. Raises what `plan_unlock` raises, and `WriteError`.

    With `shown`, the plan that the operator looked at, the file must still be what it was then.
    """
    with locked(root, CONTROL_LOCK):
        plan = plan_unlock(root, instruction, confirmation, now)
        change = plan.change
        if shown is not None and (shown.change.file, shown.change.before) != (change.file, change.before):
            raise Refused("file-changed", change.path, "it changed since it was shown; nothing was written, look again")
        sweep(root, [change.file])
        try:
            replace_file(change.file, change.after, root=root, expect=change.before)
        except ChangedError as error:
            raise Refused("file-changed", change.path, f"{error.why}; nothing was written, look again") from error
    return plan
