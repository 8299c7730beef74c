"""The run lock: what it claims. Whether its process lives is judged elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, get_args

from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.text import clean
from harness_tui.model.lease import LeaseClaim
from harness_tui.model.problem import Problem
from harness_tui.model.work import Doing, DoingKind

_KINDS: Final[dict[str, DoingKind]] = {kind: kind for kind in get_args(DoingKind)}
_MOST: Final = 10**12
_MAX_PID = 2**31 - 1


def parse_lease(data: bytes, path: str) -> LeaseClaim:
    """The claim of a lock file. A damaged file claims nothing: its run is neither alive nor ours."""
    try:
        value = loads(data)
    except BadJson as error:
        return LeaseClaim(path, problems=(_unreadable(path, error.line, error.reason),))
    if not isinstance(value, dict):
        return LeaseClaim(path, problems=(_unreadable(path, 1, "it holds no object"),))
    pid = _integer(value.get("pid"), 1, _MAX_PID)
    problems = () if pid else (Problem(path, None, "warning", "lock-without-pid", "the run lock names no process"),)
    return LeaseClaim(
        path=path,
        pid=pid,
        started_at=_text(value.get("started_at")),
        start_ticks=_integer(value.get("start_ticks"), 0, 2**63 - 1),
        boot_id=_text(value.get("boot_id")),
        host=_text(value.get("host")),
        pool=_text(value.get("pool")),
        problems=problems,
        run=_text(value.get("run")),
        worker=_integer(value.get("worker"), 1, _MAX_PID),
        worker_ticks=_integer(value.get("worker_ticks"), 0, 2**63 - 1),
        doing=_doing(value.get("doing")),
    )


def _doing(value: Any) -> Doing | None:
    kind = _KINDS.get(str(value.get("kind"))) if isinstance(value, dict) else None
    if kind is None:
        return None
    cost = value.get("cost_usd")
    return Doing(
        kind, _text(value.get("text")), _text(value.get("tool")) or None, _text(value.get("path")) or None,
        _integer(value.get("step"), 0, _MOST), _integer(value.get("steps"), 0, _MOST),
        cost if isinstance(cost, float) and 0 <= cost < _MOST else None, _integer(value.get("tokens"), 0, _MOST),
        _instant(value.get("since")),
    )  # fmt: skip


def _unreadable(path: str, line: int, why: str) -> Problem:
    return Problem(path, line, "warning", "unreadable-lock", f"the run lock can't be read: {why}; no run is assumed")


def _integer(value: Any, low: int, high: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high else None


def _instant(value: Any) -> datetime | None:
    """A time with a zone, in UTC; None for anything else."""
    try:
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except (TypeError, ValueError, OverflowError):
        return None


def _text(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""
