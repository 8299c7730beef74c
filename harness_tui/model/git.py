"""What git says about the workspace."""

from __future__ import annotations

from harness_tui.model.frozen import frozen


@frozen
class Git:
    """Branch and head of the checkout. `head` is the full hash; None before the first commit (`unborn`).

    `dirty` is None when it is not known. `error` says in words why the rest is missing.
    """

    branch: str | None = None
    head: str | None = None
    detached: bool = False
    unborn: bool = False
    dirty: bool | None = None
    error: str | None = None
