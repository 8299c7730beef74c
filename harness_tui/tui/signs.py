"""Signs of statuses, for those who draw before Textual is there; `theme` has their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from harness_tui.model.pool import ShownStatus

STATUS_SIGN: Final[dict[ShownStatus, str]] = {
    "pending": "○",
    "in-progress": "▶",
    "interrupted": "!",
    "done": "✓",
    "failed": "✗",
    "blocked": "⊘",
    "needs-human": "⚑",
    "skipped": "–",
    "unknown": "?",
}
