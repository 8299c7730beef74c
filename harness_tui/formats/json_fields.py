"""Reading single fields of decoded JSON documents that are written by hand as often as by programs."""

from __future__ import annotations

import json
import re
from collections import Counter

from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.text import clean
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Any, Final

_QUOTED: Final = 40
_BLANKS: Final = " \t\r\n"  # `strip` alone takes hidden characters along, which must be seen
_ID: Final = regex(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*")')


def read_json(data: bytes, path: str, code: str, what: str) -> tuple[Any, str, tuple[Problem, ...]]:
    """The value of a document, or None, why it can't be read, and the problem that says so.

    `what` names the document in the message: "the decision packet".
    """
    try:
        return loads(data), "", ()
    except BadJson as error:
        reason, line = clean(error.reason), error.line
    return None, reason, (Problem(path, line, "error", code, f"{what} can't be read: {reason}; mend the file"),)


def first(row: Mapping[str, Any], *names: str) -> Any:
    """The value under the first of `names` that is there and not null; None when there is none."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def text(value: Any) -> str:
    """A value as one clean line: texts without blanks around them, null as nothing, the rest as JSON words it."""
    if value is None:
        return ""
    return clean(value.strip(_BLANKS)) if isinstance(value, str) else _json(value)


def text_or_none(value: Any) -> str | None:
    """`text`, with None for nothing."""
    return text(value) or None


def quoted(value: Any) -> str:
    """A value as JSON words it, cut to be named in a message."""
    found = _json(value)
    return found if len(found) <= _QUOTED else f"{found[: _QUOTED - 1]}…"


def moment(value: Any) -> datetime | None:
    """A time with its zone; None for anything else: no zone is guessed."""
    if not isinstance(value, str):
        return None
    from datetime import datetime  # noqa: PLC0415 - many documents hold no time

    try:
        at = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def word(value: Any) -> str:
    """A closed word in one spelling: lower case, `_` between its parts."""
    return re.sub(r"[-_\s]+", "_", text(value).lower())


def rows(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a list, or of an object by id (those by their ids, as keys have no order); all else is skipped."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
    elif isinstance(value, dict):
        yield from ({"id": name, **value[name]} for name in sorted(value) if isinstance(value[name], dict))


def skipped(value: Any) -> int:
    """How many values of `value` are no rows."""
    items = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
    return sum(not isinstance(item, dict) for item in items)


def repeated(names: Iterable[str]) -> list[str]:
    """Those of `names` that stand there more than once, sorted, the empty one aside."""
    return sorted(name for name, count in Counter(names).items() if name and count > 1)


def lines_of_ids(data: bytes) -> dict[str, list[int]]:
    """Lines, from 1, on which each id stands in a document, in order."""
    found: dict[str, list[int]] = {}
    line, at = 1, 0
    for match in _ID.finditer(data):
        line += data.count(b"\n", at, match.start())
        at = match.start()
        try:
            found.setdefault(text(json.loads(match[1])), []).append(line)
        except ValueError:
            continue
    return found


def _json(value: Any) -> str:
    return clean(json.dumps(value, ensure_ascii=False, sort_keys=True))
