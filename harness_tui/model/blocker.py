"""A `## Blocker` section of a PLAN.md: what stopped the builder, and what it needs (formats/hard-stop 1, 3)."""

from __future__ import annotations

from typing import Literal

from harness_tui.model.frozen import frozen

TriggerKind = Literal[
    "repeated_failure", "permission_wall", "out_of_scope", "step_budget", "reviewer_deadlock", "doom_loop",
]  # fmt: skip
PARTS = ("trigger", "error_signature", "tried", "needed")
"""The four parts that a section must name."""


@frozen
class Blocker:
    """One section, in the file's own words; None where it does not name a part.

    `line` is that of its heading, `end_line` that of its last line, `text` all of it. `task` is the id of the task that
    it stops: as named in the section, else the task in progress, else None; `task_inferred` tells that it is not named.
    `trigger_kind` is the trigger that the words mean, when they mean a known one. Only a heading such as
    `Blocker (resolved)` makes a section resolved. `mentions` are the ids of all tasks that its text speaks of.
    """

    path: str
    line: int
    task: str | None = None
    trigger: str | None = None
    error_signature: str | None = None
    tried: str | None = None
    needed: str | None = None
    resolved: bool = False
    trigger_kind: TriggerKind | None = None
    task_inferred: bool = False
    heading: str = ""
    end_line: int = 0
    text: str = ""
    mentions: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the four parts that it does not give."""
        return tuple(part for part in PARTS if not getattr(self, part))
