"""What an agent's event is to somebody who watches: the tool, the file, the step, a figure that it gave itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.work import Doing

if TYPE_CHECKING:
    from harness_tui.model.agent_event import AgentEvent
    from harness_tui.model.stream import Owner

LONGEST: Final = 300
"""Characters of a text that is shown."""
LAST: Final = "; last: "
"""Stands before what a quiet worker did last."""


def doing(event: AgentEvent, *, step: int, steps: int | None) -> Doing | None:
    """What `event` shows, None when that is nothing. `step` counts the finished steps. Texts are not cleaned."""
    match event.kind:
        case "call" | "cmd" | "edit" | "read" | "tool" | "review" if event.tool or event.command or event.path:
            text = event.command or event.path or event.what
            return Doing("tool", _short(text), tool=event.tool or event.kind, path=event.path or None)
        case "denied":
            return Doing("denied", _short(event.what or event.text), tool=event.tool or None)
        case "say" if event.text.strip():
            return Doing("said", _short(event.text))
        case "step" if not event.helper:
            return Doing("step", step=step, steps=steps, cost_usd=event.cost_usd, tokens=event.tokens)
        case "end" if event.cost_usd is not None or event.tokens is not None:
            return Doing("usage", cost_usd=event.cost_usd, tokens=event.tokens)
        case "error" | "limit":
            return Doing("noise", _short(event.text or event.what))
        case "noise" if event.text.strip():
            return Doing("noise", _short(event.text))
    return None


def merged(before: Doing | None, now: Doing) -> Doing:
    """What a worker is at after `now`: its last tool or words, and the last step and figures that it gave.

    Any sign of life ends a silence.
    """
    if before is None or now.kind == "started":
        return now
    shown = now if now.kind in ("tool", "said", "denied", "quiet") or before.kind == "quiet" else before
    return Doing(
        shown.kind, shown.text, shown.tool, shown.path,
        now.step if now.step is not None else before.step, now.steps if now.steps is not None else before.steps,
        now.cost_usd if now.cost_usd is not None else before.cost_usd,
        now.tokens if now.tokens is not None else before.tokens, shown.since,
    )  # fmt: skip


def activity_words(what: Doing) -> tuple[str, ...]:
    """What a worker is at, in parts: the tool and its file or the words, the step, the cost and tokens that it gave."""
    return tuple(part for part in (_said(what), *progress_words(what)) if part)


def progress_words(what: Doing) -> tuple[str, ...]:
    """How far a worker is: the step, the cost and the tokens, as far as it gave them."""
    step = f"step {what.step}{f' of {what.steps}' if what.steps else ''}" if what.step is not None else ""
    cost = f"${what.cost_usd:.2f}" if what.cost_usd is not None else ""
    tokens = f"{what.tokens:,} tokens" if what.tokens is not None else ""
    return tuple(part for part in (step, cost, tokens) if part)


def owner_words(owner: Owner) -> str:
    """Which process holds a run, and where."""
    return f"process {owner.pid} on {owner.host}"


def _said(what: Doing) -> str:
    if what.kind == "quiet" and what.since is not None:
        last = what.text.partition(LAST)[2]
        return f"quiet since {what.since:%H:%M:%SZ}{f'{LAST}{last}' if last else ''}"
    return " ".join(part for part in (what.tool, what.path or what.text) if part)


def _short(text: str) -> str:
    line = " ".join(text[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
