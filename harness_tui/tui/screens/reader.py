"""One file of the workspace: as written with line numbers, or as a rendered document."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import SuspendNotSupported
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Label, Markdown

from harness_tui.formats.text import clean, clean_block, decode
from harness_tui.tui.actions import actions_of, way_back_early
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts import place
from harness_tui.tui.file_source import FileSource, line_pattern
from harness_tui.tui.messages import READER_NAME, Answered
from harness_tui.tui.screens.leaving import Leaving
from harness_tui.tui.styles import screen_stylesheet
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.action_bar import ActionBar
from harness_tui.tui.widgets.line_input import LineInput
from harness_tui.tui.widgets.line_view import NO_SEARCH, LineView
from harness_tui.tui.widgets.pending_strip import PendingStrip
from harness_tui.workspace.layout import LOGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.app import ComposeResult

    from harness_tui.tui.actions import Area
    from harness_tui.tui.file_source import News
    from harness_tui.workspace.live import Live
    from harness_tui.workspace.reader import Reader

RENDERED_LIMIT: Final = 256 << 10
"""Bytes of the largest document that is rendered; larger ones are shown as written."""


class Document(VerticalScroll, inherit_bindings=False):
    """A rendered document, scrolled with the keys of a list. Links in it lead nowhere."""

    BINDINGS = bindings("list")

    def compose(self) -> ComposeResult:
        """The renderer."""
        yield Markdown(open_links=False)

    def action_cursor_down(self) -> None:
        """One line down."""
        self.scroll_relative(y=1, animate=False)

    def action_cursor_up(self) -> None:
        """One line up."""
        self.scroll_relative(y=-1, animate=False)

    def action_page_down(self) -> None:
        """One page down."""
        self.scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        """One page up."""
        self.scroll_page_up(animate=False)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self.scroll_relative(y=self.size.height // 2, animate=False)

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self.scroll_relative(y=-(self.size.height // 2), animate=False)

    def action_first(self) -> None:
        """To the top."""
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        """To the end."""
        self.scroll_end(animate=False)

    def action_select(self) -> None:
        """Nothing to open in a document."""


class SourceView(LineView):
    """A file as written."""

    BINDINGS = bindings("list", "lines")


class ReaderScreen(Leaving, Screen[None], inherit_bindings=False):
    """Shows `path` (relative to `root`) at `line` (from 1). A log is never rendered at first: its lines would flow."""

    BINDINGS = bindings("reader")
    AREAS: tuple[Area, ...] = ("app", "list", "lines", "reader")
    CSS_PATH: ClassVar[Any] = screen_stylesheet("reader")

    def __init__(self, root: Path, path: str, line: int | None, live: Live, *, rendered: bool) -> None:
        super().__init__(name=READER_NAME)
        self.path = path
        self.line = line
        self._file = root / path
        self._live = live
        self._rendered = rendered and path.endswith(".md") and self._file.name not in LOGS
        self._search = ""
        self._source = FileSource(str(self._file), live, self._post, log=False)

    def compose(self) -> ComposeResult:
        """Title, unread signals, both views, hints."""
        yield Label(literal(place(self.path, self.line), "bold"), id="reader-title", markup=False)
        yield PendingStrip()
        yield Document(id="document")
        view = SourceView(self._source, numbers=True, wrap=True, id="source", empty="reading…")
        self._source.on_loaded = view.loaded
        yield view
        yield LineInput()
        yield ActionBar()

    def on_mount(self) -> None:
        """Load the file."""
        self._source.sync(self._opened)
        if self._rendered:
            self._load_document()
        self._show()

    def search(self) -> None:
        """Look for a text, in the file as written."""
        self._rendered = False
        self._show()
        self.query_one(LineInput).open("search", "search", self._search)

    def back(self) -> bool:
        """Close the line of a search; False when it is not open."""
        return self.query_one(LineInput).give_up()

    def line_to_copy(self) -> str:
        """The current line."""
        line = self._source.get(self.query_one(SourceView).cursor_line)
        return line.text if line is not None else ""

    def view_to_copy(self) -> str:
        """All lines in memory."""
        lines = (self._source.get(number) for number in range(min(self._source.total, 20000)))
        return "\n".join(line.text for line in lines if line is not None)

    def action_source(self) -> None:
        """As written, or rendered."""
        if not self._rendered and not self.path.endswith(".md"):
            self.notify("only Markdown can be rendered", markup=False)
            return
        self._rendered = not self._rendered
        if self._rendered:
            self._load_document()
        self._show()

    def action_edit(self) -> None:
        """Open the file in the operator's editor and come back."""
        words = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
        try:
            editor = shlex.split(words)
        except ValueError:
            editor = [words]
        if not editor:
            self.notify("neither $VISUAL nor $EDITOR is set", severity="warning", markup=False)
            return
        line = self.query_one(SourceView).cursor_line + 1
        failure: OSError | None = None
        try:
            with self.app.suspend():
                try:
                    subprocess.run([*editor, f"+{line}", str(self._file)], check=False)  # noqa: S603 - the operator's own choice
                except OSError as error:  # caught in here: an error that passes `suspend` leaves the shell's screen
                    failure = error
            if failure is not None:
                self.notify(f"{clean(editor[0])}: {failure.strerror}", severity="error", markup=False)
        except SuspendNotSupported:
            self.notify("this terminal can't be handed to an editor", severity="error", markup=False)

    def on_answered(self, event: Answered) -> None:
        """An answer of the reader came back."""
        event.stop()
        event.use()

    def on_line_input_changed(self, event: LineInput.Changed) -> None:
        """Mark what matches so far."""
        event.stop()
        self._search = event.text
        self.query_one(SourceView).search(event.text or None)

    def on_line_input_closed(self, event: LineInput.Closed) -> None:
        """Go to the first match."""
        view = self.query_one(SourceView)
        self.set_focus(view)
        if not event.kept:
            self._search = ""
            view.search(None)
        elif event.text:
            view.action_next_match()

    def on_line_view_find_requested(self, event: LineView.FindRequested) -> None:
        """`n` and `N`."""
        event.stop()
        if not self._search:
            self.notify(NO_SEARCH, markup=False)
            return

        def found(line: int | None) -> None:
            if line is None:
                self.notify("no further match", timeout=3, markup=False)
            else:
                self.query_one(SourceView).goto(line)

        start = event.line + (1 if event.forward else -1)
        self._source.find(line_pattern(self._search), start, found, forward=event.forward)

    def _post(self, use: Callable[[], None]) -> None:
        self.post_message(Answered(use))

    def _opened(self, news: News) -> None:
        self._source.restart(news)
        view = self.query_one(SourceView)
        view.restarted()
        if not news.total:
            view.set_empty("this file is empty or no longer there")
        if self.line is not None:
            view.goto(self.line - 1)

    def _load_document(self) -> None:
        def job(reader: Reader) -> bool:
            file = reader.logs.text(str(self._file))
            data = file.read(0, RENDERED_LIMIT + 1)
            text = clean_block(decode(data))
            self._post(lambda: self._have_document(text, too_big=len(data) > RENDERED_LIMIT))
            return True

        self._live.ask(job)

    def _have_document(self, text: str, *, too_big: bool) -> None:
        if too_big:
            self._rendered = False
            self._show()
            self.notify("too long to render, shown as written", timeout=3, markup=False)
            return
        self.query_one(Markdown).update(text or "*this file is empty or no longer there*")

    def _show(self) -> None:
        document, source = self.query_one(Document), self.query_one(SourceView)
        document.display, source.display = self._rendered, not self._rendered
        self.set_focus(document if self._rendered else source)
        areas: tuple[Area, ...] = ("app", "reader") if self._rendered else ("app", "list", "reader")
        keep = {"help", "back", "search", "source", "edit", "copy", "quit"}
        hints = (action for action in actions_of(*areas) if action.id in keep)
        self.query_one(ActionBar).show(way_back_early(hints))
