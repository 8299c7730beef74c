"""Is the repository still where the loop looked at it last? (formats/servo 2.2)."""

from __future__ import annotations

from harness_tui.rules.guards.fields import bullets
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

NAME: Final = "latest_observed_checkpoint"
_SHOWN: Final = 12


def judge(text: str | None, head: str) -> Verdict:
    """Whether the first checkpoint in `text` (None: no file) is the commit `head`, by its text."""
    name, value, line = next(bullets(text or "", (NAME,)), ("", "", 0))
    go = bool(value) and value == head
    if not value:
        status, reason = "missing_checkpoint", f"{NAME} is missing: a full refresh is due"
    elif go:
        status, reason = "unchanged", f"HEAD is still {head[:_SHOWN]}"
    else:
        status, reason = "changed", f"HEAD is {head[:_SHOWN] or 'not known'}, the checkpoint {value[:_SHOWN]}"
    document = {
        "current_head": head,
        NAME: value or None,
        "status": status,
        "repo_baseline_unchanged": go,
        "repo_baseline_changed": not go,
        "reason": reason,
        "decided_by": {"field": NAME, "line": line} if name else None,
        "strict": strict(go=go, findings=_findings(text or "") if go else []),
    }
    return Verdict(document, go=go)


def _findings(text: str) -> list[str]:
    said = {value: line for _, value, line in reversed(list(bullets(text, (NAME,))))}
    if len(said) == 1:
        return []
    places = ", ".join(str(line) for line in sorted(said.values()))
    return [f"{NAME} is given with different values (lines {places})"]
