"""One row of a plan's task table: from the cells of a line to a `PlanRow` and its problems."""

from __future__ import annotations

from operator import itemgetter

from harness_tui.formats.depends import PLAIN, read_depends
from harness_tui.formats.status import KNOWN, read_status
from harness_tui.formats.table import split_cells
from harness_tui.formats.text import clean, has_hidden
from harness_tui.model.pool import STATUSES, PlanRow
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from harness_tui.model.pool import Status
    from harness_tui.model.problem import Severity

EXPECTED: Final = ("ID", "Slug", "Goal", "Mode", "Depends on", "Status")
"""Columns of a plan, in their usual order."""
MODES: Final = frozenset({"full", "plan", "goal", "explore", ""})
"""Known modes; an empty one means full."""
ID_LIKE = regex(r"[^\W_][\w-]*")
"""A text that may be an id: letters, digits, `-` and `_`."""
LONG_SLUG: Final = 40
LONGEST_SLUG: Final = 80
LINE_LIMIT: Final = 1024 * 1024
"""Characters of a line that are looked at."""
_SLUG = regex(r"[A-Za-z0-9]++(?:[-_.][A-Za-z0-9]++)*+")
_DECORATED = regex(r"\[([^\[\]]{1,200})\]\([^()\s]{0,500}\)|(~~|[*_`]{1,3})(\S.{0,200}?)\2")
_MARKS: Final = frozenset("*_`~[")
_SHOWN: Final = 60
_NO_ID: Final = frozenset({"", "—", "–", "-"})
_ID, _SLUG_PLACE, _GOAL = 0, 1, 2


def is_sound_slug(slug: str) -> bool:
    """Whether `slug` may name a feature folder."""
    return len(slug) <= LONGEST_SLUG and _SLUG.fullmatch(slug) is not None


def undecorated(cell: str) -> tuple[str, bool]:
    """What stands in `cell` inside of emphasis, code or a link, and whether it is struck out."""
    struck = False
    while match := _DECORATED.fullmatch(cell):
        struck = struck or match[2] == "~~"
        cell = (match[1] or match[3]).strip()
    return cell, struck


