"""The pool file as it is before the run; from then on the engine writes it."""

from __future__ import annotations

from typing import NamedTuple

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
