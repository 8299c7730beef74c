"""The panel of the stream log: follows it, searches it, filters it."""

from __future__ import annotations

import re
import time
from array import array
from typing import TYPE_CHECKING

from harness_tui.formats.text import counted
from harness_tui.tui.file_source import ERRORS, FileSource, line_pattern, reports_trouble
from harness_tui.tui.messages import Answered, OpenSource
from harness_tui.tui.widgets.line_source import ListSource
from harness_tui.tui.widgets.line_view import NO_SEARCH
from harness_tui.tui.widgets.log_view import LogView
from harness_tui.tui.widgets.panel import Panel
from harness_tui.workspace.layout import LOGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from harness_tui.model.log import Log
    from harness_tui.model.pool import Task
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.file_source import News
    from harness_tui.tui.widgets.line_view import LineView
    from harness_tui.workspace.live import Live

_COUNT_EVERY = 0.9
"""Seconds between two updates of the number of entries in the title."""
_EMPTY = "No log yet.\n\nLooked for STREAM_LOG.md and BATCH_LOG.md beside the plan."


class LogPanel(Panel):
    """One log. Lines come from the reader's thread; what is hidden is not loaded."""

    def __init__(self) -> None:
        super().__init__(3, "Log", id="log")
        self.view = LogView(ListSource([]), follow=True, empty=_EMPTY, id="log-view")
        self.view.add_class("keys", update=False)
        self._live: Live | None = None
        self._log: Log | None = None
        self._root = ""
        self._source: FileSource | None = None
        self._restarts = 0
        self._leave: Callable[[], None] = lambda: None
        self._selected: Task | None = None
        self._isolated: str | None = None
        self._filter = ""
        self._search = ""
        self._busy = ""
        self._unread = ""
        self._note = ""
        self._told = 0.0
        self._mapping: array[int] | None = None
        self._mapped = 0

    def compose(self) -> ComposeResult:
        """The view."""
        yield self.view

    def follow(self, live: Live) -> None:
        """Whose thread reads."""
        self._live = live

    def show(self, snapshot: Snapshot, pool_id: str | None, task: Task | None) -> None:
        """Show the log of a pool as it is in `snapshot`; `task` is what `isolate` would filter to."""
        log = next((log for log in snapshot.logs if log.pool_id == pool_id), None)
        self._selected, self._root = task, snapshot.root
        self._unread = "" if log is not None else _unread(snapshot, pool_id)
        if log is None or self._live is None:
            self._log = log
            if self._source is not None:
                self._leave()
                self._source = None
                self.view.set_source(ListSource([]))
            self._tell()
            return
        if self._source is None or self._log is None or self._log.path != log.path:
            self._open(log)
        self._log = log
        if self._isolated is not None and task is not None and task.id != self._isolated:
            self.isolate(task.id)
        self._tell()

    def tick(self) -> None:
        """Once a second: the number of entries, which is not worth a repaint of the frame at every line."""
        self._tell()

    # Finding and filtering

    def search(self, text: str) -> None:
        """Mark `text` where it stands; `next_match` and `previous_match` go there."""
        self._search = text
        self.view.search(text or None)
        self._tell()

    def filter(self, text: str) -> None:
        """Show only lines with `text`, with `!` in front only those without; empty shows all."""
        self._filter, self._isolated = text, None
        self._apply_filter()

    def isolate(self, task_id: str | None) -> None:
        """Show only lines that name this task; None shows all."""
        self._isolated, self._filter = task_id, ""
        self._apply_filter()

    def clear(self) -> bool:
        """Drop filter and search; False when there was neither."""
        if not (self._filter or self._isolated or self._search):
            return False
        self._search = ""
        self.view.search(None)
        self._filter, self._isolated = "", None
        self._apply_filter()
        return True

    @property
    def lines(self) -> list[str]:
        """The lines in memory around the view, as text."""
        source = self._source
        if source is None:
            return []
        found = (source.get(number) for number in range(max(0, source.total - 5000), source.total))
        return [line.text for line in found if line is not None]

    @property
    def current_line(self) -> str:
        """The current line as text."""
        found = self._source.get(self.view.cursor_line) if self._source is not None else None
        return found.text if found is not None else ""

    def on_answered(self, event: Answered) -> None:
        """An answer of the reader came back."""
        event.stop()
        event.use()

    def on_line_view_follow_changed(self, event: LineView.FollowChanged) -> None:
        """Paused or following."""
        event.stop()
        self._tell()

    def on_line_view_line_selected(self, event: LineView.LineSelected) -> None:
        """Enter opens the log itself at that line."""
        event.stop()
        if self._log is not None:
            self.post_message(OpenSource(self._log.path, event.line + 1))

    def on_line_view_find_requested(self, event: LineView.FindRequested) -> None:
        """`n` and `N`."""
        event.stop()
        if not self._search:
            self.notify(NO_SEARCH, markup=False)
            return
        none = f"no further match of “{self._search}”: n looks below, N above; Esc ends the search"
        self._find(line_pattern(self._search), event, none, lambda _line: True)

    def on_log_view_error_requested(self, event: LogView.ErrorRequested) -> None:
        """`e` and `E`."""
        event.stop()
        self._find(ERRORS, event, "no further line reports trouble: e looks below, E above", reports_trouble)

    def on_log_view_isolate_requested(self, event: LogView.IsolateRequested) -> None:
        """`i`."""
        event.stop()
        if self._isolated is not None:
            self.isolate(None)
        elif self._selected is not None:
            self.isolate(self._selected.id)

    # Inside

    def _post(self, use: Callable[[], None]) -> None:
        self.post_message(Answered(use))

    def _open(self, log: Log) -> None:
        if self._live is None:
            return
        source = FileSource(f"{self._root}/{log.path}", self._live, self._post, log=True)
        source.on_loaded = self.view.loaded
        self._leave()
        self._source, self._restarts = source, log.restarts
        self._filter, self._isolated = "", None
        self.view.set_source(source)
        self.view.set_follow(follow=True)
        source.sync(lambda news: self._take(source, news))
        self._leave = source.follow(lambda news: self._take(source, news))

    def _take(self, source: FileSource, news: News) -> None:
        """Show how the followed file stands now."""
        if source is not self._source:
            return
        restarted = news.restarts != self._restarts
        self._restarts = news.restarts
        if restarted or news.total < source.total or news.counted != source.counted:
            before, following = source.total, self.view.following
            source.restart(news)
            if before and news.counted and not restarted and not following:
                self.view.shifted(news.total - before)
            else:
                self.view.restarted()
            self._apply_filter()
        else:
            source.grow(news)
            self.view.grew(news.total)
            self._filter_on()
        self._tell(counting=False)

    def _wanted(self) -> tuple[re.Pattern[bytes], bool] | None:
        if self._isolated is not None:
            name = re.escape(self._isolated.encode("utf-8", "surrogateescape"))
            return re.compile(rb"(?<![\w-])" + name + rb"(?![\w-])"), False
        text = self._filter.removeprefix("!")
        return (line_pattern(text), self._filter.startswith("!")) if text else None

    def _apply_filter(self) -> None:
        """Filter from the first line on, in portions."""
        self._mapping, self._mapped = None, 0
        if self._source is None:
            return
        if self._wanted() is None:
            self.view.set_mapping(None)
            self._tell()
            return
        self._mapping = array("Q")
        self.view.set_mapping(self._mapping)
        self._filter_on()

    def _filter_on(self) -> None:
        """Look at the lines that came since the last look."""
        wanted, mapping, source = self._wanted(), self._mapping, self._source
        if wanted is None or mapping is None or source is None:
            return
        pattern, inverse = wanted

        def more(lines: array[int], done: bool, place: int) -> None:  # noqa: FBT001 - as filter calls it
            if mapping is not self._mapping or source is not self._source:
                return
            mapping.extend(lines)
            self._mapped = place
            self._busy = "" if done else f"filtering, line {place}"
            self.view.grew(source.total)
            self._tell()

        source.filter(pattern, inverse=inverse, start=self._mapped, more=more)

    def _find(
        self, pattern: re.Pattern[bytes], event: LineView.FindRequested, none: str, accept: Callable[[bytes], bool]
    ) -> None:
        source = self._source
        if source is None:
            return
        self._busy = "searching"
        self._tell()

        def found(line: int | None) -> None:
            self._busy = ""
            if line is None:
                self.notify(none, timeout=3, markup=False)
            else:
                self.view.set_follow(follow=False)
                self.view.goto(line)
            self._tell()

        source.find(pattern, event.line + (1 if event.forward else -1), found, forward=event.forward, accept=accept)

    def _empty(self) -> str:
        if self._isolated is not None:
            return f"No line names {self._isolated}.\n\ni shows all lines again."
        if self._filter:
            return "No line passes this filter.\n\nEsc shows all lines again."
        if self._unread:
            return f"The log can't be read.\n\n{self._unread}"
        if self._log is None:
            return _EMPTY
        return "" if self._log.size else "The log is empty."  # its lines come in a moment

    def _tell(self, *, counting: bool = True) -> None:
        """Name the panel; where only the number of entries would change, now and then, and if `counting`."""
        log, view = self._log, self.view
        view.set_empty(self._empty())
        if log is None:
            self.name_panel("Log")
            return
        name = log.path.rsplit("/", 1)[-1]
        state = "following" if view.following else f"paused{f' · {view.new_lines} new' if view.new_lines else ''}"
        parts = [state]
        if not log.complete:
            parts.append("still reading")
        if log.restarts:
            parts.append("log was restarted")
        if self._isolated is not None:
            parts.append(f"only {self._isolated}")
        if self._filter:
            parts.append(f"without “{self._filter[1:]}”" if self._filter.startswith("!") else f"only “{self._filter}”")
        if self._search:
            parts.append(f"/{self._search}")
        if self._busy:
            parts.append(self._busy)
        note = " · ".join(parts)
        if note == self._note and (not counting or time.monotonic() - self._told < _COUNT_EVERY):
            return
        self._note, self._told = note, time.monotonic()
        self.name_panel(f"{name} · {counted(log.entries, 'entry', 'entries')}", note)


def _unread(snapshot: Snapshot, pool_id: str | None) -> str:
    """What is wrong with a log that is there and can't be read; empty where there is none."""
    pool = next((pool for pool in snapshot.pools if pool.id == pool_id), None)
    folder = pool.path.rsplit("/", 1)[0] if pool is not None else ""
    names = {f"{folder}/{name}" for name in LOGS}
    found = next((item for item in snapshot.problems if pool is not None and item.path in names), None)
    return f"{found.path}\n{found.message}" if found is not None else ""
