"""Where a document states its verdict, and where it only talks about one (formats/harness-kit 2.5, 2.6).

Three shapes count: a heading that names the verdict, with the word beside it or as the first fitting line below; a
field (`**Verdict**: …`) at the start of a line or of a middle-dot chain; a block of its own that is nothing but the
word. Running text, quoted examples, code and table cells never count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness_tui.formats.markdown import Line

UNKNOWN = "UNKNOWN"
SEARCH_LINES = 15
"""How far below its heading a verdict may stand: 13 lines were seen (formats/harness-kit 2.6)."""

Shape = Literal["heading", "field", "word"]

_QUALIFIER = (
    r"(?:(?:final|overall|updated|revised|new|current|gate|review|re-?review|qa|round[- ]?\d+|second|third|full-mode"
    r"|own|最终|总|初始|二次|三次|本轮|复审|复评|终)[ \t-]*){0,3}"
)
_REMARK = r"(?:\s*[（(][^()（）]{0,60}[)）]|\s+re-stated)*"
_NUMBER = r"(?:[§(（第]?[A-Za-z]{0,2}\d*(?:[.\-]\d+)*[.)）、:：节章]?\s+)?"
_CONTINUES = regex(r"(?:with|for|by|as|per|after|at|on|v?\d[\w.]*)(?!\w)", re.IGNORECASE)
_DENIES = regex(r"[:：=]\s*(?:no\b|not\b|false\b|n\b|否|未|不)", re.IGNORECASE)
_ALTERNATIVE = regex(r"\s*(?:[/|,、]|or\b|或)\s*", re.IGNORECASE)
_OTHER_WORD = regex(r"[A-Z][A-Z' _/-]{3,40}")
_CLAUSE = regex(r"[—–:：(（.,;，。；]")
_FIELD_LINE = regex(r"[^:：]{1,40}[:：]")
_FIELDS = regex(r"\s·\s")
_ARROW = regex(r"→|->|=>|⇒")
_VERSION = regex(r"^v?\d[\w.]*\s+")


class Statement(NamedTuple):
    """One statement: `word` as the vocabulary spells it, or `UNKNOWN`.

    `key` is the lower-case key, empty for a word alone; `before` is what stands before the field on its line, `line`
    the line that holds the word.
    """

    word: str
    key: str
    line: Line
    shape: Shape
    before: str = ""


class Grammar:
    """What one sort of document may state.

    `words` maps each spelling to the word that is reported. `keys` may introduce a statement; a `firm` key with any
    other value states `UNKNOWN`. `weak` words stand alone only when they are marked up (a test log says PASS, too).
    `adverse` words win where one value names several.
    """

    def __init__(
        self, words: dict[str, str], keys: str, firm: frozenset[str], weak: frozenset[str], adverse: frozenset[str]
    ) -> None:
        self.words = words
        self.firm = firm
        self.weak = weak
        self.adverse = adverse
        spellings = sorted(words, key=len, reverse=True)
        joined = "|".join(_spelling(word) for word in spellings) or r"(?!)"
        label = rf"(?:{keys})"
        both = rf"(?P<key>{label})(?:\s*/\s*{label})?"
        self._word = regex(rf"(?:{joined})(?![\w-]*\w)", re.IGNORECASE)
        self._heading = regex(
            rf"{_NUMBER}{_QUALIFIER}{both}{_REMARK}\s*(?:(?:[:：—–]|\s-\s)\s*(?P<value>.*))?", re.IGNORECASE
        )
        self._field = regex(rf"{_QUALIFIER}{both}{_REMARK}\s*[:：]\s*(?P<value>.+)", re.IGNORECASE)

    def match(self, text: str) -> str | None:
        """The word with which `text` starts when it says that word and nothing against it, else None."""
        found = self._word.match(text)
        if found is None or not self._closes(text[found.end() :]):
            return None
        word = self._reported(found[0])
        return self._chained(word, text[found.end() :])

    def heading(self, text: str) -> re.Match[str] | None:
        """`text` as a heading that names a verdict."""
        return self._heading.fullmatch(text)

    def field(self, text: str) -> re.Match[str] | None:
        """`text` as a `key: value` field."""
        return self._field.fullmatch(text)

    def alone(self, text: str) -> str | None:
        """The word when `text` is nothing but it, in capitals, with closing punctuation at most."""
        trimmed = text.rstrip(".。!！ ")
        found = self._word.fullmatch(trimmed)
        return self._reported(trimmed) if found and trimmed == trimmed.upper() else None

    def _reported(self, found: str) -> str:
        return self.words[_normal(found)]

    def _closes(self, rest: str) -> bool:
        """Whether what follows a word leaves it standing: punctuation, a version, `with …`, but no sentence."""
        rest = rest.strip()
        if not rest or _CONTINUES.match(rest):
            return True
        if rest[0].isalnum() or rest[0] in "?？|_" or _DENIES.match(rest):
            return False
        other = _ALTERNATIVE.match(rest)
        return not (other and self._word.match(rest, other.end()))

    def _chained(self, word: str, rest: str) -> str:
        """`A → B`: the adverse one of them, else the last (worst reading first)."""
        for part in _ARROW.split(rest)[1:]:
            found = self._word.match(part.strip())
            if found and word not in self.adverse:
                word = self._reported(found[0])
        return word


def grammar(words: Mapping[str, str], *, keys: str, firm: str, weak: str, adverse: str) -> Grammar:
    """A grammar of spellings and their words; the others are alternatives joined by `|`, `adverse` by word starts."""
    spelled = {_normal(spelling): word for spelling, word in words.items()}
    hostile = frozenset(word for word in spelled.values() if re.match(adverse, word))
    return Grammar(spelled, keys, frozenset(firm.split("|")), frozenset(weak.split("|")), hostile)


def statements(lines: list[Line], language: Grammar) -> list[Statement]:
    """Everything that the document states, in order; a line counts once."""
    found: dict[int, Statement] = {}
    for index in range(len(lines)):
        for statement in _at(lines, index, language):
            found.setdefault(statement.line.number, statement)
    return [found[number] for number in sorted(found)]


def _at(lines: list[Line], index: int, language: Grammar) -> Iterator[Statement]:
    line = lines[index]
    if line.front:
        yield from _field(line, line.bare, language)
        return
    if not line.prose:
        return
    if line.level and not line.quoted and (named := language.heading(line.bare)):
        yield from _under_heading(lines, index, named, language)
        return
    if line.level == 0 and _may_hold_fields(lines, index):
        yield from _fields(line, language)
    word = language.alone(line.bare)
    if word and line.opens and not line.quoted and (word not in language.weak or _marked(line)):
        yield Statement(word, "", line, "word")


def _under_heading(lines: list[Line], index: int, named: re.Match[str], language: Grammar) -> Iterator[Statement]:
    line, key, value = lines[index], named["key"].lower(), (named["value"] or "").strip()
    if value and (word := language.match(value) or language.match(_unversioned(value))):
        yield Statement(word, key, line, "heading")
        return
    below = _below(lines, index, key, language)
    if below:
        yield below
    elif value and key in language.firm and _OTHER_WORD.fullmatch(_clause(value)):
        yield Statement(UNKNOWN, key, line, "heading")


def _below(lines: list[Line], index: int, key: str, language: Grammar) -> Statement | None:
    """The verdict under the heading at `index`: the first block that starts with a word, or is a word in capitals."""
    heading, first = lines[index], True
    for line in lines[index + 1 : index + 1 + SEARCH_LINES]:
        if line.number > heading.number + SEARCH_LINES:
            return None
        if line.table or line.front:
            first = False
            continue
        word = language.match(line.bare) if _starts_with_capital(line.bare) else None
        if line.level:
            if word:
                return Statement(word, key, line, "heading")
            if line.level <= heading.level or language.heading(line.bare):
                return None
            continue
        if language.field(line.bare):
            return None
        if word and (line.opens or line.fenced):
            return Statement(word, key, line, "heading")
        if first and key in language.firm and _OTHER_WORD.fullmatch(_clause(line.bare)):
            return Statement(UNKNOWN, key, line, "heading")
        first = False
    return None


def _fields(line: Line, language: Grammar) -> Iterator[Statement]:
    before = ""
    for part in _FIELDS.split(line.bare):
        for statement in _field(line, part.strip(), language):
            yield statement._replace(before=before)
        before = f"{before} {part}".strip()


def _field(line: Line, text: str, language: Grammar) -> Iterator[Statement]:
    named = language.field(text)
    if named is None:
        return
    key, value = named["key"].lower(), named["value"].strip()
    word = language.match(value) or language.match(_unversioned(value))
    if word:
        yield Statement(word, key, line, "field")
    elif key in language.firm and line.indent == 0 and not line.quoted:
        yield Statement(UNKNOWN, key, line, "field")


def _may_hold_fields(lines: list[Line], index: int) -> bool:
    """Whether the line is set apart as fields are, and not the middle of a paragraph that wraps."""
    line = lines[index]
    if line.opens or line.quoted or line.text[0] in "*_`-":
        return True
    before = lines[index - 1]
    return before.prose and _FIELD_LINE.match(before.bare) is not None


def _marked(line: Line) -> bool:
    return bool(line.level) or line.body[0] in "*_`"


def _starts_with_capital(text: str) -> bool:
    head = text.split(" ", 1)[0]
    return head == head.upper()


def _unversioned(text: str) -> str:
    """`text` without a leading version number (`v0.1.0 SHIP-READY`)."""
    return _VERSION.sub("", text)


def _clause(text: str) -> str:
    return _CLAUSE.split(text, maxsplit=1)[0].strip()


def _spelling(normal: str) -> str:
    return r"[\s_:-]+".join(re.escape(token) for token in normal.split(" "))


def _normal(word: str) -> str:
    return re.sub(r"[\s_:-]+", " ", word).strip().upper()
