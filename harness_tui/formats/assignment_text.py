"""An assignment as an agent is told of it, and as a command's words and environment hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.work import Assignment

LONGEST: Final = 100_000
"""Bytes of one word of a command or one variable, below what any system takes."""

_PLACEHOLDER: Final = regex(r"\{(pool_id|task_id|id|slug|goal|mode|notes|deferred_human)\}")
_CUT: Final = " […]"


def prompt(assignment: Assignment, *, again: bool = False) -> str:
    """What an agent is asked to do, and the words with which it has to end. `again` in a session that was cut off."""
    parts = ["You were cut off. Look at what is done already and go on from there."] if again else []
    parts += [
        f"Task {assignment.task_id} of pool {assignment.pool_id}: {assignment.goal}",
        f"Slug: {assignment.slug}\nMode: {assignment.mode}\nDocuments: docs/features/{assignment.slug}/",
    ]
    parts += [f"Note of the operator: {note}" for note in assignment.notes]
    if assignment.deferred_human:
        parts.append(assignment.deferred_human)
    parts.append(
        "Work on this task alone. End with one line that is your verdict: DELIVERED when all is done and verified; "
        "FAILED: <why>; BLOCKED: <why>; or, when only a person can go on, "
        "BLOCKED: NEEDS-HUMAN — <what you ask> — <what that unblocks>."
    )
    return _fit("\n\n".join(parts))


def values(assignment: Assignment) -> dict[str, str]:
    """The parts of an assignment by the names that placeholders and variables use."""
    found = {
        "pool_id": assignment.pool_id, "task_id": assignment.task_id, "id": assignment.task_id,
        "slug": assignment.slug, "goal": assignment.goal, "mode": assignment.mode,
        "notes": "\n".join(assignment.notes), "deferred_human": assignment.deferred_human,
    }  # fmt: skip
    return {name: _fit(text) for name, text in found.items()}


def filled(words: Sequence[str], assignment: Assignment) -> list[str]:
    """`words` with placeholders such as `{slug}` replaced, each once: what an assignment says is never read again."""
    known = values(assignment)
    return [_PLACEHOLDER.sub(lambda found: known[found[1]], word) for word in words]


def has_placeholder(word: str) -> bool:
    """Whether an assignment would decide what `word` is."""
    return _PLACEHOLDER.search(word) is not None


def environment(assignment: Assignment) -> dict[str, str]:
    """`HARNESS_TASK_ID`, `HARNESS_SLUG`, … for the worker's environment."""
    return {f"HARNESS_{name.upper()}": text for name, text in values(assignment).items()}


def _fit(text: str) -> str:
    """`text` as a program can be given it: no NUL, not longer than `LONGEST` bytes."""
    data = text.replace("\0", "").encode("utf-8", "replace")
    if len(data) <= LONGEST:
        return data.decode()
    return data[: LONGEST - len(_CUT.encode())].decode("utf-8", "ignore") + _CUT
