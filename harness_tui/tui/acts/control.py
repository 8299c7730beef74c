"""Giving the control loop a signal to lift its lock (CONTRACT rule 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.rules.unlock import named
from harness_tui.tui.acts.form import Field, Look
from harness_tui.workspace.unlocks import give_unlock, plan_unlock

if TYPE_CHECKING:
    from harness_tui.tui.acts.form import Scene, Values


class UnlockAct:
    """Write `last_unlock_signal` and nothing else; whoever runs the loop lifts the lock."""

    title = "Unlock the control loop"
    verb = "Write the signal"
    key = "unlock"
    prompt = ""

    def __init__(self, milestone: str | None) -> None:
        confirm = f"unlock {milestone}" if named(milestone or "") else "unlock"
        self.fields: tuple[Field, ...] = (
            Field("instruction", "Instruction", hint="what is new: a goal, a fact, a permission, a task"),
            Field("confirm", "Confirm", hint=f"type: {confirm}"),
        )

    def look(self, scene: Scene, values: Values) -> Look:
        """The one field that changes; a bare retry, a repeat or another milestone is refused."""
        plan = plan_unlock(scene.root, values.get("instruction", ""), values.get("confirm", ""), scene.now())
        return Look((("then", plan.then),), (plan.change,), (), plan)

    def do(self, scene: Scene, look: Look) -> str:
        """Write it, if the file is still what was shown."""
        signal = look.plan.signal
        given = give_unlock(scene.root, signal.instruction, signal.confirmation, scene.now(), look.plan)
        return f"the unlock signal is written; {given.then}"
