"""Events that are normalised already: one JSON object a line with its kind under `k` (formats/hard-stop 6)."""

from __future__ import annotations

from harness_tui.formats.agent_lines import as_int, as_text, input_text, objects
from harness_tui.formats.agent_tools import review
from harness_tui.model.agent_event import AgentEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from harness_tui.model.agent_event import DeniedBy

_BY: Final[frozenset[DeniedBy]] = frozenset({"rule", "user", "auto", "hook", "os"})
_NOISE: Final = (AgentEvent("noise"),)


class PlainEvents:
    """Reads lines of normalised events. Nothing here raises."""

    def read(self, line: bytes) -> tuple[AgentEvent, ...]:
        """The events on a line; what is none of them is noise."""
        found = objects(line)
        if found is None:
            return _NOISE
        return tuple(event for value in found for event in _events(value))


def _events(value: dict[str, Any]) -> Iterator[AgentEvent]:
    text = {name: as_text(item) for name, item in value.items()}
    helper = text.get("helper", "")
    match value.get("k"):
        case "cmd":
            yield AgentEvent(
                "cmd", command=text.get("cmd", ""), exit_code=as_int(value.get("exit")), output=text.get("out", ""),
                helper=helper,
            )  # fmt: skip
        case "edit" | "read" as kind:
            yield AgentEvent(kind, path=text.get("path", ""), helper=helper)
        case "denied":
            by = text.get("by", "")
            yield AgentEvent(
                "denied", tool=text.get("tool", ""), what=text.get("what", ""), feedback=text.get("feedback", ""),
                by=by if by in _BY else "rule",
                helper=helper,
            )  # fmt: skip
        case "step":
            yield AgentEvent("step", helper=helper)
        case "review":
            said = review(text.get("verdict", "").replace("_", " "))
            task = text.get("task", "") or said.task
            yield AgentEvent("review", task=task, verdict=said.verdict, text=text.get("text", ""), helper=helper)
        case "task":
            yield AgentEvent("task", task=text.get("task", ""), mark=text.get("mark", ""))
        case "tool":
            yield AgentEvent("tool", tool=text.get("tool", ""), call=input_text(value.get("input")), helper=helper)
        case "say":
            yield AgentEvent("say", agent=text.get("agent", ""), text=text.get("text", ""), helper=helper)
        case _:
            yield AgentEvent("noise")
