"""Claude Code as a worker: `claude -p … --output-format stream-json --verbose` (formats/hard-stop 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.formats.assignment_text import prompt
from harness_tui.formats.claude_events import ClaudeEvents
from harness_tui.stream.workers.agent import AgentWorker, EventReader

if TYPE_CHECKING:
    from harness_tui.model.work import Assignment

_STREAM: Final = ("--output-format", "stream-json", "--verbose")


class ClaudeWorker(AgentWorker):
    """`command` is the program with whatever flags the operator wants; how it prints is added here."""

    def words(self, assignment: Assignment, session: str = "") -> list[str]:
        """The command with the prompt as one word. Its standard input is empty."""
        base = super().words(assignment)
        resumed = ["--resume", session] if session else []
        return [*base, *resumed, "-p", prompt(assignment, again=bool(session)), *_STREAM]

    def reader(self) -> EventReader:
        """A reader of stream-json."""
        return ClaudeEvents()
