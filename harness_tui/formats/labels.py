"""Labelled parts of a Markdown block: `- **Label:** text`, in any order, with what goes on below each label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from harness_tui.formats.table import split_cells
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness_tui.formats.markdown import Line

_BOLD = regex(r"\*{1,3}(?P<name>[^*:：]{1,60}?)(?:[:：] ?\*{1,3}|\*{1,3} {0,3}(?:[:：]|[—–]|-(?=\s)|$))(?P<value>.*)")
_PLAIN = regex(r"(?P<name>[^\W\d_][^:：*`]{0,60}?)[:：](?!//)(?P<value>.*)")
_DATED = regex(r"\W{0,6}\d{4}-\d{2}-\d{2}")
_CODE = regex(r"`([^`]+)`")
_NOTHING = regex(r"\W*(?:none|n/?a|nothing|null|-)?\W*", re.IGNORECASE)


class Label(NamedTuple):
    """One labelled part: its label as written, the key it stands for (empty: not a known one), its text."""

    name: str
    key: str
    value: str
    line: int


class _Head(NamedTuple):
    place: int
    line: Line
    name: str
    key: str
    value: str


def read_labels(lines: Sequence[Line], key_of: Callable[[str], str]) -> tuple[list[Label], list[Line]]:
    """Labelled parts of a block in order, and the lines that belong to none.

    `key_of` gives the key of a lower-case label, empty when it is not a known one. Labels stand at one depth: that of
    the outermost known label; what looks like one further in is text. Without bold, only known labels are labels.
    """
    heads = [head for place, line in enumerate(lines) if (head := _head(place, line, key_of)) is not None]
    depth = min((head.line.indent for head in heads if head.key), default=None)
    if depth is None:
        return [], list(lines)
    heads = [head for head in heads if head.line.indent <= depth + 1]
    labels: list[Label] = []
    loose = list(lines[: heads[0].place])
    for head, end in zip(heads, [*(head.place for head in heads[1:]), len(lines)], strict=True):
        below = lines[head.place + 1 : end]
        taken = _taken(head, below)
        text = "\n".join([head.value, *(line.text for line in below[:taken])]).strip()
        labels.append(Label(head.name, head.key, text, head.line.number))
        loose += below[taken:]
    return labels, loose


def items(text: str) -> tuple[str, ...]:
    """Items of a list in a field: what stands in backticks, else its lines, else parts between commas."""
    if _NOTHING.fullmatch(text):
        return ()
    code = _CODE.findall(text)
    parts = code or (text.split("\n") if "\n" in text else re.split(r"[,;]\s", text))
    found = (part.strip() if code else part.strip().lstrip("-*+ ").rstrip(".,;") for part in parts)
    return tuple(part for part in found if part)


def _head(place: int, line: Line, key_of: Callable[[str], str]) -> _Head | None:
    if line.fenced:
        return None
    if line.table:
        cells = split_cells(line.body)
        key = key_of(_normal(cells[0])) if len(cells) > 1 else ""
        return _Head(place, line, cells[0].strip("* "), key, " | ".join(cells[1:])) if key else None
    bold = _BOLD.fullmatch(line.body)
    if bold is not None:
        return _Head(place, line, bold["name"], key_of(_normal(bold["name"])), bold["value"].strip())
    whole = line.body.startswith(("*", "_"))  # the emphasis goes round label and text
    plain = _PLAIN.fullmatch(line.body.strip("*_ ") if whole else line.body)
    if plain is not None and (key := key_of(_normal(plain["name"]))):
        return _Head(place, line, plain["name"], key, plain["value"].strip())
    if line.level and (key := key_of(_normal(line.bare))):
        return _Head(place, line, line.bare, key, "")
    return None


def _taken(head: _Head, below: Sequence[Line]) -> int:
    """How many of the lines below a label belong to it."""
    empty = not head.value
    for number, line in enumerate(below):
        deeper = line.indent > head.line.indent
        if line.level or (_DATED.match(line.text) and not deeper and not line.fenced):
            return number
        first = empty and number == 0
        listed = line.bullet and (empty or not head.line.bullet)
        if not (first or deeper or line.fenced or listed or not line.opens):
            return number
    return len(below)


def _normal(name: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[*_`]", " ", name)).strip(" .:").casefold()
