"""What stands for a question as it was shown, and what an answer to it means (CONTRACT rules 6, 7)."""

from __future__ import annotations

import json

from harness_tui.model.answer import Settled
from harness_tui.model.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from harness_tui.model.answer import Answer
    from harness_tui.model.budget import Numbers
    from harness_tui.model.decision import Decision, Packet, Question

DIGEST_LENGTH: Final = 32
"""Hex digits of a digest: enough that nobody finds two questions with the same one."""
ASKED: Final = "must_confirm"
"""The category of a question that is put to a person; a packet, which holds no others, does not name it."""
ASSUMPTION: Final = "\u26a0\ufe0f ASSUMPTION"
"""The sign of what was built on an assumption."""


def questions_digest(decisions: Iterable[Decision]) -> str:
    """What stands for several questions, in any order, as `Decision.digest` does for one."""
    return _hash(sorted(decision.digest for decision in decisions))


def rows_digest(packet_id: str | None, rows: Iterable[Question]) -> str:
    """The digest of a question from all rows that ask it."""
    asked = [
        [
            row.id, row.question, row.options, row.default, row.why_now, row.risk, row.level,
            row.category or ASKED, row.context, row.source_ref, row.deadline, row.linked_unknown,
        ]
        for row in rows
    ]  # fmt: skip
    return _hash([packet_id, [row for index, row in enumerate(asked) if row not in asked[:index]]])


def asked_text(decision: Decision) -> str:
    """The question with its options and default in one line."""
    options = " / ".join(decision.options)
    default = f" default: {decision.default}" if decision.default is not None else ""
    return f"{decision.question} [{options}]{default}" if options else f"{decision.question}{default}"


def default_text(decision: Decision) -> str | None:
    """What is recorded when the default is taken: the whole option that it means, else its own text."""
    for choice, option in zip(decision.choices, decision.options, strict=True):
        if choice.default:
            return option
    return decision.default


def answered_with(decision: Decision, answer: Answer) -> Settled:
    """What `answer` makes of its question. Raises `Refused` when it can't mean anything."""
    name = decision.question_id
    if answer.kind == "defer":
        return Settled(name, "deferred", None, decision.linked_unknown)
    if answer.kind == "free":
        text: str | None = answer.text.strip()
    elif answer.kind == "choice":
        text = _chosen(decision, answer.text)
    else:
        text = default_text(decision)
        if text is None:
            raise Refused("no-default", name, "it has no default", now=asked_text(decision))
    if not text:
        raise Refused("empty-answer", name, "the answer is empty")
    return Settled(name, "resolved", text, decision.linked_unknown)


def is_paid(packet: Packet, numbers: Numbers, *, answered: bool) -> bool:
    """Whether the unit of `packet` was spent already.

    The history says so; or, for a unit that was spent elsewhere and without a history, the packet's own number, as
    soon as one of its questions was `answered`.
    """
    key = packet_key(packet)
    if any(spend.packet_id == key for spend in numbers.history):
        return True
    unnamed = (numbers.consumed or 0) - len(numbers.history)
    return answered and unnamed > 0 and packet.number is not None and packet.number <= (numbers.consumed or 0)


def packet_key(packet: Packet) -> str:
    """The name under which the history keeps a packet: its id, else one made of its number or its questions."""
    if packet.packet_id:
        return packet.packet_id
    if packet.number is not None:
        return f"interrupt-{packet.number}"
    return f"packet-{_hash([question.id for question in packet.questions])[:8]}"


def _chosen(decision: Decision, word: str) -> str:
    """The whole option that `word` picks: by its key, the word `default`, or its full text; a key goes first."""
    pairs = list(zip(decision.choices, decision.options, strict=True))
    for choice, option in pairs:
        if choice.key.casefold() == word.casefold():
            return option
    if word == "default" and (text := default_text(decision)) is not None:
        return text
    same = [option for choice, option in pairs if word in (option, choice.label)]
    if len(same) == 1:
        return same[0]
    keys = ", ".join(choice.key for choice in decision.choices)
    why = f"there is no option {word}; there are {keys}" if keys else "it has no options: give an answer as free text"
    raise Refused("no-such-option", decision.question_id, why, now=asked_text(decision))


def _hash(value: object) -> str:
    import hashlib  # noqa: PLC0415 - OpenSSL takes as long as all that a guard needs to read a question

    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:DIGEST_LENGTH]
