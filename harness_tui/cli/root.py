"""From the PATH argument to the root of a workspace."""

from __future__ import annotations

from harness_tui.cli.diagnostics import NOT_THERE, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def workspace_root(path: Path) -> Path:
    """The root of the workspace around `path`. Raises `Failure` (3) when there is none."""
    from harness_tui.workspace.layout import find_root

    if not path.exists():
        raise Failure(str(path), "no such file or folder", NOT_THERE)
    root = find_root(path)
    if root is None:
        raise Failure(
            str(path.resolve()),
            "no workspace here or above: looked for .git, docs/batches, .harness, .servo and PLAN.md",
            NOT_THERE,
        )
    return root
