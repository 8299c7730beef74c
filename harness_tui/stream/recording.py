"""What became of a task: log, regression gate, plan, and what hangs on it (formats/harness-kit 1.11 e to h)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.formats.log_text import needs_human_line
from harness_tui.stream import entropy
from harness_tui.stream.closing import tally_text
from harness_tui.stream.operator import Stop
from harness_tui.stream.outcome import outcome_of
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.blocker_file import blocker_of, write_blocker

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from harness_tui.model.pool import Task
    from harness_tui.model.work import Result
    from harness_tui.stream.asking import Asking
    from harness_tui.stream.book import Book
    from harness_tui.stream.gate import Gate
    from harness_tui.stream.outcome import Outcome

AGENT: Final = "pm-orchestrator"
MOST_NAMES: Final = 8
_FRESH: Final = ("pending", "in-progress")


class Cancelled(Exception):  # noqa: N818 - it ends a run, it is no fault
    """The run was ended from outside; the text says at what it was, and goes on behind a sentence."""


class FirstFailure(Exception):  # noqa: N818 - it ends a batch, it is no fault
    """A batch ends with its first failure."""


class Recorder:
    """Writes down how tasks end. `cadence` says that deliveries are counted for entropy sweeps."""

    def __init__(self, book: Book, gate: Gate, asking: Asking, cancel: threading.Event, *, cadence: bool) -> None:
        self._book, self._gate, self._asking, self._cancel = book, gate, asking, cancel
        self._cadence = cadence

    def record(self, task: Task, result: Result, took: float) -> None:
        """Write how `task` ended after `took` seconds; `Stop`, `Cancelled` or `FirstFailure` when that ends the run."""
        book = self._book
        if result.outcome == "cancelled":
            book.write(task.id, "cancelled: the run was ended, and its worker with it", result.reason)
            raise Cancelled(f" while {task.id} was worked on")
        self._asking.settle()
        found = outcome_of(book, task, result)
        if result.outcome == "hard-stop":
            self._write_blocker(task, result)
        self._log_result(task, found, took, result.raw_path)
        red, ended = self._regression_gate(task)
        if red and found.status == "done":
            found = found._replace(status="failed", word="FAILED", reason=f"verify_all is not green after it: {red}")
            self._log_result(task, found, took, None)
        said = book.put(task, found.status)
        book.refresh()
        row = book.schedule.like(task)
        if row is not None:
            # An editor that still held the row as it was before proves nothing of its end; the log does.
            settled = found.status if said in _FRESH else said or row.effective_status
            self.block(task.id, book.schedule.settle(row, settled))
        if found.status == "done" and self._cadence:
            entropy.delivered(book.root)
        why = f" · {found.reason}" if found.reason and found.status != "done" else ""
        text = f"{task.id} {found.word} · queue: {tally_text(book.schedule.tally)}{why}"
        book.event("result", text, task, status=found.status, elapsed=round(took, 3))
        if ended:
            raise Cancelled
        if red:
            raise Stop(f"verify_all FAIL after {task.id}: {red}")
        if result.guard_blocked:
            raise Stop(f"a destructive command was blocked in {task.id}: {result.signature or result.reason}")
        if book.options.batch and found.status == "failed":
            raise FirstFailure(f"{task.id} failed: {found.reason}")

    def block(self, cause: str, blocked: tuple[Task, ...]) -> None:
        """Write that the rows `blocked` can't run because of the row `cause`."""
        for other in blocked:
            self._book.put(other, "blocked", at_once=False)
        if blocked:
            count = f"{len(blocked)} row{'s' if len(blocked) > 1 else ''}"
            self._book.write(cause, f"blocks {count} waiting for it: {some([other.id for other in blocked])}")

    def _log_result(self, task: Task, found: Outcome, took: float, raw: str | None) -> None:
        book = self._book
        if found.status == "needs-human":
            line = needs_human_line(self._book.clock.now(), task.id, task.slug, AGENT, found.reason, found.needed)
            book.write_line(line)
            return
        book.write(task.id, found.word, f"slug={task.slug}", found.link, f"{took:.0f} s", found.reason, raw or "")

    def _write_blocker(self, task: Task, result: Result) -> None:
        try:
            write_blocker(self._book.root, task.slug, blocker_of(result))
        except WriteError as error:
            self._book.say(f"the Blocker of {task.id} could not be written: {error}")

    def _regression_gate(self, task: Task) -> tuple[str, bool]:
        """What is wrong with the tree after `task`, empty when it is green; and whether the operator ended the check.

        A delivery that leaves a tree which is not green is no delivery (CONTRACT rule 1); one whose check was ended
        counts, and the next run's baseline is its check.
        """
        if not self._gate.there:
            return "", False
        run = self._gate.run(task.id)
        if self._cancel.is_set() and run.exit is None:
            self._book.write(task.id, "regression gate was ended with the run")
            return "", True
        self._book.write(task.id, "regression gate", run.text)
        return "" if self._gate.is_green(run) else self._gate.words(run), False


def some(names: Sequence[str], between: str = ", ") -> str:
    """The first of `names`, as many as a line bears."""
    return between.join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")
