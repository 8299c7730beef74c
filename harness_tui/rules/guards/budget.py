"""May a person still be asked? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.budget import Budget


def judge(budgets: Iterable[Budget]) -> Verdict:
    """Go while every budget adds up and has something left; at least one is given, the one with least left is told."""
    ordered = sorted(budgets, key=lambda item: (item.left, item.consistent))
    documents = [
        {
            "epic_id": item.epic_id,
            "total": item.total,
            "consumed": item.consumed,
            "remaining": item.remaining,
            "left": item.left,
            "consistent": item.consistent,
            "state": item.state,
            "why": item.why,
            "path": item.path,
        }
        for item in ordered
    ]
    go = all(item.state == "ok" for item in ordered)
    return Verdict({**documents[0], "epics": documents}, go=go)
