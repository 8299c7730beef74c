"""The pool file as the played stream writes it: one cell, one row or one note at a time, all other bytes kept."""

from __future__ import annotations

import re
from typing import NamedTuple

_ID = re.compile(r"T-(\d+)$")
_CELLS = 6
EMPTY = "—"
"""What stands in a cell that has no value."""


class Row(NamedTuple):
    """One row of the task table, its cells as they stand."""

    id: str
    slug: str
    goal: str
    mode: str
    depends: str
    status: str

    def needs(self) -> tuple[str, ...]:
        """Ids that the row depends on."""
        return tuple(name.strip() for name in self.depends.split(",") if name.strip() not in {"", EMPTY})

    def line(self) -> str:
        """The row as a line of the table, without its end."""
        return f"| {' | '.join(self)} |"


def render(pool: str, created: str, rows: tuple[Row, ...], notes: tuple[str, ...]) -> str:
    """A whole `BATCH_PLAN.md` (formats/harness-kit 1.1)."""
    table = "\n".join(row.line() for row in rows)
    return (
        f"# Batch Plan — {pool}\n\n> Created: {created}\n> Default mode: full\n> Stop policy: strong-signal-only\n\n"
        "## Tasks\n\n| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
        f"{table}\n\n## Notes (optional)\n\n{''.join(f'- {note}{chr(10)}' for note in notes)}\n"
        "## Column reference\n\n"
        "- **ID**: local to this pool. **Slug**: names the folder in `docs/features/`. **Goal**: one sentence.\n"
        "- **Mode**: `full`, `plan` or `goal`. **Depends on**: ids of this pool, or a dash.\n"
        "- **Status**: `pending`, `in-progress`, `done`, `failed`, `blocked`, `needs-human` or `skipped`.\n"
    )


def rows(text: str) -> list[Row]:
    """The rows of the task table, in file order; lines that are no row are passed over."""
    found = (_row(line) for line in text.split("\n"))
    return [row for row in found if row is not None]


def with_status(text: str, task_id: str, status: str) -> str:
    """`text` with the status cell of `task_id` changed and every other character kept."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        row = _row(line)
        if row is not None and row.id == task_id:
            head, _, tail = line.rpartition("|")
            before, _, cell = head.rpartition("|")
            lines[index] = f"{before}|{cell.replace(row.status, status, 1)}|{tail}"
    return "\n".join(lines)


def with_row(text: str, row: Row) -> str:
    """`text` with `row` after the last row of the table."""
    lines = text.split("\n")
    last = max((index for index, line in enumerate(lines) if _row(line) is not None or _is_rule(line)), default=-1)
    lines.insert(last + 1, row.line())
    return "\n".join(lines)


def with_note(text: str, note: str) -> str:
    """`text` with one more bullet at the end of the Notes."""
    head, heading, tail = text.partition("\n## Column reference")
    return f"{head.rstrip()}\n- {note}\n{heading}{tail}"


def next_id(text: str) -> str:
    """The next free id of the pool's own pattern, `T-NN`."""
    numbers = [int(match[1]) for row in rows(text) if (match := _ID.match(row.id))]
    return f"T-{max(numbers, default=0) + 1:02}"


def _is_rule(line: str) -> bool:
    return line.startswith("|---")


def _row(line: str) -> Row | None:
    cells = [cell.strip() for cell in line.rstrip("\r").strip().strip("|").split("|")]
    if len(cells) < _CELLS or not _ID.match(cells[0]):
        return None
    goal = "|".join(cells[2:-3])
    return Row(cells[0], cells[1], goal, cells[-3], cells[-2], cells[-1])
