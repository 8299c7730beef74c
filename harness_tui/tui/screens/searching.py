"""The line of the main screen in which a text is asked for: what the pool is filtered by, and the log searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.log_panel import LogPanel
from harness_tui.tui.widgets.pool_panel import PoolPanel

if TYPE_CHECKING:
    from textual.screen import Screen

    from harness_tui.tui.widgets.line_input import LineInput

    Base = Screen[None]
else:
    Base = object


class Searching(Base):
    """The part of the main screen that searches and filters. The line is made when it is first needed."""

    _line: LineInput | None = None
    _asking = "pool"
    """The panel for which a text is asked."""

    if TYPE_CHECKING:

        @property
        def focused_panel(self) -> str: ...  # noqa: D102 - the main screen has it
        def go_to(self, name: str) -> None: ...  # noqa: D102 - as above
        def _filter_pool(self, text: str) -> None: ...

    def search(self) -> None:
        """Ask for a text: the pool is filtered by it, the log searched, a list goes to it."""
        panel = self.focused_panel
        words = {"pool": "filter rows", "log": "search log"}.get(panel, "find")
        text = self.query_one(PoolPanel).table.text_filter if panel == "pool" else ""
        self._asking = panel
        self._ask(panel, f"{words} (! excludes)" if panel == "pool" else words, text)

    def filter_log(self) -> None:
        """Ask for a text that lines of the log must hold."""
        self._asking = "log"
        self._ask("log-filter", "only lines with (! hides them)")

    def _ask(self, purpose: str, label: str, text: str = "") -> None:
        from harness_tui.tui.widgets.line_input import LineInput  # noqa: PLC0415 - not before the first search

        if self._line is None:
            self._line = LineInput(id="line-input")
            self.mount(self._line, before="#actions")
        self._line.open(purpose, label, text)

    def on_line_input_changed(self, event: LineInput.Changed) -> None:
        """Filter and search while it is typed."""
        event.stop()
        if event.purpose == "pool":
            self._filter_pool(event.text)
        elif event.purpose == "log":
            self.query_one(LogPanel).search(event.text)
        elif event.purpose != "log-filter" and self._line is not None:
            found = not event.text or self.query_one(f"#{event.purpose} .keys", FactList).find(event.text)
            self._line.tell(found=found)

    def on_line_input_closed(self, event: LineInput.Closed) -> None:
        """Back to the panel; what was typed stays with Enter only."""
        event.stop()
        log = self.query_one(LogPanel)
        if event.purpose == "pool" and not event.kept:
            self._filter_pool("")
        elif event.purpose == "log":
            if event.kept and event.text:
                log.view.action_previous_match()
            else:
                log.search("")
        elif event.purpose == "log-filter" and event.kept:
            log.filter(event.text)
        if self.focused is None or (self._line is not None and self.focused in self._line.query("*")):
            self.go_to(self._asking)
