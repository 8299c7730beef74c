"""From what a worker says to what its row becomes (formats/harness-kit 1.11 g); the worse of two readings counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.delivery import parse_delivery
from harness_tui.rules.status import OPEN_RESULTS
from harness_tui.workspace.files import FileError, read_file
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from harness_tui.model.document import Delivery
    from harness_tui.model.pool import Status, Task
    from harness_tui.model.work import Result
    from harness_tui.stream.book import Book

_STATUS: Final[dict[str, Status]] = {
    "delivered": "done", "failed": "failed", "blocked": "blocked", "needs-human": "needs-human", "hard-stop": "blocked",
}  # fmt: skip
_WORD: Final[dict[Status, str]] = {
    "done": "DELIVERED", "failed": "FAILED", "blocked": "BLOCKED", "needs-human": "NEEDS-HUMAN",
}  # fmt: skip
_HOMES: Final = ("docs/features", "docs/features/_archived")


class Outcome(NamedTuple):
    """What the row becomes, the word of the log, why, what unblocks it, and the delivery document if there is one."""

    status: Status
    word: str
    reason: str
    needed: str
    link: str


def outcome_of(book: Book, task: Task, result: Result) -> Outcome:
    """What becomes of `task`. A delivery document that states no success outweighs a worker that claims one."""
    status = _STATUS.get(result.outcome, "failed")
    found = _delivery(book, task)
    link = found.path if found is not None else ""
    if status == "done" and found is not None and found.says in OPEN_RESULTS:
        status = found.says
        reason = f"the worker says delivered, but its document says {found.text or found.says}"
        return Outcome(status, _WORD[status], reason, result.needed, link)
    reason = result.reason
    if result.outcome == "hard-stop":
        signature = f": {result.signature}" if result.signature else ""
        reason = f"hard stop {result.trigger or 'of no known kind'}{signature}" + (
            f"; {result.reason}" if result.reason else ""
        )
    elif status == "needs-human":
        ask, _, unblock = reason.partition(" — ")
        reason = ask.strip() or "the worker needs a person and did not say what for"
        return Outcome(status, _WORD[status], reason, result.needed or unblock.strip(), link)
    return Outcome(status, _WORD[status], reason, result.needed, link)


def _delivery(book: Book, task: Task) -> Delivery | None:
    """The delivery document of the row, live before archived; the slug of a row that runs can't leave its folder."""
    for home in _HOMES:
        name = f"{home}/{task.slug}/07_DELIVERY.md"
        if signature(f"{book.root}/{name}") is None:
            continue
        try:
            return parse_delivery(read_file(book.root / name, root=book.root), name)
        except FileError:
            continue
    return None
