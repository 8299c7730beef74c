"""What goes to stdout: the JSON of the contract, made by walking the models."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness_tui.model.change import Change
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.verify import VerifyRun

SCHEMA_VERSION = 1
LOG_FIELDS = ("pool_id", "path", "entries", "first_at", "last_at", "last", "problems", "lines", "size", "restarts")
REPORT_FIELDS = ("path", "needs_input")
VERIFY_FIELDS = {
    "verdict": "verdict", "passed": "pass", "warned": "warn", "failed": "fail", "skipped": "skip", "exit": "exit",
    "at": "at", "path": "path", "line": "line",
}  # fmt: skip
"""Fields of a run of verify_all by the name that they are printed under."""


def document(snapshot: Snapshot) -> dict[str, Any]:
    """`status --json`. Keys of families that the workspace has not are there and empty."""
    epics, plans, servo = snapshot.epics, snapshot.plans, snapshot.servo
    return {
        "schema_version": SCHEMA_VERSION,
        "root": snapshot.root,
        "generated_at": plain(snapshot.generated_at),
        "git": plain(snapshot.git),
        "pools": [_pool(pool) for pool in snapshot.pools],
        "stream": plain(snapshot.stream),
        "streams": plain(snapshot.streams),
        "logs": [_log(log) for log in snapshot.logs],
        "interventions": plain(snapshot.interventions),
        "pending": plain(snapshot.pending),
        "sent": plain(snapshot.sent),
        "budgets": plain(epics.budgets) if epics is not None else [],
        "decisions": plain(epics.decisions) if epics is not None else [],
        "unknowns": plain(epics.unknowns) if epics is not None else [],
        "assumptions": plain(epics.assumptions) if epics is not None else [],
        "blockers": plain(plans.blockers) if plans is not None else [],
        "plans": plain(plans.plans) if plans is not None else [],
        "handback": plain(servo.handback) if servo is not None else None,
        "control": plain(servo.control) if servo is not None else None,
        "gates": {
            "worktracks": plain(servo.worktracks) if servo is not None else [],
            "milestones": plain(servo.milestone_gates) if servo is not None else [],
            "verify_all": _verify(snapshot.verify_runs),
        },
        "guards": plain(servo.guards) if servo is not None else None,
        "inbox": plain(snapshot.inbox),
        "problems": plain((*snapshot.problems, *(item for pool in snapshot.pools for item in pool.problems))),
    }


def change_line(change: Change, revision: int, at: datetime) -> dict[str, Any]:
    """One object of `watch`."""
    return {"at": plain(at), "revision": revision, **plain(change)}


def plain(value: Any) -> Any:
    """`value` as JSON knows it: models become objects by their field names, times ISO 8601 with zone."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    names = getattr(value, "__match_args__", None)  # of a model, be it a frozen class or a named tuple
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    return str(value) if isinstance(value, PurePath) else value


def _pool(pool: Pool) -> dict[str, Any]:
    found: dict[str, Any] = plain(pool)
    found["report"] = {name: plain(getattr(pool.report, name)) for name in REPORT_FIELDS} if pool.report else None
    return found


def _log(log: Log) -> dict[str, Any]:
    return {name: plain(getattr(log, name)) for name in LOG_FIELDS}


def _verify(runs: tuple[VerifyRun, ...]) -> dict[str, Any] | None:
    if not runs:
        return None
    run = runs[-1]
    return {shown: plain(getattr(run, name)) for name, shown in VERIFY_FIELDS.items()}
