"""JSON that means one thing only: what two readers could take differently is refused.

Refused are doubled keys, NaN and infinities, numbers beyond a float or longer than any real one, nesting deeper than
any real file, and bytes that are no UTF-8. A byte-order mark is no part of the value.
"""

from __future__ import annotations

import math
import re
from functools import cache

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    import json
    from typing import Any


MAX_DEPTH = 100
MAX_NUMBER = 100
"""Characters of the longest number that is read."""

_BOM = b"\xef\xbb\xbf"
_TOKEN = regex(
    r'(?P<string>"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z))|(?P<open>[\[{])|(?P<close>[\]}])'
    r"|(?P<comma>,(?=\s*[\]}]))"
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<word>-?[A-Za-z]+)",
    re.DOTALL,
)
_COLON = regex(r"\s*:")


class BadJson(ValueError):  # noqa: N818 - says what the data is
    """Data that is not acceptable JSON. `line` counts from 1, `reason` is in words."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def loads(data: bytes) -> Any:
    """The value of `data`; raises `BadJson` and nothing else."""
    import json  # noqa: PLC0415 - most workspaces have none at the start

    body = data.removeprefix(_BOM)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(body.count(b"\n", 0, error.start) + 1, "bytes that are no UTF-8") from None
    if not text.strip():
        raise BadJson(1, "the file is empty")
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        try:
            return _quick().decode(text)
        except (ValueError, RecursionError):  # what is wrong, and where, is found out below
            pass
    _check(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadJson(error.lineno, error.msg[:1].lower() + error.msg[1:]) from None
    except (ValueError, RecursionError) as error:
        raise BadJson(1, str(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("doubled key")
    return found


def _number(text: str) -> float:
    if _number_problem(text):
        raise ValueError("no number that is read")
    return float(text)


def _whole(text: str) -> int:
    if len(text) > MAX_NUMBER:
        raise ValueError("no number that is read")
    return int(text)


def _no_value(text: str) -> None:
    raise ValueError(text)


@cache
def _quick() -> json.JSONDecoder:
    """Accepts what `_check` finds nothing wrong with, and no more, in a fraction of the time."""
    from json import JSONDecoder  # noqa: PLC0415 - as above

    return JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_int=_whole, parse_constant=_no_value)


def _check(text: str) -> None:
    """Look at every token once, before anything is built from it."""
    keys: list[set[str]] = []
    for token in _TOKEN.finditer(text):
        problem = _problem(token, keys, text)
        if problem:
            raise BadJson(text.count("\n", 0, token.start()) + 1, problem)


def _problem(token: re.Match[str], keys: list[set[str]], text: str) -> str:
    kind, value = token.lastgroup, token[0]
    if kind == "open":
        keys.append(set())
        return f"nested deeper than {MAX_DEPTH} levels" if len(keys) > MAX_DEPTH else ""
    if kind == "close":
        if keys:
            keys.pop()
        return ""
    if kind == "comma":
        return "a comma with nothing behind it"
    if kind == "number":
        return _number_problem(value)
    if kind == "word":
        return f"{value} is no JSON value" if value.lstrip("-") in {"NaN", "Infinity"} else ""
    return _key_problem(value, keys) if keys and _COLON.match(text, token.end()) else ""


def _number_problem(value: str) -> str:
    if len(value) > MAX_NUMBER:
        return f"a number of {len(value)} characters"
    try:
        return "" if math.isfinite(float(value)) else f"{value} is larger than a number can be"
    except ValueError:
        return ""


def _key_problem(token: str, keys: list[set[str]]) -> str:
    import json  # noqa: PLC0415 - as above

    try:
        key = json.loads(token)
    except ValueError:
        return ""
    if key in keys[-1]:
        return f"the key {token} stands twice"
    keys[-1].add(key)
    return ""
