"""Lines of a file for a line view: loaded by the reader's thread, kept in a bounded memory."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from harness_tui.formats.counts import counts
from harness_tui.formats.log import parse_entry
from harness_tui.formats.text import clean, decode, has_hidden
from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.tui.widgets.line_source import BlockCache, Line
from harness_tui.workspace.line_search import matching_lines, search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness_tui.workspace.live import Live
    from harness_tui.workspace.reader import Reader
    from harness_tui.workspace.tail import LineFile, RawLine

CONTROL_MARK: Final = "‹control bytes removed›"
_CONTROL: Final = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TAIL: Final = 512
"""Lines at the end that are loaded when a file is opened."""
AT_ONCE: Final = 128
"""Lines at the end that come with the news of a change; the view asks for others."""
ERRORS: Final = regex(rb"FAIL|BLOCKED|NEEDS-HUMAN|STOP|(?i:hard stop|error)")
"""Lines that may report trouble; `reports_trouble` decides."""
_TROUBLE: Final = frozenset({"failed", "blocked", "needs-human", "stop"})


@frozen
class News:
    """How a file stands: number of lines, whether all are counted, how often it was restarted, and its newest lines.

    While not all lines are counted, the number is that of the lines at the end that are known.
    """

    total: int
    counted: bool
    restarts: int
    start: int
    lines: list[Line]


class FileSource:
    """A file by absolute path. `post` brings a callable to the UI thread; the callbacks below are called there.

    While the lines of a large file are still being counted, only its end is known: `total` counts the lines of that
    end, and `on_counted` tells when all are.
    """

    def __init__(self, path: str, live: Live, post: Callable[[Callable[[], None]], None], *, log: bool) -> None:
        self.path = path
        self.total = 0
        self.counted = False
        self.on_loaded: Callable[[int, int], None] = lambda _start, _stop: None
        self._live = live
        self._post = post
        self._log = log
        self._cache = BlockCache()
        self._asked: set[tuple[int, int]] = set()
        self._generation = 0

    def get(self, line: int, /) -> Line | None:
        """The line, if it is in memory."""
        return self._cache.get(line)

    def want(self, start: int, stop: int, /) -> None:
        """Have the reader load these lines, in whole blocks."""
        start, stop = self._cache.around(max(0, start), stop)
        stop = min(stop, self.total)
        if start >= stop or (start, stop) in self._asked:
            return
        self._asked.add((start, stop))
        generation = self._generation

        def job(reader: Reader) -> bool:
            file = reader.logs.text(self.path)
            lines = self._lines(self._raw(file, start, stop), top=file.complete and start == 0)
            self._post(lambda: self._have(generation, start, stop, lines))
            return True

        self._live.ask(job)

    def grow(self, news: News) -> None:
        """The file is longer now; the newest lines replace what was known of them.

        The last line known so far may have been unfinished, so it has to be among them or is asked for again.
        """
        self._cache.drop(max(0, self.total - 1))
        self._asked.clear()
        self.total = news.total
        self._cache.put(news.start, news.lines)

    def restart(self, news: News) -> None:
        """The file was replaced, cut or rewritten, or is counted now: nothing that was loaded counts."""
        self.total, self.counted = news.total, news.counted
        self._generation += 1
        self._cache.clear()
        self._asked.clear()
        self._cache.put(news.start, news.lines)

    def sync(self, done: Callable[[News], None]) -> None:
        """Ask how the file stands; `done` gets it."""

        def job(reader: Reader) -> bool:
            news = self._news(reader)
            self._post(lambda: done(news))
            return True

        self._live.ask(job)

    def follow(self, done: Callable[[News], None]) -> Callable[[], None]:
        """Have `done` called with every change of the file from now on; returns what ends that."""
        last: tuple[object, ...] = ()

        def follower(reader: Reader) -> bool:
            nonlocal last
            file = reader.logs.text(self.path)
            state = (file.size, file.complete, reader.logs.restarts(self.path), file.signature)
            if state == last:
                return False
            last = state
            news = self._news(reader)
            self._post(lambda: done(news))
            return True

        return self._live.follow(follower)

    def _news(self, reader: Reader) -> News:
        file = reader.logs.text(self.path)
        if file.complete:
            total = file.total
            start = max(0, min(self.total - 1, total), total - (AT_ONCE if self.counted else TAIL))
            raw = file.lines(start, total)
        else:
            raw = file.tail(TAIL)
            start, total = 0, len(raw)
        lines = self._lines(raw, top=file.complete and start == 0)
        return News(total, file.complete, reader.logs.restarts(self.path), start, lines)

    def find(
        self, pattern: re.Pattern[bytes], line: int, found: Callable[[int | None], None], *, forward: bool,
        accept: Callable[[bytes], bool] = lambda _line: True,
    ) -> None:  # fmt: skip
        """Look for a line from `line` on that matches and is accepted; `found` gets it, or None when there is none."""
        place = line

        def job(reader: Reader) -> bool:
            nonlocal place
            file = reader.logs.text(self.path)
            step = search(file, pattern, place, forward=forward)
            if step.line is not None and accept(file.lines(step.line, step.line + 1)[0].data):
                self._post(lambda: found(step.line))
                return True
            if step.done:
                self._post(lambda: found(None))
                return True
            place = step.next_line
            return False

        self._live.ask(job)

    def filter(
        self, pattern: re.Pattern[bytes], *, inverse: bool, start: int, more: Callable[[array[int], bool, int], None]
    ) -> None:
        """All lines from `start` on that match, or do not.

        `more` gets a portion of them, whether it was the last, and the line to go on from.
        """
        place = start
        generation = self._generation

        def job(reader: Reader) -> bool:
            nonlocal place
            file = reader.logs.text(self.path)
            if generation != self._generation:
                return True
            lines, place_after = matching_lines(file, pattern, place)
            found = lines
            if inverse:
                hidden = set(lines)
                found = array("Q", (number for number in range(place, place_after) if number not in hidden))
            done = place_after >= file.total - file.partial or place_after == place
            place = place_after
            after = place
            self._post(lambda: more(found, done, after))
            return done

        self._live.ask(job)

    def _raw(self, file: LineFile, start: int, stop: int) -> list[RawLine]:
        if file.complete:
            return file.lines(start, stop)
        return file.tail(self.total)[start:stop]

    def _lines(self, raws: Sequence[RawLine], *, top: bool) -> list[Line]:
        """Lines to show; a byte-order mark is none of the text only at the top of the file."""
        first = [self._line(raw, decode(raw.data)) for raw in raws[:1]] if top else []
        return first + [self._line(raw, raw.data.decode("utf-8", "surrogateescape")) for raw in raws[len(first) :]]

    def _line(self, raw: RawLine, text: str) -> Line:
        marks = CONTROL_MARK if not text.isprintable() and _CONTROL.search(text) else ""
        kind = _kind(text) if self._log else ""
        return Line(clean(text), kind, raw.dropped, marks or ("‹hidden characters shown›" if has_hidden(text) else ""))

    def _have(self, generation: int, start: int, stop: int, lines: list[Line]) -> None:
        if generation != self._generation:
            return
        self._asked.discard((start, stop))
        self._cache.put(start, lines)
        self.on_loaded(start, stop)


@lru_cache(1024)
def _kind(text: str) -> str:
    if text.startswith("#"):
        return "heading"
    entry = parse_entry(1, text)
    return entry.kind if entry is not None else "prose"


def reports_trouble(line: bytes) -> bool:
    """Whether a log line reports a failure, a block, a question or a stop, not only speaks of one that is mended."""
    text = decode(line)
    entry = parse_entry(1, text)
    if entry is None:
        return False
    if entry.kind in _TROUBLE:
        return True
    found = counts(text) if entry.kind in ("regression-gate", "run", "exit") else None
    return found is not None and bool(found.failed)


def line_pattern(text: str) -> re.Pattern[bytes]:
    """Lines that hold `text`, taken literally and at no regard of the case of ASCII letters."""
    return re.compile(re.escape(text.encode("utf-8", "surrogateescape")), re.IGNORECASE)
