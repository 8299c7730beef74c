"""What the operator sends to a run: claimed before each dispatch, and acted on (CONTRACT rule 4; harness-kit 1.4)."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.plan_edit import NewRow
from harness_tui.model.refusal import Refused
from harness_tui.model.sent import Where
from harness_tui.rules.next_id import next_id
from harness_tui.rules.signals import check_add
from harness_tui.rules.status import SETTLED
from harness_tui.workspace import claims, mailbox
from harness_tui.workspace.atomic import WriteError, read_target
from harness_tui.workspace.files import FileError, count_lines, may_be_there
from harness_tui.workspace.late_writes import LateWrites
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.intervention import Signal
    from harness_tui.model.pool import Task
    from harness_tui.model.sent import SentEvent
    from harness_tui.stream.book import Book
    from harness_tui.workspace.claims import Claimed
    from harness_tui.workspace.signature import Signature

SETTLE: Final = 1.0
"""Seconds for which a file that makes no sense may still be in the middle of being written."""
_PAUSE: Final = 0.05


class Stop(Exception):  # noqa: N818 - it ends a run, it is no fault
    """The run ends here. `unclear` is the file that was left in place for the operator to decide, as it was read."""

    def __init__(self, reason: str, *, unclear: Signature | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.unclear = unclear


class Operator:
    """Reads the mailbox for one run. `notes` wait for the next dispatch."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._path = book.root / PATH
        self._text = os.fspath(self._path)
        self._passed: Signature | None = None
        self._others: tuple[str, ...] = ()
        self._late = LateWrites()
        self.notes: list[Claimed] = []

    def close(self) -> None:
        """What was written meanwhile by somebody who had a claimed file open waits for the next run."""
        with suppress(WriteError):
            self._late.put_back(self._book.root)
        self._late.close()

    def waiting(self) -> bool:
        """Whether anything may stand unread that is for this run; what nobody may look at is something, too."""
        if self._late.came():
            return True
        return may_be_there(self._text) and (self._passed is None or signature(self._text) != self._passed)

    def resume(self) -> None:
        """Take up what a dead run claimed and did not act on. Raises `Stop` and `WriteError`."""
        self._act(claims.left_over(self._book.root, self._book.paths.id))

    def read(self) -> None:
        """Claim and act on whatever stands there. Raises `Stop`, also for what can't be understood; `WriteError`."""
        while self.waiting():
            self._late.put_back(self._book.root)
            odd, seen = self._odd()
            if odd is not None:
                raise Stop(_unclear(odd), unclear=seen)
            before = signature(self._text)
            claimed = claims.claim(self._book.root, self._book.paths.id, self._late)
            self._tell("picked-up", [(item, None) for item in claimed])
            self._act(claimed)
            if not claimed:
                self._pass_over(before)

    def handed_over(self) -> None:
        """The notes went out with a dispatch whose line is in the log."""
        notes, self.notes = self.notes, []
        if notes:
            book = self._book
            where = self._last_line()
            self._tell("in-effect", [(item, where) for item in notes])
            for item in notes:
                try:
                    claims.settle(book.root, item)
                except WriteError as error:  # the task has begun; the next run hands the note over once more
                    book.event("said", f"a note that went out could not be put away: {error}")

    def _last_line(self) -> Where:
        """The line of the log that was written last; the log may be too big to be held in memory."""
        book = self._book
        try:
            return Where(book.log_name, count_lines(book.paths.log, root=book.root))
        except FileError:
            return Where(book.log_name)

    def _odd(self) -> tuple[Signal | None, Signature | None]:
        """The first signal that can't be understood, once the file has come to rest, and the file as it was then."""
        deadline = time.monotonic() + SETTLE
        while True:
            seen = signature(self._text)
            data = read_target(self._path, root=self._book.root)
            found = claims.unclear(parse_interventions(data)) if data is not None else None
            if found is None or time.monotonic() >= deadline or self._at_rest():
                return found, seen
            time.sleep(_PAUSE)

    def _pass_over(self, before: Signature | None) -> None:
        """Nothing is for this run: what stands there is left alone until it changes."""
        if before is None or before.is_fresh(time.time_ns()):  # a change at the same time would not be seen
            time.sleep(_PAUSE)
            return
        book, self._passed = self._book, before
        waiting = [item.pool_id for item in mailbox.pending(book.root) if not claims.is_for(item, book.paths.id)]
        others = tuple(name for name in waiting if name is not None)
        if others != self._others:
            for name, count in Counter(others).items():
                verb = "signal waits" if count == 1 else "signals wait"
                book.event("signal", f"{count} {verb} for a run of pool {name}")
        self._others = others

    def _at_rest(self) -> bool:
        try:
            return abs(time.time() - os.stat(self._text).st_mtime) > SETTLE  # noqa: PTH116
        except OSError:  # it has gone since it was read
            return False

    def _act(self, claimed: tuple[Claimed, ...]) -> None:
        """Act on all of them; a STOP among them counts at the end, but nothing is dispatched before."""
        book = self._book
        stops: list[Claimed] = []
        done: list[tuple[Claimed, Where | None]] = []
        try:
            for item in claimed:
                signal = item.signal
                if signal.state != "waiting" or signal.keyword == "STOP":
                    stops.append(item)
                elif signal.keyword == "NOTE":
                    self.notes.append(item)
                    book.event("signal", f"a note goes with the next dispatch: {signal.text}")
                else:
                    self._one(item, done)
        finally:
            self._tell("in-effect", done)
        if stops:
            reason = next((item.signal.text for item in stops if item.signal.text), "")
            book.write("intervention STOP", reason)
            where = self._last_line()
            self._tell("in-effect", [(item, where) for item in stops])
            for item in stops:
                claims.settle(book.root, item)
            raise Stop(f"STOP signal{f': {reason}' if reason else ''}")

    def _one(self, item: Claimed, done: list[tuple[Claimed, Where | None]]) -> None:
        """Act on one signal, which goes to `done` with its evidence when it was heeded."""
        book, signal = self._book, item.signal
        try:
            if signal.keyword == "ADD":
                line = self._add(signal)
            elif signal.keyword == "SKIP":
                line = self._skip(signal)
            elif book.options.batch:
                claims.settle(book.root, item)
                raise Stop(f"REDIRECT {signal.argument} in a batch: {signal.text}; decide and start again")
            else:
                raise Refused("rejected", signal.argument, "a stream takes no REDIRECT: stop it, or leave a note")  # noqa: TRY301
        except Refused as error:
            text = f"{signal.keyword} {signal.argument} is refused: {error.why}"
            book.write("intervention", text)
            book.event("signal", text)
            self._tell("refused", [(item, self._last_line())])
        else:
            done.append((item, Where(book.layout.rel(book.paths.plan), line)))
        claims.settle(book.root, item)

    def _tell(self, event: SentEvent, items: Sequence[tuple[Claimed, Where | None]]) -> None:
        """Set down what became of signals. What was claimed is acted on also when its history can't be written."""
        try:
            claims.tell(self._book.root, event, items)
        except WriteError as error:
            names = ", ".join(item.signal.keyword for item, _ in items[:8])
            self._book.event("said", f"{event}, which could not be set down: {names}: {error}")

    def _add(self, signal: Signal) -> int | None:
        """Put the row into the plan; its line, None when it has gone again."""
        book = self._book
        if book.options.batch:
            raise Refused("rejected", signal.argument, "the plan of a batch is frozen; add the row for the next one")
        book.refresh(force=True)
        goal = " ".join(signal.text.split())
        check_add(signal.argument, goal, book.pool, [book.pool], folders=book.layout.features())
        tasks = book.pool.tasks
        taken = {name for task in tasks for name in task.depends_on} | set(book.log.tasks if book.log else ())
        name = next_id((task.id for task in tasks), taken)
        line = book.plan.add(NewRow(name, signal.argument, goal))
        book.write(name, "added by the operator", f"slug={signal.argument}")
        book.refresh(force=True)
        book.event("signal", f"{name} {signal.argument} was added")
        return line

    def _skip(self, signal: Signal) -> int:
        """Settle the row; its line."""
        book = self._book
        book.refresh()
        task = _the_row(signal.argument, book.schedule.find(signal.argument))
        status = book.schedule.status(task)
        if status in SETTLED:
            raise Refused("settled", task.id, f"it is {status} already")
        book.write(task.id, "SKIPPED", f"slug={task.slug}", f"by the operator: {signal.text}".rstrip(": "))
        book.schedule.settle(task, "skipped")
        book.put(task, "skipped", at_once=True)
        book.event("signal", f"{task.id} {task.slug} is skipped", task)
        return task.line


def _the_row(name: str, rows: list[Task]) -> Task:
    if not rows:
        raise Refused("not-there", name, "no row has that id")
    if len(rows) > 1:
        lines = ", ".join(str(task.line) for task in rows[:8])
        raise Refused("duplicate-id", name, f"it stands in {len(rows)} rows (lines {lines}); make it unique first")
    return rows[0]


def _unclear(signal: Signal) -> str:
    said = signal.text.split("\n", 1)[0][:120] or signal.keyword or "nothing"
    return (
        f"{PATH} line {signal.line} can't be understood ({said}), which counts as STOP; "
        "it was left in place: rewrite it as STOP or NOTE, or remove it"
    )
