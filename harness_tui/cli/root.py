"""From the PATH argument to the root of a workspace."""

from __future__ import annotations

import os

from harness_tui.cli.diagnostics import NOT_THERE, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def workspace_root(path: Path) -> Path:
    """The root of the workspace around `path`. Raises `Failure` (3) when there is none."""
    return type(path)(root_around(str(path)))


def root_around(path: str) -> str:
    """`workspace_root` for who does not need pathlib."""
    from harness_tui.workspace.listing import root_of

    if not os.path.exists(path):  # noqa: PTH110 - as the docstring says
        raise Failure(path, "no such file or folder", NOT_THERE)
    root = root_of(path)
    if root is None:
        raise Failure(
            os.path.realpath(path),
            "no workspace here or above: looked for .git, docs/batches, .harness, .servo and PLAN.md",
            NOT_THERE,
        )
    return root
