"""Something that is done at a deadline unless it is called off before, at next to no cost when it is.

Starting a `threading.Timer` for each task costs more than all else that a run does for one. Here one thread stays and
sleeps; setting a deadline and calling it off wakes nobody.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Deadline:
    """Calls `action` in a thread of its own when a block of `watched` takes longer than `seconds`."""

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self._seconds = seconds
        self._action = action
        self._changed = threading.Condition()
        self._due: float | None = None
        self._thread: threading.Thread | None = None
        self._asleep = False
        self._closed = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While the block runs, `action` may be called once; it is not going on any more when the block is left."""
        with self._changed:
            self._due = time.monotonic() + self._seconds
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, name="deadline", daemon=True)
                self._thread.start()
            elif self._asleep:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due = None

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        """Who wakes at an old deadline sleeps on until the one that is set now: deadlines only move away."""
        with self._changed:
            while not self._closed:
                rest = None if self._due is None else self._due - time.monotonic()
                if rest is not None and rest <= 0:
                    self._due = None
                    self._action()
                    continue
                self._asleep = rest is None
                self._changed.wait(rest)
                self._asleep = False
