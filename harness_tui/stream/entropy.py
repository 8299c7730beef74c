"""The cadence of entropy sweeps: counted by delivery, due when a stream has drained (formats/harness-kit 1.10)."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.model.work import Assignment
from harness_tui.workspace.atomic import ANY, WriteError, read_target, replace_file
from harness_tui.workspace.files import is_inside

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

STATE: Final = ".harness/entropy-watch.state"
ARTIFACTS: Final = "docs/features/_supervision"
_SCRIPTS: Final = (".harness/scripts/entropy-cadence.sh", "scripts/entropy-cadence.sh")
_COUNT = re.compile(rb"^delivered_since_sweep=(\d{1,9})\s*$", re.MULTILINE)
_VERDICT = re.compile(r"Entropy-verdict:\s*(FINDINGS-PRESENT|CLEAN)\b.*")
_LARGEST: Final = 1 << 20


class Sweep(NamedTuple):
    """What a sweep left behind: its file, and its verdict line."""

    path: str
    verdict: str


def in_use(root: Path) -> bool:
    """Whether the workspace keeps the cadence: its state, or the kit's script for it, is there."""
    return any(os.path.lexists(root / name) for name in (STATE, *_SCRIPTS))


def delivered(root: Path) -> None:
    """Count one delivery. A state that can't be read or written counts for nothing."""
    with suppress(WriteError):
        data = read_target(root / STATE, root=root)
        _write(root, data, _counted(data) + 1, None)


def due(root: Path) -> int:
    """Deliveries since the last sweep, with which one is due at a drain; 0 when none is, or nothing can be read."""
    with suppress(WriteError):
        return _counted(read_target(root / STATE, root=root))
    return 0


def swept(root: Path, now: datetime) -> None:
    """A sweep was made: the count begins anew."""
    with suppress(WriteError):
        _write(root, read_target(root / STATE, root=root), 0, now)


def assignment(pool_id: str, count: int, deferred: str) -> Assignment:
    """The scan that a worker is asked for."""
    goal = (
        f"Entropy watch: sweep the last {count} deliveries of pool {pool_id} for drift, dead code and contradicting "
        f"documents. Change nothing. Write what you find into a new file in {ARTIFACTS}/, whose last line is "
        "'Entropy-verdict: FINDINGS-PRESENT' or 'Entropy-verdict: CLEAN'."
    )
    return Assignment(pool_id, "entropy-watch", "entropy-watch", goal, "explore", deferred_human=deferred)


def artifact(root: Path, since: float) -> Sweep | None:
    """The newest file of a sweep that was written after `since` (seconds of the clock) and has a verdict line."""
    home = root / ARTIFACTS
    entries: list[os.DirEntry[str]] = []
    with suppress(OSError):
        entries = list(os.scandir(home)) if is_inside(home, root) else []
    files = [entry for entry in entries if entry.name.endswith(".md") and entry.is_file(follow_symlinks=False)]
    for changed, name in sorted(((entry.stat().st_mtime, entry.name) for entry in files), reverse=True):
        if changed < since:
            break
        with suppress(WriteError):
            text = (read_target(home / name, root=root) or b"")[-_LARGEST:].decode("utf-8", "replace")
            lines = [line.strip() for line in text.split("\n") if line.strip()]
            match = _VERDICT.fullmatch(lines[-1]) if lines else None
            if match is not None:
                return Sweep(f"{ARTIFACTS}/{name}", match[1])
    return None


def _counted(data: bytes | None) -> int:
    found = _COUNT.search(data or b"")
    return int(found[1]) if found else 0


def _write(root: Path, data: bytes | None, count: int, swept_at: datetime | None) -> None:
    kept = [line for line in (data or b"").split(b"\n") if line and not line.startswith(b"delivered_since_sweep=")]
    last = next((line for line in kept if line.startswith(b"last_sweep=")), b"last_sweep=")
    if swept_at is not None:
        last = f"last_sweep={swept_at:%Y-%m-%dT%H:%M:%SZ}".encode()
    rest = [line for line in kept if not line.startswith(b"last_sweep=")]
    new = b"\n".join([f"delivered_since_sweep={count}".encode(), last, *rest]) + b"\n"
    replace_file(root / STATE, new, root=root, expect=data if data is not None else ANY)
