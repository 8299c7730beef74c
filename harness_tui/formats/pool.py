"""`BATCH_PLAN.md`: the pool of tasks (formats/harness-kit 1.1, 2.1).

The parser is our own and not that of Markdown: rows keep their line numbers, a wrong number of cells is flagged and
never shifted, and after a change only lines that differ are read again.
"""

from __future__ import annotations

from bisect import bisect_left

from harness_tui.formats.conflict import merge_conflict
from harness_tui.formats.plan_row import EXPECTED, LINE_LIMIT
from harness_tui.formats.plan_table import Table, read_table
from harness_tui.formats.plan_text import PlanText
from harness_tui.formats.table import is_separator
from harness_tui.formats.text import counted
from harness_tui.model.frozen import frozen
from harness_tui.model.pool import Plan
from harness_tui.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from harness_tui.model.pool import Note, PlanRow

__all__ = ["EXPECTED", "PlanParser", "parse_plan"]

_BOM: Final = b"\xef\xbb\xbf"
_PLAIN: Final = bytes([*range(0x20, 0x7F), 0x0A])


def parse_plan(data: bytes, path: str) -> Plan:
    """The plan in `data`; `path` is only named in problems."""
    return PlanParser(path).parse(data)


@frozen
class Shape:
    """Where the cells of the task table stand: the column of each `EXPECTED` name (`width`: missing), their count.

    `separator` is the line below the header, counted from 1.
    """

    places: tuple[int, ...]
    width: int
    separator: int


class PlanParser:
    """Parses one plan again and again, with the result of a fresh parse; rows that did not change stay the same."""

    def __init__(self, path: str) -> None:
        self.path = self._path = path
        self._data = b""
        self._plan: Plan | None = None
        self._table = Table()

    @property
    def shape(self) -> Shape | None:
        """The task table of the plan that was parsed last; None when it has none."""
        reader = self._table.reader
        return None if reader is None else Shape(reader.places, reader.width, self._table.separator)

    def parse(self, data: bytes) -> Plan:
        """The plan in `data`; the same object as the last time for the same bytes."""
        old = self._plan
        if old is not None and data == self._data:
            return old
        patched = self._patched(old, data) if old is not None and self._table.plain else None
        plan = patched or self._fresh(data, old)
        self._plan, self._data = plan, data
        return plan

    def _fresh(self, data: bytes, old: Plan | None) -> Plan:
        text, foreign = _decoded(data)
        lines = _lines(text)
        printable = not foreign and _is_printable(data) and max(map(len, lines), default=0) <= LINE_LIMIT
        self._table = table = read_table(lines, self._path, printable=printable)
        if table.reader is not None:
            table.reader.printable = False
        if b"\r" in data:
            table.plain = False
        rows: Iterable[PlanRow] = table.rows
        if old is not None:
            known = {row.line: row for row in old.rows}
            rows = (same if (same := known.get(row.line)) == row and same is not None else row for row in rows)
        around = PlanText(lines)
        problems = _file_problems(data, self._path, foreign) + table.problems
        problems.sort(key=lambda problem: problem.line or 0)
        return Plan(
            path=self._path,
            title=around.title,
            rows=tuple(rows),
            notes=tuple(around.notes),
            fields=tuple(around.fields),
            table=table.reader is not None,
            problems=tuple(problems),
        )

    def _patched(self, old: Plan, data: bytes) -> Plan | None:
        """The plan when only sound rows in the middle of a plain table changed, else None.

        Such rows change nothing for the lines around them: each starts with a pipe and neither it nor the line after it
        is a separator.
        """
        reader = self._table.reader
        change = _change(self._data, data)
        rows = old.rows
        first, last = (
            bisect_left(rows, line, key=_line_of) for line in (change.first, change.first + len(change.before))
        )
        if reader is None or not change.before or last - first != len(change.before) or is_separator(change.below):
            return None
        if any(line[:1] != "|" or is_separator(line) for line in change.after):
            return None
        reader.problems, reader.late = [], []
        fresh = [reader.read(change.first + index, line) for index, line in enumerate(change.after)]
        if reader.late:
            return None
        known = {row.line: row for row in rows[first:last]}
        fresh = [known[row.line] if known.get(row.line) == row else row for row in fresh]
        below = change.first + len(change.before)
        shift = len(change.after) - len(change.before)
        above = [problem for problem in old.problems if (problem.line or 0) < change.first]
        under = [_moved(problem, shift) for problem in old.problems if (problem.line or 0) >= below]
        return Plan(
            path=self._path,
            title=old.title,
            rows=(*rows[:first], *fresh, *_shifted(rows[last:], shift)),
            notes=_shifted_notes(old.notes, below, shift),
            fields=old.fields,
            table=True,
            problems=(*above, *reader.problems, *under),
        )


