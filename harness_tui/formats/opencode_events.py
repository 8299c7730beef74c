"""OpenCode's `run --format json`: one object a line, plain notices between them (formats/hard-stop 4)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.agent_lines import as_amount, as_dict, as_int, as_list, as_text, count_of, objects
from harness_tui.formats.agent_tools import SHELLS, denied, finished, unfinished
from harness_tui.model.agent_event import AgentEvent
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.agent_event import DeniedBy

_NOTICE: Final = regex(rb"\s*!\s*permission requested:\s*(?P<name>[\w.-]+)\s*(?:\((?P<what>.*)\))?;\s*auto-rejecting")
_RULE: Final = ("the user has specified a rule which prevents", "has specifically restricted access to this command")
_REJECTED: Final = "the user rejected permission to use this"
_FEEDBACK: Final = regex(r"following feedback\s*:\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)
_DISMISSED: Final = "the user dismissed this question"
_ABORTED: Final = "tool execution aborted"
_ENDED: Final = regex(
    r"(?:timed out after|exceed\w* timeout|command (?:was )?aborted|terminated command)", re.IGNORECASE
)
_TAIL: Final = 400


class OpencodeEvents:
    """Reads the lines of one run. Nothing here raises."""

    def __init__(self) -> None:
        self._asked = ""
        self._refusals = 0
        self.session = ""
        """The session of the run, as the agent last named it."""

    def read(self, line: bytes) -> tuple[AgentEvent, ...]:
        """The events on a line; what is none of them is noise."""
        found = objects(line)
        if found is None:
            notice = _NOTICE.match(line)
            if notice is not None:
                self._asked = notice["name"].decode("utf-8", "replace")
            return (AgentEvent("noise", text=line[:_TAIL].decode("utf-8", "replace")),)
        return tuple(event for value in found for event in self._events(value))

    def _events(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        part = as_dict(value.get("part"))
        self.session = as_text(value.get("sessionID")) or self.session
        match value.get("type"):
            case "tool_use":
                yield from self._tool(part)
            case "text":
                yield AgentEvent("say", text=as_text(part.get("text")))
            case "step_start":
                yield AgentEvent("start")
            case "step_finish":
                tokens = count_of(part.get("tokens"), "input", "output", "reasoning")
                yield AgentEvent("step", cost_usd=as_amount(part.get("cost")), tokens=tokens)
                if part.get("reason") == "stop":
                    yield AgentEvent("end")
            case "error":
                error = as_dict(value.get("error"))
                message = as_text(as_dict(error.get("data")).get("message"))
                name = as_text(error.get("name")) or "error"
                yield AgentEvent("error", what=name, text=f"{name}: {message}" if message else name)
            case "done":
                for name in as_list(value.get("rejected")) if not self._refusals else []:
                    yield denied(as_text(name), {}, by="auto", text=f"{as_text(name)} was rejected in this run")
                yield AgentEvent("end")
            case "permission.asked":
                self._asked = as_text(as_dict(value.get("properties", value)).get("permission"))
                yield AgentEvent("start")
            case "permission.replied" if as_dict(value.get("properties", value)).get("reply") == "reject":
                yield denied(self._asked, {}, by="user", text=f"{self._asked or 'a permission'} was rejected")
            case "reasoning":
                yield AgentEvent("start")
            case _:
                yield AgentEvent("noise")

    def _tool(self, part: dict[str, Any]) -> Iterator[AgentEvent]:
        tool, state = as_text(part.get("tool")), as_dict(part.get("state"))
        given = as_dict(state.get("input"))
        if state.get("status") == "completed":
            self._asked = ""
            yield from _completed(tool, given, state)
        elif state.get("status") == "error":
            yield from self._refused(tool, given, as_text(state.get("error")))
        else:
            yield AgentEvent("noise")

    def _refused(self, tool: str, given: dict[str, Any], error: str) -> Iterator[AgentEvent]:
        plain = error.casefold()
        asked, self._asked = self._asked, ""
        self._refusals += any(text in plain for text in (*_RULE, _REJECTED))
        if any(text in plain for text in _RULE):
            name = "doom_loop" if _only_doom_loop(error) else tool
            yield denied(name, given, by="rule", text=error)
        elif _REJECTED in plain:
            said = _FEEDBACK.search(error)
            by: DeniedBy = "auto" if asked else "user"
            name = asked if asked in {"doom_loop", "question"} else tool
            yield denied(name, given, by=by, feedback=said["text"].strip() if said else "", text=error)
        elif _DISMISSED in plain:
            yield denied("question", given, by="user", text=error)
        elif _ABORTED in plain:
            yield unfinished(tool, given)
        else:
            yield from finished(tool, given, error, exit_code=None, failed=True)


def _completed(tool: str, given: dict[str, Any], state: dict[str, Any]) -> tuple[AgentEvent, ...]:
    """A shell command that failed is completed with a status, one that was ended says so at the end of its output."""
    metadata = as_dict(state.get("metadata"))
    output = as_text(state.get("output")) or as_text(metadata.get("output"))
    status = as_int(metadata.get("exit"))
    ended = tool.casefold() in SHELLS and status is None and _ENDED.search(output[-_TAIL:]) is not None
    return finished(tool, given, output, exit_code=status, failed=ended)


def _only_doom_loop(error: str) -> bool:
    """Whether the rules that an error quotes are all about the guard against loops."""
    _, bracket, rest = error.partition("[")
    try:
        rules = json.loads(f"[{rest[: rest.rindex(']')]}]") if bracket and "]" in rest else None
    except (ValueError, RecursionError):
        return False
    names = [as_dict(rule).get("permission") for rule in as_list(rules)]
    return bool(names) and all(name == "doom_loop" for name in names)
