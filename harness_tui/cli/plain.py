"""The dashboard in words: the state once, then a line per change, as screen readers and logs can take it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.following import follow
from harness_tui.cli.text import console, status_lines
from harness_tui.model.frozen import replace
from harness_tui.rules.near import no_such_pool
from harness_tui.workspace.once import read_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot


def run_plain(root: Path, pool: str | None) -> int:
    """Print the state, of all pools or of one; on a terminal go on with a line per change until interrupted, else end.

    Raises `Failure` when there is no such pool.
    """
    out = console()
    snapshot = read_workspace(root)
    if pool is not None:
        wanted = tuple(item for item in snapshot.pools if item.id == pool)
        if not wanted:
            raise Failure(pool, no_such_pool(pool, [item.id for item in snapshot.pools]), NOT_THERE)
        snapshot = replace(snapshot, pools=wanted)
    for line in status_lines(snapshot):
        out.print(line)
    if not sys.stdout.isatty():
        return 0
    return follow(root, _print)


def _print(snapshot: Snapshot, changes: tuple[Change, ...], _revision: int) -> None:
    for change in changes:
        sys.stdout.write(f"{snapshot.generated_at:%H:%M:%S} {change.title}\n")
    sys.stdout.flush()
