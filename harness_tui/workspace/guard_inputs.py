"""Which files of a workspace each guard is about, for asking all of them at once (formats/servo 1.1).

Names come from the disk: a file is looked for by the id of what is active, in all the ways in which files are named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.formats.control_state import CONTROL
from harness_tui.rules.guards.branch_context_check import FUNCTIONS, SCOPES
from harness_tui.workspace.servo_layout import ServoLayout

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.servo import Servo
    from harness_tui.workspace.layout import Layout

REPO = "control-state-repo.md"
NEEDS_WORDS = "what it is asked depends on a task: call it with its arguments"
WRITES = "it writes: call it by its name"


def guard_inputs(layout: Layout, servo: Servo) -> dict[str, list[str] | str]:
    """By the name of each guard of the loop its arguments, or in words why it has nothing to say here."""
    if not servo.present or servo.control is None:
        why = "there is no control state"
        return dict.fromkeys(("branch-context-check", "git-hash-check", "runtime-backfill-detect"), why)
    return _Inputs(layout, servo).all()


class _Inputs:
    """The files of one workspace by name."""

    def __init__(self, layout: Layout, servo: Servo) -> None:
        self._layout = layout
        self._servo = servo
        self._control = servo.control
        places = ServoLayout(layout)
        self._top = {path.name: path for path in places.control()}
        self._repo = places.named("repo")
        self._worktrack = places.named("worktrack")
        self._places = places

    def all(self) -> dict[str, list[str] | str]:
        state = self._state()
        intake = self._intake()
        entry = self._repo.get("complex-project-entry-gate.md") or intake
        gate = next((item.path for item in self._servo.worktracks if item.current), None)
        milestone = next((item.path for item in self._servo.milestones if item.id == self._milestone), None)
        shown = {self._layout.rel(path): path for path in self._places.files().paths()}
        no_milestone = "no active milestone has such a file"
        no_worktrack = "no active worktrack has such a file"
        return {
            "branch-context-check": self._branch(state),
            "git-hash-check": _flag("--control-state", state, "there is no control state"),
            "milestone-kind-routing": _flag("--milestone", shown.get(milestone or ""), no_milestone),
            "pre-milestone-intake-guard": _flag("--intake-review", intake, no_milestone),
            "complex-project-entry-gate-check": _flag("--gate-source", entry, no_milestone),
            "milestone-review-gate-check": _flag("--control-state", state, "there is no control state"),
            "runtime-backfill-detect": _flag("--artifact", self._top.get(CONTROL), f"there is no {CONTROL}"),
            "worktrack-intake-review-check": _flag("--intake-review", self._worktrack_intake(), no_worktrack),
            "evidence-completeness-check": _flag("--evidence-file", shown.get(gate or ""), no_worktrack),
        }

    @property
    def _milestone(self) -> str:
        return self._control.active_milestone if self._control is not None else "none"

    @property
    def _active_worktrack(self) -> str:
        return self._control.active_worktrack if self._control is not None else "none"

    def _state(self) -> Path | None:
        """The file with milestone, baseline and checkpoint: that of the repository where the state is split."""
        return self._top.get(REPO) or self._top.get(CONTROL)

    def _branch(self, state: Path | None) -> list[str] | str:
        control = self._control
        if control is None or state is None:
            return "there is no control state"
        if control.scope not in SCOPES or control.function not in FUNCTIONS:
            return "the control state names no scope and function that are known"
        contract = self._contract()
        more = ["--worktrack-contract", str(contract)] if contract is not None else []
        return ["--control-state", str(state), "--scope", control.scope, "--function", control.function, *more]

    def _contract(self) -> Path | None:
        wanted = self._active_worktrack
        if wanted == "none":
            return None
        own = self._worktrack.get(f"{wanted}-contract.md")
        return own or self._places.named(f"worktrack/{wanted}").get("contract.md") or self._worktrack.get("contract.md")

    def _intake(self) -> Path | None:
        wanted = self._milestone.casefold()
        names = (f"pre-milestone-intake-{wanted}.md", f"{wanted}-pre-milestone-intake-review.md")
        return next((path for name, path in self._repo.items() if name.casefold() in names), None)

    def _worktrack_intake(self) -> Path | None:
        wanted = self._active_worktrack.casefold()
        if wanted == "none":
            return None
        for name, path in (*self._repo.items(), *self._worktrack.items()):
            plain = name.casefold()
            if plain == f"worktrack-intake-{wanted}.md" or plain.endswith(f"{wanted}-intake-review.md"):
                return path
        return None


def _flag(name: str, path: Path | str | None, why: str) -> list[str] | str:
    return why if path is None else [name, str(path)]
