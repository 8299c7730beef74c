"""Signs of statuses, for those who draw before Textual is there; `theme` has their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harness_tui.model.pool import Status

STATUS_SIGN: Final[dict[Status, str]] = {
    "pending": "○",
    "in-progress": "▶",
    "done": "✓",
    "failed": "✗",
    "blocked": "⊘",
    "needs-human": "⚑",
    "skipped": "–",
    "unknown": "?",
}
ABANDONED: Final = "! interrupted"
"""Stands for the sign and the word of what is in progress while no run is alive."""
