"""When an agent must stop, and what the stop says (formats/hard-stop 3)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from harness_tui.model.blocker import TriggerKind

    Variant = Literal["pr108", "orchestrated"]
    """`orchestrated` has neither a step budget nor a reviewer deadlock: there both are the orchestrator's business."""


@frozen
class StopRules:
    """What the triggers are judged by.

    `steps` is the agent's own limit, None for none. `owned_paths` are files, folders and patterns relative to the
    root; without any, `scope_text` (description and criteria of the task) allows a warning only. `root` is the
    absolute folder that absolute paths are below, empty when not known. `commands` are build or test commands whatever
    they look like.
    """

    steps: int | None = None
    owned_paths: tuple[str, ...] = ()
    scope_text: str = ""
    commands: tuple[str, ...] = ()
    variant: Variant = "pr108"
    root: str = ""


@frozen
class Signature:
    """How a command failed: its text, its status and its first error line; None for what is not known."""

    cmd: str
    exit: int | None
    line: str | None

    def __str__(self) -> str:
        status = f"exit {self.exit}" if self.exit is not None else ""
        return " / ".join(part for part in (f"`{self.cmd}`", self.line or "", status) if part)


@frozen
class Stop:
    """The trigger that fired and `at`, the 0-based number of the event or line on which it did.

    `error` is the error signature in words, `tried` and `needed` what a Blocker says beside it. `guard_blocked` tells
    that a destructive command was attempted and refused.
    """

    trigger: TriggerKind
    at: int
    error: str
    tried: str
    needed: str
    signature: Signature | None = None
    reason: str = ""
    path: str = ""
    by: str = ""
    guard_blocked: bool = False
