"""The repository's task board, `docs/tasks.md` (formats/harness-kit 1.10, 2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_tui.model.frozen import field, frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.pool import Status
    from harness_tui.model.problem import Problem


class BoardRow(NamedTuple):
    """One row of the board: `says` is the status that its stage or outcome means, `text` the cell as written."""

    id: str
    slug: str
    says: Status
    text: str
    line: int
    active: bool


@frozen
class Board:
    """All rows of one board file, in file order."""

    path: str
    rows: tuple[BoardRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    index: Mapping[str, tuple[BoardRow, ...]] = field(default_factory=dict, compare=False, repr=False)

    def by_slug(self, slug: str) -> tuple[BoardRow, ...]:
        """The rows of `slug`, in file order."""
        return self.index.get(slug, ())

    @classmethod
    def of(cls, path: str, rows: tuple[BoardRow, ...], problems: tuple[Problem, ...] = ()) -> Board:
        """A board that finds its rows by slug without a search."""
        index: dict[str, tuple[BoardRow, ...]] = {}
        for row in rows:
            index[row.slug] = (*index.get(row.slug, ()), row)
        return cls(path, rows, problems, index)
