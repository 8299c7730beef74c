"""Lines of a stream or batch log as our own engine writes them (formats/harness-kit 1.2).

What a worker or an operator said is put into one line: it can neither end the line nor open a field of its own.
"""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import clean
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.work import Assignment

SEPARATOR: Final = " · "
NO_TASK: Final = "—"
LONGEST: Final = 4000
"""Characters of one field; what is longer is cut, with a mark."""

_PLAIN = regex(r"[!-~]{1,200}+(?: [!-~]{1,200}+){0,12}+", re.ASCII)
_DOT = regex(r"\s+·(?:\s+·)*\s+")
_KEY = regex(r"\b(ask|unblock|slug|stage)=")


def log_line(at: datetime, *fields: str) -> str:
    """One event: the time in UTC, whole seconds, then its fields. Empty fields are left out."""
    stamp = at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return SEPARATOR.join((stamp, *(text for text in (one_field(field) for field in fields) if text)))


def one_field(text: str) -> str:
    """`text` as one field of a line."""
    if _PLAIN.fullmatch(text) is not None:  # what most fields are made of
        return text
    plain = clean(" ".join(text.split()))
    plain = _DOT.sub(" - ", f" {plain} ").strip(" ")
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def dispatch_line(at: datetime, work: Assignment) -> str:
    """The line that makes a row count as dispatched; notes that go with it are quoted."""
    notes = [f'note="{one_field(note)}"' for note in work.notes]
    return log_line(
        at, work.task_id, "dispatching pm-orchestrator", f"slug={work.slug}", f"mode={work.mode or 'full'}", *notes
    )


def needs_human_line(at: datetime, task_id: str, slug: str, stage: str, ask: str, unblock: str) -> str:
    """A deferral; `task_id` is empty for one that belongs to no row."""
    said = [f'{name}="{_value(text)}"' for name, text in (("ask", ask), ("unblock", unblock))]
    return log_line(at, task_id or NO_TASK, "NEEDS-HUMAN", f"slug={slug}", f"stage={stage}", *said)


def _value(text: str) -> str:
    """A quoted value, that no key inside it ends."""
    return _KEY.sub(r"\1 =", one_field(text)).strip('"“”「」').strip()
