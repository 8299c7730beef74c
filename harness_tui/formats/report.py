"""`STREAM_REPORT.md`, `BATCH_REPORT.md`: what a run asks, what became of its tasks (formats/harness-kit 1.3, 2.4).

Only the newest run counts: the first H1 block where there are several, with the title above it; within it, the last
section of questions (later rounds are appended). A question is never dropped because its entry has an odd shape.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from harness_tui.formats.markdown import Line, Table, bare_text, read_document, tables
from harness_tui.formats.table import split_cells
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.model.report import NeedsInput, Report, ReportRow

_NEEDS_INPUT = regex(
    r"\W{0,8}(?:\d{1,3}[.)、]?\s?)?\W{0,8}(?:needs?\s+(?:your|operator|human)\s+(?:input|attention|decision)"
    r"|需要[你您]的?(?:输入|决定|处理|介入)|等待[你您]的?(?:输入|决定)).*",
    re.IGNORECASE,
)
_NOTHING = regex(r"[(（_]*(?:none|nothing|n/a|无|没有|暂无|—|-)(?:[ .。!]|$|[)）_,，(（]).{0,40}", re.IGNORECASE)
_TICKED = regex(r"(?:[-*+]|\d+[.)])\s+\[[xX]\]\s")
_TASK_ID = regex(r"\b[A-Z]{1,5}-\d+[a-z]?\b")
_SLUG_IN_TICKS = regex(r"`([\w.-]+)`")
_RAISED = regex(r"(?:raised (?:by|at|in)|由)\s*[:：]?\s*(?P<stage>[^.;。；]+)", re.IGNORECASE)
_ASK = regex(r"(?:ask|question|问题|请求)\s*[:：]\s*(?P<text>.*)", re.IGNORECASE)
_UNBLOCK = regex(r"(?:unblocks?(?: when)?|解除条件|解锁条件)\s*[:：]\s*(?P<text>.*)", re.IGNORECASE)
_ID_HEAD = regex(r"(?:id|task|任务|编号)", re.IGNORECASE)
_SLUG_HEAD = regex(r"slug", re.IGNORECASE)
_ASK_HEAD = regex(r"\W{0,3}(?:ask|question|need|unblock|问题|请求)", re.IGNORECASE)
_VERDICT_HEAD = regex(r"(?:verdict|outcome|result|status|结果|裁决|状态)", re.IGNORECASE)
_VERIFY = regex(
    r"(?:(?:final|最终)\s*(?:bash\s+)?[\w./-]*verify_all[\w.]*(?:\s*(?:result|结果))?|结束时)\s*[:：]\s*(?P<value>.+)",
    re.IGNORECASE,
)
_STOP = regex(r"(?:stop reason|停止原因|停批信号|停批原因|exit)\s*[:：]\s*(?P<value>.+)", re.IGNORECASE)
_STOP_HEADING = regex(r"\W{0,8}(?:\d{1,3}[.)]?\s?)?(?:stop reason|停止原因|停批原因)\s*", re.IGNORECASE)
_NO_STOP = regex(
    r"[(（_]*(?:none|no hard stop|normal|clean|n/a|drained|无|未触发|计划完成|正常|—|-\s*$)", re.IGNORECASE
)


class _Entry:
    """A question while its lines are read."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.texts: dict[str, list[str]] = {"": [line.bare], "ask": [], "unblock": []}
        self.current = ""

    def take(self, line: Line) -> None:
        """A further line: a sub-bullet that names what it holds, or more of what stands above."""
        for name, label in (("ask", _ASK), ("unblock", _UNBLOCK)):
            if match := label.match(line.bare):
                self.current = name
                self.texts[name].append(match["text"])
                return
        self.texts[self.current].append(line.bare)

    def finished(self, path: str) -> NeedsInput:
        head = " ".join(self.texts[""])
        ask, unblock = (" ".join(self.texts[name]).strip() for name in ("ask", "unblock"))
        if not ask and (
            inline := re.search(r"(?:\bask|问题)[:：]\s*(.*?)(?=unblocks? when[:：]|$)", head, re.IGNORECASE)
        ):
            ask = inline[1].strip(" .;；·")
        if not unblock and (inline := re.search(r"unblocks? when\s*[:：]\s*(.*)", head, re.IGNORECASE)):
            unblock = inline[1].strip()
        task, stage = _TASK_ID.search(head), _RAISED.search(head)
        find = _SLUG_IN_TICKS.search if task else _SLUG_IN_TICKS.match  # running text names files and branches, too
        slug = find(self.line.body)
        return NeedsInput(
            task_id=task[0] if task else "",
            slug=slug[1].strip() if slug else "",
            stage=stage["stage"].strip(" —-·") if stage else "",
            ask=ask or head,
            unblock=unblock,
            path=path,
            line=self.line.number,
        )


class _Columns(NamedTuple):
    task: int
    slug: int
    verdict: int


