"""The families of files beside the pools: epics, work plans, the control loop. Each is imported once it is there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from harness_tui.formats.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness_tui.model.epic import Epics
    from harness_tui.model.git import Git
    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.problem import Problem
    from harness_tui.model.servo import Servo
    from harness_tui.model.work_plan import WorkPlans
    from harness_tui.workspace.epics import EpicReader
    from harness_tui.workspace.guard_reader import GuardReader
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader
    from harness_tui.workspace.work_plans import WorkPlanReader


class FamilyReader(Protocol):
    """What the readers have in common."""

    @property
    def unsettled(self) -> bool: ...  # noqa: D102
    @property
    def problems(self) -> tuple[Problem, ...]: ...  # noqa: D102
    def knows(self, path: str) -> bool: ...  # noqa: D102
    def folders(self) -> list[Path]: ...  # noqa: D102


class Families:
    """Reads what is there of each family. `epics`, `plans` and `servo` are None until something of it appears."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._epics: EpicReader | None = None
        self._plans: WorkPlanReader | None = None
        self._servo: ServoReader | None = None
        self._guards: GuardReader | None = None
        self._read_before = False
        self._needs: tuple[tuple[object, ...], list[InboxItem]] = ((), [])
        self.epics: Epics | None = None
        self.plans: WorkPlans | None = None
        self.servo: Servo | None = None

    def refresh(self, dirty: frozenset[str] | None, clock: float, git: Git | None = None) -> None:
        """Read again what may have changed: everything, or with `dirty` only those files.

        `git` is what git said last, None while it has not answered: till then the first reading asks no guard.
        """
        if dirty is None:
            self._appear()
        if self._epics is not None:
            self.epics = self._epics.refresh(dirty, clock)
        if self._plans is not None:
            self.plans = self._plans.refresh(dirty, clock)
        if self._servo is not None:
            if self._guards is None and (git is not None or self._read_before):
                from harness_tui.workspace.guard_reader import GuardReader  # noqa: PLC0415 - the first frame goes first

                self._guards = GuardReader(self._layout, self._servo)
            reader = self._guards
            self.servo = reader.refresh(git, dirty, clock) if reader else self._servo.refresh(dirty, clock)
        self._read_before = True

    def knows(self, path: str) -> bool:
        """Whether `path` is a file that was read before."""
        known = any(reader.knows(path) for reader in self._readers())
        return known or (self._guards is not None and self._guards.knows(path))

    def folders(self) -> list[Path]:
        """Folders that are worth a watch."""
        return [folder for reader in self._readers() for folder in reader.folders()]

    @property
    def unsettled(self) -> bool:
        """Whether a file looks half written."""
        unsettled = any(reader.unsettled for reader in self._readers())
        return unsettled or (self._guards is not None and self._guards.unsettled)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be taken at face value."""
        return tuple(problem for reader in self._readers() for problem in reader.problems)

    @property
    def found(self) -> list[str]:
        """What is there of them, in words."""
        lines: list[str] = []
        if self.epics is not None:
            lines += [f"{item.path}: epic {item.epic_id}, {item.left} left" for item in self.epics.budgets]
        if self.plans is not None:
            lines += [f"{plan.path}: a plan of {counted(len(plan.tasks), 'task')}" for plan in self.plans.plans]
        if self.servo is not None and self.servo.present:
            paths = self.servo.control.paths if self.servo.control is not None else ()
            lines += [f"{path}: control state" for path in paths]
            lines += [f"{gate.path}: gate of a worktrack" for gate in self.servo.worktracks]
            lines += [f"{milestone.path}: milestone {milestone.id}" for milestone in self.servo.milestones]
        return lines

    def needs(self) -> list[InboxItem]:
        """What these families ask of the operator."""
        state = (self.epics, self.plans, self.servo)
        if state == (None, None, None):
            return []
        if len(self._needs[0]) != len(state) or any(a is not b for a, b in zip(self._needs[0], state, strict=True)):
            from harness_tui.rules.needs import epic_needs, plan_needs, servo_needs  # noqa: PLC0415 - as above

            found = epic_needs(self.epics) if self.epics is not None else []
            found += plan_needs(self.plans) if self.plans is not None else []
            found += servo_needs(self.servo) if self.servo is not None else []
            self._needs = (state, found)
        return self._needs[1]

    def _readers(self) -> Iterator[FamilyReader]:
        for reader in (self._epics, self._plans, self._servo):
            if reader is not None:
                yield reader

    def _appear(self) -> None:
        """Begin to read a family whose files have appeared."""
        root = self._layout.root
        if self._epics is None and _any(root, ".harness/features", ".harness/epics", ".harness/config.json"):
            from harness_tui.workspace.epics import EpicReader  # noqa: PLC0415 - most workspaces have none

            self._epics = EpicReader(root)
        if self._plans is None and (_any(root, "PLAN.md", "plans", "docs/plans") or self._feature_plan()):
            from harness_tui.workspace.work_plans import WorkPlanReader  # noqa: PLC0415 - most workspaces have none

            self._plans = WorkPlanReader(root)
        if self._servo is None and _any(root, ".servo"):
            from harness_tui.workspace.servo import ServoReader  # noqa: PLC0415 - most workspaces have none

            self._servo = ServoReader(self._layout)

    def _feature_plan(self) -> bool:
        home = self._layout.root / "docs/features"
        try:
            names = os.listdir(home)  # noqa: PTH208 - a text each is enough
        except OSError:
            return False
        return any(_any(home, f"{name}/PLAN.md") for name in names)


def _any(root: Path, *names: str) -> bool:
    return any(os.path.lexists(root / name) for name in names)
