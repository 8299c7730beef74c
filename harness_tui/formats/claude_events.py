"""Claude Code's `-p --output-format stream-json --verbose`: one object a line (formats/hard-stop 4)."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from harness_tui.formats.agent_lines import as_amount, as_dict, as_int, as_list, as_text, count_of, objects
from harness_tui.formats.agent_tools import HELPERS, begun, denied, finished, unfinished
from harness_tui.model.agent_event import AgentEvent
from harness_tui.model.frozen import replace
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.agent_event import DeniedBy

_EXIT: Final = regex(r"\s*Exit code (?P<code>-?\d{1,9})[ \t]*(?:\r?\n|$)(?P<rest>.*)", re.DOTALL)
_WRONG_CALL: Final = regex(r"\s*<tool_use_error>")
_HOOK: Final = regex(
    r"PreToolUse:\S* hook|Hook PreToolUse|\bblocked by (?:a )?(?:\S+ )?hook\b|PreToolUse hook did not respond",
    re.IGNORECASE,
)
_REFUSED: Final = regex(
    r"Claude requested permissions? to .{0,2000}?(?:but you haven['’]t granted it|which is a sensitive file)"
    r"|Permission (?:to use|for) .{0,4000}?(?:has been|was) denied"
    r"|This command requires approval|requires explicit approval"
    r"|contains multiple operations\. The following parts? requires? approval"
    r"|\A\s*Contains [a-z]+_?(?:expansion|substitution)\s*\Z"
    r"|\A\s*Part of this command .{1,200} cannot be checked in advance"
    r"|For security, Claude Code may only .{1,400}?allowed working director"
    r"|is denied by your permission settings"
    r"|The user doesn['’]t want to (?:proceed with this tool use|take this action)",
    re.IGNORECASE | re.DOTALL,
)
_REFUSAL: Final = 20_000
"""Characters within which a refusal stands: it is a message of its own, not the end of a long output."""
_BY_USER: Final = regex(r"The user doesn['’]t want to", re.IGNORECASE)
_FEEDBACK: Final = regex(
    r"(?:the user said|user (?:provided|gave) the following (?:reason|feedback)[^:]{0,80}):\s*(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_BESIDE: Final[dict[str, Literal["rule", "user", "cancelled"]]] = {
    "permission-rule": "rule",
    "user-rejected": "user",
    "cancelled": "cancelled",
}
"""Why a call was not carried out, as newer versions say beside the message (`tool_result_meta`)."""
_INTERRUPTED: Final = regex(r"\[Request interrupted by user|Command was aborted before completion", re.IGNORECASE)
_REASONS: Final[dict[str, DeniedBy]] = {"rule": "rule", "hook": "hook", "user": "user"}
_USAGE: Final = ("input_tokens", "output_tokens")
_HELD: Final = 4096
"""Calls without an outcome, and outcomes without a call, that are kept at most."""
_TAIL: Final = 400


class _Call(NamedTuple):
    tool: str
    given: dict[str, Any]
    helper: str


class _Outcome(NamedTuple):
    text: str
    failed: bool
    beside: Literal["", "rule", "user", "cancelled"] = ""
    feedback: str = ""


class ClaudeEvents:
    """Reads the lines of one run. Nothing here raises.

    An outcome finds its call by the id of the call, also where the call is printed later. Each refusal is told once,
    whether a system line, the outcome or the final list of refusals tells of it first.
    """

    def __init__(self) -> None:
        self._calls: OrderedDict[str, _Call] = OrderedDict()
        self._early: OrderedDict[str, _Outcome] = OrderedDict()
        self._agents: OrderedDict[str, str] = OrderedDict()
        self._refused: OrderedDict[str, None] = OrderedDict()
        self._message = ""
        self.session = ""
        """The session of the run, as the agent last named it."""

    def read(self, line: bytes) -> tuple[AgentEvent, ...]:
        """The events on a line; what is none of them is noise."""
        found = objects(line)
        if found is None:
            return (AgentEvent("noise", text=line[:_TAIL].decode("utf-8", "replace")),)
        return tuple(event for value in found for event in self._events(value))

    def _events(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        self.session = as_text(value.get("session_id")) or self.session
        match value.get("type"):
            case "assistant":
                yield from self._assistant(value)
            case "user":
                yield from self._user(value)
            case "result":
                yield from self._result(value)
            case "system" if value.get("subtype") == "permission_denied":
                yield from self._system_refusal(value)
            case "system":
                yield AgentEvent("start", path=as_text(value.get("cwd")))
            case "stream_event" | "rate_limit_event":
                yield AgentEvent("start")
            case _:
                yield AgentEvent("noise")

    def _assistant(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        message, helper = as_dict(value.get("message")), as_text(value.get("parent_tool_use_id"))
        name = as_text(message.get("id"))
        if not helper and (not name or name != self._message):
            self._message = name
            yield AgentEvent("step", tokens=count_of(message.get("usage"), *_USAGE))
        for block in map(as_dict, _blocks(message)):
            if block.get("type") == "text":
                agent = self._agents.get(helper, "") if helper else ""
                yield AgentEvent("say", agent=agent, text=as_text(block.get("text")), helper=helper)
            elif block.get("type") == "tool_use":
                yield from self._called(block, helper)

    def _called(self, block: dict[str, Any], helper: str) -> Iterator[AgentEvent]:
        call = _Call(as_text(block.get("name")), as_dict(block.get("input")), helper)
        name = as_text(block.get("id"))
        started = begun(call.tool, call.given, helper=helper)
        if call.tool.casefold() in HELPERS:
            _keep(self._agents, name, as_text(call.given.get("subagent_type")))
            started = replace(started, call="")  # what the helper answers says more than that it was asked again
        yield started
        if name in self._early:
            yield from self._outcome(name, call, self._early.pop(name))
        else:
            _keep(self._calls, name, call)

    def _user(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        for block in map(as_dict, _blocks(as_dict(value.get("message")))):
            if block.get("type") != "tool_result":
                continue
            name = as_text(block.get("tool_use_id"))
            outcome = _outcome_of(name, block, as_list(value.get("tool_result_meta")))
            call = self._calls.pop(name, None)
            if call is not None:
                yield from self._outcome(name, call, outcome)
            elif (by := _refused_by(outcome)) and (by != "hook" or _REFUSED.search(outcome.text, 0, _REFUSAL)):
                helper = as_text(value.get("parent_tool_use_id"))
                yield from self._outcome(name, _Call("", {}, helper), outcome)
            else:
                _keep(self._early, name, outcome)
                yield AgentEvent("start")

    def _outcome(self, name: str, call: _Call, outcome: _Outcome) -> Iterator[AgentEvent]:
        text, failed, beside, feedback = outcome
        if by := _refused_by(outcome):
            yield from self._refuse(name, call, text, by, feedback)
            return
        status, output = _status(text, failed=failed)
        undone = beside == "cancelled" or _WRONG_CALL.match(text) or _INTERRUPTED.search(text)
        if failed and status is None and undone:
            yield replace(unfinished(call.tool, call.given, helper=call.helper), call="")
            return
        told = call.tool.casefold() not in HELPERS
        for event in finished(call.tool, call.given, output, exit_code=status, failed=failed, helper=call.helper):
            yield replace(event, call="") if told else event

    def _refuse(self, name: str, call: _Call, text: str, by: DeniedBy, feedback: str = "") -> Iterator[AgentEvent]:
        if name and name in self._refused:
            return
        _keep(self._refused, name, None)
        said = _FEEDBACK.search(text)
        reason = (feedback or (said["text"] if said is not None else "")).strip() if by == "user" else ""
        refusal = denied(call.tool, call.given, by=by, feedback=reason, text=text, helper=call.helper)
        yield replace(refusal, call="")

    def _system_refusal(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        name = as_text(value.get("tool_use_id"))
        known = self._calls.get(name)
        tool = as_text(value.get("tool_name"))
        call = known if known is not None else _Call(tool, {}, as_text(value.get("parent_tool_use_id")))
        text = as_text(value.get("message")) or as_text(value.get("decision_reason"))
        by = _REASONS.get(as_text(value.get("decision_reason_type")), "rule")
        yield from self._refuse(name, call, text, by)

    def _result(self, value: dict[str, Any]) -> Iterator[AgentEvent]:
        for item in map(as_dict, as_list(value.get("permission_denials"))):
            call = _Call(as_text(item.get("tool_name")), as_dict(item.get("tool_input")), "")
            yield from self._refuse(as_text(item.get("tool_use_id")), call, "", "rule")
        subtype = as_text(value.get("subtype"))
        errors = "; ".join(filter(None, map(as_text, as_list(value.get("errors")))))
        if subtype == "error_max_turns":
            yield AgentEvent("limit", what=subtype, text=errors, turns=as_int(value.get("num_turns")))
        elif subtype != "success" or value.get("is_error") is True:
            detail = errors or as_text(value.get("result"))
            yield AgentEvent("error", what=subtype, text=f"{subtype}: {detail}" if detail else subtype)
        ok = subtype == "success" and value.get("is_error") is not True
        yield AgentEvent(
            "end", what=subtype, text=as_text(value.get("result")), ok=ok,
            cost_usd=as_amount(value.get("total_cost_usd")), tokens=count_of(value.get("usage"), *_USAGE),
        )  # fmt: skip


def _outcome_of(name: str, block: dict[str, Any], beside: list[Any]) -> _Outcome:
    """The outcome in a block, with what stands beside the message of the call with that name."""
    told = next((entry for entry in map(as_dict, beside) if entry and as_text(entry.get("id")) == name), {})
    return _Outcome(
        _text_of(block.get("content")),
        block.get("is_error") is True,
        _BESIDE.get(as_text(told.get("non_execution_kind")), ""),
        as_text(told.get("user_feedback")),
    )


def _refused_by(outcome: _Outcome) -> DeniedBy | None:
    """Who refused the call; None for one that was let through, or that was wrong in itself.

    A command that has an exit code was let through, whatever it printed.
    """
    text, failed, beside, _ = outcome
    if not failed or _WRONG_CALL.match(text) or (not beside and _EXIT.match(text)):
        return None
    if _HOOK.search(text):
        return "hook"
    if _REFUSED.search(text, 0, _REFUSAL):
        return "user" if beside == "user" or _BY_USER.search(text) else "rule"
    return beside if beside == "rule" or beside == "user" else None  # noqa: PLR1714 - the type follows from each


def _keep(held: OrderedDict[str, Any], name: str, value: Any) -> None:
    held[name] = value
    while len(held) > _HELD:
        held.popitem(last=False)


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)


def _text_of(content: Any) -> str:
    """Text of a tool's outcome, which comes as text or as blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(as_text(as_dict(block).get("text")) for block in as_list(content))


def _status(text: str, *, failed: bool) -> tuple[int | None, str]:
    """Status and output of a command: a failing one starts with `Exit code N`; success has no mark at all."""
    found = _EXIT.match(text) if failed else None
    if found is not None:
        return int(found["code"]), found["rest"]
    return (None if failed else 0), text
