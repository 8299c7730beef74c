"""What a finished tool call of an agent means, whichever agent it was (formats/hard-stop 4)."""

from __future__ import annotations

import re

from harness_tui.formats.agent_lines import as_text, input_text
from harness_tui.formats.review_round import read_verdict
from harness_tui.model.agent_event import AgentEvent
from harness_tui.model.regex import regex
from harness_tui.model.work_plan import ReviewRound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Literal

    from harness_tui.model.agent_event import DeniedBy

SHELLS: Final = frozenset({"bash", "shell", "powershell"})
EDITORS: Final = frozenset({"edit", "write", "multiedit", "notebookedit", "patch", "apply_patch", "multi_edit"})
READERS: Final = frozenset({"read", "view", "notebookread"})
HELPERS: Final = frozenset({"task", "agent"})

_PATHS: Final = ("filePath", "file_path", "notebook_path", "path")
_PATCHED: Final = regex(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)
_TASK: Final = regex(r"\btasks?\s{0,3}#?(?P<id>[A-Za-z]{0,4}-?\d+(?:\.\d+)*[a-z]?)(?!\w)", re.IGNORECASE)
_REVIEWER: Final = regex(r"review", re.IGNORECASE)
_READ: Final = 20_000


def finished(
    tool: str, given: dict[str, Any], output: str, *, exit_code: int | None, failed: bool, helper: str = ""
) -> tuple[AgentEvent, ...]:
    """Events of a call that was let through: one, save for a patch of several files."""
    kind = tool.casefold()
    call = input_text(given)
    if kind in SHELLS:
        command = as_text(given.get("command"))
        found = AgentEvent(
            "cmd", tool=tool, call=call, command=command, exit_code=exit_code, output=output, failed=failed,
            helper=helper,
        )  # fmt: skip
        return (found,)
    if kind in EDITORS and not failed:
        paths = edited_paths(given) or ("",)
        return tuple(
            AgentEvent("edit", tool=tool, call=call if number == 0 else "", path=path, helper=helper)
            for number, path in enumerate(paths)
        )
    if kind in READERS:
        return (AgentEvent("read", tool=tool, call=call, path=path_of(given), helper=helper),)
    if kind in HELPERS and not failed and is_reviewer(agent := as_text(given.get("subagent_type"))):
        asked = f"{as_text(given.get('description'))}\n{as_text(given.get('prompt'))}"
        return (review(output, asked=asked, agent=agent, tool=tool, call=call, helper=helper),)
    return (AgentEvent("tool", tool=tool, call=call, path=path_of(given), failed=failed, helper=helper),)


def unfinished(tool: str, given: dict[str, Any], *, helper: str = "") -> AgentEvent:
    """A call that was wrong in itself, or that was broken off: nothing was done."""
    return AgentEvent("tool", tool=tool, call=input_text(given), path=path_of(given), failed=True, helper=helper)


def denied(
    tool: str, given: dict[str, Any], *, by: DeniedBy, feedback: str = "", text: str = "", helper: str = ""
) -> AgentEvent:
    """A call that was refused; `text` is what the refusal says, shown when the input names nothing."""
    what = (
        as_text(given.get("command"))
        or path_of(given)
        or as_text(given.get("subagent_type"))
        or as_text(given.get("url"))
        or text
    )
    call = input_text(given) if given else None
    return AgentEvent(
        "denied", tool=tool, call=call, what=what, by=by, feedback=feedback, text=text, helper=helper
    )  # fmt: skip


def begun(tool: str, given: dict[str, Any], *, helper: str = "") -> AgentEvent:
    """A call that starts."""
    return AgentEvent(
        "call", tool=tool, call=input_text(given), command=as_text(given.get("command")), path=path_of(given),
        helper=helper,
    )  # fmt: skip


def review(
    text: str, *, asked: str = "", agent: str = "", tool: str = "", call: str | None = None, helper: str = ""
) -> AgentEvent:
    """What a reviewer answered: its verdict, and the task that it is about as far as the words tell."""
    verdict, tasks = _verdict(text[:_READ])
    named = tasks[0] if tasks else _task_in(text) or _task_in(asked)
    return AgentEvent(
        "review", tool=tool, call=call, agent=agent, task=named, verdict=verdict, text=text, helper=helper
    )  # fmt: skip


def is_reviewer(agent: str) -> bool:
    """Whether a helper of that name reviews code. A plan's reviewer has a limit of its own."""
    return _REVIEWER.search(agent) is not None and "plan" not in agent.casefold()


def path_of(given: dict[str, Any]) -> str:
    """The file that the input of a tool names."""
    return next((path for name in _PATHS if (path := as_text(given.get(name)))), "")


def edited_paths(given: dict[str, Any]) -> tuple[str, ...]:
    """All files that an edit changes: the one it names, or those of its patch."""
    path = path_of(given)
    patch = as_text(given.get("patchText")) or as_text(given.get("patch"))
    patched = [first or moved for first, moved in _PATCHED.findall(patch)]
    return tuple(dict.fromkeys(([path] if path else []) + [name.strip() for name in patched]))


def _verdict(text: str) -> tuple[Literal["", "approved", "refused"], tuple[str, ...]]:
    """The verdict of an answer as a whole, else that of its last line which states one."""
    for part in (text, *reversed(text.split("\n"))):
        word, tasks = read_verdict(part)
        seen = ReviewRound("", tasks, word, "", 0)
        if seen.refused or seen.approved:
            return ("refused" if seen.refused else "approved"), tasks
        if word == "CONDITIONAL APPROVAL":
            return "", tasks
    return "", ()


def _task_in(text: str) -> str:
    named = _TASK.search(text[:_READ])
    return named["id"] if named is not None else ""
