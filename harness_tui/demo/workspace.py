"""Making the sample workspace, and making it anew while a dashboard looks at it."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness_tui.demo import past, project, repository
from harness_tui.demo.files import replace, write

_OPERATORS = (".harness/intervention.md", ".harness/harness-tui", ".git")
"""What a rebuild never removes: signals that the operator wrote, and the repository, which is swapped whole."""


def build(folder: Path, now: datetime | None = None) -> None:
    """Make the workspace in `folder`, which must be empty or not exist.

    `now` (default: the clock) is the moment that all dates are counted back from. Raises OSError when a file cannot
    be written; without git there is no repository and nothing else is missing.
    """
    at = now or datetime.now(UTC)
    for name, text in _files(at).items():
        write(folder / name, text)
    (folder / ".harness/scripts/verify_all.sh").chmod(0o755)
    repository.init(folder)
    log = (
        (11, "Lay the foundation: booking, tickets, prices", (*project.FILES, ".harness")),
        (9, "Deliver the spring-service batch", (past.BATCH_FOLDER, *_archived(past.BATCH))),
        (2, "Deliver T-01 to T-03", (*_archived(past.POOL), "docs/tasks.md")),
        (1, "Queue what is to be built next", ()),
    )
    for days, message, paths in log:
        repository.commit(folder, message, at - timedelta(days=days), *paths)


def rebuild(folder: Path) -> None:
    """Put the workspace in `folder` back to its beginning, file by file, so that a watcher never finds it gone.

    The operator's unread signals and the dashboard's own files stay.
    """
    with tempfile.TemporaryDirectory(prefix="harness-tui-demo-") as name:
        fresh = Path(name) / "workspace"
        build(fresh)
        _swap_repository(fresh, folder, Path(name) / "old")
        wanted = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file() and ".git" not in path.parts}
        for path in sorted(wanted):
            _put(fresh / path, folder / path)
        _remove_others(folder, wanted)


def _files(at: datetime) -> dict[str, str]:
    return project.FILES | past.files(at)


def _archived(pool: str) -> tuple[str, ...]:
    return tuple(f"{past.ARCHIVE}/{task.slug}" for task in past.DELIVERED if task.pool == pool)


def _put(source: Path, target: Path) -> None:
    text = source.read_bytes().decode()
    if not target.is_file() or target.read_bytes().decode(errors="replace") != text:
        replace(target, text)
        target.chmod(source.stat().st_mode)


def _swap_repository(fresh: Path, folder: Path, old: Path) -> None:
    """The fresh repository in the place of the old one. Copied where the temporary folder is on another disk."""
    if not (fresh / ".git").is_dir():
        return
    if (folder / ".git").is_dir():
        shutil.move(folder / ".git", old)
    shutil.move(fresh / ".git", folder / ".git")


def _remove_others(folder: Path, wanted: set[Path]) -> None:
    """Remove what the played run left: files that are not `wanted`, then folders that became empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder)
        if name in wanted or any(name.is_relative_to(kept) or Path(kept).is_relative_to(name) for kept in _OPERATORS):
            continue
        if path.is_dir() and not path.is_symlink():
            with suppress(OSError):  # something still lies in it
                path.rmdir()
        else:
            path.unlink(missing_ok=True)
