"""Waiting for more work without spinning: woken by changed files, and a slow look in case an event got lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from harness_tui.formats.intervention import PATH
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from harness_tui.model.run import RunOptions
    from harness_tui.stream.book import Book
    from harness_tui.stream.clock import Clock
    from harness_tui.stream.operator import Operator
    from harness_tui.workspace.signature import Signature
    from harness_tui.workspace.watcher import Watcher

LOOK: Final = 2.0
"""Seconds between looks while events arrive."""


class Rest:
    """The pause of a drained run: `idle` ticks, or without end; over when files change or the operator ends the run."""

    def __init__(
        self, book: Book, operator: Operator, options: RunOptions, clock: Clock, cancel: threading.Event
    ) -> None:
        self._book = book
        self._operator = operator
        self._options = options
        self._clock = clock
        self._cancel = cancel
        self._wake = threading.Event()
        self._watcher: Watcher | None = None
        self._left = options.idle

    def reset(self) -> None:
        """Something was dispatched: empty ticks are counted anew."""
        self._left = self._options.idle

    def until_news(self) -> bool:
        """Wait until there may be more to do; False when it is time to go."""
        if not self._options.follow and self._left <= 0:
            return False
        self._book.event("waiting", self._text())
        while self._options.follow or self._left > 0:
            if self._wait(None if self._options.follow else self._options.tick):
                return True
            self._left -= 1
        return False

    def hold(self, reason: str, unclear: Signature) -> None:
        """Wait until the operator has changed the file that can't be understood and was `unclear` when it was read."""
        self._book.event("waiting", reason)
        while not self._cancel.is_set() and signature(self._book.root / PATH) == unclear:
            self._pause(LOOK)

    def close(self) -> None:
        """Stop listening."""
        if self._watcher is not None:
            self._watcher.stop()

    def _wait(self, seconds: float | None) -> bool:
        """Whether something came before `seconds` were over."""
        deadline = None if seconds is None else self._clock.monotonic() + seconds
        while not self._news():
            left = LOOK if deadline is None else min(LOOK, deadline - self._clock.monotonic())
            if left <= 0:
                return False
            self._pause(left)
        return True

    def _pause(self, seconds: float) -> None:
        self._listen()
        self._clock.wait(self._wake, seconds)
        self._wake.clear()

    def _news(self) -> bool:
        return self._cancel.is_set() or self._operator.waiting() or self._book.news()

    def _listen(self) -> None:
        if self._watcher is None:
            from harness_tui.workspace.watcher import Watcher  # noqa: PLC0415 - most runs never wait

            self._watcher = Watcher(lambda _paths: self._wake.set())
            self._watcher.start()
            threading.Thread(target=self._hear_the_end, name="harness-tui end of run", daemon=True).start()
        root = self._book.root
        self._watcher.arm([self._book.paths.plan.parent, root / ".harness", root])

    def _hear_the_end(self) -> None:
        self._cancel.wait()
        self._wake.set()

    def _text(self) -> str:
        until = "" if self._options.follow else f" for {self._left} ticks of {self._options.tick:g} s"
        return f"drained; waiting for more work{until}"
