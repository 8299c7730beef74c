"""How far the pool is: a bar and the number of rows of each status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.text import literal
from harness_tui.tui.theme import STATUS_STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.pool import ShownStatus

_ORDER: tuple[ShownStatus, ...] = (
    "done", "skipped", "in-progress", "interrupted", "needs-human", "failed", "blocked", "unknown", "pending",
)  # fmt: skip
_WORDS: tuple[ShownStatus, ...] = (
    "needs-human", "failed", "blocked", "unknown", "in-progress", "interrupted", "pending", "done", "skipped",
)  # fmt: skip
_FILL: dict[ShownStatus, str] = {
    "done": "█", "skipped": "▒", "in-progress": "▓", "interrupted": "▓", "needs-human": "▚", "failed": "▞",
    "blocked": "▞", "unknown": "?", "pending": "░",
}  # fmt: skip


class TallyBar(Widget):
    """One line: counts in words, and a bar in which each status has its own pattern."""

    DEFAULT_CSS = "TallyBar { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._tally: dict[ShownStatus, int] = {}

    def show(self, tally: Mapping[ShownStatus, int]) -> None:
        """Show the counts of one pool, by the status that its rows are shown with."""
        if tally != self._tally:
            self._tally = dict(tally)
            self.refresh()

    def render(self) -> Content:
        """Bar first, then the counts; where not all words fit, the less pressing ones have their sign alone."""
        total = sum(self._tally.values())
        if not total:
            return literal("no tasks", "$text-muted")
        done = self._tally.get("done", 0)
        lead = f" {done}/{total} done "
        words = self._counts(self.size.width - len(lead))
        room = self.size.width - len(lead) - sum(len(text) + 2 for text, _ in words)
        bar = _bar(self._tally, total, max(0, min(30, room - 1)))
        parts: list[Content] = [*bar, literal(lead, "bold")]
        used = sum(len(part.plain) for part in parts)
        for text, style in words:
            if used + len(text) + 2 > self.size.width:
                break
            parts.append(literal(f"  {text}", style))
            used += len(text) + 2
        return Content.assemble(*parts)

    def _counts(self, width: int) -> list[tuple[str, str]]:
        """Text and style of each status that occurs, the most pressing first, in `width` cells if they can be."""
        present = [status for status in _WORDS if self._tally.get(status)]
        signs = [f"{STATUS_SIGN[status]} {self._tally[status]}" for status in present]
        texts = [f"{sign} {status}" for sign, status in zip(signs, present, strict=True)]
        for place in reversed(range(len(texts))):
            if sum(len(text) + 2 for text in texts) <= width:
                break
            texts[place] = signs[place]
        return [(text, STATUS_STYLE[status]) for text, status in zip(texts, present, strict=True)]


def _bar(tally: Mapping[ShownStatus, int], total: int, width: int) -> list[Content]:
    """`width` cells shared out by the counts; every status that occurs gets at least one when there is room."""
    present = [status for status in _ORDER if tally.get(status)]
    if width < max(8, len(present)):
        return []
    sizes = {status: max(1, tally[status] * width // total) for status in present}
    while sum(sizes.values()) != width:
        biggest = max(present, key=lambda status: sizes[status])
        sizes[biggest] += 1 if sum(sizes.values()) < width else -1
    return [literal(_FILL[status] * sizes[status], STATUS_STYLE[status]) for status in present]
