"""Lines of lists: a text, and the place in a file that it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.tui.text import is_narrow, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness_tui.model.problem import Problem, Severity
    from harness_tui.model.stream import Cause
    from harness_tui.rules.recap import Recap

BLANKS: Final = 20
"""Blanks in a row from which they are counted instead of shown."""
MOST: Final = 1000
"""Characters of one part of a file's text that are shown; the file has the rest."""

_SEVERITIES: Final[Mapping[Severity, tuple[str, str]]] = {
    "error": ("✗", "$text-error bold"), "warning": ("!", "$text-warning"), "info": ("·", "$text-muted"),
}  # fmt: skip
_BLANK_RUN: Final = regex(f"[\\s\u2800\u3164\u115f\u1160\uffa0]{{{BLANKS},}}")


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
    rank = [*_SEVERITIES]
    facts = []
    for problem in sorted(problems, key=lambda item: (rank.index(item.severity), item.path, item.line or 0)):
        sign, style = _SEVERITIES[problem.severity]
        lead = literal(f"{sign} {place(problem.path, problem.line)} ", style)
        text = Content.assemble(lead, literal(f"{problem.message} "), literal(f"[{problem.code}]", "$text-muted"))
        facts.append(Fact(text, problem.path, problem.line, hang=2))
    return facts


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
