"""What the guards of the loop would be asked about a workspace as it is now (formats/servo 1.1).

Names come from the disk: a file is looked for by the id of what is active, in all the ways in which files are named.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from harness_tui.formats.evidence_items import affirmed, mentioned
from harness_tui.model.frozen import frozen
from harness_tui.rules.guards import (
    branch_context_check,
    complex_project_entry_gate_check,
    evidence_completeness_check,
    git_hash_check,
    milestone_kind_routing,
    milestone_review_gate_check,
    pre_milestone_intake_guard,
    runtime_backfill_detect,
    worktrack_intake_review_check,
)
from harness_tui.workspace.git_head import Head, origin_branch
from harness_tui.workspace.guard_text import guard_text
from harness_tui.workspace.servo_layout import CONTROL, ServoLayout

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness_tui.model.control import Control
    from harness_tui.model.servo import Servo
    from harness_tui.rules.guards.verdict import Verdict
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo_layout import ServoFiles

    Texts = tuple[str | None, ...]

REPO: Final = "control-state-repo.md"
_ENTRY: Final = "complex-project-entry-gate.md"
_NO_STATE: Final = "there is no control state"
_NO_MILESTONE: Final = "no active milestone has such a file"
_NO_WORKTRACK: Final = "no active worktrack has such a file"
_NO_FUNCTION: Final = "the control state names no scope and function that are known"


@frozen
class Question:
    """One guard and the files that it reads; `git` says that the answer depends on HEAD, too.

    `judge` takes their texts, None for one that is not there, and raises `GitError` when git can't be asked.
    """

    files: tuple[Path, ...]
    judge: Callable[[Texts, Head], Verdict]
    git: bool = False

    def ask(self, head: Head) -> Verdict:
        """The answer by the files as they are now. Raises `FileError` when one can't be read, else as `judge`."""
        return self.judge(tuple(guard_text(path) for path in self.files), head)


def guard_questions(layout: Layout, servo: Servo, files: GuardFiles | None = None) -> dict[str, Question | str]:
    """By the name of each guard that asks about the state of the loop the question, or why there is none.

    `files` are looked for unless they are given.
    """
    control = servo.control
    if control is None:
        names = (
            "branch-context-check", "git-hash-check", "milestone-kind-routing", "pre-milestone-intake-guard",
            "complex-project-entry-gate-check", "milestone-review-gate-check", "runtime-backfill-detect",
            "worktrack-intake-review-check", "evidence-completeness-check",
        )  # fmt: skip
        return dict.fromkeys(names, _NO_STATE)
    files = files or GuardFiles(layout, servo, control)
    state, intake = files.state(), files.intake()
    return {
        "branch-context-check": _branch(layout, control, files.of_branch()),
        "git-hash-check": _asked(
            state, lambda text, head: git_hash_check.judge(text, head.commit), _NO_STATE, git=True
        ),
        "milestone-kind-routing": _asked(
            files.milestone(), lambda text, _: milestone_kind_routing.judge(text), _NO_MILESTONE
        ),
        "pre-milestone-intake-guard": _asked(
            intake, lambda text, _: pre_milestone_intake_guard.judge(text), _NO_MILESTONE
        ),
        "complex-project-entry-gate-check": _asked(
            files.repo.get(_ENTRY) or intake,
            lambda text, _: complex_project_entry_gate_check.judge(text),
            _NO_MILESTONE,
        ),
        "milestone-review-gate-check": _asked(
            state, lambda text, _: milestone_review_gate_check.judge(text), _NO_STATE
        ),
        "runtime-backfill-detect": _asked(
            files.top.get(CONTROL), lambda text, _: runtime_backfill_detect.judge(text), _NO_STATE
        ),
        "worktrack-intake-review-check": _asked(
            files.worktrack_intake(), lambda text, _: worktrack_intake_review_check.judge(text), _NO_WORKTRACK
        ),
        "evidence-completeness-check": _asked(files.gate(), lambda text, _: _evidence(text), _NO_WORKTRACK),
    }


