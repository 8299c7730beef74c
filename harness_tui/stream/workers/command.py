"""Any command as a worker: its last line that states a verdict counts, or a file that it leaves."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from harness_tui.formats.agent_events import PlainEvents
from harness_tui.formats.assignment_text import filled
from harness_tui.formats.text import decode, split_lines
from harness_tui.formats.worker_verdict import Verdict, last_verdict
from harness_tui.model.agent_event import AgentEvent
from harness_tui.stream.workers.agent import AgentWorker, EventReader
from harness_tui.workspace.files import FileError, read_file

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.work import Assignment
    from harness_tui.stream.workers.agent import Settings

_EVENT: Final = b'{"k"'
_LONGEST: Final = 4000


class CommandWorker(AgentWorker):
    """`command` may hold placeholders such as `{slug}`; the same values are in its environment as `HARNESS_SLUG` ….

    `result_file` is a file below the root, which may hold placeholders, too; only what is written to it during the run
    counts. A line that is a normalised event (formats/hard-stop 6) is judged like that of an agent.
    """

    whole = False

    def __init__(self, command: tuple[str, ...], settings: Settings | None = None, result_file: str = "") -> None:
        super().__init__(command, settings)
        self.result_file = result_file

    def reader(self) -> EventReader:
        """A reader of plain lines."""
        return _Lines()

    def later_verdict(self, assignment: Assignment, root: Path, since: int) -> Verdict | None:
        """The last verdict in the result file. A file that can't be read, or states none, is no delivery."""
        if not self.result_file:
            return None
        path = root / filled([self.result_file], assignment)[0]
        try:
            if os.stat(path).st_mtime_ns < since - _COARSE:  # noqa: PTH116 - of a file that may be missing
                return None
            lines = split_lines(read_file(path, root=root))
        except FileError as error:
            return Verdict("failed", f"its result file can't be read: {error.reason}")
        except OSError:
            return None
        found = last_verdict(decode(line) for line in lines)
        return found or Verdict("failed", "its result file states no verdict")


_COARSE: Final = 20_000_000
"""Nanoseconds by which the clock of a file system may lag behind."""


class _Lines:
    session = ""  # a plain command has none

    def __init__(self) -> None:
        self._events = PlainEvents()

    def read(self, line: bytes) -> tuple[AgentEvent, ...]:
        if line.startswith(_EVENT):
            return self._events.read(line)
        return (AgentEvent("say", agent="worker", text=line[:_LONGEST].decode("utf-8", "replace")),)
