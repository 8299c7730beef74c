"""The stream log as written: times, kinds and headings told apart by style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.regex import regex
from harness_tui.tui.bindings import bindings
from harness_tui.tui.theme import ENTRY_STYLE
from harness_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from harness_tui.tui.widgets.line_source import Line
    from harness_tui.tui.widgets.line_text import Part

_TIME: Final = regex(r"\s*(?:[-*] )?(?P<time>\d{4}-\d\d-\d\dT?[0-9:.+Z-]*)(?: \([^)]{0,30}\))?(?: · )?")
_OTHER: Final = {"heading": "$text-secondary bold", "prose": "$text-muted"}


class LogView(LineView):
    """Lines of a log. The owner answers `ErrorRequested` and `IsolateRequested`."""

    BINDINGS = bindings("list", "lines", "log")

    class ErrorRequested(LineView.FindRequested):
        """Somebody wants the next line that reports trouble, or the one before."""

    class IsolateRequested(LineView.LineSelected):
        """Somebody wants only the lines of the selected task, or all again."""

    hide_times = False

    def decorate(self, line_no: int, line: Line) -> list[Part]:
        """Time dim or left out, the rest in the style of its kind."""
        del line_no
        style = ENTRY_STYLE.get(line.kind) or _OTHER.get(line.kind, "")  # type: ignore[call-overload]
        match = _TIME.match(line.text) if line.kind in ENTRY_STYLE else None
        if match is None:
            return [(line.text, style)]
        rest = line.text[match.end() :]
        return [(rest, style)] if self.hide_times else [(match[0], "$text-muted"), (rest, style)]

    def action_times(self) -> None:
        """Show or hide the time of each line."""
        self.hide_times = not self.hide_times
        self.redraw()

    def action_next_error(self) -> None:
        """Ask for the next line that reports trouble."""
        self.post_message(self.ErrorRequested(self.cursor_line, forward=True))

    def action_previous_error(self) -> None:
        """Ask for the line before that reports trouble."""
        self.post_message(self.ErrorRequested(self.cursor_line, forward=False))

    def action_isolate(self) -> None:
        """Ask for only the lines of the selected task, or all again."""
        self.post_message(self.IsolateRequested(self.cursor_line))

    def action_filter_lines(self) -> None:
        """Ask for a filter text, at once: its first letter may wait already."""
        asking = getattr(self.screen, "filter_log", None)
        if asking is not None:
            asking()
