"""Lines of lists: a text, and the place in a file that it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.rules.activity import activity_words, owner_words, progress_words
from harness_tui.rules.span import age, ago
from harness_tui.rules.stream import shown_status
from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.text import is_narrow, literal
from harness_tui.tui.theme import STATUS_STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from harness_tui.model.document import Verdict
    from harness_tui.model.log import LogEntry
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.problem import Problem
    from harness_tui.model.stream import Cause, Stream
    from harness_tui.model.verify import VerifyRun
    from harness_tui.rules.recap import Recap

STAGES = ("requirement", "design", "gate review", "development", "code review", "test", "delivery")
"""Names of the stages 1 to 7 (formats/harness-kit 1.6)."""

BLANKS: Final = 20
"""Blanks in a row from which they are counted instead of shown."""
MOST: Final = 1000
"""Characters of one part of a file's text that are shown; the file has the rest."""
_LISTED: Final = 50
"""Changed files that are named."""

_BLANK_RUN: Final = regex(f"[\\s\u2800\u3164\u115f\u1160\uffa0]{{{BLANKS},}}")
_GOOD = ("APPROVED", "PASS", "DELIVERED", "READY", "GO", "GOAL")
_BAD = ("BLOCKED", "CHANGES", "REJECTED", "FAIL", "UNKNOWN", "BUDGET", "NOT")


@frozen
class Fact:
    """One line. A heading can't be selected.

    `pool_id` and `task_id` say where choosing it leads, before its source; `document` that it is to be rendered;
    `key` names what it is about for whoever made it. `hang` is the number of characters that are the line's label:
    what does not fit beside it goes on below the value. `page` is the page that settles it, where the line with
    the same `key` is meant.
    """

    text: Content
    path: str | None = None
    line: int | None = None
    heading: bool = False
    pool_id: str | None = None
    task_id: str | None = None
    document: bool = False
    key: str = ""
    hang: int = 0
    page: str = ""

    def same_text(self, other: Fact) -> bool:
        """Whether both look the same, wherever they lead."""
        return self.heading == other.heading and self.text.is_same(other.text)

    @property
    def plain(self) -> str:
        """The text without its colours, for the clipboard."""
        return self.text.plain


def heading(text: str) -> Fact:
    """A line that names the lines below it."""
    return Fact(literal(text, "$text-secondary bold"), heading=True)


def place(path: str | None, line: int | None) -> str:
    """`path:line` as people and editors write it."""
    if path is None:
        return ""
    return f"{path}:{line}" if line is not None else path


def short_place(path: str, line: int | None) -> str:
    """`place` by the name of the file alone, for where the folder is plain from the rest."""
    archived = " (archived)" if "/_archived/" in path else ""
    return place(path.rsplit("/", 1)[-1], line) + archived


def labelled(label: str, value: Content, path: str | None = None, line: int | None = None, width: int = 12) -> Fact:
    """A fact made of a label column and a value, which wraps beside its label."""
    lead = f"{label} ".ljust(width)
    text = Content.assemble(literal(lead, "$text-muted"), value)
    return Fact(text, path, line, hang=len(lead) if is_narrow(label) else 0)


def spaced(facts: Iterable[Fact]) -> list[Fact]:
    """`facts` with one empty line before each heading but the first line, also when that is done twice."""
    found: list[Fact] = []
    for fact in facts:
        if fact.heading and fact.plain and found and found[-1].plain:
            found.append(Fact(Content(""), heading=True))
        found.append(fact)
    return found


def in_sight(text: str) -> str:
    """`text` with runs of blanks counted and its end cut, so that it pushes nothing out of sight."""
    text = _BLANK_RUN.sub(lambda run: f" ‹{len(run[0])} blanks› ", text)
    return text if len(text) <= MOST else f"{text[:MOST]}… ‹{len(text) - MOST} more characters: Enter shows the file›"


def cause_facts(causes: Iterable[Cause]) -> list[Fact]:
    """A chain of causes, those of the first one below it, each with its place."""
    facts: list[Fact] = []
    told = tuple(causes)
    for number, cause in enumerate(told):
        lead = "" if number == 0 else "├ " if number < len(told) - 1 else "└ "
        text = Content.assemble(literal(lead, "$text-muted"), literal(cause.text, "" if number else "bold"))
        if cause.path is not None:
            text = Content.assemble(text, literal(f"  {place(cause.path, cause.line)}", "$text-muted"))
        facts.append(Fact(text, cause.path, cause.line, hang=len(lead)))
    return facts


