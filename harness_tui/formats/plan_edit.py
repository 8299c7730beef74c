"""Changes of a plan that touch one cell, or add one line, and keep every other byte (formats/harness-kit 1.1).

Bytes in, bytes out. Each change is checked by reading the result: when anything else would be read differently than
before, it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.pool import PlanParser
from harness_tui.formats.status import find_word, read_status
from harness_tui.formats.table import cell_spans
from harness_tui.formats.text import clean
from harness_tui.model.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.pool import Plan, Status

_BOM: Final = b"\xef\xbb\xbf"
_STATUS: Final = 5
_EMPTY: Final = "—"


class NewRow(NamedTuple):
    """Cells of a row that is added: `pending`, mode `full`, no dependency (CONTRACT rule 4)."""

    id: str
    slug: str
    goal: str


def set_statuses(data: bytes, parser: PlanParser, wanted: Mapping[int, Status]) -> bytes:
    """`data` with the status word of the rows on these lines replaced; a remark behind the word stays.

    `parser` must have parsed just these bytes. Raises `Refused` for a line whose cell can't be changed alone.
    """
    if not wanted:
        return data
    shape = parser.shape
    if shape is None or shape.places[_STATUS] >= shape.width:
        raise Refused("no-status-column", parser.path, "the task table has no column for the status")
    lines = data.split(b"\n")
    for number, status in wanted.items():
        lines[number - 1] = _with_status(lines[number - 1], shape.width, shape.places[_STATUS], status, number)
    new = b"\n".join(lines)
    _check_statuses(parser, data, new, wanted)
    return new


def add_row(data: bytes, parser: PlanParser, row: NewRow) -> bytes:
    """`data` with `row` on a line of its own behind the last row of the task table. Raises `Refused`.

    `parser` must have parsed just these bytes. The new line ends as the lines around it do.
    """
    plan, shape = parser.parse(data), parser.shape
    if shape is None:
        raise Refused("no-task-table", parser.path, "the plan has no task table, so a row has no place")
    lines = data.split(b"\n")
    at = max((item.line for item in plan.rows), default=shape.separator)
    end = b"\r" if _crlf(lines, at) else b""
    text = _row_text(shape.places, shape.width, row).encode()
    if at == len(lines):  # that line has no end
        lines[-1] += end
        lines += [text + end, b""]
    else:
        lines.insert(at, text + end)
    new = b"\n".join(lines)
    _check_added(plan, PlanParser(parser.path).parse(new), row)
    return new


def cell_text(text: str) -> str:
    """`text` as it can stand in one cell: one line, pipes escaped, nothing that hides."""
    return clean(" ".join(text.split())).replace("|", "\\|")


def _with_status(line: bytes, width: int, place: int, status: Status, number: int) -> bytes:
    mark = _BOM if number == 1 and line.startswith(_BOM) else b""
    text = line[len(mark) :].decode("utf-8", "surrogateescape")
    spans = cell_spans(text, width)
    if len(spans) != width:
        raise Refused("cell-count", f"line {number}", "this row has the wrong number of cells")
    start, end = spans[place]
    cell = _cell(text[start:end], status)
    if start == end:  # an empty cell has no width of its own: `| |` becomes `| done |`, `||` becomes `|done|`
        room = text[_left(text, start) : _right(text, end)]
        if room:
            text = f"{text[: _left(text, start)]} {cell} {text[_right(text, end) :]}"
            return mark + text.encode("utf-8", "surrogateescape")
    return mark + f"{text[:start]}{cell}{text[end:]}".encode("utf-8", "surrogateescape")


def _left(text: str, at: int) -> int:
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at


def _right(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _cell(old: str, status: Status) -> str:
    """The cell with its word replaced, as long as that is read as the new status; else the bare word."""
    found = find_word(old)
    if found is not None:
        new = old[: found[0]] + status + old[found[1] :]
        if read_status(clean(new)).status == status:
            return new
    return status


def _crlf(lines: list[bytes], at: int) -> bool:
    """Whether a line behind line `at` ends in CRLF: as that line does; as most do when it has no end."""
    if at < len(lines):
        return lines[at - 1].endswith(b"\r")
    ends = lines[:-1]
    return 2 * sum(line.endswith(b"\r") for line in ends) > len(ends)


def _row_text(places: tuple[int, ...], width: int, row: NewRow) -> str:
    cells = [""] * width
    values = (row.id, row.slug, cell_text(row.goal), "full", _EMPTY, "pending")
    for place, value in zip(places, values, strict=True):
        if place < width:
            cells[place] = value
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def _check_statuses(parser: PlanParser, old: bytes, new: bytes, wanted: Mapping[int, Status]) -> None:
    before, after = parser.parse(old).rows, parser.parse(new).rows
    if len(before) != len(after):
        raise Refused("ambiguous", parser.path, "other rows of the plan would be read differently")
    for row, now in zip(before, after, strict=True):
        if now is row:
            continue
        status = wanted.get(row.line)
        if now != (row if status is None else row._replace(status=status, status_text=now.status_text)):
            raise Refused("ambiguous", f"{parser.path}:{row.line}", "the row would be read differently")
        if status is not None and now.status != status:
            raise Refused("ambiguous", f"{parser.path}:{row.line}", f"its status would not be read as {status}")


def _check_added(before: Plan, after: Plan, row: NewRow) -> None:
    new = [item for item in after.rows if item.id == row.id and item.slug == row.slug]
    rest = [item for item in after.rows if item not in new]
    if (
        len(new) != 1
        or new[0].malformed
        or (new[0].status, new[0].goal) != ("pending", clean(" ".join(row.goal.split())))
    ):
        raise Refused("ambiguous", row.slug, "the row would not be read back as it is written")
    if rest != list(before.rows):
        raise Refused("ambiguous", row.slug, "other rows of the plan would be read differently")