def _asked(
    path: Path | None, judge: Callable[[str | None, Head], Verdict], why: str, *, git: bool = False
) -> Question | str:
    return why if path is None else Question((path,), lambda texts, head: judge(texts[0], head), git)


def _evidence(text: str | None) -> Verdict:
    if text is None:
        return evidence_completeness_check.judge(None)
    return evidence_completeness_check.judge(mentioned(text), affirmed(text))


def _branch(layout: Layout, control: Control, files: tuple[Path, ...]) -> Question | str:
    if not files:
        return _NO_STATE
    known = control.scope in branch_context_check.SCOPES and control.function in branch_context_check.FUNCTIONS
    return Question(files, branch_judge(layout, control.scope, control.function), git=True) if known else _NO_FUNCTION


def branch_judge(layout: Layout, scope: str, function: str) -> Callable[[Texts, Head], Verdict]:
    """Whether a function of a scope may run on a branch, by the texts of control state and contract (if there is one).

    Both words must be known to the rule.
    """

    def judge(texts: Texts, head: Head) -> Verdict:
        return branch_context_check.judge(
            texts[0], texts[1] if len(texts) > 1 else None, scope, function,
            branch=head.branch, head=head.commit, origin=lambda: origin_branch(str(layout.root)),
        )  # fmt: skip

    return judge


class GuardFiles:
    """The files of one workspace that belong to what is active; `listed` are those that were read before, if any."""

    def __init__(self, layout: Layout, servo: Servo, control: Control, listed: ServoFiles | None = None) -> None:
        self._servo = servo
        self._milestone = control.active_milestone
        self._worktrack = control.active_worktrack
        self._places = ServoLayout(layout)
        self._shown = {layout.rel(path): Path(path) for path in (listed or self._places.files()).paths()}
        self.top = {path.name: path for path in map(Path, self._places.control())}
        self.repo = self._named("repo")
        self._worktracks = self._named("worktrack")

    def _named(self, *folders: str) -> dict[str, Path]:
        return {name: Path(path) for name, path in self._places.named(*folders).items()}

    def state(self) -> Path | None:
        """The file with milestone, baseline and checkpoint: that of the repository where the state is split."""
        return self.top.get(REPO) or self.top.get(CONTROL)

    def of_branch(self) -> tuple[Path, ...]:
        """The files that name branches: the control state, and the contract of the current worktrack."""
        return tuple(path for path in (self.state(), self.contract()) if path is not None) if self.state() else ()

    def milestone(self) -> Path | None:
        """The active milestone."""
        found = next((item.path for item in self._servo.milestones if item.id == self._milestone), "")
        return self._shown.get(found)

    def gate(self) -> Path | None:
        """The gate evidence of the current worktrack."""
        return self._shown.get(next((item.path for item in self._servo.worktracks if item.current), ""))

    def intake(self) -> Path | None:
        """The intake review of the active milestone."""
        wanted = self._milestone.casefold()
        names = (f"pre-milestone-intake-{wanted}.md", f"{wanted}-pre-milestone-intake-review.md")
        return next((path for name, path in self.repo.items() if name.casefold() in names), None)

    def contract(self) -> Path | None:
        """The contract of the current worktrack: its own, else the rolling one."""
        if self._worktrack == "none":
            return None
        own = self._worktracks.get(f"{self._worktrack}-contract.md")
        folder = self._named("worktrack", self._worktrack) if self._worktrack in self._places.owners() else {}
        return own or folder.get("contract.md") or self._worktracks.get("contract.md")

    def worktrack_intake(self) -> Path | None:
        """The intake review of the current worktrack."""
        wanted = self._worktrack.casefold()
        if wanted == "none":
            return None
        for name, path in (*self.repo.items(), *self._worktracks.items()):
            plain = name.casefold()
            if plain == f"worktrack-intake-{wanted}.md" or plain.endswith(f"{wanted}-intake-review.md"):
                return path
        return None
