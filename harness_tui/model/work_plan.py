"""A PLAN.md: the tasks of one builder, their reviews and blockers (formats/hard-stop 1)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    from harness_tui.model.blocker import Blocker
    from harness_tui.model.problem import Problem

    WorkState = Literal["open", "in-progress", "done", "unknown"]
    ReviewVerdict = Literal[
        "APPROVED", "APPROVED WITH NOTES", "CONDITIONAL APPROVAL", "CHANGES REQUESTED", "NEEDS FIXES", "NOT APPROVED",
        "REJECTED", "BLOCKED", "FAILED", "PENDING", "N/A", "UNKNOWN",
    ]  # fmt: skip

_APPROVED = frozenset({"APPROVED", "APPROVED WITH NOTES"})
_REFUSED = frozenset({"CHANGES REQUESTED", "NEEDS FIXES", "NOT APPROVED", "REJECTED", "BLOCKED", "FAILED"})
_BLANK = frozenset({"PENDING", "N/A"})


@frozen
class WorkTask:
    """One task. `id` is its number or code as written after `Task` (`13a`, `F-7`), empty when it has none.

    `task_id` is the field of that name, by which `depends_on` may call it. `state` is `unknown` for a marker that is
    none of `[ ]`, `[/]`, `[x]` and where no state is given; `marker` is what stands in the box, None without a box.
    `parallel_safe` is None unless it says true or false. `file` names the file that holds the task, if the plan is
    only an index. `fields` are all labelled parts in order, as (label, text).
    """

    id: str
    title: str
    state: WorkState
    line: int
    end_line: int = 0
    marker: str | None = None
    task_id: str = ""
    description: str = ""
    review_criteria: str = ""
    depends_on: tuple[str, ...] = ()
    owned_paths: tuple[str, ...] = ()
    shared_resources: tuple[str, ...] = ()
    validation_commands: tuple[str, ...] = ()
    parallel_safe: bool | None = None
    file: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class ReviewRound:
    """One round of a review log. Numbers run over the whole plan, so `tasks` tells which task is meant.

    `number` is as written (`2b`), empty where none is given; `tasks` is empty when no task is named. `verdict` is the
    word in one spelling, `UNKNOWN` when the text states none; `text` is the whole entry in the file's own words.
    """

    number: str
    tasks: tuple[str, ...]
    verdict: ReviewVerdict
    text: str
    line: int

    @property
    def approved(self) -> bool:
        """Whether it lets the task pass: a conditional approval does not yet."""
        return self.verdict in _APPROVED

    @property
    def refused(self) -> bool:
        """Whether it sends the task back."""
        return self.verdict in _REFUSED

    @property
    def blank(self) -> bool:
        """Whether it has not taken place: pending, not applicable or still the template's text."""
        return self.verdict in _BLANK


@frozen
class Tooling:
    """Required tooling and permissions: commands, file scopes, and what else the section says."""

    line: int
    commands: tuple[str, ...] = ()
    file_scopes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@frozen
class WorkPlan:
    """A plan as it stands. `slug` is that of its feature folder, None for the plan of the whole workspace.

    `ready` holds the places in `tasks` of those that may be worked on: open or in progress, with every dependency done.
    `sections` are all headings in order. `problems` tell what is odd or contradicts itself: nothing is decided.
    `modified_at` is when the file last changed, `stale` that it can't be read now or looks half written.
    """

    path: str
    title: str = ""
    objective: str = ""
    tasks: tuple[WorkTask, ...] = ()
    ready: tuple[int, ...] = ()
    tooling: Tooling | None = None
    plan_reviews: tuple[ReviewRound, ...] = ()
    code_reviews: tuple[ReviewRound, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    problems: tuple[Problem, ...] = ()
    sections: tuple[str, ...] = ()
    archived: bool = False
    slug: str | None = None
    modified_at: datetime | None = None
    stale: bool = False

    @property
    def blocker(self) -> Blocker | None:
        """The section that counts: the last one that is not resolved."""
        return next((blocker for blocker in reversed(self.blockers) if not blocker.resolved), None)

    @property
    def empty(self) -> bool:
        """Whether it says nothing about work: no task, no blocker, no review that took place."""
        return not (self.tasks or self.blockers or any(not item.blank for item in self.code_reviews))

    def reviews_of(self, task: WorkTask) -> tuple[ReviewRound, ...]:
        """Code reviews that name `task`, in the order of the file."""
        names = {name.casefold() for name in (task.id, task.task_id) if name}
        return tuple(item for item in self.code_reviews if any(name.casefold() in names for name in item.tasks))


@frozen
class WorkPlans:
    """All plans: the one at the root, those of live feature folders by name, then the newest archived one."""

    plans: tuple[WorkPlan, ...] = ()

    @property
    def current(self) -> WorkPlan | None:
        """The plan at the root; while that is emptied or missing, the newest archived one."""
        main = next((plan for plan in self.plans if plan.slug is None and not plan.archived), None)
        if main is not None and not main.empty:
            return main
        return next((plan for plan in self.plans if plan.archived), main)

    @property
    def blockers(self) -> tuple[Blocker, ...]:
        """Every section of every plan, resolved ones too."""
        return tuple(blocker for plan in self.plans for blocker in plan.blockers)

    @property
    def waiting(self) -> tuple[tuple[WorkPlan, Blocker], ...]:
        """What waits for a person: one blocker a plan at most. An archived plan counts only while it is the current."""
        current = self.current
        counted = [plan for plan in self.plans if not plan.archived or plan is current]
        return tuple((plan, plan.blocker) for plan in counted if plan.blocker is not None)
