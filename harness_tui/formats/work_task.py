"""Tasks of a PLAN.md: boxes, headings, rows of an index, milestones with a word (formats/hard-stop 1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from harness_tui.formats.labels import items, read_labels
from harness_tui.formats.table import split_cells
from harness_tui.model.regex import regex
from harness_tui.model.work_plan import WorkTask

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.formats.labels import Label
    from harness_tui.formats.markdown import Line
    from harness_tui.model.work_plan import WorkState

_BOX = regex(r"\[(?P<mark>[^\[\]\d]?|\s*|[^\[\]]?‹[^\[\]]{1,40}›[^\[\]]?| ?[xX/] ?)\](?![(:])")
_BOXED = regex(rf"(?:[-*+•]|\d{{1,4}}[.)])\s+{_BOX.pattern}\s*(?P<rest>.*)")
_NUMBERED = regex(r"(?P<id>\d{1,4})[.)]\s+(?P<rest>.*)")
_BOLD = regex(r"(?P<mark>\*\*|__)(?P<inner>.+?)(?P=mark)\s*(?P<after>.*)")
_CODE = r"[A-Za-z]{0,4}-?\d+(?:\.\d+)*[a-z]?"
_WORD = r"(?:Task|Step|Milestone|Unit)"
_END = r"(?: ?[:：.)—–-]{1,3}|\s|$)"
_HEADS = (
    re.compile(rf"{_WORD} {{0,3}}#?(?P<id>{_CODE}|[A-Z](?= ?[:：—–-])){_END}(?P<title>.*)", re.IGNORECASE),
    re.compile(r"(?P<id>[A-Z]{1,4}-?\d+(?:\.\d+)*[a-z]?)(?: ?[:：.)]| {1,3}[—–-]|$)(?P<title>.*)"),
    re.compile(r"(?P<id>\d{1,4}[a-z]?)[.):：]\s+(?P<title>.*)"),
)
_LEGEND = regex(r"(?:open|in[ -]progress|completed?|done)\W{0,9}(?:\(.{0,80}\))?\W{0,9}", re.IGNORECASE)
_CHECKS = regex(r"checklist|edge cases?", re.IGNORECASE)
_MARKER = regex(r"\[[xX]\]")
_DONE_WORD = regex(r"(?<!NOT )(?<!NOT YET )(?<![\w-])DONE\b(?!\s*[?:])")
_ACTIVE_WORD = regex(r"\bIN[ -]PROGRESS\b")
_INDEX_FILE = regex(
    r"(?P<file>[\w./-]{0,40}TASK[_-]?0{0,4}(?P<id>\d{1,6}[a-z]?)(?![a-z0-9])[\w.-]{0,80}\.md)", re.IGNORECASE
)
_STATES: dict[str, WorkState] = {"": "open", "/": "in-progress", "x": "done", "X": "done"}
_WORDS: tuple[tuple[re.Pattern[str], WorkState], ...] = (
    (re.compile(r"(?:done|completed?)(?![\w-]|\s*\?)", re.IGNORECASE), "done"),
    (re.compile(r"(?:in[ -]progress|active|started|wip)\b", re.IGNORECASE), "in-progress"),
    (re.compile(r"(?:open|to ?do|pending|not (?:yet )?(?:started|done)|planned)\b", re.IGNORECASE), "open"),
)
_FIELDS = {
    "description": "description", "review criteria": "review_criteria", "acceptance criteria": "review_criteria",
    "task id": "task_id", "id": "task_id", "depends on": "depends_on", "dependencies": "depends_on",
    "depends": "depends_on", "owned paths": "owned_paths", "owned files": "owned_paths",
    "shared resources": "shared_resources", "parallel safe": "parallel_safe", "parallel-safe": "parallel_safe",
    "validation commands": "validation_commands", "validation command": "validation_commands",
    "validation": "validation_commands", "status": "status", "state": "status",
}  # fmt: skip
_DEPENDS = regex(r"[,;&\n]|\band\b")
_FIRST_WORD = regex(r"(?:tasks?\s*#?)?(?P<id>[\w.-]+)", re.IGNORECASE)
_NONE = frozenset({"", "none", "n/a", "na", "nothing", "-", "—", "–"})


class _Head(NamedTuple):
    """The first line of a task. `level` is that of its heading, 0 for a list item."""

    line: Line
    id: str
    title: str
    state: WorkState
    marker: str | None
    level: int = 0
    after: str = ""


def task_heading(line: Line) -> bool:
    """Whether a heading is that of a task (`### Task 3: …`)."""
    return line.level > 0 and _heading(line, strict=True) is not None


def parse_tasks(lines: Sequence[Line], *, milestones: bool, last_line: int) -> list[WorkTask]:
    """Tasks of one section in the order of the file. `milestones` lets numbered lines without a box count."""
    boxes = any(_box(line) for line in lines)
    tasks: list[WorkTask] = []
    head: _Head | None = None
    below: list[Line] = []
    checks = False
    for line in lines:
        if line.level and not line.quoted:
            checks = _CHECKS.search(line.bare) is not None and not task_heading(line)
        if line.table and (row := _index_row(line)) is not None:
            tasks += _finish(head, below, line.number - 1)
            head, below = None, []
            tasks.append(row)
            continue
        fresh = None if checks else _head(line, head, numbered=milestones and not boxes)
        ends = line.level > 0 and head is not None and (not head.level or line.level <= head.level)
        if fresh is None and not ends:
            below.append(line)
            continue
        tasks += _finish(head, below, line.number - 1)
        head, below = fresh, []
    return tasks + _finish(head, below, last_line)


def _head(line: Line, current: _Head | None, *, numbered: bool) -> _Head | None:
    if line.fenced or line.quoted or line.table:
        return None
    if line.level:
        return _heading(line, strict=False)
    inner = current is not None and (current.level > 0 or line.indent > current.line.indent + 1)
    if inner:
        return None
    box = _box(line)
    if box is not None:
        return _item(line, box["rest"], _marked(box["mark"]), box["mark"])
    if numbered and line.indent == 0 and (found := _NUMBERED.fullmatch(line.text)):
        item = _item(line, found["rest"], _by_word(found["rest"]), None)
        return item if item.id else item._replace(id=found["id"])
    return None


def _box(line: Line) -> re.Match[str] | None:
    if line.fenced or line.quoted or line.table or line.level:
        return None
    box = _BOXED.fullmatch(line.text)
    return None if box is None or _is_legend(box["rest"]) else box


def _is_legend(rest: str) -> bool:
    """Whether a line explains the markers instead of using one."""
    return _LEGEND.fullmatch(rest) is not None or ("[/]" in rest and _MARKER.search(rest) is not None)


def _heading(line: Line, *, strict: bool) -> _Head | None:
    """A heading as a task; `strict` takes only those that say so by a word (`Task 3`)."""
    text = line.body
    box = _BOX.search(text)
    marker = box["mark"] if box else None
    if box:
        text = f"{text[: box.start()]}{text[box.end() :]}"
    text = re.sub(r"^[\W_]+", "", text).strip()
    for pattern in _HEADS[:1] if strict else _HEADS[:2]:
        found = pattern.fullmatch(text)
        if found is not None:
            state = _marked(marker) if marker is not None else _by_word(text)
            return _Head(line, found["id"], _trimmed(found["title"]), state, marker, line.level)
    return None


def _item(line: Line, rest: str, state: WorkState, marker: str | None) -> _Head:
    bold = _BOLD.fullmatch(rest)
    inner, after = (bold["inner"].strip(), bold["after"].strip()) if bold else (rest.strip(), "")
    for pattern in _HEADS:
        found = pattern.fullmatch(inner)
        if found is not None:
            title = found["title"].strip()
            if not title:  # `**Task 1**: title`
                title, after = after.lstrip(":：—–- "), ""
            return _Head(line, found["id"], _trimmed(title), state, marker, after=after)
    return _Head(line, "", _trimmed(inner), state, marker, after=after)


def _trimmed(title: str) -> str:
    """`title` without emphasis around the whole of it."""
    return title.strip().strip("*").strip()


def _marked(mark: str) -> WorkState:
    return "open" if not mark.strip() else _STATES.get(mark, "unknown")


def _by_word(text: str) -> WorkState:
    if _DONE_WORD.search(text):
        return "done"
    return "in-progress" if _ACTIVE_WORD.search(text) else "unknown"


def _index_row(line: Line) -> WorkTask | None:
    """A row whose cells hold a box and the name or file of a task."""
    if line.quoted:
        return None
    cells = split_cells(line.body)
    box = next((found for cell in cells if (found := _BOX.fullmatch(cell))), None)
    if box is None:
        return None
    others = [cell for cell in cells if cell != box[0] and cell]
    file = next((found for cell in others if (found := _INDEX_FILE.search(cell))), None)
    names = [cell for cell in others if not (file and file["file"] in cell)]
    head = _item(line, names[-1] if names else "", _marked(box["mark"]), box["mark"])
    return WorkTask(
        id=head.id or (file["id"] if file else ""),
        title=head.title,
        state=head.state,
        line=line.number,
        end_line=line.number,
        marker=box["mark"],
        file=file["file"] if file else "",
    )


def _finish(head: _Head | None, below: Sequence[Line], end: int) -> list[WorkTask]:
    if head is None:
        return []
    labels, _ = read_labels(below, lambda name: _FIELDS.get(name, ""))
    values = _values(labels)
    state = head.state
    if head.marker is None and state == "unknown":
        state = _state_of(values.get("status", ""))
    return [
        WorkTask(
            id=head.id,
            title=head.title,
            state=state,
            line=head.line.number,
            end_line=max(end, head.line.number),
            marker=head.marker,
            task_id=values.get("task_id", "").strip("` "),
            description=values.get("description", "") or head.after.lstrip(":—–- "),
            review_criteria=values.get("review_criteria", ""),
            depends_on=_depends(values.get("depends_on", "")),
            owned_paths=items(values.get("owned_paths", "")),
            shared_resources=items(values.get("shared_resources", "")),
            validation_commands=items(values.get("validation_commands", "")),
            parallel_safe={"true": True, "yes": True, "false": False, "no": False}.get(
                values.get("parallel_safe", "").strip("`. ").casefold()
            ),
            fields=tuple((label.name, label.value) for label in labels),
        )
    ]


def _values(labels: Iterable[Label]) -> dict[str, str]:
    """Text by key; where a key comes twice, both texts in order."""
    values: dict[str, str] = {}
    for label in labels:
        if label.key:
            values[label.key] = f"{values[label.key]}\n{label.value}" if label.key in values else label.value
    return values


def _state_of(text: str) -> WorkState:
    plain = text.strip("*_`[]✅ ")
    return next((state for pattern, state in _WORDS if pattern.match(plain)), "unknown")


def _depends(text: str) -> tuple[str, ...]:
    """The first word of each part: `Task 3, t4 (for the schema)` needs 3 and t4."""
    found: list[str] = []
    for part in _DEPENDS.split(re.sub(r"\([^()]*\)", " ", text)):
        word = _FIRST_WORD.match(part.strip().lstrip("-*+` "))
        name = word["id"].strip(".") if word else ""
        if name.casefold() not in _NONE:
            found.append(name)
    return tuple(dict.fromkeys(found))
