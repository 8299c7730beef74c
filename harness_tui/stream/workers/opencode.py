"""OpenCode as a worker: `opencode run --format json …` (formats/hard-stop 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.formats.assignment_text import prompt
from harness_tui.formats.opencode_events import OpencodeEvents
from harness_tui.stream.workers.agent import AgentWorker, EventReader

if TYPE_CHECKING:
    from harness_tui.model.work import Assignment


class OpencodeWorker(AgentWorker):
    """`command` is the program; flags after it go before `run`, flags of `run` are those behind a word `run`."""

    def words(self, assignment: Assignment, session: str = "") -> list[str]:
        """The command with the prompt as one word."""
        base = super().words(assignment)
        run = [] if "run" in base[1:] else ["run"]
        resumed = ["--session", session] if session else []
        return [*base, *run, *resumed, "--format", "json", prompt(assignment, again=bool(session))]

    def reader(self) -> EventReader:
        """A reader of its events."""
        return OpencodeEvents()
