"""What a run leaves behind: the report, and what the operator hears first (formats/harness-kit 1.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.report_text import ReportText, render_report
from harness_tui.model.report import HARD_STOP, NeedsInput
from harness_tui.model.run import RunEnd
from harness_tui.rules.status import log_of
from harness_tui.workspace.atomic import ANY, WriteError, replace_file
from harness_tui.workspace.blocker_file import read_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.log import Log
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.run import RunState
    from harness_tui.model.verify import VerifyRun
    from harness_tui.stream.book import Book
    from harness_tui.stream.entropy import Sweep

_WORDS: Final = {
    "done": "DELIVERED", "failed": "FAILED", "blocked": "BLOCKED", "needs-human": "NEEDS-HUMAN", "skipped": "SKIPPED",
    "in-progress": "IN PROGRESS", "unknown": "UNKNOWN",
}  # fmt: skip
_STOPPED: Final = re.compile(r"(?:^|· )hard stop (\S[^·]*?)\s*(?:·|$)")
"""A hard stop in a line of the log, as `outcome_of` words it."""
_MARKS: Final = re.compile(r"[\W_]+")
_QUEUE: Final = ("pending", "failed", "blocked", "needs-human")


class Figures(NamedTuple):
    """What was counted during a run: passes, dispatches, the last result of verify_all, seconds."""

    passes: int
    dispatched: int
    verified: VerifyRun | None
    elapsed: float


def tally_text(tally: Mapping[str, int]) -> str:
    """`4 pending / 0 failed / 0 blocked / 1 needs-human`, and what else there is."""
    more = [word for word in ("done", "in-progress", "skipped", "unknown") if tally.get(word)]
    return " / ".join(f"{tally.get(word, 0)} {word}" for word in (*_QUEUE, *more))


def report(book: Book, state: RunState, reason: str, figures: Figures, sweep: Sweep | None) -> RunEnd:
    """Write the report of the run, made from the files as they are now; how it ended.

    Raises `WriteError`, but of a run that ends because it could not write: that one has no report then.
    """
    snapshot = book.snapshot()
    pool = next((item for item in snapshot.pools if item.id == book.paths.id), book.pool)
    log = next((item for item in snapshot.logs if item.path == book.log_name), None)
    needs = (*_stopped(book, log, pool), *_asked(log, pool))
    digest = f"Entropy-verdict: {sweep.verdict} ({sweep.path})" if sweep is not None else ""
    text = ReportText(
        title=f"{'Batch' if book.options.batch else 'Stream'} Report — {pool.id}",
        written_at=book.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        needs=needs,
        rows=[_row(task) for task in pool.tasks if task.effective_status != "pending"],
        tally=pool.tally,
        passes=figures.passes,
        verify=figures.verified.text.removeprefix("verify_all ") if figures.verified is not None else "not run",
        stop_reason=reason if state != "drained" else "",
        elapsed=f"{figures.elapsed:.0f} s" if book.options.batch else "",
        entropy=digest,
        batch=book.options.batch,
    )
    written = book.layout.rel(book.paths.report)
    try:
        replace_file(book.paths.report, render_report(text), root=book.root, expect=ANY)
    except WriteError:
        if state != "write-error":
            raise
        written = ""
    return RunEnd(
        state, reason, pool.id, dict(pool.tally), needs, figures.dispatched, figures.passes, written, digest,
    )  # fmt: skip


def _row(task: Task) -> tuple[str, str, str, str]:
    link = next((name for name in task.documents if name.endswith("07_DELIVERY.md")), task.folder or "")
    return task.id, task.slug, _WORDS[task.effective_status], link


def _stopped(book: Book, log: Log | None, pool: Pool) -> list[NeedsInput]:
    """The rows that a hard stop has blocked, each with the place of its Blocker and what that needs."""
    found: list[NeedsInput] = []
    for task in pool.tasks:
        told = log_of(log, task) if task.effective_status == "blocked" else None
        entry = told.result if told is not None else None
        said = _STOPPED.search(entry.text) if entry is not None else None
        if log is None or entry is None or said is None:
            continue
        plan = read_plan(book.root, task.slug)
        blocker = plan.blocker if plan is not None else None
        path, line = (blocker.path, blocker.line) if blocker is not None else (log.path, entry.line)
        needed = (blocker.needed if blocker is not None else "") or ""
        found.append(NeedsInput(task.id, task.slug, HARD_STOP, f"{said[1]} ({path}:{line})", needed, path, line))
    return found


def _asked(log: Log | None, pool: Pool) -> list[NeedsInput]:
    return [_need(log, task, pool) for task in pool.tasks if task.effective_status == "needs-human"]


def _need(log: Log | None, task: Task, pool: Pool) -> NeedsInput:
    """The question of a row, as the log tells it; else in the words of whoever says that it needs a person."""
    told = log_of(log, task)
    entry = told.result if told is not None else None
    if log is not None and entry is not None and entry.kind == "needs-human" and entry.ask:
        return NeedsInput(task.id, task.slug, entry.stage, entry.ask, entry.unblock, log.path, entry.line)
    witness = next((item for item in task.evidence if item.says == "needs-human" and not _is_mark(item.text)), None)
    if witness is None:
        said = "it is marked so, and nothing says what is asked"
        return NeedsInput(task.id, task.slug, "plan", said, "", pool.path, task.line)
    return NeedsInput(task.id, task.slug, witness.source, witness.text, "", witness.path, witness.line or 1)


def _is_mark(text: str) -> bool:
    """Whether `text` says no more than that a person is needed."""
    return _MARKS.sub("-", text.casefold()).strip("-") == "needs-human"
