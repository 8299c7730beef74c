"""Which pool is drained, and the default one, made when nobody named another (formats/harness-kit 1.1, 1.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from harness_tui.formats.pool import PlanParser
from harness_tui.model.refusal import NotThere
from harness_tui.rules.near import no_such_pool
from harness_tui.workspace.atomic import WriteError, read_target, replace_file
from harness_tui.workspace.layout import LOGS, PLAN, POOLS, REPORTS, Layout

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

DEFAULT: Final = "default"
_TEMPLATE: Final = f"{POOLS}/_template/{PLAN}"
_BUILT_IN: Final = """\
# Batch Plan — {pool}

> Created: {date}
> Default mode: full
> Stop policy: hard stops only

## Tasks

| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |
|---|---|---|---|---|---|

## Notes (optional)
"""


@dataclass(frozen=True, slots=True)
class PoolPaths:
    """The files of the pool that is drained. `made` when it was made just now."""

    id: str
    plan: Path
    log: Path
    report: Path
    made: bool = False


def find_pool(root: Path, wanted: str | None, *, batch: bool, now: datetime) -> PoolPaths:
    """The files of pool `wanted`, of the default pool when None. Raises `NotThere` and `WriteError`."""
    layout = Layout(root)
    pools = {files.id: files for files in layout.pools() if files.plan is not None}
    name = wanted or DEFAULT
    files = pools.get(name)
    if files is not None and files.plan is not None:
        return _paths(files.id, files.folder, batch=batch)
    if wanted is not None:
        wrong = next((item for item in layout.problems if item.path.startswith(f"{POOLS}/{wanted}")), None)
        if wrong is not None:
            raise NotThere(wrong.path, wrong.message)
        raise NotThere(wanted, no_such_pool(wanted, pools))
    if batch:
        raise NotThere("batch", "a batch needs the name of its pool")
    folder = root / POOLS / DEFAULT
    replace_file(folder / PLAN, _new_plan(root, now), root=root, expect=None)
    return _paths(DEFAULT, folder, batch=False, made=True)


def _paths(name: str, folder: Path, *, batch: bool, made: bool = False) -> PoolPaths:
    kind = 1 if batch else 0
    return PoolPaths(name, folder / PLAN, folder / LOGS[kind], folder / REPORTS[kind], made)


def _new_plan(root: Path, now: datetime) -> bytes:
    """The template without its example rows and with the name of the pool; a plain plan when there is none."""
    try:
        data = read_target(root / _TEMPLATE, root=root)
    except WriteError:
        data = None
    parser = PlanParser(_TEMPLATE)
    plan = parser.parse(data) if data is not None else None
    if data is None or plan is None or parser.shape is None:
        return _BUILT_IN.format(pool=DEFAULT, date=f"{now:%Y-%m-%d}").encode()
    gone = {row.line for row in plan.rows}
    lines = data.split(b"\n")
    titled = next((number for number, line in enumerate(lines, 1) if line.startswith(b"# ")), 0)
    if titled:
        end = b"\r" if lines[titled - 1].endswith(b"\r") else b""
        lines[titled - 1] = f"# Batch Plan — {DEFAULT}".encode() + end
    kept = [line for number, line in enumerate(lines, 1) if number not in gone]
    return b"\n".join(line.replace(b"<pool-id>", DEFAULT.encode()) for line in kept)