@frozen
class _Change:
    """Lines that differ: number of the first, old and new ones, and the line that follows both."""

    first: int
    before: list[str]
    after: list[str]
    below: str


def _change(old: bytes, new: bytes) -> _Change:
    """What differs between two texts, in whole lines; empty lists when it is no plain change of lines."""
    head = old.rfind(b"\n", 0, _common_head(old, new)) + 1
    tail = _common_tail(old, new, min(len(old), len(new)) - head)
    old_end, new_end = len(old) - tail, len(new) - tail
    if tail and not (old[:old_end].endswith(b"\n") and new[:new_end].endswith(b"\n")):
        step = old.find(b"\n", old_end) + 1 - old_end
        old_end, new_end = (len(old), len(new)) if step <= 0 else (old_end + step, new_end + step)
    if head == old_end and head:
        head = old.rfind(b"\n", 0, head - 1) + 1
    middle, changed = old[head:old_end], new[head:new_end]
    below = old[old_end : old.find(b"\n", old_end) if b"\n" in old[old_end:] else len(old)]
    first = old.count(b"\n", 0, head) + 1
    try:
        texts = [part.decode() for part in (middle, changed, below)]
    except UnicodeDecodeError:
        return _Change(first, [], [], "")
    if any("\0" in text or "\r" in text for text in texts):
        return _Change(first, [], [], "")
    return _Change(first, _text_lines(texts[0]), _text_lines(texts[1]), texts[2])


def _common_head(old: bytes, new: bytes) -> int:
    """How many bytes both begin with, by halves: comparing slices is quicker than any loop."""
    low, high = 0, min(len(old), len(new))
    if old[:high] == new[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _common_tail(old: bytes, new: bytes, most: int) -> int:
    """How many bytes both end with, at most `most`."""
    low, high = 0, most
    if high == 0 or old[-high:] == new[-high:]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle
    return low


def _line_of(row: PlanRow) -> int:
    return row.line


def _shifted(rows: tuple[PlanRow, ...], shift: int) -> Iterable[PlanRow]:
    if not shift:
        return rows
    return (row._replace(line=row.line + shift) for row in rows)


def _shifted_notes(notes: tuple[Note, ...], below: int, shift: int) -> tuple[Note, ...]:
    if not shift:
        return notes
    return tuple(note._replace(line=note.line + shift) if note.line >= below else note for note in notes)


def _moved(problem: Problem, shift: int) -> Problem:
    if not shift or problem.line is None:
        return problem
    return Problem(problem.path, problem.line + shift, problem.severity, problem.code, problem.message)


def _decoded(data: bytes) -> tuple[str, int]:
    """The text of `data`, not cleaned, and the number of its first line that is not UTF-8 (0: all is)."""
    data = data.removeprefix(_BOM)
    try:
        return data.decode(), 0
    except UnicodeDecodeError as error:
        return data.decode("utf-8", "surrogateescape"), data.count(b"\n", 0, error.start) + 1


def _lines(text: str) -> list[str]:
    """Lines of `text`. Only LF ends a line, one CR before it belongs to the end."""
    lines = _text_lines(text)
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def _text_lines(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _is_printable(data: bytes) -> bool:
    """Whether no line of `data`, which is UTF-8, needs cleaning. ASCII is taken out first, as most of a plan is."""
    return data.translate(None, _PLAIN).decode().isprintable()


def _file_problems(data: bytes, path: str, foreign: int) -> list[Problem]:
    """What is odd about the file as a whole: its encoding, bytes and line ends."""
    problems: list[Problem] = []
    if data.startswith(_BOM):
        problems.append(Problem(path, 1, "info", "bom", "starts with a byte-order mark, which is left out"))
    nuls = data.count(b"\0")
    if nuls:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        problems.append(Problem(path, line, "warning", "nul-bytes", f"{counted(nuls, 'NUL byte')}, shown as marks"))
    if foreign:
        problems.append(Problem(path, foreign, "warning", "invalid-utf8", "not UTF-8: the bytes are shown as marks"))
    conflict = merge_conflict(data, path)
    if conflict is not None:
        problems.append(conflict)
    carriage = data.count(b"\r\n") if b"\r" in data else 0
    if carriage and carriage != data.count(b"\n"):
        text = f"CRLF ends {counted(carriage, 'line')}, LF the others"
        problems.append(Problem(path, None, "info", "mixed-line-ends", text))
    return problems
