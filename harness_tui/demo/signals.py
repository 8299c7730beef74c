"""Taking and leaving signals in `.harness/intervention.md` (formats/harness-kit 1.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.demo.desk import INTERVENTION
from harness_tui.demo.files import append, write
from harness_tui.formats.intervention import parse_interventions

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.intervention import Signal


def leave(root: Path, line: str) -> None:
    """Write a signal as an operator would; behind what stands there unread."""
    path = root / INTERVENTION
    if path.exists():
        append(path, f"\n{line}\n")
    else:
        write(path, f"# Intervention\n\n{line}\n")


def take(root: Path) -> tuple[Signal, ...]:
    """All unread signals in their order. The file is claimed by rename, so that none is read twice, and removed."""
    claimed = root / f"{INTERVENTION}.claimed"
    try:
        (root / INTERVENTION).rename(claimed)
    except FileNotFoundError:
        return ()
    data = claimed.read_bytes()
    claimed.unlink()
    return parse_interventions(data, INTERVENTION).signals
