"""Marking what was searched for in text that is drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.segment import Segment

from harness_tui.tui.text import graphemes, is_narrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.style import Style

Run = tuple[int, "Style"]
"""Where a style ends in a text, and the style."""


def pattern_of(wanted: str | re.Pattern[str] | None) -> re.Pattern[str] | None:
    """A word as a pattern: literal, at no regard of case. Patterns pass; nothing to look for gives None."""
    if isinstance(wanted, str):
        return re.compile(re.escape(wanted), re.IGNORECASE) if wanted else None
    return wanted


def matches(
    pattern: re.Pattern[str] | None, text: str, begin: int = 0, end: int | None = None
) -> list[tuple[int, int]]:
    """Where `pattern` is found in `text[begin:end]`, widened to whole graphemes; empty matches are none."""
    if pattern is None:
        return []
    end = len(text) if end is None else end
    found = [match.span() for match in pattern.finditer(text, begin, end) if match.end() > match.start()]
    if not found or is_narrow(text[begin:end]):
        return found
    spans = [(begin + left, begin + right) for left, right, _ in graphemes(text[begin:end])]
    return list(_widen(found, spans))


def segments(
    text: str, part: tuple[int, int], runs: Iterable[Run], found: list[tuple[int, int]], mark: Style
) -> Iterator[Segment]:
    """The `part` of `text` in the styles of `runs` (ascending ends), with `mark` laid over what was `found`."""
    begin, end = part
    edges = iter([(edge, inside) for left, right in found for edge, inside in ((left, False), (right, True))])
    edge, inside = next(edges, (end, False))
    at = begin
    for stop, style in runs:
        while at < min(stop, end):
            if edge <= at and edge < end:
                edge, inside = next(edges, (end, False))
                continue
            to = min(stop, end, edge)
            yield Segment(text[at:to], style + mark if inside else style)
            at = to


def _widen(found: list[tuple[int, int]], spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    index = last = 0
    for left, right in found:
        while spans[index][1] <= left:
            index += 1
        begin = max(spans[index][0], last)
        while spans[index][1] < right:
            index += 1
        last = spans[index][1]
        if begin < last:
            yield begin, last
