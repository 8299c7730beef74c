"""How a run is told of: lines, a live line on a terminal, or one JSON object per event."""

from __future__ import annotations

import os
import stat
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from harness_tui.cli.json_text import dump_line
from harness_tui.cli.output import plain
from harness_tui.formats.text import clean
from harness_tui.model.report import HARD_STOP
from harness_tui.rules.activity import activity_words, merged
from harness_tui.rules.span import clock

if TYPE_CHECKING:
    from harness_tui.model.run import RunEnd, RunEvent
    from harness_tui.model.work import Doing

_CLEAR = "\r\x1b[K"
LEFT_OUT = "… the lines before were left out\n"
_DEFAULT_WIDTH = 80
_ENDS = {
    "drained": "drained", "hard-stop": "hard stop", "first-failure": "stopped", "cancelled": "ended",
    "write-error": "broken off",
}  # fmt: skip


class Progress:
    """Writes to stdout. A reader that goes away does not end the run: from then on nothing is written.

    When stdout is a file of more than `limit` bytes it is begun anew; 0 sets no limit.
    """

    def __init__(self, *, json: bool, limit: int = 0) -> None:
        self._json = json
        self._limit = limit
        dumb = os.environ.get("TERM", "dumb") == "dumb"
        self.live = not json and not dumb and sys.stdout.isatty()
        self._shown = ""
        self._gone = False
        self._event: RunEvent | None = None
        self._doing: Doing | None = None
        self._since: float | None = None

    def tell(self, event: RunEvent) -> None:
        """Take an event."""
        if self._json:
            self._write(dump_line(_document(event)) + "\n")
            return
        self._event = event
        if event.kind == "doing":
            doing = event.doing
            if doing is None or doing.kind in ("noise", "started", "ended"):
                return
            self._doing = merged(self._doing, doing)
            if doing.kind in ("quiet", "denied"):
                self._line(f"{event.at:%H:%M:%S} {event.task_id or ''} {doing.kind}: {doing.text}")
            self.refresh()
            return
        if event.kind == "dispatched":
            self._since, self._doing = time.monotonic(), None
        elif event.kind in ("result", "ended", "waiting"):
            self._since = None
        if event.kind != "ended":
            self._line(f"{event.at:%H:%M:%S} {event.text}")
        self.refresh()

    def refresh(self) -> None:
        """Draw the live line again: task, what it does, how long, the queue."""
        if not self.live or self._event is None:
            return
        event = self._event
        parts = [f"{event.task_id} {event.slug}" if event.task_id else event.text]
        if self._since is not None:
            parts += activity_words(self._doing) if self._doing is not None else ()
            parts.append(clock(timedelta(seconds=time.monotonic() - self._since)))
        parts.append(queue_text(event.queue))
        self._shown = _cut(clean(" · ".join(part for part in parts if part)))
        self._write(_CLEAR + self._shown)

    def ended(self, end: RunEnd, code: int) -> None:
        """What the operator hears last: what needs him first, then how the run ended; `code` is the exit code."""
        if self._json:
            self._write(dump_line({"kind": "end", "code": code, "open": end.open, **plain(end)}) + "\n")
            return
        stops = [need for need in end.needs if need.stage == HARD_STOP]
        questions = [need for need in end.needs if need.stage != HARD_STOP]
        for needs, what in ((stops, "hard stop"), (questions, "question")):
            if needs:
                self._line(f"{len(needs)} {what}{'s' if len(needs) > 1 else ''} for you:")
            for need in needs:
                self._line(f"  {need.task_id} {need.slug}: {need.ask}")
                if need.unblock:
                    self._line(f"    unblocks when: {need.unblock}")
        if end.digest:
            self._line(end.digest)
        self._line(f"{_ENDS[end.state]}{f': {end.reason}' if end.reason else ''}")
        report = end.report or "none, it could not be written"
        self._line(f"{end.pool_id}: {queue_text(_left(end.tally))} · report: {report}")

    def say(self, text: str) -> None:
        """A line of our own; none where only JSON is expected."""
        if not self._json:
            self._line(text)
            self.refresh()

    def _line(self, text: str) -> None:
        self._write(f"{_CLEAR if self._shown else ''}{clean(text)}\n")
        self._shown = ""

    def _write(self, text: str) -> None:
        if self._gone:
            return
        try:
            if self._limit:
                self._begin_anew()
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            self._gone = True

    def _begin_anew(self) -> None:
        descriptor = sys.stdout.fileno()
        state = os.fstat(descriptor)
        if stat.S_ISREG(state.st_mode) and state.st_size > self._limit:
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            sys.stdout.write(LEFT_OUT)


def queue_text(queue: dict[str, int]) -> str:
    """`3 done, 1 failed, 4 pending`."""
    order = ("done", "in-progress", "interrupted", "pending", "failed", "blocked", "needs-human", "skipped", "unknown")
    return ", ".join(f"{queue[word]} {word}" for word in order if queue.get(word)) or "no rows"


def _left(tally: dict[str, int]) -> dict[str, int]:
    """The rows once the run is over: what it had in hand is interrupted."""
    return {"interrupted" if word == "in-progress" else word: count for word, count in tally.items()}


def _document(event: RunEvent) -> dict[str, Any]:
    found: dict[str, Any] = plain(event)
    return found


def _cut(text: str) -> str:
    """As much of `text` as one line of the terminal holds."""
    from rich.cells import set_cell_size

    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns or _DEFAULT_WIDTH
    except (OSError, ValueError):
        width = _DEFAULT_WIDTH
    return set_cell_size(text, max(1, width - 1)).rstrip()
