"""Follows the logs of the pools: facts by scanning each byte once, text by the page."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from harness_tui.formats.log import LogScan, parse_entry
from harness_tui.formats.text import decode
from harness_tui.model.frozen import record
from harness_tui.workspace.line_search import search
from harness_tui.workspace.tail import LineFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from harness_tui.model.log import Log, LogEntry

SLICE = 1 << 20
"""Bytes scanned in one pass at most, so that changes and questions are heard of in between."""


@record
class _Followed:
    file: LineFile
    scan: LogScan
    scanned: int = 0
    restarts: int = 0
    broke: bool = False
    """Whether the scan met bytes that could not be read; it goes on after the next look."""
    log: Log | None = None
    facts: object = None


class LogReader:
    """All logs of a workspace by absolute path. `budget` bytes are scanned of a log in one refresh."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._logs: dict[str, _Followed] = {}
        self._texts: dict[str, LineFile] = {}

    @property
    def complete(self) -> bool:
        """Whether every log has been scanned to its end, or as far as it can be read now."""
        return all(followed.broke or followed.scanned >= followed.file.size for followed in self._logs.values())

    @property
    def broke(self) -> bool:
        """Whether a part of a log could not be read: it was cut meanwhile, or the disk gave an error."""
        return any(followed.broke for followed in self._logs.values())

    def knows(self, path: str) -> bool:
        """Whether `path` is a log that is followed."""
        return path in self._logs

    def refresh(self, path: str, pool_id: str, name: str, *, look: bool, budget: int = SLICE) -> Log | None:
        """The facts of the log at `path`, shown as `name`; None when it is gone. Without `look` it only scans on."""
        followed = self._logs.get(path)
        if followed is None:
            followed = _Followed(LineFile(path, root=self._root), LogScan(pool_id, name))
            self._logs[path] = followed
            look = True
        if look:
            self._look(followed)
        if not followed.file.exists:
            return None
        self._scan(followed, budget)
        return self._facts(followed)

    def look(self, paths: Iterable[str]) -> None:
        """Look at those of `paths` that are followed, ahead of the `refresh` that tells their facts."""
        for path in paths:
            if path in self._logs:
                self._look(self._logs[path])
                self._scan(self._logs[path], SLICE)

    def forget(self, keep: set[str]) -> None:
        """Stop following logs that are not in `keep`."""
        for path in [path for path in self._logs if path not in keep]:
            self._logs.pop(path).file.close()

    def text(self, path: str) -> LineFile:
        """The lines of a followed log, or of any other file of the workspace, looked at anew."""
        followed = self._logs.get(path)
        if followed is not None:
            return followed.file
        if path not in self._texts:
            for old in list(self._texts)[:-3]:
                self._texts.pop(old).close()
            self._texts[path] = LineFile(path, root=self._root)
        self._texts[path].refresh()
        self._texts[path].index()
        return self._texts[path]

    def restarts(self, path: str) -> int:
        """How often the log at `path` was seen to be cut, replaced or rewritten."""
        followed = self._logs.get(path)
        return followed.restarts if followed is not None else 0

    def last_entries(self, path: str, task_id: str, count: int = 12) -> list[LogEntry]:
        """The last `count` entries that speak of a task, newest last; looks at no more than the last 8 MiB."""
        followed = self._logs.get(path)
        if followed is None or not followed.file.complete:
            return []
        found: list[LogEntry] = []
        pattern = re.compile(re.escape(task_id.encode("utf-8", "surrogateescape")))
        line = followed.file.total - 1
        floor = followed.file.line_at(max(0, followed.file.size - 8 * SLICE))
        while len(found) < count and line >= floor:
            hit = search(followed.file, pattern, line, forward=False)
            line = hit.next_line
            if hit.line is not None:
                raw = followed.file.lines(hit.line, hit.line + 1)[0]
                entry = parse_entry(hit.line + 1, decode(raw.data))
                if entry is not None and entry.task_id == task_id:
                    found.append(entry)
            if hit.done:
                break
        return found[::-1]

    def close(self) -> None:
        """Give all files back."""
        for followed in self._logs.values():
            followed.file.close()
        for file in self._texts.values():
            file.close()

    @staticmethod
    def _look(followed: _Followed) -> None:
        change = followed.file.refresh()
        followed.broke = False
        if change.kind in ("restarted", "vanished", "appeared"):
            followed.restarts += change.kind == "restarted"
            followed.scan.reset()
            followed.scanned = 0

    @staticmethod
    def _scan(followed: _Followed, budget: int) -> None:
        stop = min(followed.file.size, followed.scanned + budget)
        if followed.broke:
            return
        while followed.scanned < stop:
            chunk = followed.file.read(followed.scanned, min(1 << 18, stop - followed.scanned))
            if not chunk:
                followed.broke = True
                return
            followed.scan.feed(chunk)
            followed.scanned += len(chunk)
        followed.file.index(8 * budget)

    @staticmethod
    def _facts(followed: _Followed) -> Log:
        file = followed.file
        state = (followed.scanned, file.size, followed.restarts, file.signature)
        if followed.log is None or state != followed.facts:
            followed.facts = state
            seen = file.signature
            followed.log = followed.scan.log(
                size=file.size,
                modified_at=datetime.fromtimestamp(seen.mtime_ns / 1e9, UTC) if seen else None,
                restarts=followed.restarts,
                complete=followed.scanned >= file.size,
            )
        return followed.log