def problem_facts(problems: Iterable[Problem]) -> list[Fact]:
    """What could not be read as it should, errors first."""
    style = {"error": ("✗", "$text-error bold"), "warning": ("!", "$text-warning"), "info": ("·", "$text-muted")}
    rank = ("error", "warning", "info")
    ordered = sorted(problems, key=lambda item: (rank.index(item.severity), item.path, item.line or 0))
    return [
        Fact(
            Content.assemble(
                literal(
                    f"{style[problem.severity][0]} {place(problem.path, problem.line)} ", style[problem.severity][1]
                ),
                literal(f"{problem.message} "),
                literal(f"[{problem.code}]", "$text-muted"),
            ),
            problem.path,
            problem.line,
            hang=2,
        )
        for problem in ordered
    ]


def recap_facts(recap: Recap, *, most: int | None = None) -> list[Fact]:
    """What was done, what broke and what is asked since the operator left; at most `most` names a line when short."""
    groups = (
        ("done", "✓", "$text-success", [(f"{task.id} {task.slug}", pool, task) for pool, task in recap.done]),
        ("newly blocked or failed", "✗", "$text-error", [
            (f"{task.id} {task.slug} {task.effective_status}", pool, task) for pool, task in recap.broken
        ]),
    )  # fmt: skip
    facts: list[Fact] = []
    for label, sign, style, entries in groups:
        if most is not None:
            names = ", ".join(entry[0].split(" ", 1)[0] for entry in entries[:most])
            more = f" +{len(entries) - most}" if len(entries) > most else ""
            facts.append(
                Fact(literal(f"{sign} {len(entries)} {label}  {names}{more}", style if entries else "$text-muted"))
            )
            continue
        facts.append(heading(f"{sign} {len(entries)} {label}"))
        facts += [
            Fact(literal(f"  {text}"), pool.path, task.line, pool_id=pool.id, task_id=task.id)
            for text, pool, task in entries
        ]
    asking = recap.asking
    if most is not None:
        names = ", ".join(item.task_id or item.kind for item in asking[:most])
        facts.append(
            Fact(literal(f"⚑ {len(asking)} waiting for you  {names}", "$text-warning" if asking else "$text-muted"))
        )
        return facts
    facts.append(heading(f"⚑ {len(asking)} waiting for you"))
    facts += [
        Fact(literal(f"  {item.title}"), item.path, item.line, pool_id=item.pool_id, task_id=item.task_id)
        for item in asking
    ]
    return facts


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
    entries: Sequence[LogEntry] = (),
    log_path: str = "",
    changed: tuple[str, ...] | None = None,
) -> list[Fact]:  # fmt: skip
    """Everything that is known about one task, each line with its source."""
    facts = [
        Fact(
            Content.assemble(literal(f"{task.id}  ", "bold"), literal(task.slug, "$text-accent")), pool.path, task.line
        ),
        Fact(literal(task.goal or "(no goal)"), pool.path, task.line),
        heading("State"),
        labelled("status", status_text(task, stream), *_decider(task)),
    ]
    if stream.task_id == task.id and task.effective_status == "in-progress":
        facts.append(labelled("stream", literal(f"{stream.state}: {stream.why}"), *_cause_place(stream)))
        facts += _activity_facts(stream)
    if task.touched_at is not None:
        facts.append(labelled("last change", literal(ago(task.touched_at, now)), *_decider(task)))
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


def verify_facts(runs: Sequence[VerifyRun], baseline: VerifyRun | None, now: datetime) -> list[Fact]:
    """The newest run of verify_all against the one at the start of the run."""
    if not runs:
        return []
    run = runs[-1]
    style = {"pass": "$text-success", "soft-fail": "$text-warning", "hard-fail": "$text-error bold"}.get(
        run.verdict, ""
    )
    counts = [f"{number} {word}" for word, number in
              (("pass", run.passed), ("warn", run.warned), ("fail", run.failed), ("skip", run.skipped))
              if number is not None]  # fmt: skip
    text = Content.assemble(
        literal(run.verdict, style or "$text-warning"),
        literal("  " + " · ".join(counts)),
        literal(f"  {age(run.at, now)}", "$text-muted"),
    )
    facts = [heading("verify_all"), labelled("now", text, run.path, run.line)]
    if baseline is not None and baseline is not run:
        words = literal(f"{baseline.verdict}  {_delta(baseline, run)}")
        facts.append(labelled("at start", words, baseline.path, baseline.line))
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


def _delta(before: VerifyRun, now: VerifyRun) -> str:
    pairs = (
        ("pass", before.passed, now.passed),
        ("warn", before.warned, now.warned),
        ("fail", before.failed, now.failed),
    )
    parts = [f"{word} {was} → {new}" for word, was, new in pairs if was is not None and new is not None and was != new]
    return " · ".join(parts) or "same counts"


def _decider(task: Task) -> tuple[str | None, int | None]:
    found = next((item for item in task.evidence if item.source == task.decided_by), None)
    return (found.path, found.line) if found else (None, None)


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
        where = literal(short_place(item.path, item.line), "$text-muted")
        facts.append(Fact(Content.assemble(mark, says, where), item.path, item.line))
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
