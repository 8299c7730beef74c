"""How one run of a worker ended: the worst that the stop, the limits, the verdicts and the status allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.formats.text import clean
from harness_tui.model.work import Result

if TYPE_CHECKING:
    from harness_tui.formats.worker_verdict import Verdict
    from harness_tui.model.blocker import Blocker
    from harness_tui.model.hard_stop import Stop
    from harness_tui.model.work_plan import WorkPlan
    from harness_tui.stream.workers.agent import Listening
    from harness_tui.stream.workers.process import Ended


def judge(
    heard: Listening, ended: Ended, fresh: Blocker | None, left: Verdict | None, *, whole: bool, raw_path: str | None
) -> Result:
    """How the assignment ended: the worst that the stop, the limits, the verdicts and the status allow."""
    stop = heard.monitor.stop
    if stop is not None:
        return _stopped(stop, ended, raw_path)
    if ended.by == "cancel":
        return Result("cancelled", "ended by the engine", exit_code=ended.status, raw_path=raw_path)
    if ended.by == "nothing":
        return Result("failed", clean(f"it could not be started: {ended.why}"), raw_path=raw_path)
    if fresh is not None:
        return _blocked_itself(fresh, ended, raw_path)
    verdict = _worse(heard.verdict, left)
    doubtful = doubt(heard, ended, whole=whole)
    if verdict is not None and (verdict.word != "delivered" or not doubtful):
        reason = clean(verdict.reason or doubtful)
        return Result(verdict.word, reason, needed=verdict.needed, exit_code=ended.status, raw_path=raw_path)
    if ended.by != "itself":
        reason = doubtful
    elif verdict is not None:
        reason = f"it said DELIVERED, but {doubtful}"
    else:
        reason = "it gave no verdict" + (f": {doubtful}" if doubtful else "")
    return Result("failed", clean(reason), exit_code=ended.status, raw_path=raw_path)


def _stopped(stop: Stop, ended: Ended, raw_path: str | None) -> Result:
    return Result(
        "hard-stop", clean(stop.reason), trigger=stop.trigger, signature=clean(stop.error),
        guard_blocked=stop.guard_blocked, tried=clean(stop.tried), needed=clean(stop.needed), exit_code=ended.status,
        raw_path=raw_path,
    )  # fmt: skip


def _blocked_itself(blocker: Blocker, ended: Ended, raw_path: str | None) -> Result:
    """The agent stopped by itself and wrote a Blocker, as its own rules ask."""
    reason = f"it wrote a Blocker: {blocker.trigger or blocker.error_signature or 'no part is named'}"
    return Result(
        "hard-stop", reason.split("\n", maxsplit=1)[0], trigger=blocker.trigger_kind, signature=blocker.error_signature,
        tried=blocker.tried or "", needed=blocker.needed or "", exit_code=ended.status, raw_path=raw_path,
    )  # fmt: skip


def doubt(heard: Listening, ended: Ended, *, whole: bool) -> str:
    """Why a delivery can't be believed, empty when it can."""
    if ended.by in {"silence", "time"}:
        limit = "it was silent for too long" if ended.by == "silence" else "it ran for too long"
        return f"{limit}; last: {heard.last}"
    if ended.status:
        how = f"signal {-ended.status}" if ended.status < 0 else f"exit status {ended.status}"
        return f"it ended with {how}" + (f" ({heard.trouble})" if heard.trouble else "")
    if heard.trouble:
        return f"it reported an error: {heard.trouble}"
    if whole and heard.torn:
        return "its output breaks off in the middle of an event"
    if whole and not heard.closed:
        return "its output ends without the event that ends a run"
    return ""


def _worse(one: Verdict | None, other: Verdict | None) -> Verdict | None:
    order = ("failed", "needs-human", "blocked", "delivered")
    known = [verdict for verdict in (one, other) if verdict is not None]
    return min(known, key=lambda verdict: order.index(verdict.word), default=None)


def fresh_blocker(before: WorkPlan | None, after: WorkPlan | None) -> Blocker | None:
    """The open Blocker that stands in the plan now and did not before."""
    now = after.blocker if after is not None else None
    old = [blocker.text for blocker in before.blockers] if before is not None else []
    return now if now is not None and now.text not in old else None
