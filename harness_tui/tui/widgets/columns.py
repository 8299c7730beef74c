"""Columns of a table, and what they make of the width that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.tui.text import Align

GAP = 1
"""Blank cells between two columns."""


@frozen
class Column:
    """One column. Widths are in cells.

    `width` None takes what the others leave, shared among such columns by `weight`, never less than `min_width`.
    Where not even that fits, the columns of the lowest `priority` are left out first, the rightmost of equals.
    `sortable` says whether a click on its label means anything.
    """

    key: str
    label: str
    width: int | None = None
    min_width: int = 4
    align: Align = "left"
    priority: int = 0
    sortable: bool = True
    weight: int = 1

    @property
    def least(self) -> int:
        """The cells without which the column is not shown."""
        return self.min_width if self.width is None else self.width


class Place(NamedTuple):
    """Where a column stands: its number among all columns, its first cell and its width."""

    column: int
    x: int
    width: int


def place(columns: Sequence[Column], room: int) -> tuple[Place, ...]:
    """The columns that fit into `room` cells, from left to right; at least one while there is any room."""
    shown = list(range(len(columns)))
    while len(shown) > 1 and _least(columns, shown) > room:
        shown.remove(min(shown, key=lambda index: (columns[index].priority, -index)))
    if not shown or room <= 0:
        return ()
    widths = _widths([columns[index] for index in shown], room - GAP * (len(shown) - 1))
    places, x = [], 0
    for index, width in zip(shown, widths, strict=True):
        places.append(Place(index, x, width))
        x += width + GAP
    return tuple(places)


def _least(columns: Sequence[Column], shown: list[int]) -> int:
    return sum(columns[index].least for index in shown) + GAP * (len(shown) - 1)


def _widths(columns: list[Column], room: int) -> list[int]:
    spare = room - sum(column.least for column in columns)
    widths = [column.least for column in columns]
    flexible = [index for index, column in enumerate(columns) if column.width is None]
    weight = sum(columns[index].weight for index in flexible)
    if spare < 0:  # a single column that is wider than the room
        widths[0] += spare
    for index in flexible if spare > 0 else ():
        share = spare * columns[index].weight // weight
        widths[index] += share
        spare, weight = spare - share, weight - columns[index].weight
    return widths
