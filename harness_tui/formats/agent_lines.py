"""Lines of an agent's output, however the pipe cuts them, and the JSON objects on them (formats/hard-stop 4, 5.3)."""

from __future__ import annotations

import json

from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


MAX_LINE: Final = 16 << 20
"""Bytes of a line that are kept; of a longer one only the beginning is (it can be no event)."""

_DECODER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n\ufeff\x00"


class OutputLine(NamedTuple):
    """One line without its end. `cut` tells that it was longer, `torn` that its end never came."""

    data: bytes
    cut: bool = False
    torn: bool = False


class LineReader:
    """Cuts what comes out of a pipe into lines; only LF ends one, a CR before it belongs to the end."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0
        self._cut = False

    def feed(self, chunk: bytes) -> list[OutputLine]:
        """The lines that `chunk` completes."""
        *ended, rest = chunk.split(b"\n")
        lines = []
        for part in ended:
            self._hold(part)
            lines.append(self._take())
        self._hold(rest)
        return lines

    def close(self) -> OutputLine | None:
        """What is left when the pipe ends, None when nothing is."""
        if not self._held and not self._cut:
            return None
        return self._take()._replace(torn=True)

    def _hold(self, part: bytes) -> None:
        room = self._limit - self._held
        if len(part) > room:
            # A CR that may still turn out to end the line is not worth keeping a line for.
            part, self._cut = part[:room], True
        if part:
            self._parts.append(part)
            self._held += len(part)

    def _take(self) -> OutputLine:
        data, cut = b"".join(self._parts), self._cut
        self._parts, self._held, self._cut = [], 0, False
        return OutputLine(data[:-1] if data.endswith(b"\r") and not cut else data, cut)


def objects(line: bytes) -> list[dict[str, Any]] | None:
    """The JSON objects on a line, one after the other; None when there is anything else on it.

    A blank line holds none and is no noise.
    """
    text = line.decode("utf-8", "replace").strip(_BLANK)
    found: list[dict[str, Any]] = []
    place = 0
    while place < len(text):
        if text[place] != "{":
            return None
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return None
        found.append(value)
        while place < len(text) and text[place] in _BLANK:
            place += 1
    return found


def as_text(value: Any) -> str:
    """`value` when it is text, else empty."""
    return value if isinstance(value, str) else ""


def as_dict(value: Any) -> dict[str, Any]:
    """`value` when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """`value` when it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_int(value: Any) -> int | None:
    """`value` when it is a whole number of a size that a status or a count can have."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else None


def as_amount(value: Any) -> float | None:
    """`value` when it is a number of zero or more and finite, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e18 else None  # noqa: PLR2004 - no cost and no count is larger


def count_of(value: Any, *names: str) -> int | None:
    """The sum of those counts in the object `value` that are whole numbers of zero or more; None without any."""
    counts = [as_int(as_dict(value).get(name)) for name in names]
    known = [count for count in counts if count is not None and count >= 0]
    return sum(known) if known else None


def input_text(value: Any) -> str:
    """The input of a tool as one text; equal inputs give equal texts."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:  # deeper than can be written, though it could be read
        return ""
