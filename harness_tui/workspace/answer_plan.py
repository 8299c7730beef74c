"""The exact bytes that an answer puts into each file, in the order in which they are written."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.bundle_add import asked_row, with_question
from harness_tui.formats.epic_edit import (
    BUNDLE_LISTS,
    TIMES,
    mark_task,
    rebuild_pending,
    recorded_here,
    rows_of,
    settle,
    spend,
    the_row,
    touch,
    value_of,
)
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.json_fields import text
from harness_tui.formats.ledger_edit import LEDGER_LISTS, add_blocked, new_ledger, resolve_unknown
from harness_tui.model.answer import AnswerPlan, FileChange
from harness_tui.model.decision import Bundle
from harness_tui.model.refusal import Refused
from harness_tui.rules.answers import Asked, judge_answer
from harness_tui.rules.decisions import decide
from harness_tui.rules.questions import ASSUMPTION, packet_key
from harness_tui.workspace.atomic import WriteError, read_target, why_not
from harness_tui.workspace.budgets import stamp
from harness_tui.workspace.epic_files import find_tasks
from harness_tui.workspace.files import FileError, open_regular
from harness_tui.workspace.layout import Layout

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from harness_tui.formats.epic_edit import Row
    from harness_tui.model.answer import Answer, Settled
    from harness_tui.model.decision import Decision
    from harness_tui.rules.answers import Verdict
    from harness_tui.workspace.epic_files import EpicFiles

_TAIL: Final = 1 << 20
"""Bytes at the end of a trace in which an event is looked for."""
_EVENTS: Final = {
    "resolved": "decision_answered",
    "deferred": "decision_deferred",
    "assumed": "decision_assumed",
    "critical-blocked": "decision_critical_blocked",
}


def plan_from(root: Path, files: EpicFiles, answer: Answer, now: datetime) -> AnswerPlan:
    """What recording `answer` changes in `files`. Raises `Refused`, `NotThere`, and `WriteError` for other files."""
    if files.packet is not None and files.packet.unreadable:
        raise Refused("unreadable", files.packet.path, f"the packet can't be read: {files.packet.unreadable}")
    budget = files.budget
    if budget.state in ("unreadable", "inconsistent"):
        raise Refused(f"budget-{budget.state}", files.the_state.path, f"no answer is recorded: {budget.why}")
    bundle = _bundle(files)
    decisions, _ = decide(files.paths.id, files.packet, bundle, files.state)
    answered = any(item.in_packet and item.state == "answered" for item in decisions)
    ours = recorded_here(files.bundle_data or b"{}")
    verdict = judge_answer(answer, Asked(decisions, bundle, budget.left, files.paid(answered=answered), text, ours))
    added = _missing(files, bundle, verdict, decisions)
    return AnswerPlan(
        epic_id=files.paths.id,
        packet_id=packet_key(files.packet) if files.packet is not None else None,
        settled=verdict.settled,
        changes=tuple(_Planner(root, files, now).changes(verdict, decisions, added)),
        digest=verdict.digest,
        spends=verdict.spends,
        left=budget.left - verdict.spends,
        exhausted=verdict.exhausted,
        left_open=verdict.left_open,
        added=added,
    )


def _bundle(files: EpicFiles) -> Bundle:
    """The bundle; an empty one where there is none, as it is made with its first answer."""
    if files.bundle is None:
        return Bundle(files.paths.bundle.name)
    if files.bundle.unreadable:
        why = f"the bundle can't be read: {files.bundle.unreadable}; mend it, or move it away and a new one is made"
        raise Refused("unreadable", files.bundle.path, why)
    return files.bundle


def _missing(files: EpicFiles, bundle: Bundle, verdict: Verdict, decisions: tuple[Decision, ...]) -> tuple[str, ...]:
    """Ids of the questions that are put into the bundle: those that are settled, into a new one all that are open.

    Who goes by a bundle in which one question stands alone would take the others for confirmed.
    """
    held = {item.id for item in bundle.questions}
    settled = {item.question_id for item in verdict.settled}
    asked = (item for item in decisions if item.question_id in settled or (files.bundle is None and item.question))
    return tuple(dict.fromkeys(item.question_id for item in asked if item.question_id and item.question_id not in held))


class _Planner:
    """Makes the changes of one answer."""

    def __init__(self, root: Path, files: EpicFiles, now: datetime) -> None:
        self._root = root
        self._layout = Layout(root)
        self._files = files
        self._at = stamp(now)

    def changes(self, verdict: Verdict, decisions: tuple[Decision, ...], added: tuple[str, ...]) -> list[FileChange]:
        """All changes in their order."""
        asked = {item.question_id: item for item in decisions}
        paths = self._files.paths
        try:
            bundle = settle(self._with_questions(added), verdict.settled, self._at, sign=ASSUMPTION)
        except EditError as error:
            raise Refused("unreadable", paths.bundle.name, str(error)) from None
        whole = [
            self._whole(paths.bundle, self._files.bundle_data, bundle),
            self._whole(paths.state, self._files.state_data, self._state(bundle, verdict)),
            self._whole(paths.ledger, self._files.ledger_data, self._ledger(verdict.settled, asked)),
            *self._tasks(verdict.settled),
        ]
        return [*(change for change in whole if change is not None), *self._events(verdict, bundle)]

    def _with_questions(self, added: tuple[str, ...]) -> bytes:
        """The bundle with the questions that it did not hold at its end."""
        files, data = self._files, self._files.bundle_data
        for name in added:
            row = asked_row(files.packet_data, files.state_data, name)
            stage = (files.packet.stage if files.packet is not None else "") or files.the_state.stage
            data = with_question(data, row, files.paths.id, stage, self._at)
        return data or b""

    def _whole(self, path: Path, before: bytes | None, after: bytes | None) -> FileChange | None:
        if after is None or after == before:
            return None
        return FileChange(self._layout.rel(path), path, before, after)

    def _state(self, bundle: bytes, verdict: Verdict) -> bytes:
        before = self._files.state_data or b""
        packet = self._files.packet
        try:
            after = rebuild_pending(before, bundle)
            if verdict.spends and packet is not None:
                after = spend(after, self._at, self._files.the_state.stage, packet_key(packet))
            return touch(after, self._at) if after != before else before
        except EditError as error:
            raise Refused("unreadable", self._files.the_state.path, str(error)) from None

    def _ledger(self, settled: tuple[Settled, ...], asked: dict[str, Decision]) -> bytes | None:
        """The ledger; None when there is none and none is needed."""
        data, stage = self._files.ledger_data, self._files.the_state.stage
        try:
            for item in settled:
                if item.status == "resolved" and data is not None:
                    for name in dict.fromkeys(row.id for row in self._linked(item)):
                        data = resolve_unknown(data, name, item.resolution or "", self._at, stage)
                elif item.status == "critical-blocked":
                    if data is None:
                        new = new_ledger(self._files.paths.id, self._at)
                        data = json.dumps(new, indent=2, ensure_ascii=False).encode() + b"\n"
                    question = asked[item.question_id].question
                    data = add_blocked(data, item.question_id, question, item.resolution, stage, sign=ASSUMPTION)
        except EditError as error:
            raise Refused("unreadable", self._files.paths.ledger.name, str(error)) from None
        return data

    def _linked(self, item: Settled) -> list[Row]:
        """Entries of the ledger that stand for a question. Raises `Refused` when the ledger is damaged."""
        ledger = self._files.ledger
        if ledger is None:
            return []
        if ledger.unreadable:
            raise Refused("unreadable", ledger.path, f"the ledger can't be read: {ledger.unreadable}")
        rows = rows_of(value_of(self._files.ledger_data or b"{}"), LEDGER_LISTS)
        named = {item.linked_unknown} - {None}
        return [row for row in rows if row.id in named or text(row.value.get("linked_dec")) == item.question_id]

    def _tasks(self, settled: tuple[Settled, ...]) -> list[FileChange | None]:
        """Tasks that go on with an assumption: those that the ledger names for the question."""
        marks: dict[str, str] = {}
        for item in settled:
            if item.status in ("assumed", "critical-blocked") and item.resolution is not None:
                mark = f"{ASSUMPTION} ({item.question_id}): {item.resolution}"
                marks |= {name: mark for row in self._linked(item) if (name := text(row.value.get("task_id")))}
        if not marks:
            return []
        found: list[FileChange | None] = []
        for path in find_tasks(self._root, self._files.paths.id):
            before = read_target(path, root=self._root) or b"{}"
            try:
                value = value_of(before)
                name = text(value.get("id")) if isinstance(value, dict) else ""
                mark = next((marks[key] for key in (name, path.stem) if key in marks), "")
                if mark:
                    found.append(self._whole(path, before, mark_task(before, mark)))
            except EditError as error:
                raise Refused("unreadable", self._layout.rel(path), str(error)) from None
        return found

    def _events(self, verdict: Verdict, bundle: bytes) -> list[FileChange]:
        """One line of the trace for each question; those that stand there already are left out."""
        paths = self._files.paths
        known = _tail(self._root, paths.trace)
        value = value_of(bundle)
        found = []
        for item in verdict.settled:
            row = the_row(value, BUNDLE_LISTS, item.question_id, "an answer needs one place").value
            settled_at = text(row.get(TIMES[item.status]))
            event_id = _event_id(paths.id, item, settled_at)
            if event_id.encode() not in known:
                line = json.dumps(self._event(item, event_id), ensure_ascii=False).encode()
                found.append(FileChange(self._layout.rel(paths.trace), paths.trace, None, line, append=True))
        return found

    def _event(self, item: Settled, event_id: str) -> dict[str, Any]:
        said = f": {item.resolution}" if item.resolution is not None else ""
        packet = self._files.packet
        return {
            "ts": self._at,
            "epic_id": self._files.paths.id,
            "stage": self._files.the_state.stage,
            "source": "harness-tui",
            "actor": "operator",
            "event_type": _EVENTS[item.status],
            "status": "warn" if item.status == "critical-blocked" else "ok",
            "summary": f"{item.question_id} {item.status}{said}",
            "payload": {
                "decision_id": item.question_id,
                "resolution": item.resolution,
                "packet_id": packet_key(packet) if packet is not None else None,
            },
            "artifact_paths": [self._layout.rel(path) for path in (self._files.paths.bundle, self._files.paths.state)],
            "event_id": event_id,
        }


def _event_id(epic_id: str, item: Settled, at: str) -> str:
    """The same for the same answer at the same time, so that a line is not written twice."""
    named = json.dumps([epic_id, item.question_id, item.status, item.resolution, at]).encode()
    return f"evt_{hashlib.sha256(named).hexdigest()[:24]}"


def _tail(root: Path, path: Path) -> bytes:
    """The end of the trace; nothing when there is none. Raises `WriteError` when it can't be read."""
    try:
        descriptor = open_regular(path, root=root)
        try:
            size = os.fstat(descriptor).st_size
            return os.pread(descriptor, _TAIL, max(0, size - _TAIL))
        finally:
            os.close(descriptor)
    except FileError as error:
        if error.gone:
            return b""
        raise WriteError(path, error.reason) from error
    except OSError as error:
        raise WriteError(path, why_not(error)) from error
