"""The `Depends on` cell of a plan: ids, separators, remarks in brackets, prose (formats/harness-kit 1.1, P7, P8)."""

from __future__ import annotations

import re
from functools import lru_cache

from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

_NONE: Final = frozenset({"", "—", "-", "–", "―", "--", "none", "n/a", "nothing", "no", "无", "无依赖"})
PLAIN = regex(r"[A-Za-z]++-?[0-9]++[A-Za-z]?(?:, [A-Za-z]++-?[0-9]++[A-Za-z]?)*+")
"""A cell that holds nothing but ids with a comma and a blank between them."""
_BETWEEN = regex(r"<br ?/?>|[\s,;+、，；/&|]+|\band\b|(?<!\w)[和与及](?!\w)", re.IGNORECASE)
_ID = regex(r"[^\W_][\w\u2010-\u2015-]*")
_RANGE = regex(r"(?P<from>.*?)(?P<first>\d{1,9})(?P<letter>[A-Za-z]?)(?:\.{2,3}|…)(?P<to>.*?)(?P<last>\d{1,9})")
_MARK: Final = "‹"
_MARKED = regex(r"‹[^‹›]{1,60}›")
_APART: Final = str.maketrans({" ": "\ue000", "+": "\ue001"})
_TOGETHER: Final = str.maketrans({"\ue000": " ", "\ue001": "+"})
_OPENING: Final = "(（"
_CLOSING: Final = ")）"
_LONGEST_RANGE: Final = 1000
_LONGEST: Final = 4000


class DependsCell(NamedTuple):
    """Ids in their order and unresolved, and the words that are none.

    `late` says that the answer may be another one once the ids of the pool are known: a range, or a word that might be
    an id of its own kind.
    """

    ids: tuple[str, ...]
    prose: tuple[str, ...] = ()
    late: bool = False


@lru_cache(maxsize=2048)
def read_depends(text: str) -> DependsCell:
    """What a cell says without a look at the other rows. An id needs a letter and a digit."""
    if text in _NONE:
        return DependsCell(())
    if PLAIN.fullmatch(text):
        return DependsCell(tuple(dict.fromkeys(text.split(", "))) if "," in text else (text,))
    ids, prose = _sort(text, _tokens(text), ())
    return DependsCell(ids, prose, bool(prose) or any(_RANGE.fullmatch(name) or name == text for name in ids))


def resolve_depends(text: str, known: Collection[str], *, numbers: bool = False) -> DependsCell:
    """The same with the pool's own ids at hand: words that equal one count, `T-01..T-03` becomes what lies between.

    A range stays as it is written when one of its ids is missing, and so matches none. With `numbers` the pool has ids
    that are numbers, and any number is meant as one.
    """
    tokens = [name for token in _tokens(text) for name in _expanded(token, known)]
    return DependsCell(*_sort(text, tokens, known, numbers=numbers))


def _tokens(text: str) -> list[str]:
    if text.casefold() in _NONE:
        return []
    bare = _MARKED.sub(lambda mark: mark[0].translate(_APART), _without_remarks(text[:_LONGEST]))
    parts = (part.translate(_TOGETHER) for part in _BETWEEN.split(bare) if part)
    tokens = (part.strip("*`'\"“”[]()（）.:：~_?!？！") for part in parts)
    return [token for token in tokens if token]


def _sort(
    text: str, tokens: list[str], known: Collection[str], *, numbers: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids and other words. Words alone name something that is not known: they are one id, which matches none, unless
    they begin with a word for nothing.
    """  # noqa: D205 - one sentence
    ids: dict[str, None] = {}
    prose: list[str] = []
    for token in tokens:
        if token in known or _is_id(token) or (numbers and token.isdecimal()):
            ids[token] = None
        elif token.casefold() not in _NONE:
            prose.append(token)
    if prose and not ids and tokens[0].casefold() not in _NONE:
        return (text,), ()
    return tuple(ids), tuple(prose)


def _is_id(token: str) -> bool:
    if _MARK in token or _RANGE.fullmatch(token):
        return True
    shaped = _ID.fullmatch(token) is not None
    return shaped and any(char.isdigit() for char in token) and any(char.isalpha() for char in token)


def _expanded(token: str, known: Collection[str]) -> list[str]:
    match = _RANGE.fullmatch(token)
    if match is None or match["letter"] or match["to"] not in ("", match["from"]):
        return [token]
    first, last = int(match["first"]), int(match["last"])
    if not 0 <= last - first <= _LONGEST_RANGE:
        return [token]
    width = len(match["first"])
    names = [f"{match['from']}{number:0{width}d}" for number in range(first, last + 1)]
    return names if all(name in known for name in names) else [token]


def _without_remarks(text: str) -> str:
    """`text` without what stands in round brackets, half or full width; a bracket that has no partner stays."""
    if not any(char in text for char in _OPENING):
        return text
    cut: list[tuple[int, int]] = []
    opened: list[int] = []
    for place, char in enumerate(text):
        if char in _OPENING:
            opened.append(place)
        elif char in _CLOSING and opened:
            start = opened.pop()
            while cut and cut[-1][0] > start:
                cut.pop()
            cut.append((start, place + 1))
    pieces, position = [], 0
    for start, end in cut:
        pieces.append(text[position:start])
        position = end
    return " ".join([*pieces, text[position:]])
