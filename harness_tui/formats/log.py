"""Stream and batch logs: one event a line, scanned in bulk (formats/harness-kit 1.2, 2.3).

A log may have a hundred megabytes. The scan asks one pattern for the first word of every line and another for the words
that decide a kind; only lines that end up in `Log` are read in full, when it is asked for.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.log_block import Block, text_of
from harness_tui.formats.log_health import Health
from harness_tui.formats.log_line import LINE_LIMIT, parse_entry, run_heading
from harness_tui.formats.text import clean
from harness_tui.model.frozen import record, replace
from harness_tui.model.log import Log, TaskLog

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.log import LogEntry

__all__ = ["LogScan", "parse_entry"]

_BLOCK: Final = 512 * 1024
_BOM: Final = b"\xef\xbb\xbf"


class _Raw(NamedTuple):
    """A line that may be asked for: its number and its bytes."""

    line: int
    data: bytes


@record
class _Task:
    attempts: int = 0
    dispatch: _Raw | None = None
    result: _Raw | None = None
    last: _Raw | None = None
    rollbacks: int | None = None


class LogScan:
    """The facts of one log that grows. Any cutting of its bytes into chunks gives the same facts.

    An unfinished last line is held back and shown as `Log.partial` until its line feed comes.
    """

    def __init__(self, pool_id: str, path: str) -> None:
        self._pool_id = pool_id
        self._path = path
        self.reset()

    def reset(self) -> None:
        """Forget everything, as before the first `feed`: the file was replaced or cut."""
        self._tail = bytearray()
        self._tail_size = 0
        self._lines = 0
        self._entries = 0
        self._first_at: datetime | None = None
        self._last_at: datetime | None = None
        self._last: _Raw | None = None
        self._run: _Raw | None = None
        self._gate: _Raw | None = None
        self._baseline: _Raw | None = None
        self._tasks: dict[str, _Task] = {}
        self._changed: dict[str, None] = {}
        self._built: dict[str, TaskLog] = {}
        self._health = Health()
        self._log: Log | None = None

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the log, cut anywhere."""
        if not chunk:
            return
        self._log = None
        end = chunk.rfind(b"\n") + 1
        if end:
            first_end = chunk.find(b"\n") + 1
            if self._tail:
                line = bytes(self._tail) + chunk[: min(first_end, LINE_LIMIT + 1)]
                size = self._tail_size + first_end - 1
                self._tail.clear()
                self._tail_size = 0
                self._take(line if line.endswith(b"\n") else line + b"\n", size)
                self._take(chunk[first_end:end])
            else:
                self._take(chunk[:end])
        rest = chunk[end:]
        self._tail += rest[: max(0, LINE_LIMIT + 1 - len(self._tail))]
        self._tail_size += len(rest)

    def log(self, *, size: int, modified_at: datetime | None, restarts: int, complete: bool) -> Log:
        """The facts so far. The file's own figures come from the caller; nothing new gives the same object."""
        known = self._log
        if known is not None:
            if (known.size, known.modified_at, known.restarts, known.complete) != (
                size, modified_at, restarts, complete,
            ):  # fmt: skip
                self._log = replace(known, size=size, modified_at=modified_at, restarts=restarts, complete=complete)
                return self._log
            return known
        self._build_tasks()
        self._log = Log(
            pool_id=self._pool_id,
            path=self._path,
            entries=self._entries,
            first_at=self._first_at,
            last_at=self._last_at,
            last=_entry(self._last),
            problems=self._health.problems(self._path),
            lines=self._lines,
            size=size,
            modified_at=modified_at,
            tasks=self._built,
            run=_entry(self._run),
            gate=_entry(self._gate),
            baseline=_entry(self._baseline),
            partial=self._partial(),
            restarts=restarts,
            complete=complete,
        )
        return self._log

    def _partial(self) -> str:
        tail = bytes(self._tail[:LINE_LIMIT])
        tail = tail.removeprefix(_BOM) if self._lines == 0 else tail
        return clean(codecs.utf_8_decode(tail, "surrogateescape", False)[0].removesuffix("\r"))

    def _take(self, lines: bytes, size: int = 0) -> None:
        """Scan whole lines, block by block. `size` is that of the first one where some of it was dropped before."""
        if self._lines == 0:
            lines = lines.removeprefix(_BOM)
        start = 0
        while start < len(lines):
            end = lines.rfind(b"\n", start, start + _BLOCK) + 1
            if end <= start:
                end = lines.find(b"\n", start) + 1
            self._scan(self._shorten(lines[start:end], size))
            start = end

    def _shorten(self, block: bytes, size: int) -> bytes:
        """`block` with every line cut to `LINE_LIMIT` bytes, on a whole character."""
        start = 0
        while start < len(block):
            end = block.rfind(b"\n", start, start + LINE_LIMIT + 1) + 1
            if end <= start:
                end = block.index(b"\n", start)
                self._health.long_line(self._lines + block.count(b"\n", 0, start) + 1, max(size, end - start))
                cut = start + LINE_LIMIT
                while cut > start + LINE_LIMIT - 4 and block[cut] & 0xC0 == 0x80:  # noqa: PLR2004 - middle of UTF-8
                    cut -= 1
                block = block[:cut] + block[end:]
                end = cut + 1
            start = end
        return block

    def _scan(self, lines: bytes) -> None:
        base = self._lines + 1
        self._health.look(lines, base)
        block = Block(lines)
        self._lines += len(block.lines)
        self._entries += block.count
        if self._first_at is None:
            self._first_at = block.first_time()
        self._last_at = block.last_time() or self._last_at

        def raw(index: int, known: _Raw | None) -> _Raw | None:
            return known if index < 0 else _Raw(base + index, block.lines[index])

        self._last = raw(block.last, self._last)
        self._run = raw(block.run, self._run)
        self._gate = raw(block.gate, self._gate)
        self._baseline = raw(block.baseline, self._baseline)
        for task_id, index in block.latest.items():
            task = self._tasks.get(task_id) or self._tasks.setdefault(task_id, _Task())
            task.last = _Raw(base + index, block.lines[index])
            task.attempts += block.attempts.get(task_id, 0)
            task.dispatch = raw(block.dispatch.get(task_id, -1), task.dispatch)
            task.result = raw(block.result.get(task_id, -1), task.result)
            task.rollbacks = block.rollbacks.get(task_id, task.rollbacks)
        self._changed.update(dict.fromkeys(block.latest))

    def _build_tasks(self) -> None:
        if not self._changed:
            return
        built = dict(self._built)
        for task_id in self._changed:
            facts, old = self._tasks[task_id], built.get(task_id, TaskLog())
            built[task_id] = TaskLog(
                facts.attempts,
                _entry(facts.dispatch, old.dispatch),
                _entry(facts.result, old.result),
                _entry(facts.last, old.last),
                facts.rollbacks,
            )
        self._built = built
        self._changed.clear()


def _entry(raw: _Raw | None, known: LogEntry | None = None) -> LogEntry | None:
    """The event on a line; `known` when it is that of the same line."""
    if raw is None or (known is not None and known.line == raw.line):
        return known
    text = text_of(raw.data)
    return parse_entry(raw.line, text) or run_heading(raw.line, text)
