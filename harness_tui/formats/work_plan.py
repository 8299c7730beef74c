"""PLAN.md, in all shapes that its writers gave it (formats/hard-stop 1): text to model, never an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.formats.blocker import is_blocker_heading, parse_blocker
from harness_tui.formats.conflict import merge_conflict
from harness_tui.formats.labels import items, read_labels
from harness_tui.formats.markdown import read_document
from harness_tui.formats.review_round import rounds
from harness_tui.formats.table import Blocks
from harness_tui.formats.text import text_lines
from harness_tui.formats.work_task import parse_tasks, task_heading
from harness_tui.model.frozen import field, record
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.model.work_plan import Tooling, WorkPlan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness_tui.formats.markdown import Line
    from harness_tui.model.blocker import Blocker
    from harness_tui.model.work_plan import ReviewRound, WorkTask

_TITLE = regex(r"(?:project\s+)?plan\s*[:：—–-]\s*(?P<name>\S.*)", re.IGNORECASE)
_SIGN = regex(r"^(?:[\W_]|\d+[.)])+")
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("objective", re.compile(r"objectives?\b|goal\b")),
    ("tooling", re.compile(r"(?:required )?(?:tooling|tools)\b|required permissions\b|permissions\b")),
    ("steps", re.compile(r"implementation (?:steps?|tasks?)\b|implementation$")),
    ("checklist", re.compile(r"edge[ -]cases?\b|.*checklist\b")),
    ("code", re.compile(r"final status\b|code reviews?(?: log)?(?:$|\s*[(:—–-])|.*\(.{0,9}code review\)")),
    ("plan", re.compile(r"review log\b|plan reviews?(?: log)?(?:$|\s*[(:—–-])|.*\(.{0,9}plan review\)")),
    ("milestones", re.compile(r"milestones?\b")),
    ("tasks", re.compile(r"tasks?(?: list)?(?:$|\s*[(:—–-])|scope$|scope\s*[(:—–-]|work (?:items|packages)\b|units\b")),
)  # fmt: skip
_TASK_KINDS = frozenset({"tasks", "milestones"})
_TOOLING = {
    "commands/tools": "commands", "commands": "commands", "tools": "commands", "commands / tools": "commands",
    "commands and tools": "commands", "file scopes": "scopes", "file scope": "scopes", "files": "scopes",
    "paths": "scopes",
}  # fmt: skip
_NO_LEVEL = 7
_MENDED = 8


@record
class _Section:
    """A heading and what stands below it, up to the next one that is not deeper."""

    kind: str
    level: int
    heading: Line | None = None
    lines: list[Line] = field(default_factory=list)
    end: int = 0


def parse_work_plan(data: bytes, path: str, *, archived: bool = False, slug: str | None = None) -> WorkPlan:
    """The plan in `data`. Only boxes under Implementation Steps are tasks; without such a section, those under Tasks,
    Scope or Milestones (later plans).
    """  # noqa: D205 - one sentence
    data, problems = _without_open_blocks(data, path)
    lines = read_document(data)
    texts = text_lines(data)
    sections = list(_sections(lines, len(texts)))
    tasks = tuple(_tasks(sections))
    blockers = tuple(_blockers(sections, texts, path, problems))
    reviews = [rounds(section.lines, section.kind) for section in sections if section.kind in {"plan", "code"}]
    headings = [line for line in lines if line.level and not line.quoted]
    problems += _odd_tasks(tasks, path)
    if (conflict := merge_conflict(data, path)) is not None:
        problems.append(conflict)
    return WorkPlan(
        path=path,
        title=_title(headings),
        objective=_written([line for section in sections if section.kind == "objective" for line in section.lines]),
        tasks=tasks,
        tooling=next((_tooling(section) for section in sections if section.kind == "tooling"), None),
        plan_reviews=_in_order(found["plan"] for found in reviews),
        code_reviews=_in_order(found["code"] for found in reviews),
        blockers=blockers,
        problems=tuple(problems),
        sections=tuple(line.bare for line in headings),
        archived=archived,
        slug=slug,
    )


def _without_open_blocks(data: bytes, path: str) -> tuple[bytes, list[Problem]]:
    """`data` without the marks of fences and comments that never close: they would hide the rest, blockers too."""
    problems: list[Problem] = []
    for _ in range(_MENDED):
        blocks = Blocks()
        for number, text in enumerate(text_lines(data), 1):
            blocks.hides(text, number)
        if not blocks.open:
            break
        raw = data.split(b"\n")
        raw[blocks.opened - 1] = b""
        data = b"\n".join(raw)
        message = "this code fence or comment never closes; what follows is read as if it were not there"
        problems.append(Problem(path, blocks.opened, "warning", "open-block", message))
    return data, problems


def _written(lines: Sequence[Line]) -> str:
    """The lines as they stand in the file, an empty one where there are any between two."""
    befores = (0, *(line.number for line in lines))
    gaps = ("\n\n" if line.number > before + 1 else "\n" for before, line in zip(befores, lines, strict=False))
    return "".join(f"{gap}{line.text}" for gap, line in zip(gaps, lines, strict=True)).strip("\n")


def _sections(lines: Iterable[Line], last: int) -> Iterator[_Section]:
    current = _Section("", _NO_LEVEL)
    outer: _Section | None = None
    done: list[_Section] = []
    title = True
    for line in lines:
        if not line.level or line.quoted:
            current.lines.append(line)
            continue
        kind = _kind(line)
        if title and line.level == 1 and kind not in {"steps", "blocker"}:
            kind = ""  # a plan may be called "Code Review Fixes"
        title = False
        if kind == "blocker" and outer is not None and line.level <= outer.level:
            outer.end, outer = line.number - 1, None
        if outer is not None and line.level <= current.level and kind != "blocker":
            current.end, current, outer = line.number - 1, outer, None
        deeper = line.level > current.level or (current.kind == "steps" and task_heading(line))
        if deeper and kind != "blocker" and (current.kind or not kind):
            current.lines.append(line)
            continue
        if kind == "blocker" and outer is None and line.level > current.level:
            outer = current
        if current is not outer:
            current.end = line.number - 1
        current = _Section(kind, line.level, line)
        done.append(current)
    for section in (current, outer):
        if section is not None:
            section.end = last
    yield from done


def _kind(line: Line) -> str:
    if is_blocker_heading(line.bare):
        return "blocker"
    if task_heading(line):
        return ""
    name = _SIGN.sub("", line.bare).casefold()
    return next((kind for kind, pattern in _KINDS if pattern.match(name)), "")


def _tasks(sections: Sequence[_Section]) -> Iterator[WorkTask]:
    kinds = {"steps"} if any(section.kind == "steps" for section in sections) else _TASK_KINDS
    for section in sections:
        if section.kind in kinds:
            yield from parse_tasks(section.lines, milestones=section.kind == "milestones", last_line=section.end)


def _blockers(
    sections: Iterable[_Section], texts: Sequence[str], path: str, problems: list[Problem]
) -> Iterator[Blocker]:
    for section in sections:
        heading = section.heading
        if section.kind != "blocker" or heading is None:
            continue
        end = max(section.end, heading.number)
        while end > heading.number and texts[end - 1].strip() in {"", "---"}:
            end -= 1
        text = "\n".join(line.rstrip() for line in texts[heading.number - 1 : end])
        blocker, doubled = parse_blocker(path, heading, section.lines, text, end)
        if blocker is None:
            continue
        for name in doubled:
            message = f"the label {name} stands here twice; both texts are shown"
            problems.append(Problem(path, heading.number, "info", "doubled-label", message))
        if blocker.missing and not blocker.resolved:
            parts = ", ".join(part.replace("_", " ") for part in blocker.missing)
            message = f"this Blocker does not name: {parts}; its whole text is shown"
            problems.append(Problem(path, heading.number, "warning", "blocker-incomplete", message))
        yield blocker


def _tooling(section: _Section) -> Tooling:
    labels, loose = read_labels(section.lines, lambda name: _TOOLING.get(name, ""))
    notes = [f"{label.name}: {label.value}" for label in labels if not label.key]
    return Tooling(
        line=section.heading.number if section.heading else 0,
        commands=tuple(item for label in labels if label.key == "commands" for item in items(label.value)),
        file_scopes=tuple(item for label in labels if label.key == "scopes" for item in items(label.value)),
        notes=(*notes, *(line.body for line in loose)),
    )


def _title(headings: Sequence[Line]) -> str:
    first = next((line for line in headings if line.level == 1), None)
    if first is None:
        return ""
    named = _TITLE.fullmatch(_SIGN.sub("", first.body))
    return named["name"].strip() if named else first.body


def _odd_tasks(tasks: Iterable[WorkTask], path: str) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for task in tasks:
        if task.marker is not None and task.state == "unknown":
            message = f"the marker [{task.marker}] is none of [ ], [/] and [x]; the state of this task is not known"
            yield Problem(path, task.line, "warning", "unknown-marker", message)
        for name in dict.fromkeys(name.casefold() for name in (task.id, task.task_id) if name):
            if seen.setdefault(name, task.line) != task.line:
                message = f"the task {name} stands in line {seen[name]} already; give one of them another id"
                yield Problem(path, task.line, "warning", "duplicate-task", message)


def _in_order(groups: Iterable[Iterable[ReviewRound]]) -> tuple[ReviewRound, ...]:
    return tuple(sorted((item for group in groups for item in group), key=lambda item: item.line))
