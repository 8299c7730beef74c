"""Is the handback lock open? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.handback import Handback


def judge(handback: Handback) -> Verdict:
    """Go only when every value says plainly that it is not locked."""
    document = {
        "locked": handback.locked,
        "unlock_valid": handback.unlock_valid,
        "unlock_why": handback.unlock_why,
        "gaps": [{"key": gap.key, "line": gap.line, "why": gap.why} for gap in handback.gaps],
        "path": handback.path,
        "line": handback.line,
    }
    return Verdict(document, go=handback.locked is False)