def parse_report(data: bytes, path: str) -> Report:
    """The newest run of the report."""
    lines = _newest_run(read_document(data))
    stop = _first_value(lines, _STOP, _STOP_HEADING)
    rows = _rows(lines)
    problems = () if lines else (Problem(path, None, "info", "empty-report", "the report holds no text"),)
    return Report(
        path=path,
        needs_input=_needs_input(lines, path),
        rows=rows,
        verify=_first_value(lines, _VERIFY, None),
        stop_reason="" if _NO_STOP.match(stop) else stop,
        problems=problems,
    )


def _newest_run(lines: list[Line]) -> list[Line]:
    """Lines up to the H1 of the run before: runs are stacked with the newest on top, under a title or without one."""
    titles = [index for index, line in enumerate(lines) if line.level == 1]
    ends = (end for end in titles[1:] if any(line.level > 1 or line.table or line.bullet for line in lines[:end]))
    return lines[: next(ends, len(lines))]


def _needs_input(lines: list[Line], path: str) -> tuple[NeedsInput, ...]:
    named = [index for index, line in enumerate(lines) if line.level and _NEEDS_INPUT.fullmatch(line.bare)]
    section = _before_the_tasks(_section(lines, named[-1])) if named else []
    entries: list[_Entry] = []
    for line in section:
        if line.table or _STOP.match(line.bare) or _VERIFY.match(line.bare):
            continue
        if line.bullet and _TICKED.match(line.text):
            continue
        if not entries or _starts_entry(line, entries[-1]):
            if not _NOTHING.fullmatch(line.bare):
                entries.append(_Entry(line))
        else:
            entries[-1].take(line)
    told = [entry.finished(path) for entry in entries] + _asked_in_tables(section, path)
    return tuple(sorted(told, key=lambda item: item.line))


def _starts_entry(line: Line, entry: _Entry) -> bool:
    if line.fenced or line.indent > entry.line.indent:
        return False
    if _ASK.match(line.bare) or _UNBLOCK.match(line.bare):
        return False
    return line.bullet or bool(line.level) or (line.opens and not entry.line.level)


def _asked_in_tables(section: list[Line], path: str) -> list[NeedsInput]:
    found = []
    for table in tables(section):
        for line in table.rows:
            cells = [bare_text(cell) for cell in split_cells(line.body)]
            task = _TASK_ID.fullmatch(cells[0])
            if task:
                slug, rest = (cells[1], cells[2:]) if len(cells) > 2 else ("", cells[1:])  # noqa: PLR2004 - id, slug, ask
                found.append(
                    NeedsInput(task[0], slug, "", " · ".join(cell for cell in rest if cell), "", path, line.number)
                )
    return found


def _section(lines: list[Line], index: int) -> list[Line]:
    """Lines under the heading at `index`, up to the next heading of its level or above."""
    rest = lines[index + 1 :]
    end = next((at for at, line in enumerate(rest) if 0 < line.level <= lines[index].level), len(rest))
    return rest[:end]


def _before_the_tasks(section: list[Line]) -> list[Line]:
    """The section up to the table of verdicts, which may follow the questions without a heading of its own."""
    for index, line in enumerate(section):
        for table in tables(section[index : index + 2]) if line.table else ():
            asks = any(_ASK_HEAD.match(bare_text(cell)) for cell in table.head)
            if table.head and not asks and _columns(table) is not None:
                return section[:index]
    return section


def _rows(lines: list[Line]) -> tuple[ReportRow, ...]:
    found: list[ReportRow] = []
    columns: _Columns | None = None
    for table in tables(lines):
        columns = _columns(table) if table.head else columns
        if columns is None:
            continue
        for line in table.rows:
            cells = [*split_cells(line.body), *[""] * (max(columns) + 1)]
            task, slug = bare_text(cells[columns.task]), bare_text(cells[columns.slug])
            if task and slug:
                found.append(ReportRow(task, slug, bare_text(cells[columns.verdict]), line.number))
    return tuple(found)


def _columns(table: Table) -> _Columns | None:
    heads = [bare_text(cell) for cell in table.head]
    places = [
        next((at for at, head in enumerate(heads) if pattern.fullmatch(head)), None)
        for pattern in (_ID_HEAD, _SLUG_HEAD, _VERDICT_HEAD)
    ]
    task, slug, verdict = places
    return None if task is None or slug is None or verdict is None else _Columns(task, slug, verdict)


def _first_value(lines: list[Line], field: re.Pattern[str], heading: re.Pattern[str] | None) -> str:
    """The value of the first such field, or what stands below the first such heading; empty when there is neither."""
    for index, line in enumerate(lines):
        if not line.prose:
            continue
        if match := field.match(line.bare):
            return match["value"].strip()
        if heading and line.level and heading.fullmatch(line.bare):
            return next((other.bare for other in lines[index + 1 :]), "")
    return ""
