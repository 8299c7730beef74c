"""Lines about PLAN.md files: tasks, reviews, blockers (formats/hard-stop)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import replace
from harness_tui.rules.blockers import tasks_behind
from harness_tui.rules.needs import blocker_id
from harness_tui.tui.facts import Fact, heading, in_sight, labelled, problem_facts
from harness_tui.tui.text import is_narrow, literal

if TYPE_CHECKING:
    from harness_tui.model.blocker import Blocker
    from harness_tui.model.work_plan import ReviewRound, WorkPlan, WorkPlans, WorkState, WorkTask

SAID: Final = 160
"""Characters of an objective or a review that are shown; the file has the rest."""

_MARK: Final[dict[WorkState, tuple[str, str]]] = {
    "open": ("[ ]", ""),
    "in-progress": ("[/]", "$text-accent bold"),
    "done": ("[x]", "$text-success"),
    "unknown": ("[?]", "$text-warning"),
}


def work_plan_facts(plans: WorkPlans) -> list[Fact]:
    """Blockers that wait, then every plan with its tasks, reviews, tooling and contradictions."""
    facts: list[Fact] = []
    for plan, blocker in plans.waiting:
        facts += blocker_facts(blocker, tasks_behind(plan, blocker.task), blocker_id(plan, blocker))
    for plan in plans.plans:
        facts += _plan_facts(plan)
        for blocker in plan.blockers:
            if not any(blocker is other for _, other in plans.waiting):
                facts += blocker_facts(blocker)
    return facts


def blocker_facts(blocker: Blocker, behind: int | None = None, key: str = "") -> list[Fact]:
    """The four parts of a blocker in the file's own words; a part that is not named is said to be missing.

    `behind` is the number of tasks that wait for it, None for one that is not what its plan waits for.
    """
    waits = behind is not None and not blocker.resolved
    if blocker.resolved:
        sign = literal("✓ resolved", "$text-success")
    elif not waits:
        sign = literal("⊘ not resolved, but not what the plan waits for now", "$text-warning")
    else:
        sign = literal("⊘ waits for you", "$text-error bold")
    guess = " (the task in progress; the section names none)" if blocker.task_inferred else ""
    facts = [
        heading(f"Blocker of task {blocker.task}{guess}" if blocker.task else "Blocker, no task is named"),
        replace(labelled("state", sign, blocker.path, blocker.line), key=key),
    ]
    if waits:
        words = f"{behind} task{'s' if behind != 1 else ''} wait{'' if behind != 1 else 's'} behind it"
        facts.append(labelled("behind", literal(words), blocker.path, blocker.line))
    parts = (
        ("trigger", blocker.trigger), ("signature", blocker.error_signature), ("tried", blocker.tried),
        ("needed", blocker.needed),
    )  # fmt: skip
    for label, text in parts:
        lines = (text or "not named").split("\n")
        style = "" if text else "$text-warning"
        facts += [
            labelled("" if number else label, literal(in_sight(line), style), blocker.path, blocker.line)
            for number, line in enumerate(lines)
        ]
    return facts


def _plan_facts(plan: WorkPlan) -> list[Fact]:
    mark = "  (archived)" if plan.archived else ""
    stale = "  (last good reading, re-reading)" if plan.stale else ""
    facts = [heading(f"{plan.title or 'Plan'}  {plan.path}{mark}{stale}")]
    if plan.objective:
        words = " ".join(plan.objective.strip().split("\n\n")[0].split())
        words = f"{words[:SAID]}…" if len(words) > SAID else words
        facts.append(labelled("objective", literal(in_sight(words)), plan.path))
    done = sum(task.state == "done" for task in plan.tasks)
    counts = f"{done} of {len(plan.tasks)} done" if plan.tasks else "none listed"
    facts.append(labelled("tasks", literal(counts), plan.path))
    facts += [_task(plan, place, task) for place, task in enumerate(plan.tasks)]
    if plan.problems:
        facts += [heading("Contradictions and oddities"), *problem_facts(plan.problems)]
    if plan.tooling is not None:
        facts.append(heading("Required tooling and permissions"))
        parts = (
            ("commands", plan.tooling.commands), ("files", plan.tooling.file_scopes), ("notes", plan.tooling.notes)
        )  # fmt: skip
        facts += [
            labelled("" if number else label, literal(in_sight(value)), plan.path, plan.tooling.line)
            for label, values in parts
            for number, value in enumerate(values)
        ]
    for label, rounds in (("Plan review", plan.plan_reviews), ("Code review", plan.code_reviews)):
        if rounds:
            facts.append(heading(label))
        facts += [_round(plan, item) for item in rounds]
    return facts


def _task(plan: WorkPlan, place: int, task: WorkTask) -> Fact:
    mark, style = _MARK[task.state]
    word = task.state.replace("-", " ")
    if task.state == "unknown":
        mark, word = ("", "no marker") if task.marker is None else (f"[{task.marker}]", word)
    reviews = [item for item in plan.reviews_of(task) if not item.blank]
    rounds = f"{len(reviews)} review round{'s' if len(reviews) > 1 else ''}"
    notes = [f"{rounds}, last {reviews[-1].verdict}"] if reviews else []
    notes += ["ready"] if place in plan.ready else []
    notes += [f"after {', '.join(task.depends_on)}"] if task.depends_on else []
    lead = f"  {mark} {word}".ljust(20) if mark else f"  {word}".ljust(20)
    text = Content.assemble(
        literal(lead, style), literal(f"{task.id} ".lstrip(), "bold"), literal(in_sight(task.title)),
        literal(f"  {' · '.join(notes)}" if notes else "", "$text-muted"),
    )  # fmt: skip
    return Fact(text, plan.path, task.line, hang=len(lead) if is_narrow(lead) else 0)


def _round(plan: WorkPlan, item: ReviewRound) -> Fact:
    style = "$text-success" if item.approved else "$text-error" if item.refused else "$text-muted"
    style = "$text-warning" if item.verdict in ("UNKNOWN", "CONDITIONAL APPROVAL") else style
    tasks = f" task {', '.join(item.tasks)}" if item.tasks else ""
    said = "" if item.blank else " ".join(item.text.split("\n"))
    said = f"{said[:SAID]}…" if len(said) > SAID else said
    text = Content.assemble(
        literal(f"  round {item.number or '?'}{tasks}  ", "$text-muted" if item.blank else "bold"),
        literal(item.verdict, style),
        literal(f"  {in_sight(said)}" if said and said.upper() != item.verdict else "", "$text-muted"),
    )  # fmt: skip
    return Fact(text, plan.path, item.line, hang=2)
