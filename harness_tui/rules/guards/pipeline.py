"""Do the files of the loop agree about milestones and worktracks? (formats/servo 1.3, 6)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.inconsistency import Inconsistency


def judge(found: Iterable[Inconsistency]) -> Verdict:
    """Go while nothing disagrees; a remark alone is told and keeps nobody."""
    found = list(found)
    go = all(item.severity == "info" for item in found)
    findings = [
        {
            "recovery": item.recovery,
            "code": item.code,
            "severity": item.severity,
            "message": item.message,
            "files": list(item.files),
            "path": item.path,
            "line": item.line,
        }
        for item in found
    ]
    recoveries = list(dict.fromkeys(item.recovery for item in found if item.severity != "info"))
    return Verdict({"consistent": go, "recoveries": recoveries, "findings": findings}, go=go)
