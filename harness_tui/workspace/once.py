"""One reading of a workspace, for commands that print and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.workspace.git import read_git
from harness_tui.workspace.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.snapshot import Snapshot


def read_workspace(root: Path) -> Snapshot:
    """The workspace at `root` with all logs scanned and git asked."""
    reader = Reader(root)
    try:
        reader.git = read_git(root)
        return reader.read_all()
    finally:
        reader.close()
