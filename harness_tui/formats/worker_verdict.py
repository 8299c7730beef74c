"""The verdict that a worker gives in so many words (formats/harness-kit 1.1 L-table PM → loop, 1.11 g)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from harness_tui.formats.text import clean
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

Word = Literal["delivered", "failed", "blocked", "needs-human"]

_LINE: Final = regex(
    r"[\s>#*_`~\-•]*(?:(?:final\s+)?(?:verdict|status|outcome|result)[*_`\s]*[:：=—–-]+[\s*_`\[]*)?"
    r"(?P<word>DELIVERED|FAILED|BLOCKED)(?![\w-])[*_`\]]*(?P<rest>.*)",
    re.DOTALL,
)
_LABELLED: Final = regex(
    r"[\s>#*_`~\-•]*(?:final\s+)?(?:verdict|outcome)[*_`\s]*[:：=][\s*_`\[]*(?P<word>delivered|failed|blocked)(?![\w-])"
    r"[*_`\]]*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_HUMAN: Final = regex(r"[\s:：—–-]*NEEDS[-_ ]HUMAN(?![\w])[*_`]*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_CHOICE: Final = regex(r"\s*(?:\||/|,|\bor\b)\s*[*_`]*(?:BLOCKED|FAILED|DELIVERED|NEEDS)", re.IGNORECASE)
_DENIED: Final = regex(r"\s*(?:[?？]|[:：=]\s*(?:no\b|not\b|false\b|pending\b))", re.IGNORECASE)
_LONGEST: Final = 2000


class Verdict(NamedTuple):
    """What a line states. `reason` is the rest of it; for `needs-human` what is asked, `needed` what it unblocks."""

    word: Word
    reason: str
    needed: str = ""


def read_verdict_line(line: str) -> Verdict | None:
    """The verdict that `line` states, None when it states none.

    The word opens the line, in capitals or behind a label. A line that only lists the words is no verdict; a delivery
    that is taken back in the same breath (`DELIVERED: no`) is a failure.
    """
    found = _LINE.fullmatch(line[:_LONGEST]) or _LABELLED.fullmatch(line[:_LONGEST])
    if found is None or _CHOICE.match(found["rest"]):
        return None
    word, rest = found["word"].casefold(), found["rest"]
    if word == "delivered" and _DENIED.match(rest):
        return Verdict("failed", clean(line.strip()))
    human = _HUMAN.match(rest) if word == "blocked" else None
    if human is not None:
        ask, _, unblocks = _plain(human["rest"]).rpartition(" — ")
        return Verdict("needs-human", ask.strip(), unblocks.strip()) if ask else Verdict("needs-human", unblocks)
    known: Word = "delivered" if word == "delivered" else "failed" if word == "failed" else "blocked"
    return Verdict(known, _plain(rest))


def last_verdict(lines: Iterable[str]) -> Verdict | None:
    """The last of `lines` that states a verdict."""
    found = None
    for line in lines:
        found = read_verdict_line(line) or found
    return found


def _plain(rest: str) -> str:
    rest = re.sub(r"\s+(?:–|--|—)\s+", " — ", rest)
    return clean(rest.strip().strip(":：—–-*_`").strip())
