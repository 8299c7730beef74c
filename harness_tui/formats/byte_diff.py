"""What differs between the old and the new bytes of a file, line by line, to be read before it is written."""

from __future__ import annotations

from difflib import SequenceMatcher, unified_diff

from harness_tui.formats.text import clean
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    Lines = list[str]

AROUND: Final = 2
"""Unchanged lines that are shown before and after a change."""
COMPARED: Final = 2000
"""Lines between the first and the last change up to which they are compared with each other."""


class DiffLine(NamedTuple):
    """One line: `sign` is `+`, `-`, a blank for context, or `…` for lines that are left out."""

    sign: str
    text: str


def byte_diff(before: bytes | None, after: bytes | None) -> list[DiffLine]:
    """The changed lines with some around them; all of a file that is new, or goes. Every character is visible.

    A line end that is not LF, and a last line without one, are shown as signs.
    """
    old, new = visible_lines(before), visible_lines(after)
    start = _same(old, new)
    end = min(_same(old[start:][::-1], new[start:][::-1]), len(old) - start, len(new) - start)
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    found = [_left_out(start - AROUND)] if start > AROUND else []
    found += [DiffLine(" ", line) for line in old[max(0, start - AROUND) : start]]
    found += _middle(removed, added)
    tail = old[len(old) - end :]
    found += [DiffLine(" ", line) for line in tail[:AROUND]]
    if len(tail) > AROUND:
        found.append(_left_out(len(tail) - AROUND))
    return found


def unified(before: bytes | None, after: bytes | None, name: str) -> str:
    """The same as a unified diff, to be printed; empty when nothing differs. `name` is that of the file."""
    old, new = visible_lines(before), visible_lines(after)
    found = unified_diff(old, new, clean(name), clean(name), "as it is", "as it would be", lineterm="")
    return "".join(f"{line}\n" for line in found)


def visible_lines(data: bytes | None) -> Lines:
    """The lines without their ends, all characters visible; a last one without an end says so."""
    if not data:
        return []
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    last = lines.pop()
    return [clean(line) for line in lines] + ([f"{clean(last)}‹no line end›"] if last else [])


def _middle(removed: Lines, added: Lines) -> list[DiffLine]:
    if max(len(removed), len(added)) > COMPARED:
        return [DiffLine("-", line) for line in removed] + [DiffLine("+", line) for line in added]
    return list(_compared(removed, added))


def _compared(removed: Lines, added: Lines) -> Iterator[DiffLine]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, removed, added, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from _context(removed[i1:i2])
        else:
            yield from (DiffLine("-", line) for line in removed[i1:i2])
            yield from (DiffLine("+", line) for line in added[j1:j2])


def _context(lines: Lines) -> Iterator[DiffLine]:
    if len(lines) <= 2 * AROUND:
        yield from (DiffLine(" ", line) for line in lines)
        return
    yield from (DiffLine(" ", line) for line in lines[:AROUND])
    yield _left_out(len(lines) - 2 * AROUND)
    yield from (DiffLine(" ", line) for line in lines[-AROUND:])


def _left_out(count: int) -> DiffLine:
    return DiffLine("…", f"{count} line{'s' if count > 1 else ''} more")


def _same(old: Lines, new: Lines) -> int:
    """How many lines at the beginning are the same."""
    count = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        count += 1
    return count