class RowReader:
    """Reads rows of one table. `places` holds the column of each `EXPECTED` name (None: missing), `width` their count.

    `printable` says that no line of the file holds a character to clean, so that none need be searched for one.
    """

    def __init__(self, path: str, places: Sequence[int | None], width: int, *, printable: bool = False) -> None:
        self.path = path
        self.width = width
        self.places = tuple(width if place is None else place for place in places)
        self.problems: list[Problem] = []
        self.late: list[int] = []
        self.printable = printable
        self.standard = self.places == (0, 1, 2, 3, 4, 5) and width == len(EXPECTED)
        self._pick = itemgetter(*self.places)

    def read_sound(self, lines: Sequence[str], index: int, rows: list[PlanRow]) -> int:
        """Append rows from `lines[index]` on while they are written just as the norm says; the index where they end.

        A short cut for nine rows of ten: `read` gives the same rows. Each step here is paid for ten thousand times.
        """
        if not (self.standard and self.printable):
            return index
        slug_is_sound, plain_depends, new, add = _SLUG.fullmatch, PLAIN.fullmatch, tuple.__new__, rows.append
        for place in range(index, len(lines)):
            line = lines[place]
            cells = line.split("|")
            if len(cells) != 8 or cells[0] or cells[7] or "\\" in line:  # noqa: PLR2004 - six cells and two ends
                return place
            _, name, slug, goal, mode, depends, status, _ = cells
            name, slug, mode = name.strip(), slug.strip(), mode.strip()
            depends, status = depends.strip(), status.strip()
            if (
                name in _NO_ID
                or name[0] in _MARKS
                or status not in KNOWN
                or mode not in MODES
                or len(slug) > LONG_SLUG
                or not slug_is_sound(slug)
            ):
                return place
            if depends == "—":
                ids: tuple[str, ...] = ()
            elif plain_depends(depends):
                ids = (depends,) if "," not in depends else tuple(dict.fromkeys(depends.split(", ")))
            else:
                return place
            add(new(PlanRow, (name, slug, goal.strip(), mode, ids, depends, status, status, place + 1, False)))
        return len(lines)

    def read(self, number: int, line: str) -> PlanRow:
        """The row on line `number`; what is odd about it goes to `problems`, a row that needs all ids to `late`."""
        if not (self.printable or line.isprintable()) or len(line) > LINE_LIMIT:
            line = self._cleaned(number, line)
        cells = split_cells(line, self.width)
        if len(cells) != self.width:
            return self._malformed(number, cells)
        cells.append("")
        name, slug, goal, mode, depends, status = self._pick(cells)
        said, exact = read_status(status)
        ids, _, late = read_depends(depends)
        if name[:1] in _MARKS or slug[:1] in _MARKS:
            name, slug, said = self._plain(number, name, slug, said)
        if name in _NO_ID:
            self._report(number, "error", "no-id", "this row has no id, so nothing can name it: give it one")
        if not exact or late or mode not in MODES or len(slug) > LONG_SLUG or not _SLUG.fullmatch(slug):
            self._look_closer(number, slug, mode, status)
            if late:
                self.late.append(number)
        return PlanRow(name, slug, goal, mode, ids, depends, said, status, number)

    def _plain(self, number: int, name: str, slug: str, said: Status) -> tuple[str, str, Status]:
        """Id and slug without what only decorates them; a struck-out row is open only if it says that it is skipped."""
        (bare_name, no_name), (bare_slug, no_slug) = undecorated(name), undecorated(slug)
        if (no_name or no_slug) and said != "skipped":
            text = f"this row is struck out, but its status is {said}: it is not taken for that; write skipped"
            self._report(number, "warning", "struck-out", text)
            said = "unknown"
        return (
            bare_name if ID_LIKE.fullmatch(bare_name) else name,
            bare_slug if _SLUG.fullmatch(bare_slug) else slug,
            said,
        )

    def _cleaned(self, number: int, line: str) -> str:
        if len(line) > LINE_LIMIT:
            self._report(number, "error", "long-line", f"a line of {len(line)} characters; only {LINE_LIMIT} are read")
            line = line[:LINE_LIMIT]
        if has_hidden(line):
            self._report(
                number, "warning", "hidden-characters", "control or hidden characters in this row are shown as marks"
            )
        return clean(line)

    def _malformed(self, number: int, cells: list[str]) -> PlanRow:
        text = f"{len(cells)} cells where the header has {self.width}; write a pipe inside a cell as \\|"
        self._report(number, "error", "cell-count", text)
        name, slug = (self._trusted(cells, place) for place in (_ID, _SLUG_PLACE))
        return PlanRow(name, slug, "", "", (), "", "unknown", "", number, malformed=True)

    def _trusted(self, cells: list[str], column: int) -> str:
        """A cell that a surplus or missing pipe in the goal has not shifted."""
        place = self.places[column]
        if place >= self.width:
            return ""
        if place < self.places[_GOAL]:
            return cells[place] if place < len(cells) else ""
        return cells[place - self.width] if len(cells) > self.width else ""

    def _look_closer(self, number: int, slug: str, mode: str, status: str) -> None:
        said, exact = read_status(status)
        shown = status if len(status) <= _SHOWN else status[:_SHOWN] + "…"
        if said == "unknown":
            known = ", ".join(word for word in STATUSES if word != "unknown")
            text = f"status is {shown!r}, which is no known word" if status else "status is empty"
            text += f"; write one of {known}"
            self._report(number, "warning", "unknown-status", text)
        elif not exact:
            self._report(number, "info", "status-spelling", f"status {shown!r} is read as {said}")
        if mode not in MODES:
            self._report(number, "info", "unknown-mode", f"mode {mode[:_SHOWN]!r} is none of full, plan, goal, explore")
        if len(slug) > LONGEST_SLUG or not _SLUG.fullmatch(slug):
            text = f"invalid slug {slug[:_SHOWN]!r}: use letters and digits with single dashes, at most {LONGEST_SLUG}"
            self._report(number, "error", "invalid-slug", text)
        elif len(slug) > LONG_SLUG:
            self._report(
                number, "info", "long-slug", f"slug has {len(slug)} characters; the board's rule is {LONG_SLUG}"
            )

    def _report(self, number: int, severity: Severity, code: str, message: str) -> None:
        self.problems.append(Problem(self.path, number, severity, code, message))
