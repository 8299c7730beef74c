"""Does an operator's signal wait to be read? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.intervention import Interventions


def judge(found: Interventions, *, unreadable: bool = False) -> Verdict:
    """No while a signal waits. A file that can't be read, and an unclear signal, count as STOP."""
    signals = found.signals
    document = {
        "kind": signals[0].keyword or None if signals else None,
        "count": len(signals),
        "safest": "STOP" if unreadable else found.safest,
        "path": found.path,
        "signals": [
            {"keyword": item.keyword, "argument": item.argument, "state": item.state, "line": item.line}
            for item in signals
        ],
    }
    return Verdict(document, go=not (found.present or unreadable))
