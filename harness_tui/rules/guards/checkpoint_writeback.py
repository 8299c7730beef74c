"""Which lines record that the loop has looked at a commit (formats/servo 2.13).

The lines are those of the script; every other character of the file stays, line ends included.
"""

from __future__ import annotations

import re

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

KEYS: Final = {"observed": "latest_observed_checkpoint", "doc-catch-up": "last_doc_catch_up_checkpoint"}
"""Kinds of checkpoint, each with its key."""
SECTION: Final = "Baseline Traceability"

_HEADING: Final = regex(rf"##\s+{SECTION}\s*")
_CHECKPOINT: Final = regex(rf"\s*-?\s*(?:{'|'.join(KEYS.values())}):")
_HISTORY: Final = regex(r"\s*(?:- )?verified_at_history\s*:")
_DATED: Final = regex(r"\s*- \d{4}-\d{2}-\d{2}")
_UPDATED: Final = regex(r"(updated\s*:\s*)(['\"]?)(.*?)(['\"]?)\s*")
_FRONT_LINES: Final = 40


def with_checkpoint(text: str, kind: str, commit: str, at: str) -> tuple[str, str | None] | None:
    """`text` with the checkpoint of that kind at `commit`, verified `at` (UTC), and the commit before it (None: none).

    None when the file has no section for it. The same commit at the same second changes nothing more.
    """
    lines = text.split("\n")
    found = _section(lines)
    if found is None:
        return None
    start, end = found
    key, mark = KEYS[kind], "\r" if lines[start].endswith("\r") else ""
    line, before = _find(lines, start, end, key)
    entry = f"- {key}: {commit}"
    if line is None:
        line = _place(lines, start, end)
        lines.insert(line, f"{entry}{mark}")
        end += 1
    else:
        lines[line] = entry + ("\r" if lines[line].endswith("\r") else "")
    _add_time(lines, start, end, at, mark)
    _set_updated(lines, at)
    after = "\n".join(lines)
    return after if after.endswith("\n") else f"{after}{mark}\n", before or None


def _section(lines: list[str]) -> tuple[int, int] | None:
    """Index of the heading, and of the next one or the end."""
    start = next((at for at, line in enumerate(lines) if _HEADING.fullmatch(line)), None)
    if start is None:
        return None
    return start, next((at for at in range(start + 1, len(lines)) if re.match(r"##\s", lines[at])), len(lines))


def _find(lines: list[str], start: int, end: int, key: str) -> tuple[int | None, str]:
    """Index and value of the key: as a bullet at any indent, else indented without one."""
    for pattern in (rf"\s*-\s+{key}:\s*(.*)", rf"\s+{key}:\s*(.*)"):
        for at in range(start + 1, end):
            match = re.fullmatch(pattern, lines[at].removesuffix("\r"))
            if match:
                return at, match[1].strip()
    return None, ""


def _place(lines: list[str], start: int, end: int) -> int:
    """Where a new key goes: behind the other checkpoint, above the history, else at the section's end."""
    history = _history(lines, start, end)
    if history is None:
        filled = (at + 1 for at in range(end - 1, start, -1) if lines[at].strip())
        return next(filled, start + 1)
    others = (at + 1 for at in range(history - 1, start, -1) if _CHECKPOINT.match(lines[at]))
    return next(others, history)


def _history(lines: list[str], start: int, end: int) -> int | None:
    return next((at for at in range(start + 1, end) if _HISTORY.match(lines[at])), None)


def _add_time(lines: list[str], start: int, end: int, at: str, mark: str) -> None:
    entry = f"  - {at}"
    history = _history(lines, start, end)
    if history is None:
        lines[end:end] = [f"  verified_at_history:{mark}", f"{entry}{mark}"]
        return
    last = history
    while last + 1 < end and _DATED.match(lines[last + 1]):
        last += 1
    if lines[last].strip() != entry.strip():
        lines.insert(last + 1, f"{entry}{mark}")


def _set_updated(lines: list[str], at: str) -> None:
    """The first `updated:` near the file's begin, its quotes kept."""
    for index, line in enumerate(lines[:_FRONT_LINES]):
        match = _UPDATED.fullmatch(line)
        if match:
            quote = (match[2], match[4] or match[2]) if match[2] else ("", "")
            lines[index] = f"{match[1]}{quote[0]}{at}{quote[1]}" + ("\r" if line.endswith("\r") else "")
            return
