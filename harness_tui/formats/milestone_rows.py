"""The worktracks that a milestone lists: table, bullets, mappings, headings or pairs (formats/servo 1.8)."""

from __future__ import annotations

import re

from harness_tui.formats.servo_fields import canonical
from harness_tui.formats.servo_values import first_word, is_empty
from harness_tui.model.milestone import WorktrackRow
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import Field, ServoDocument

_LISTS = ("worktrack_list", "worktracks", "planned_worktracks", "worktrack", "tasks")
_SECTION = regex(r"(?:planned_|appended_)?worktracks?(?:_list)?(?:_?[(（].*)?")
_STATUS = ("status", "expected_status", "state")
_LISTED = regex(r"[`*]*(WT-[\w.-]*\w)[`*]*\s*(?:[(（](\w[^)）]*)[)）])?\s*(?:=\s*([\w-]+))?\s*[:：—–-]?(.*)", re.DOTALL)
_APART = regex(r"[\s,，、;；]+")
_WHOLE = regex(r"WT-[\w.-]*\w")
_PAIR = regex(r"(WT-[\w.-]*\w)\s*=\s*([\w-]+)")
TASK = regex(r"(?:\[([ xX✓])\]\s*)?[`*]*(WT-[\w.-]*\w)[`*]*\s*[:：—–-]?\s*(.*?)\s*(?:\[(\w+)\])?", re.DOTALL)


def worktrack_rows(document: ServoDocument) -> tuple[WorktrackRow, ...]:
    """The rows in file order; of one id the first counts, and a later one only adds what that lacks."""
    rows = [*_table(document), *_mappings(document), *_bullets(document), *_headings(document)]
    found: dict[str, WorktrackRow] = {}
    for row in sorted(rows, key=lambda row: row.line):
        known = found.get(row.id)
        if known is None:
            found[row.id] = row
        else:
            found[row.id] = known._replace(title=known.title or row.title, status=known.status or row.status)
    return tuple(found.values())


def _table(document: ServoDocument) -> list[WorktrackRow]:
    return [
        WorktrackRow(identity, row.cell("title", "name"), first_word(row.cell(*_STATUS)), row.line)
        for row in document.rows
        if not is_empty(identity := row.cell("worktrack_id", "worktrack", "id")) and _in_list(row.headings)
    ]


def _mappings(document: ServoDocument) -> list[WorktrackRow]:
    """`- worktrack_id: x` with children, in bullets or yaml."""
    found = []
    for item in document.named("worktrack_id"):
        if item.place == "front" or is_empty(item.value) or not (item.within(*_LISTS) or _in_list(item.headings)):
            continue
        parts = {child.name: child.value for child in document.children(item)}
        found.append(WorktrackRow(item.value, parts.get("title", ""), _status(parts), item.line))
    return found


def _bullets(document: ServoDocument) -> list[WorktrackRow]:
    """`WT-x (done): title`, `WT-x=done`, the plain id, and several of them in one line."""
    found = []
    for item in document.fields:
        listed = item.name in _LISTS or item.within(*_LISTS) or _in_list(item.headings)
        if item.name in {"worktrack_id", "title"} or not listed:
            continue
        text = f"{item.key}: {item.value}" if item.key.startswith("WT-") else item.value
        if item.name in _LISTS and (inline := _inline(text)):
            found += [WorktrackRow(identity, "", "", item.line) for identity in inline]
        elif "=" in text and (pairs := _PAIR.findall(text)):
            found += [WorktrackRow(identity, "", status.casefold(), item.line) for identity, status in pairs]
        elif match := _LISTED.fullmatch(text):
            parts = {child.name: child.value for child in document.children(item)}
            status = first_word(match[2] or match[3] or "") or _status(parts)
            found.append(WorktrackRow(match[1], match[4].strip(), status, item.line))
    return found


def _inline(text: str) -> list[str]:
    """The ids of `[WT-1, WT-2]` or `WT-1, WT-2`; none when there is anything else."""
    parts = [part.strip("`*\"'") for part in _APART.split(text.strip("[] ")) if part]
    return parts if all(map(_WHOLE.fullmatch, parts)) else []


def _headings(document: ServoDocument) -> list[WorktrackRow]:
    """`### [ ] WT-x title`, `### WT-x: title [completed]`."""
    found = []
    for heading in document.headings:
        match = TASK.fullmatch(heading.title)
        if match is None:
            continue
        parts = {f.name: f.value for f in _below(document, heading.title)}
        ticked = "done" if match[1] and match[1].strip() else ""
        found.append(
            WorktrackRow(match[2], match[3], first_word(match[4] or "") or _status(parts) or ticked, heading.line)
        )
    return found


def _below(document: ServoDocument, title: str) -> list[Field]:
    return [f for f in document.fields if f.headings[-1:] == (title,) and not f.trail]


def _status(parts: dict[str, str]) -> str:
    return first_word(next((parts[name] for name in _STATUS if name in parts), ""))


def _in_list(headings: tuple[str, ...]) -> bool:
    return any(_SECTION.fullmatch(canonical(title)) for title in headings)
