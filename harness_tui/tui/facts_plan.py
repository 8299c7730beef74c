"""Lines about PLAN.md files: tasks, reviews, blockers (formats/hard-stop)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.tui.facts import Fact, heading, line_of, problem_facts
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from harness_tui.model.blocker import Blocker
    from harness_tui.model.work_plan import ReviewRound, WorkPlan, WorkPlans, WorkState, WorkTask

_MARK: Final[dict[WorkState, tuple[str, str]]] = {
    "open": ("[ ] open", ""),
    "in-progress": ("[/] in progress", "$text-accent bold"),
    "done": ("[x] done", "$text-success"),
    "unknown": ("[?] unknown", "$text-warning"),
}


def work_plan_facts(plans: WorkPlans) -> list[Fact]:
    """Blockers that wait, then every plan with its tasks, reviews, tooling and contradictions."""
    facts: list[Fact] = []
    for _plan, blocker in plans.waiting:
        facts += blocker_facts(blocker)
    for plan in plans.plans:
        facts += _plan_facts(plan)
        for blocker in plan.blockers:
            if blocker.resolved:
                facts += blocker_facts(blocker)
    return facts


def blocker_facts(blocker: Blocker) -> list[Fact]:
    """The four parts of a blocker in the file's own words; a part that is not named is said to be missing."""
    sign = (
        literal("✓ resolved", "$text-success") if blocker.resolved else literal("⊘ waits for you", "$text-error bold")
    )
    guess = " (the task in progress; the section names none)" if blocker.task_inferred else ""
    facts = [
        heading(f"Blocker of task {blocker.task or '?'}{guess}"),
        Fact(line_of("state", sign), blocker.path, blocker.line),
    ]
    parts = (
        ("trigger", blocker.trigger), ("signature", blocker.error_signature), ("tried", blocker.tried),
        ("needed", blocker.needed),
    )  # fmt: skip
    for label, text in parts:
        lines = (text or "not named").split("\n")
        style = "" if text else "$text-warning"
        facts.append(Fact(line_of(label, literal(lines[0], style)), blocker.path, blocker.line))
        facts += [Fact(line_of("", literal(line)), blocker.path, blocker.line) for line in lines[1:]]
    return facts


def _plan_facts(plan: WorkPlan) -> list[Fact]:
    mark = "  (archived)" if plan.archived else ""
    stale = "  (last good reading, re-reading)" if plan.stale else ""
    facts = [heading(f"{plan.title or 'Plan'}  {plan.path}{mark}{stale}")]
    if plan.objective:
        facts.append(Fact(line_of("objective", literal(plan.objective.split("\n")[0])), plan.path))
    done = sum(task.state == "done" for task in plan.tasks)
    facts.append(
        Fact(line_of("tasks", literal(f"{done} of {len(plan.tasks)} done" if plan.tasks else "none listed")), plan.path)
    )
    facts += [_task(plan, place, task) for place, task in enumerate(plan.tasks)]
    if plan.tooling is not None:
        facts += [
            Fact(line_of(label, literal(", ".join(values))), plan.path, plan.tooling.line)
            for label, values in (("commands", plan.tooling.commands), ("files", plan.tooling.file_scopes))
            if values
        ]
    for label, rounds in (("Plan review", plan.plan_reviews), ("Code review", plan.code_reviews)):
        if rounds:
            facts.append(heading(label))
        facts += [_round(plan, item) for item in rounds]
    if plan.problems:
        facts += [heading("Contradictions and oddities"), *problem_facts(plan.problems)]
    return facts


def _task(plan: WorkPlan, place: int, task: WorkTask) -> Fact:
    mark, style = _MARK[task.state]
    rounds = len(plan.reviews_of(task))
    notes = [f"{rounds} review round{'s' if rounds > 1 else ''}"] if rounds else []
    notes += ["ready"] if place in plan.ready else []
    notes += [f"after {', '.join(task.depends_on)}"] if task.depends_on else []
    text = Content.assemble(
        literal(f"{mark.ljust(16)}", style), literal(f"{task.id} ".lstrip(), "bold"), literal(task.title),
        literal(f"  {' · '.join(notes)}" if notes else "", "$text-muted"),
    )  # fmt: skip
    return Fact(text, plan.path, task.line)


def _round(plan: WorkPlan, item: ReviewRound) -> Fact:
    style = "$text-success" if item.approved else "$text-error" if item.refused else "$text-muted"
    tasks = f" task {', '.join(item.tasks)}" if item.tasks else ""
    text = Content.assemble(
        literal(f"Round {item.number or '?'}{tasks}  ", "bold"), literal(f"{item.verdict}  ", style),
        literal(item.text.split("\n")[0][:160], "$text-muted"),
    )  # fmt: skip
    return Fact(text, plan.path, item.line)
