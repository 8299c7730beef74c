"""One played run of the stream, from the run lock to the exit line (formats/harness-kit 1.11)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.demo import past, signals, tasks
from harness_tui.demo.features import feature_for

if TYPE_CHECKING:
    from collections.abc import Generator

    from harness_tui.demo.desk import Desk
    from harness_tui.demo.plan import Row
    from harness_tui.demo.tasks import Outcome
    from harness_tui.model.intervention import Signal

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_COUNTED = ("done", "failed", "blocked", "needs-human", "skipped")
_STATUS = {"DELIVERED": "done", "FAILED": "failed", "NEEDS-HUMAN": "needs-human"}
_NOTES = {
    "pickup-notice": "T-04 keeps one key for each repair in the outbox; T-06 should use the same key for its receipts.",
    "pickup-payment": "T-05 waits for the operator: the card terminal still belongs to the former owner.",
    "parts-reorder": "T-08 needs the wholesaler's delivery notes; half an order looks like a whole one.",
}


class Story:
    """A run that works on `desk` until nothing can run any more, and heeds the signals that an operator writes.

    `lease` is the text of the run lock that is held meanwhile.
    """

    def __init__(self, desk: Desk, lease: str) -> None:
        self._desk = desk
        self._lease = lease
        self._outcomes: dict[str, tuple[Row, Outcome]] = {}
        self._stopped = ""
        self._notes: list[str] = []

    def play(self) -> Generator[float]:
        """The run as a row of steps: each changes some files, then says how many seconds to rest before the next.

        When the iterator is closed early, the run lock is given back and everything else stays as it is.
        """
        desk = self._desk
        desk.hold_lease(self._lease)
        try:
            yield from self._begin()
            while (row := self._next()) is not None:
                yield from self._task(row)
            yield from self._end()
        finally:
            desk.drop_lease()

    def _begin(self) -> Generator[float]:
        desk = self._desk
        desk.log("pre-flight", f"baseline verify_all {desk.verified()}")
        yield 1.0
        desk.set_ambient(on=True)
        yield 0.8

    def _next(self) -> Row | None:
        """The row to work on: the first in the table that waits for nothing and was not tried in this run."""
        self._heed()
        rows = self._desk.rows()
        done = {row.id for row in rows if row.status == "done"}
        ready = (row for row in rows if row.status == "pending" and row.id not in self._outcomes)
        found = next((row for row in ready if done.issuperset(row.needs())), None)
        return None if self._stopped else found

    def _task(self, row: Row) -> Generator[float]:
        desk = self._desk
        feature = feature_for(row.slug, row.goal, row.mode)
        desk.set_status(row.id, "in-progress")
        yield 0.4
        desk.begin_log(row.id, "dispatching pm-orchestrator")
        yield 0.3
        desk.end_log(f"slug={row.slug}", f"mode={row.mode}")
        yield 0.5
        work = tasks.play(desk, row, feature)
        self._hand_over_notes(row)
        outcome = yield from work
        self._outcomes[row.id] = row, outcome
        yield from self._close(row, outcome)

    def _hand_over_notes(self, row: Row) -> None:
        for text in self._notes:
            self._desk.pm_note(row.slug, f"\n## Intervention consumed at {past.stamp(self._desk.now())}\n\n{text}\n\n")
        self._notes.clear()

    def _close(self, row: Row, outcome: Outcome) -> Generator[float]:
        """Result line, regression gate, status, and what follows from it for other rows."""
        desk = self._desk
        feature = feature_for(row.slug, row.goal, row.mode)
        desk.log(row.id, *_result(row, outcome))
        yield 0.4
        warn = 1 if outcome.word == "FAILED" else 0
        gate = desk.verified(warn)
        desk.log(row.id, "regression gate", f"verify_all {gate}", "no hard stop")
        yield 0.4
        desk.set_status(row.id, _STATUS[outcome.word])
        if outcome.word != "DELIVERED":
            self._block_dependents(row)
        yield 0.5
        if row.slug in _NOTES:
            desk.add_note(_NOTES[row.slug])
            yield 0.4
        if outcome.word == "DELIVERED" and row.mode == "plan":
            desk.close_task(feature, "Delivered (plan)", f"docs/features/{row.slug}")
        elif outcome.word == "DELIVERED":
            desk.archive(row, feature, "Delivered")
        yield 0.6

    def _block_dependents(self, row: Row) -> None:
        """Everything that hangs on `row`, directly or not, becomes blocked."""
        lost = {row.id}
        for other in self._desk.rows() * 2:
            if other.status == "pending" and other.id not in lost and lost.intersection(other.needs()):
                lost.add(other.id)
                self._desk.set_status(other.id, "blocked")
                self._desk.log(other.id, "BLOCKED", f"slug={other.slug}", f"waits for {row.id}")

    # signals of the operator

    def _heed(self) -> None:
        for signal in signals.take(self._desk.root):
            self._obey(signal)

    def _obey(self, signal: Signal) -> None:
        log = self._desk.log
        told = f"{signal.keyword} {signal.argument}".strip()
        if signal.keyword == "ADD":
            log("intervention consumed", told, self._add(signal))
        elif signal.keyword == "SKIP":
            self._skip(signal.argument)
        elif signal.keyword == "NOTE":
            self._notes.append(signal.text)
            log("intervention consumed", "NOTE", "goes to the next task")
        elif signal.keyword == "REDIRECT":
            log("intervention consumed", told, "refused: a stream takes no redirect")
        else:
            self._stopped = signal.text or "stopped by the operator"
            log("STOP", "intervention consumed", self._stopped.split("\n")[0])

    def _add(self, signal: Signal) -> str:
        slug = signal.argument
        if not _SLUG.fullmatch(slug):
            return "refused: no valid slug"
        known = next((row.id for row in self._desk.rows() if row.slug == slug), None)
        if known is not None:
            return f"refused: the slug is that of {known}"
        return f"queued as {self._desk.add_row(slug, ' '.join(signal.text.split()))}"

    def _skip(self, task_id: str) -> None:
        row = next((row for row in self._desk.rows() if row.id == task_id), None)
        if row is None or row.status != "pending":
            self._desk.log("intervention consumed", f"SKIP {task_id}", "refused: no pending row has that id")
            return
        self._desk.set_status(task_id, "skipped")
        self._desk.log(task_id, "SKIPPED", f"slug={row.slug}", "intervention consumed")

    # the end

    def _end(self) -> Generator[float]:
        desk = self._desk
        yield 0.8
        desk.report(self._report("" if self._stopped else desk.sweep()))
        yield 0.8
        tally = desk.tally()
        counts = " · ".join(f"{tally[word]} {word}" for word in _COUNTED if tally[word])
        reason = (
            f"hard stop: STOP by the operator · {counts}" if self._stopped else f"drained · {counts} · no hard stop"
        )
        desk.log("STREAM EXIT", reason)
        desk.commit("Write the report of the stream")

    def _report(self, sweep: str) -> str:
        """Text of the report (1.3); `sweep` is the path of what the entropy watch wrote, empty when it did not run."""
        asks = [(row, outcome) for row, outcome in self._outcomes.values() if outcome.word == "NEEDS-HUMAN"]
        asked = "".join(
            f"- {row.id} `{row.slug}` raised by 0{outcome.stage}\n"
            f"  - Ask: {outcome.ask}\n  - Unblocks when: {outcome.unblock}\n"
            for row, outcome in asks
        )
        table = "".join(
            f"| {row.id} | {row.slug} | {outcome.word} | `{_link(row, outcome)}` |\n"
            for row, outcome in self._outcomes.values()
        )
        tally = self._desk.tally()
        counts = " · ".join(f"{word}: {tally[word]}" for word in _COUNTED)
        swept = f"## Entropy watch\n\n- FINDINGS-PRESENT: see `{sweep}`\n\n" if sweep else ""
        return (
            f"# Stream Report — {past.POOL}\n\n## Needs your input\n\n{asked or f'None.{chr(10)}'}\n"
            f"{swept}## Tasks\n\n| id | slug | verdict | link |\n|---|---|---|---|\n{table}\n"
            f"## Counts\n\n- {counts}\n- passes run: {len(self._outcomes)}\n"
            f"- final verify_all: {past.GREEN_LONG}\n\n## Stop reason\n\n{self._stopped or 'none'}\n"
        )


def _link(row: Row, outcome: Outcome) -> str:
    archived = outcome.word == "DELIVERED" and row.mode != "plan"
    return f"{past.ARCHIVE}/{row.slug}/" if archived else f"docs/features/{row.slug}/"


def _result(row: Row, outcome: Outcome) -> tuple[str, ...]:
    """The fields of a result line after the id (1.2)."""
    if outcome.word == "NEEDS-HUMAN":
        stage = f"stage=0{outcome.stage}"
        return ("NEEDS-HUMAN", f"slug={row.slug}", stage, f'ask="{outcome.ask}"', f'unblock="{outcome.unblock}"')
    if outcome.word == "FAILED":
        return ("FAILED", f"slug={row.slug}", f"stage=0{outcome.stage}", f"rollbacks={outcome.rollbacks}")
    if row.mode == "plan":
        return (
            "DELIVERED",
            f"03=docs/features/{row.slug}/03_GATE_REVIEW.md",
            "files=0",
            f"rollbacks={outcome.rollbacks}",
        )
    link = f"07=docs/features/{row.slug}/07_DELIVERY.md"
    return ("DELIVERED", link, "files=2", f"rollbacks={outcome.rollbacks}", f"final verify_all {past.GREEN}")
