"""The field readers that the loop's guard scripts share, with all their quirks (formats/servo 2.0).

They search the whole text for a name and a colon. A name is not anchored (`needed` is in `reinforcement_needed:`); an
empty value takes the next line; a quote or `#` ends a value, backticks and emphasis stay in it; a quoted or worded
truth (`"true"`, `yes`) is none; table cells, full-width colons and headings are not seen. These quirks decide real
outcomes, so they are kept. What reads fields for the screen is `formats.servo_fields`.

A text has LF line ends only and no byte-order mark. Nothing here raises for what is in it, and nothing takes more time
than the text is long.
"""

from __future__ import annotations

import re

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

_TEXT: Final = regex(r"\s*[\"']?([^\"'#\n\r]+)")
_FLAG: Final = regex(r"\s*(true|false)\b")
_NUMBER: Final = regex(r"\s*(\d+)")
_LIST: Final = regex(r"\s*\n((?:\s*-.*\n)*)")
_FENCE: Final = regex(r"```yaml\s*\n")
_ANY_FENCE: Final = regex(r"```yaml\s*\n", re.IGNORECASE)
_NOTHING: Final = frozenset({"null", "n/a", "none"})
_LONGEST_NUMBER: Final = 4300
_WRAP: Final = "`\"'* "
_REST: Final = regex(r"[\s`\"'*.,;]*(?:(?:#|<!--).*)?")
_MOST: Final = 60
_BEFORE_A_KEY: Final = regex(r"[\s*+`\"'-]*(?:\d+[.)]\s+)?(?:\[[ xX]\]\s*)?[`\"'*]*")


class Fields:
    """The fields of `text`, whose first line is line `first` of its file. Remembers where each was found."""

    def __init__(self, text: str, first: int = 1) -> None:
        self.text = text
        self._first = first
        self._lower = ""
        self._places: dict[str, int] = {}
        self._stray: set[str] = set()
        self._more: dict[str, str] = {}

    def value(self, name: str) -> str:
        """The text of a field, trimmed; empty when it is not there."""
        match = self._match(name, _TEXT)
        self._note_more(name, match)
        return match[1].strip() if match else ""

    def flag(self, name: str) -> bool | None:
        """The first plain `true` or `false` behind the name, in any case; None when there is none."""
        if not self._lower:
            self._lower = self.text.lower()
        match = self._match(name, _FLAG, self._lower)
        self._note_more(name, match)
        return match[1] == "true" if match else None

    def number(self, name: str) -> int | None:
        """The first number behind the name, 0 and up; None when there is none, or none that anybody counts to."""
        match = self._match(name, _NUMBER)
        self._note_more(name, match)
        return int(match[1]) if match and len(match[1]) <= _LONGEST_NUMBER else None

    def has(self, name: str) -> bool:
        """Whether the field has a value that stands for something."""
        value = self.value(name)
        self._more.pop(name, None)  # any text will do: that a quote in it cuts it is no matter
        return bool(value) and value.lower() not in _NOTHING

    def items(self, name: str) -> list[str] | None:
        """Lines of the list with dashes below the name, trimmed; None when the name has a value beside it."""
        match = self._match(name, _LIST)
        return None if match is None else [line.strip() for line in match[1].split("\n") if line.strip()]

    def place(self, name: str) -> dict[str, Any] | None:
        """Field and line from which the last reading of that name came; None when nothing was found."""
        return {"field": name, "line": self._places[name]} if name in self._places else None

    def doubts(self, *names: str) -> list[str]:
        """What a careful reader would not take at face value in these fields, in words."""
        return [words for name in names for words in self._doubts(name)]

    def _match(self, name: str, pattern: re.Pattern[str], text: str | None = None) -> re.Match[str] | None:
        text = self.text if text is None else text
        self._places.pop(name, None)
        self._stray.discard(name)
        for at in _finds(text, f"{name}:"):
            match = pattern.match(text, at + len(name) + 1)
            if match:
                self._places[name] = self._line(at, text)
                if _is_stray(text, at):
                    self._stray.add(name)
                return match
        return None

    def _note_more(self, name: str, match: re.Match[str] | None) -> None:
        """Keep what the script reads no further than: all behind a flag, number or cut text, remarks aside."""
        self._more.pop(name, None)
        if match is not None:
            rest = match.string[match.end() :].partition("\n")[0]
            if not _REST.fullmatch(rest):
                self._more[name] = match[1] + rest

    def _doubts(self, name: str) -> Iterator[str]:
        said: dict[str, int] = {}
        for number, line in enumerate(self.text.split("\n"), self._first):
            key, colon, value = line.strip().removeprefix("- ").partition(":")
            if colon and key.strip(_WRAP) == name:
                said.setdefault(value.split(" #")[0].strip(_WRAP).lower(), number)
        if len(said) > 1:
            places = ", ".join(str(line) for line in said.values())
            yield f"{name} is given with different values (lines {places})"
        yield from self._borrowed(name)
        if name in self._more:
            yield f"{name} is no plain value in line {self._places[name]}: {self._more[name][:_MOST].strip()}"
        if name in self._stray:
            yield f"{name} is no field of its own in line {self._places[name]}, where it was read"

    def _borrowed(self, name: str) -> Iterator[str]:
        """An empty field that takes the next field for its value: what stands deeper is its own."""
        at = next(_finds(self.text, f"{name}:"), -1)
        if at < 0:
            return
        end = self.text.find("\n", at)
        if end < 0 or self.text[at + len(name) + 1 : end].strip():
            return
        start = self.text.rfind("\n", 0, at) + 1
        below = next((line for line in self.text[end + 1 : end + 1000].split("\n") if line.strip()), "")
        if below and _indent(below) <= at - start - len(self.text[start:at].lstrip()):
            yield f"{name} is empty in line {self._line(at, self.text)}: what follows was taken for its value"

    def _line(self, at: int, text: str) -> int:
        return self._first + text.count("\n", 0, at)


def yaml_block(text: str, start: int = 0, *, any_case: bool = False) -> tuple[str, int] | None:
    """The first block behind `start` that three backticks and `yaml` open, and the line of its first line."""
    opened = (_ANY_FENCE if any_case else _FENCE).search(text, start)
    end = text.find("```", opened.end()) if opened else -1
    if opened is None or end < 0:
        return None
    return text[opened.end() : end], 1 + text.count("\n", 0, opened.end())


def heading_end(text: str, title: str, *, any_case: bool = False) -> int | None:
    """Where the text below the heading `## title` begins, blank lines left out; None when there is no such heading."""
    match = re.search(rf"## {re.escape(title)}\s*\n", text, re.IGNORECASE if any_case else 0)
    return match.end() if match else None


def bullets(text: str, names: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """Name, value and line of each line that begins `- name:`, at any indent (formats/servo 2.1, 2.2)."""
    starts = tuple(f"- {name}:" for name in names)
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()  # noqa: PLW2901 - the same line
        if line.startswith(starts):
            name, _, value = line[2:].partition(":")
            yield name, value.strip(), number


def _finds(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _is_stray(text: str, at: int) -> bool:
    """Whether the name there is the end of another one, part of a sentence or of a table, or in a remark."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return not _BEFORE_A_KEY.fullmatch(before) or text.rfind("<!--", 0, at) > text.rfind("-->", 0, at)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
