"""Which id a new row of a pool takes (CONTRACT rule 4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_ID = regex(r"(?P<head>.*?[^\d]|)(?P<number>\d{1,12})(?P<tail>[A-Za-z]?)", re.DOTALL)
_HEAD: Final = "T-"
_WIDTH: Final = 2


def next_id(ids: Iterable[str], taken: Iterable[str] = ()) -> str:
    """The next free id in the pattern of the last of `ids`, in plan order, that has one: `T-09` gives `T-10`.

    The number is one more than the highest of that pattern, its width stays; `T-01` in a pool without any such id.
    `taken` are names that no row has and that are passed over all the same: those that rows depend on, or that the log
    tells of.
    """
    found = [match for name in ids if (match := _ID.fullmatch(name))]
    head = found[-1]["head"] if found else _HEAD
    alike = [match["number"] for match in found if match["head"].casefold() == head.casefold()]
    width = max((len(number) for number in alike), default=_WIDTH)
    number = max((int(number) for number in alike), default=0) + 1
    passed = {name.casefold() for name in taken}
    while f"{head}{number:0{width}d}".casefold() in passed:
        number += 1
    return f"{head}{number:0{width}d}"
