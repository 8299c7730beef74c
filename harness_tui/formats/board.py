"""The task board `docs/tasks.md`: active and completed tasks (formats/harness-kit 1.10, 2.7).

Only the first three cells of a row are read, so a raw pipe in a later cell costs nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.formats.markdown import Line, Table, bare_text, read_document, tables
from harness_tui.formats.table import split_cells
from harness_tui.model.board import Board, BoardRow
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.pool import Status

_READ_CELLS = 3
_ACTIVE = regex(r"\bactive\b|\bstage\b|in progress|进行中|阶段", re.IGNORECASE)
_COMPLETED = regex(r"\bcompleted\b|\boutcome\b|\bdone\b|已完成|结果|结局", re.IGNORECASE)
_EMPTY = regex(r"[(（]?\s*(?:none|无|暂无|n/a|—|-+|)\s*[)）]?", re.IGNORECASE)
_NEEDS_HUMAN = regex(r"needs[- ]human", re.IGNORECASE)
_BLOCKED = regex(r"\bblocked\b|阻塞", re.IGNORECASE)
_FAILED = regex(r"fail(?:ed)?\b|失败", re.IGNORECASE)
_WAITING = regex(r"(?:pending|queued|todo|not started|待开始|未开始)(?![\w-])", re.IGNORECASE)
_WORKING = regex(
    r"(?:stage\s*)?0?[1-7]\b|(?:req|requirements?|design|gate|dev|development|review|test|qa|delivery|done|delivered"
    r"|planning|planning-done|looping|goal-done|in[- ]progress)(?![\w-])|进行中|需求|设计|开发|评审|测试|交付|完成",
    re.IGNORECASE,
)
_DELIVERED = regex(
    r"(?:delivered|goal achieved|goal-done|done|已交付|已完成|完成|交付)(?![\w-])(?!\s*[?？])",
    re.IGNORECASE,
)
_DECLINED = regex(r"(?:declined|skipped|superseded|已拒绝|跳过)(?![\w-])", re.IGNORECASE)


def parse_board(data: bytes, path: str) -> Board:
    """All rows of the board. A row whose stage or outcome is not understood says `unknown`."""
    rows: list[BoardRow] = []
    problems: list[Problem] = []
    active: bool | None = None
    found = False
    for table in tables(read_document(data)):
        active = _is_active(table, active)
        if active is None:
            continue
        found = True
        for line in table.rows:
            row = _row(line, active=active)
            if row:
                rows.append(row)
            elif not _is_placeholder(line):
                problems.append(Problem(path, line.number, "warning", "board-row", "this row names no id and slug"))
    if not found:
        problems.append(
            Problem(path, None, "info", "no-board-table", "no table of active or completed tasks was found")
        )
    return Board.of(path, tuple(rows), tuple(problems))


def _is_active(table: Table, before: bool | None) -> bool | None:  # noqa: FBT001 - what the table above was
    """Whether a table lists active tasks; None for one of something else. Rows after a gap go on with their table."""
    if not table.head:
        return before
    for text in (" ".join(table.head[:_READ_CELLS]), (table.rows[0].section[-1:] or ("",))[0] if table.rows else ""):
        if _COMPLETED.search(text):
            return False
        if _ACTIVE.search(text):
            return True
    return None


def _row(line: Line, *, active: bool) -> BoardRow | None:
    cells = split_cells(line.body)[:_READ_CELLS]
    task, slug = (_unmarked(cell) for cell in [*cells, "", ""][:2])
    if not task or not slug or _EMPTY.fullmatch(task):
        return None
    text = cells[2] if len(cells) == _READ_CELLS else ""
    says = "skipped" if "~~" in cells[0] else _stage(_unmarked(text)) if active else _outcome(_unmarked(text))
    return BoardRow(task, slug, says, text, line.number, active)


def _is_placeholder(line: Line) -> bool:
    return all(_EMPTY.fullmatch(_unmarked(cell)) for cell in split_cells(line.body)[:2])


def _unmarked(cell: str) -> str:
    return bare_text(cell.replace("~~", ""))


def _stage(text: str) -> Status:
    """A task in the active table is never done, whatever its stage says: it was not closed yet."""
    if _NEEDS_HUMAN.search(text):
        return "needs-human"
    if _BLOCKED.search(text):
        return "blocked"
    if _FAILED.match(text):
        return "failed"
    if _WAITING.match(text):
        return "pending"
    return "in-progress" if _WORKING.match(text) else "unknown"


def _outcome(text: str) -> Status:
    if _DELIVERED.match(text):
        return "done"
    if _DECLINED.match(text):
        return "skipped"
    if _BLOCKED.match(text):
        return "needs-human" if _NEEDS_HUMAN.search(text[:60]) else "blocked"
    if _NEEDS_HUMAN.match(text):
        return "needs-human"
    return "failed" if _FAILED.match(text) else "unknown"
