"""The status cell of a plan: a known word, then free text (formats/harness-kit 1.1, P1, P2)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from harness_tui.model.pool import STATUSES
from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from harness_tui.model.pool import Status

KNOWN: Final = frozenset(STATUSES) - {"unknown"}
"""The words of the norm."""
_WORD = regex(
    r"(pending|in[-_ ]progress|done|failed|blocked|needs[-_ ]human|skipped)(?![\w-])"
    r"(?!\s*(?:→|->|=>|/|\?))",
    re.IGNORECASE,
)
_UNDERSCORED = regex(r"_{1,3}([^_\s](?:.*?[^_\s])?)_{1,3}(?!\w)")
_PORTION = regex(r"\s*\d+\s*(?:%|/\s*\d)")
_CONTRADICTS: Final = frozenset("❌✖✗✘🚫⛔⏳⌛🚧🔄⬜☐❓⚠")
_LONGEST: Final = 400


class StatusCell(NamedTuple):
    """What a status cell says. `exact` is False for a known word in another spelling (capitals, a symbol before it)."""

    status: Status
    exact: bool


@lru_cache(maxsize=2048)
def read_status(text: str) -> StatusCell:
    """The status that `text` starts with, as a whole word; `unknown` when it does not.

    Emphasis and symbols such as a check mark may stand before the word, any remark after it. A negation, a struck-out
    or bracketed word, a question, a way to another status (`pending → done`) and a share (`done 3/7`) are unknown.
    """
    if text in KNOWN:
        return StatusCell(text, exact=True)
    plain = text[:_LONGEST].replace("*", "").replace("`", "").strip()
    plain = _UNDERSCORED.sub(r"\1", plain, count=1) if plain.startswith("_") else plain
    lead = 0
    while lead < len(plain) and _is_symbol(plain[lead]):
        lead += 1
    match = _WORD.match(plain, lead)
    if match is None:
        return StatusCell("unknown", exact=False)
    status: Status = re.sub("[_ ]", "-", match[1].lower())  # type: ignore[assignment] # the pattern knows no other words
    if status == "done" and (_CONTRADICTS & set(plain[:lead]) or _PORTION.match(plain, match.end())):
        return StatusCell("unknown", exact=False)
    return StatusCell(status, exact=lead == 0 and match[1] == status)


def find_word(text: str) -> tuple[int, int] | None:
    """Where the status word of a cell as written begins and ends; None when it has none that can be told apart."""
    at = 0
    while at < len(text) and (text[at] in "*`_" or _is_symbol(text[at])):
        at += 1
    match = _WORD.match(text, at)
    return (match.start(1), match.end(1)) if match is not None else None


def _is_symbol(char: str) -> bool:
    return char == " " or char in "\ufe0f\u200d" or unicodedata.category(char) == "So"
