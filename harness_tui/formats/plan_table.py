"""Finds the task table of a plan and walks its rows (formats/harness-kit 2.1, P3 to P6).

Blank lines do not end the table, text does; a row after text still counts while no heading comes between. Rows of other
tables, of lists, fences and comments never count.
"""

from __future__ import annotations

import re

from harness_tui.formats.depends import resolve_depends
from harness_tui.formats.plan_row import EXPECTED, ID_LIKE, RowReader, undecorated
from harness_tui.formats.status import KNOWN
from harness_tui.formats.table import Blocks, header_names, is_row, is_separator, split_cells
from harness_tui.formats.text import clean, counted
from harness_tui.model.frozen import field, frozen, record
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, Literal

    from harness_tui.model.pool import PlanRow
    from harness_tui.model.problem import Severity

    _State = Literal["rows", "text", "other"]

HEADING = regex(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$", re.DOTALL)
_NAMES: Final = {"id": 0, "slug": 1, "mode": 3, "status": 5, "dependencies": 4}
_NEEDED: Final = (0, 1, 2, 5)
_ENOUGH: Final = 4
_STRAY: Final = "looks like a row but stands outside the task table, so it is no task"
_LIST_ITEM = regex(r"\s*(?:[-*+>]|\d{1,3}[.)])(?:\s|$)")


@frozen
class Head:
    """The header of the task table: its index among the lines, its columns and where each `EXPECTED` one stands."""

    at: int
    names: tuple[str, ...]
    places: tuple[int | None, ...]


@record
class Table:
    """What the walk found. `plain` says that no row depends on others or on text around it, see `formats.pool`.

    `separator` is the number of the line below the header, from 1.
    """

    rows: list[PlanRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    reader: RowReader | None = None
    plain: bool = False
    separator: int = 0


def read_table(lines: Sequence[str], path: str, *, printable: bool = False) -> Table:
    """The task table among `lines`; without one, `reader` is None and a problem says why."""
    head, why = _find_head(lines, path)
    if head is None:
        return Table(problems=[why] if why else [])
    walk = _Walk(lines, head, RowReader(path, head.places, len(head.names), printable=printable))
    walk.run()
    plain = walk.resolve() and not walk.after_text
    problems = _head_problems(path, head) + walk.reader.problems
    return Table(walk.rows, problems, walk.reader, plain, head.at + 2)


def _places(names: tuple[str, ...]) -> tuple[int | None, ...]:
    """Where each `EXPECTED` column stands; None for one that is missing, or doubled: nobody knows which counts then."""
    columns = [_column(name) for name in names]
    return tuple(columns.index(column) if columns.count(column) == 1 else None for column in range(len(EXPECTED)))


def _column(name: str) -> int | None:
    if name.startswith("goal"):
        return 2
    return 4 if name.startswith("depends") else _NAMES.get(name)


def _is_whole(places: tuple[int | None, ...]) -> bool:
    return all(places[column] is not None for column in _NEEDED)


def _is_likely(places: tuple[int | None, ...]) -> bool:
    known = [place for place in places if place is not None]
    return places[0] is not None and places[1] is not None and len(known) >= _ENOUGH


def _find_head(lines: Sequence[str], path: str) -> tuple[Head | None, Problem | None]:
    """The first header with all needed columns, else the first that comes near, else why there is none."""
    blocks = Blocks()
    likely: Head | None = None
    hint: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        hidden = blocks.hides(line, index + 1)
        if "|" not in line:
            continue
        names = header_names(line)
        places = _places(names)
        if not _is_likely(places):
            continue
        if hidden:
            hint = hint or (index + 1, "its header stands inside a code block or comment")
        elif index + 1 == len(lines) or not is_separator(lines[index + 1]):
            hint = (index + 1, "its header is not followed by a separator line such as |---|---|")
        elif _is_whole(places):
            return Head(index, names, places), None
        else:
            likely = likely or Head(index, names, places)
    return likely, None if likely else _no_table(path, lines, hint)


def _no_table(path: str, lines: Sequence[str], hint: tuple[int, str] | None) -> Problem:
    if not lines:
        line, why = None, "the file is empty"
    elif not any(line.strip() for line in lines):
        line, why = None, "the file holds only blank lines"
    elif hint is not None:
        line, why = hint
    else:
        line, why = None, f"no table has the columns {', '.join(EXPECTED)}"
    return Problem(path, line, "error", "no-task-table", f"no task table: {why}")


def _head_problems(path: str, head: Head) -> list[Problem]:
    line = head.at + 1
    missing = [name for name, place in zip(EXPECTED, head.places, strict=True) if place is None]
    columns = [_column(name) for name in head.names]
    doubled = [name for column, name in enumerate(EXPECTED) if columns.count(column) > 1]
    missing = [name for name in missing if name not in doubled]
    extra = [clean(name) for name, column in zip(head.names, columns, strict=True) if column is None]
    problems: list[Problem] = []
    if doubled:
        text = f"the task table has more than one column {', '.join(doubled)}, so none of them is read; keep one"
        problems.append(Problem(path, line, "error", "doubled-column", text))
    if missing:
        text = f"the task table has no column {', '.join(missing)}; add it: the head is {' | '.join(EXPECTED)}"
        problems.append(Problem(path, line, "error", "missing-column", text))
    if extra:
        text = f"columns that are not read: {', '.join(extra)[:200]}"
        problems.append(Problem(path, line, "info", "unknown-column", text))
    return problems


class _Walk:
    """Walks the lines below the header. `state` says what a pipe line would belong to now."""

    def __init__(self, lines: Sequence[str], head: Head, reader: RowReader) -> None:
        self.lines = lines
        self.reader = reader
        self.rows: list[PlanRow] = []
        self.after_text = False
        self._start = head.at + 2
        self._state: _State = "rows"
        self._section = True
        self._blocks = Blocks()
        self._hidden: list[int] = []

    def run(self) -> None:
        lines = self.lines
        index = self._start
        while index < len(lines):
            if self._state == "rows":
                index = self.reader.read_sound(lines, index, self.rows)
                if index == len(lines):
                    break
            line = lines[index]
            if self._state == "rows" and line[:1] == "|" and not is_separator(line):
                self.rows.append(self.reader.read(index + 1, line))
            elif line.strip():
                self._line(index, line)
            index += 1
        lost = [number for number in self._hidden if number > self._blocks.opened] if self._blocks.open else []
        if lost:
            rows = counted(len(lost), "line that looks like a row", "lines that look like rows")
            text = f"a code block or comment begins here and never ends: it hides {rows}; end it, or take it out"
            self._report(self._blocks.opened, "error", "endless-block", text)

    def resolve(self) -> bool:
        """Look again at rows whose dependencies need all ids; whether there were none."""
        late = set(self.reader.late)
        if not late:
            return True
        known = frozenset(row.id for row in self.rows)
        numbers = any(name.isdecimal() for name in known)
        for place, row in enumerate(self.rows):
            if row.line in late:
                ids, prose, _ = resolve_depends(row.depends_text, known, numbers=numbers)
                self.rows[place] = row._replace(depends_on=ids)
                if prose:
                    text = f"words in Depends on that are no id and are not checked: {' '.join(prose)[:120]}"
                    self._report(row.line, "info", "depends-prose", text)
        return False

    def _line(self, index: int, line: str) -> None:
        if self._blocks.hides(line, index + 1):
            self._state = "text"
            if is_row(line):
                self._hidden.append(index + 1)
        elif HEADING.match(line):
            self._state, self._section = "text", False
        elif is_separator(line):
            self._separator(index)
        elif "|" in line and index + 1 < len(self.lines) and is_separator(self.lines[index + 1]):
            self._other_head(index, line)
        elif is_row(line):
            self._row(index, line)
        elif self._state == "rows" and self._is_bare_row(line):
            self.rows.append(self.reader.read(index + 1, line))
        else:
            if self._state == "rows" and self._is_marred(line):
                self._report(index + 1, "warning", "stray-row", _STRAY)
            self._state = "text"

    def _row(self, index: int, line: str) -> None:
        if self._state == "other":
            return
        if self._state == "rows":
            self.rows.append(self.reader.read(index + 1, line))
            return
        cells = split_cells(clean(line), self.reader.width)
        name = self._id(cells)
        if not ID_LIKE.fullmatch(name) or not any(char.isdigit() for char in name):
            return
        if self._section and len(cells) == self.reader.width:
            self.after_text = True
            self.rows.append(self.reader.read(index + 1, line))
            self._report(index + 1, "info", "row-after-text", "this row is cut off from its table by text between them")
        else:
            self._report(index + 1, "warning", "stray-row", _STRAY)

    def _is_marred(self, line: str) -> bool:
        """Whether a line among rows has the pipes of one, or ends as one does, and something before them."""
        if line.count("|") < self.reader.width - 1 or line[:1].isspace() or _LIST_ITEM.match(line):
            return False
        cells = split_cells(clean(line))
        return line.rstrip().endswith("|") or any(cell.strip() in KNOWN for cell in cells)

    def _is_bare_row(self, line: str) -> bool:
        if "|" not in line or line.startswith(("\t", "    ")) or _LIST_ITEM.match(line):
            return False
        cells = split_cells(clean(line), self.reader.width)
        return len(cells) == self.reader.width and ID_LIKE.fullmatch(self._id(cells)) is not None

    def _id(self, cells: list[str]) -> str:
        place = self.reader.places[0]
        return undecorated(cells[place])[0] if place < len(cells) else ""

    def _separator(self, index: int) -> None:
        """A separator among rows: the line above was the header of another table, unless it is a sound row itself."""
        if not self.rows or self.rows[-1].line != index or self._state != "rows":
            return
        above = self.rows[-1]
        if not above.malformed and above.status != "unknown" and ID_LIKE.fullmatch(above.id):
            return
        self.rows.pop()
        self.reader.problems = [problem for problem in self.reader.problems if problem.line != above.line]
        self.reader.late = [line for line in self.reader.late if line != above.line]
        self._state = "other"

    def _other_head(self, index: int, line: str) -> None:
        if _is_whole(_places(header_names(line))):
            text = "a second table with the columns of the task table; its rows are not read"
            self._report(index + 1, "warning", "second-table", text)
        self._state = "other"

    def _report(self, line: int, severity: Severity, code: str, message: str) -> None:
        self.reader.problems.append(Problem(self.reader.path, line, severity, code, message))
