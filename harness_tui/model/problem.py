"""A thing that a reader could not take at face value."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Severity = Literal["error", "warning", "info"]


@frozen
class Problem:
    """What is wrong, where, and what to do about it.

    `path` is relative to the workspace root with `/`; `line` counts from 1 and is None when the whole file is meant.
    `code` is stable (scripts match on it); `message` tells a person what was found and what to do.
    """

    path: str
    line: int | None
    severity: Severity
    code: str
    message: str
