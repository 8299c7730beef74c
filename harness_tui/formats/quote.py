"""Where a file quotes a signal that was consumed: in PM_LOG.md or in a log (formats/harness-kit 1.4, 2.7)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import text_lines
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.sent import SentRecord

_HEADING = regex(r"#{1,6}\s")
_INTERVENTION = regex(r"\bintervention\b", re.IGNORECASE)
_CONSUMED = regex(r"\bconsumed\b(?:\s+at\s+(?P<at>\S+))?", re.IGNORECASE)
_SPEAKS: Final = regex(r"\b(?:intervention|operator|NOTE|note=)")
_LONG: Final = 24
"""Characters from which on a line is not met by chance."""
_COARSE: Final = timedelta(minutes=1)
"""Times are often given by the minute."""


def find_quote(data: bytes, record: SentRecord, *, after: int = 0) -> int | None:
    """The line, from 1 and below line `after`, that quotes the first line of the signal's text; None when none does.

    A short text counts only below `Intervention consumed`, or where the line itself speaks of a note. What was consumed
    before the signal was sent, by the time in the heading, is another one.
    """
    wanted = _folded(record.text.split("\n", 1)[0])
    section = earlier = False
    for number, line in enumerate(text_lines(data), 1):
        if _HEADING.match(line):
            told = _INTERVENTION.search(line)  # one after the other: a long line is read once
            consumed = _CONSUMED.search(line, told.end()) if told is not None else None
            section = consumed is not None
            earlier = consumed is not None and _is_before(consumed["at"], record.at)
        elif (
            number > after
            and not earlier
            and wanted
            and wanted in _folded(line)
            and (section or len(wanted) >= _LONG or _SPEAKS.search(line))
        ):
            return number
    return None


def _folded(text: str) -> str:
    return " ".join(text.replace("`", "").replace("*", "").split())


def _is_before(text: str | None, at: datetime) -> bool:
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return False
    return found.tzinfo is not None and found + _COARSE < at
