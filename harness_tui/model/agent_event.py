"""One thing that an agent did, as every agent's own output is brought to it (formats/hard-stop 4, 6)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    EventKind = Literal[
        "start", "call", "cmd", "edit", "read", "denied", "step", "review", "task", "tool", "say", "error", "limit",
        "end", "noise",
    ]  # fmt: skip
    """`call` is a tool that begins (its outcome follows as another event), `tool` any finished one that is none of the
    others, `limit` the agent's own limit of steps, `noise` a line that is no event, `start` any other sign of life."""
    DeniedBy = Literal["rule", "user", "auto", "hook", "os"]


@frozen
class AgentEvent:
    """What happened; fields that do not belong to `kind` are empty.

    `exit_code` is None while unknown. `call` is the input of a tool as text, by which equal calls are told; None where
    it is not known, empty where an event before told of the same call. `helper` names the session of a helper, empty
    for the agent's own. Texts are as the agent gave them, not yet fit to be shown.
    """

    kind: EventKind
    tool: str = ""
    call: str | None = None
    command: str = ""
    exit_code: int | None = None
    output: str = ""
    failed: bool = False
    """Of a command: whether it is known to have failed although its status is not known."""
    path: str = ""
    what: str = ""
    """Of `denied`: the command, file or helper that was refused."""
    by: DeniedBy = "rule"
    feedback: str = ""
    task: str = ""
    mark: str = ""
    verdict: Literal["", "approved", "refused"] = ""
    agent: str = ""
    text: str = ""
    helper: str = ""
    cost_usd: float | None = None
    tokens: int | None = None
    ok: bool = True
    """Of `end`: whether the agent itself calls the run a success."""
    turns: int | None = None
    """Of `limit`: how many steps the agent itself says that it took."""
