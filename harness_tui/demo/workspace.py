"""Making the sample workspace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from harness_tui.demo import past, project, repository
from harness_tui.demo.files import write

if TYPE_CHECKING:
    from pathlib import Path


def build(folder: Path, now: datetime | None = None) -> None:
    """Make the workspace in `folder`, which must be empty or not exist.

    `now` (default: the clock) is the moment that all dates are counted back from. Raises OSError when a file cannot
    be written; without git there is no repository and nothing else is missing.
    """
    at = now or datetime.now(UTC)
    for name, text in (project.FILES | past.files(at)).items():
        write(folder / name, text)
    repository.init(folder)
    log = (
        (11, "Lay the foundation: booking, tickets, prices", (*project.FILES, ".harness")),
        (9, "Deliver the spring-service batch", (past.BATCH_FOLDER, *_archived(past.BATCH))),
        (2, "Deliver T-01 to T-03", (*_archived(past.POOL), "docs/tasks.md")),
        (1, "Queue what is to be built next", ()),
    )
    for days, message, paths in log:
        repository.commit(folder, message, at - timedelta(days=days), *paths)


def _archived(pool: str) -> tuple[str, ...]:
    return tuple(f"{past.ARCHIVE}/{task.slug}" for task in past.DELIVERED if task.pool == pool)
