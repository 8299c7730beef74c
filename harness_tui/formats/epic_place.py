"""Which epic a file belongs to: the name of its folder. What the file says about it is only compared."""

from __future__ import annotations

from harness_tui.formats.json_fields import first, text
from harness_tui.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def epic_of(path: str) -> str:
    """The name of the folder in which the file lies."""
    return path.rsplit("/", 2)[-2] if "/" in path else ""


def other_epic(row: Mapping[str, Any], path: str, what: str) -> tuple[Problem, ...]:
    """A remark when the file names another epic than its folder does."""
    named = text(first(row, "epic_id", "epic", "feature"))
    if not named or named == epic_of(path):
        return ()
    message = f"this {what} names the epic {named}; it counts for {epic_of(path)}, in whose folder it lies"
    return (Problem(path, None, "info", "other-epic", message),)
