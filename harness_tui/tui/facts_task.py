"""All that is known of one task, as lines of a list, each with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.rules.activity import activity_words, owner_words, progress_words
from harness_tui.rules.span import ago
from harness_tui.rules.stream import shown_status, where
from harness_tui.tui.facts import Fact, heading, labelled, problem_facts, short_place
from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.text import literal
from harness_tui.tui.theme import STATUS_STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from harness_tui.model.document import Verdict
    from harness_tui.model.log import LogEntry
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.stream import Stream

STAGES: Final = ("requirement", "design", "gate review", "development", "code review", "test", "delivery")
"""Names of the stages 1 to 7 (formats/harness-kit 1.6)."""

_LISTED: Final = 50
"""Changed files that are named."""
_GOOD: Final = ("APPROVED", "PASS", "DELIVERED", "READY", "GO", "GOAL")
_BAD: Final = ("BLOCKED", "CHANGES", "REJECTED", "FAIL", "UNKNOWN", "BUDGET", "NOT")


def status_words(task: Task, stream: Stream | None) -> tuple[str, str]:
    """Sign and word of the effective status with their style; nothing is in progress when no run is alive."""
    status = shown_status(task.effective_status, stream)
    return f"{STATUS_SIGN[status]} {status}", STATUS_STYLE[status]


def status_text(task: Task, stream: Stream | None = None) -> Content:
    """Sign and word of the effective status, and the plan's word where the two differ."""
    status = task.effective_status
    text = literal(*status_words(task, stream))
    if task.drift and task.status != status:
        return Content.assemble(text, literal(f"  ≠ plan says {task.status}", "$text-warning"))
    return Content.assemble(text, literal("  ≠ files differ", "$text-warning")) if task.drift else text


def task_facts(
    pool: Pool,
    task: Task,
    stream: Stream,
    now: datetime,
    *,
    entries: Sequence[LogEntry],
    log_path: str,
    changed: tuple[str, ...] | None,
) -> list[Fact]:  # fmt: skip
    """Everything that is known about one task, each line with its source."""
    facts = [
        Fact(
            Content.assemble(literal(f"{task.id}  ", "bold"), literal(task.slug, "$text-accent")), pool.path, task.line
        ),
        Fact(literal(task.goal or "(no goal)"), pool.path, task.line),
        heading("State"),
        labelled("status", status_text(task, stream), *where(task)),
    ]
    if stream.task_id == task.id and task.effective_status == "in-progress":
        facts.append(labelled("stream", literal(f"{stream.state}: {stream.why}"), *_cause_place(stream)))
        facts += _activity_facts(stream)
    if task.touched_at is not None:
        facts.append(labelled("last change", literal(ago(task.touched_at, now)), *where(task)))
    facts.append(labelled("mode", literal(task.mode or "full (not given)"), pool.path, task.line))
    facts += _dependency_facts(pool, task, stream)
    facts += _stage_facts(task)
    facts += _witness_facts(task)
    facts += _log_facts(entries, log_path)
    facts += _note_facts(pool, task)
    facts += _changed_facts(changed)
    if task.problems:
        facts += [heading("Problems"), *problem_facts(task.problems)]
    return facts


def verdict_style(word: str) -> str:
    """The colour of a stage document's verdict word; words that are neither good nor bad have none."""
    if word.startswith(_BAD):
        return "$text-error bold"
    if "CONDITION" in word or "NOTES" in word or "NITS" in word:
        return "$text-warning"
    return "$text-success" if word.startswith(_GOOD) else ""


def stage_documents(task: Task) -> dict[int, str]:
    """The stage documents of a task by their number, where there are two the live one."""
    found: dict[int, str] = {}
    for document in task.documents:
        name = document.rsplit("/", 1)[-1]
        if name[:2].isdigit():
            found.setdefault(int(name[:2]), document)
    return found


def stage_track(task: Task) -> str:
    """The seven stages as squares, those filled whose document exists: a mode may leave stages out."""
    there = stage_documents(task)
    return "".join("■" if number in there else "□" for number in range(1, len(STAGES) + 1))


def _activity_facts(stream: Stream) -> list[Fact]:
    """Who runs the task, what its worker is at, and how far it is as it says itself."""
    path = _cause_place(stream)[0]
    facts = [labelled("run by", literal(owner_words(stream.owner)), path)] if stream.owner is not None else []
    doing = stream.doing
    if doing is None:
        return facts
    far = progress_words(doing)
    said = " · ".join(activity_words(doing)[: -len(far) or None])
    since = f"  since {doing.since:%H:%M:%SZ}" if doing.since is not None and doing.kind != "quiet" else ""
    if said:
        style = "$text-warning" if doing.kind in ("quiet", "denied") else ""
        facts.append(labelled("worker", Content.assemble(literal(said, style), literal(since, "$text-muted")), path))
    if far:
        facts.append(labelled("figures", literal(" · ".join(far)), path))
    return facts


