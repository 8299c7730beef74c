"""Whether a worker may ask a person, and what is done with open questions when it may not (CONTRACT rules 6 and 7)."""

from __future__ import annotations

import shlex
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import Refused
from harness_tui.rules.decisions import decide
from harness_tui.rules.questions import ASSUMPTION
from harness_tui.workspace.answers import plan_answer, record_answer
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.epic_files import find_epic, read_epic
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.decision import Decision
    from harness_tui.rules.budget import Judgement
    from harness_tui.stream.book import Book
    from harness_tui.workspace.epic_files import EpicFiles
    from harness_tui.workspace.signature import Signature

LOOK: Final = 0.5
"""Seconds between looks for a packet while a worker is at work."""
NOBODY: Final = (
    "Nobody answers questions during this run. What needs a person is deferred: end with "
    "BLOCKED: NEEDS-HUMAN — <what is asked> — <what unblocks it>, and never do it yourself."
)
USED_UP: Final = (
    "The interrupt budget of epic {epic} is used up: ask nobody. Where a safe default exists, take it and mark the "
    f"task '{ASSUMPTION}'; otherwise end with BLOCKED: NEEDS-HUMAN — <what is asked> — <what unblocks it>."
)

WAITS: Final = (
    "Packet {packet} of epic {epic} still waits for its answers: leave decision-packet.json as it is. What needs a "
    "person is deferred: end with BLOCKED: NEEDS-HUMAN — <what is asked> — <what unblocks it>."
)


class Asking:
    """The interrupt budget of `epic` during one run; without an epic nobody is asked at all."""

    def __init__(self, epic: str | None, book: Book) -> None:
        self._epic, self._book = epic, book
        self._told = ""
        self._packet: Signature | None = None

    def line(self) -> str:
        """The line for the next assignment; empty when the worker may ask through a packet.

        With nothing left, what the packet still asks is settled by the rule for used-up budgets first. A budget that
        can't be read has nothing left, and its files are left alone. There is one packet file: as long as one waits for
        an answer, the next would take its place, and its unit would never be spent.
        """
        if self._epic is None:
            return NOBODY
        try:
            paths = find_epic(self._book.root, self._epic)
            self._packet = signature(paths.packet)
            files = read_epic(self._book.root, paths)
            budget = files.budget
        except (Refused, WriteError) as error:
            self._tell(f"the interrupt budget counts as used up: {error}")
            return USED_UP.format(epic=self._epic)
        if budget.left <= 0:
            self._tell(f"interrupt budget of {self._epic}: {budget.why}; nobody is asked from here on")
            self._settle(budget)
            return USED_UP.format(epic=self._epic)
        waiting = _waiting(files)
        left = f"interrupt budget of {self._epic}: {budget.left} left"
        if not waiting:
            self._tell(left)
            return ""
        self._tell(f"{left}; no further packet before this one is answered: {waiting}")
        return WAITS.format(epic=self._epic, packet=waiting)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While a worker is at work: what it asks is told as soon as its packet is there, as it may wait for it."""
        if self._epic is None:
            yield
            return
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(self._epic, over), name="harness-tui questions")
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def _watch(self, epic: str, over: threading.Event) -> None:
        before = self._packet
        while not over.wait(LOOK):
            with suppress(Refused, WriteError):
                paths = find_epic(self._book.root, epic)
                now = signature(paths.packet)
                if now == before:
                    continue
                files = read_epic(self._book.root, paths)
                if files.packet is None or not files.packet.unreadable:  # else it is being written
                    before = now
                    for item in _open(files):
                        self._book.event("said", f"{item.question_id} asks: {item.question} ({_answer(item)})")

    def settle(self) -> None:
        """After a task: what it asked in spite of a used-up budget is settled at once."""
        if self._epic is not None:
            with suppress(Refused, WriteError):
                self._settle(read_epic(self._book.root, find_epic(self._book.root, self._epic)).budget)

    def _settle(self, budget: Judgement) -> None:
        if self._epic is None or budget.state != "exhausted":
            return
        book, answer = self._book, Answer(self._epic, "", "defaults")
        with suppress(Refused):  # nothing is open
            if not plan_answer(book.root, answer, book.clock.now()).exhausted:
                return
            try:
                plan = record_answer(book.root, answer, book.clock.now())
            except WriteError as error:
                book.event("said", f"what {self._epic} still asks could not be settled: {error}")
                return
            if plan.changes:
                names = ", ".join(f"{item.question_id} {item.status}" for item in plan.settled)
                book.say(f"interrupt budget of {self._epic} used up, settled without asking: {names}")

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self._book.event("said", text)


def _waiting(files: EpicFiles) -> str:
    """What the packet on the disk still asks, in words; empty when a new one may take its place."""
    if files.packet is None:
        return ""
    name = files.packet.packet_id or "the packet"
    if files.packet.unreadable:
        return f"{name} (it can't be read)"
    names = [item.question_id for item in _open(files)]
    return f"{name} ({', '.join(names[:8])}{' …' if len(names) > 8 else ''})" if names else ""  # noqa: PLR2004


def _open(files: EpicFiles) -> list[Decision]:
    """The questions of the packet that have no answer yet."""
    decisions, _ = decide(files.paths.id, files.packet, files.bundle, files.state)
    return [item for item in decisions if item.in_packet and item.state == "open"]


def _answer(item: Decision) -> str:
    """How the question is answered from another terminal."""
    choice = "|".join(choice.key for choice in item.choices) or "--free TEXT"
    return f"harness-tui answer {shlex.quote(item.epic_id)} {shlex.quote(item.question_id)} {choice}"