def _cause_place(stream: Stream) -> tuple[str | None, int | None]:
    found = next((cause for cause in stream.causes if cause.path is not None), None)
    return (found.path, found.line) if found else (None, None)


def _dependency_facts(pool: Pool, task: Task, stream: Stream) -> list[Fact]:
    named = set(task.depends_on)
    by_id = {item.id: item for item in pool.tasks if item.id in named}
    waiting = {wait.id: wait.why for wait in task.waiting_on}
    facts = [heading("Depends on")] if task.depends_on or task.depends_text.strip(" —–-") else []
    for name in task.depends_on:
        other = by_id.get(name)
        status = shown_status(other.effective_status, stream) if other else None
        sign = STATUS_SIGN[status] if status else "?"
        style = STATUS_STYLE[status] if status else "$text-error"
        words = f"  {waiting[name]}" if name in waiting else ""
        slug = f" {other.slug}" if other else ""
        facts.append(
            Fact(Content.assemble(literal(f"{sign} {name}", style), literal(slug), literal(words, "$text-muted")),
                 pool.path, other.line if other else task.line, pool_id=pool.id, task_id=name if other else None)
        )  # fmt: skip
    behind = [item for item in pool.tasks if task.id in item.depends_on]
    if behind:
        facts.append(heading("Needed by"))
    for item in behind:
        status = shown_status(item.effective_status, stream)
        mark = literal(f"{STATUS_SIGN[status]} {item.id}", STATUS_STYLE[status])
        text = Content.assemble(mark, literal(f" {item.slug}"))
        facts.append(Fact(text, pool.path, item.line, pool_id=pool.id, task_id=item.id))
    return facts


def _stage_facts(task: Task) -> list[Fact]:
    verdicts: dict[int, Verdict | None] = {
        3: task.gates.gate_review, 5: task.gates.code_review, 6: task.gates.qa, 7: task.gates.delivery,
    }  # fmt: skip
    by_stage = stage_documents(task)
    facts = [
        heading(
            "Stages" + (f"  {task.rollbacks} rollback{'s' if task.rollbacks != 1 else ''}" if task.rollbacks else "")
        )
    ]
    for number, label_text in enumerate(STAGES, 1):
        verdict, path = verdicts.get(number), by_stage.get(number)
        there = path is not None
        sign = literal("■ " if there else "□ ", "$text-accent" if there else "$text-muted")
        label = literal(f"0{number} {label_text.ljust(13)}", "" if there else "$text-muted")
        if verdict is not None:
            words = literal(verdict.verdict, verdict_style(verdict.verdict))
            facts.append(Fact(Content.assemble(sign, label, words), verdict.path, verdict.line, document=True))
        else:
            words = literal("no verdict found" if there and number in verdicts else "", "$text-muted")
            facts.append(Fact(Content.assemble(sign, label, words), path, None, document=True))
    others = [item for item in task.documents if not item.rsplit("/", 1)[-1][:2].isdigit()]
    facts += [Fact(literal(f"  {item.rsplit('/', 1)[-1]}"), item, None, document=True) for item in others]
    return facts


def _witness_facts(task: Task) -> list[Fact]:
    facts = [heading("Witnesses")]
    for item in task.evidence:
        mark = literal("→ " if item.source == task.decided_by else "  ", "bold")
        says = literal(f"{item.source.ljust(9)} {item.says.ljust(12)}", STATUS_STYLE[item.says])
        there = literal(short_place(item.path, item.line), "$text-muted")
        facts.append(Fact(Content.assemble(mark, says, there), item.path, item.line))
    return facts


def _log_facts(entries: Sequence[LogEntry], log_path: str) -> list[Fact]:
    if not entries:
        return []
    return [heading("In the log"), *(Fact(literal(entry.text), log_path, entry.line) for entry in entries)]


def _note_facts(pool: Pool, task: Task) -> list[Fact]:
    notes = [note for note in pool.notes if task.id in note.text or task.slug in note.text]
    return [heading("Notes"), *(Fact(literal(note.text), pool.path, note.line) for note in notes)] if notes else []


def _changed_facts(changed: tuple[str, ...] | None) -> list[Fact]:
    if not changed:
        return []
    facts = [heading(f"Files changed since dispatch: {len(changed)}")]
    facts += [Fact(literal(f"  {path}"), path) for path in changed[:_LISTED]]
    if len(changed) > _LISTED:
        facts.append(Fact(literal(f"  and {len(changed) - _LISTED} more: git status names them", "$text-muted")))
    return facts
