"""Fields of the control loop's Markdown, in all the shapes that are in use (formats/servo 1.2, 4).

A field is `key: value` in a bullet, an indented line, front matter or a fenced yaml block, or a heading with the value
below it. Remarks (`>`), comments and other fenced blocks are no data. Doubled keys are all kept, with their lines:
whoever weighs them decides which one counts.
"""

from __future__ import annotations

from functools import lru_cache

from harness_tui.formats.mask import mask_credentials
from harness_tui.formats.table import is_separator, split_cells
from harness_tui.formats.text import front_matter_end, text_lines
from harness_tui.model.frozen import field, frozen, record
from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Place = Literal["bullet", "text", "front", "yaml", "heading"]


MAX_VALUE = 4000
"""Characters of a value that are kept."""

MAX_DEPTH = 32
"""Levels that are told apart; what is nested deeper counts as of the deepest."""

_FRONT_MATTER_LINES = 200
_MARK = regex("‹[^›]*›")
_WRAPS = {'"': '"', "'": "'", "`": "`", "*": "*", "“": "”", "‘": "’", "「": "」"}
_JOIN = regex(r"[\s/-]+")
_FENCE = regex(r"\s*(`{3,}|~{3,})\s*([A-Za-z]*)")
_HEADING = regex(r"\s{0,3}(#{1,6})(?:\s+|$)(.*)")
_BULLETS = frozenset("-*+•")
_NUMBER_ENDS = frozenset(".)、")
_CHECKS = frozenset(" xX✓✔")
_BOXES = frozenset("☑☐✅")
_KEY = regex(r"([A-Za-z_][\w-]*)[`*\"']*\s*[:：](?!//)[*_]*\s*(.*)")
_LOOSE_KEY = regex(r"([^:：|]{1,80}?)\s*(?::(?=\s|$|\*)|：)[*_]*\s*(.*)")
_RULE = regex(r"\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={3,}\s*)")
_NUMBER_WIDTH = 4
_FOLD = frozenset({">", "|", ">-", "|-", ">+", "|+"})
_YAML_COMMENT = regex(r"\s#.*")


class Field(NamedTuple):
    """One field. `name` is its key in the form in which keys are compared (`canonical`), empty for a plain item.

    `value` is bare: without quotes, backticks or emphasis around it and without comments. `headings` are those around
    the field, `section` that of level 2 (of level 1 where there is none, empty in front matter). `trail` holds the
    names of the fields above it, `parent` the line of the nearest of them (0: none).
    """

    name: str
    key: str
    value: str
    line: int
    section: str = ""
    headings: tuple[str, ...] = ()
    place: Place = "bullet"
    trail: tuple[str, ...] = ()
    parent: int = 0

    def within(self, *names: str) -> bool:
        """Whether the field stands under a heading or field of one of these names."""
        return any(name in names for name in self.trail) or any(canonical(title) in names for title in self.headings)


class Row(NamedTuple):
    """One row of a table: its cells by column name, in `canonical` form."""

    cells: tuple[str, ...]
    names: tuple[str, ...]
    line: int
    headings: tuple[str, ...]

    def cell(self, *names: str) -> str:
        """The cell in the first column of one of these names; empty when there is none."""
        for name in names:
            if name in self.names and self.names.index(name) < len(self.cells):
                return self.cells[self.names.index(name)]
        return ""


class Heading(NamedTuple):
    """A heading: `level` 1 to 6."""

    level: int
    title: str
    line: int


@frozen
class ServoDocument:
    """All fields, table rows and headings of one file, in file order."""

    path: str
    fields: tuple[Field, ...] = ()
    rows: tuple[Row, ...] = ()
    headings: tuple[Heading, ...] = ()
    index: dict[str, list[Field]] = field(default_factory=dict, compare=False, repr=False)
    below: dict[int, list[Field]] = field(default_factory=dict, compare=False, repr=False)

    def named(self, *names: str) -> list[Field]:
        """Every field of one of these names: names in the order given, fields in file order."""
        return [item for name in names for item in self.index.get(name, ())]

    def children(self, parent: Field) -> list[Field]:
        """The fields directly below `parent`; below a heading those of its section without a parent of their own."""
        if parent.place == "heading":
            return [f for f in self.fields if f.headings == parent.headings and not f.parent and f is not parent]
        return self.below.get(parent.line, [])


@lru_cache(maxsize=8192)
def canonical(text: str) -> str:
    """`text` as keys and headings are compared: lower case, no decoration, blanks, dashes and slashes as `_`.

    Marks of hidden characters are left out: a key that hides one is still that key.
    """
    if "‹" in text:
        text = _MARK.sub("", text)
    text = text.replace("*", "").strip(" `\"'“”‘’「」").replace("–", "-").replace("—", "-")
    return _JOIN.sub("_", text.casefold())


def _without_comments(text: str) -> tuple[str, bool]:
    """`text` without its comments, and whether the last of them is still open."""
    kept, opened, rest = text.partition("<!--")
    while opened:
        _, closed, rest = rest.partition("-->")
        if not closed:
            return kept, True
        more, opened, rest = rest.partition("<!--")
        kept += more
    return kept, False


def bare(text: str) -> str:
    """`text` without comments, and without quotes, backticks or emphasis around the whole of it."""
    text = _without_comments(text)[0].strip().replace("**", "").strip()
    while len(text) > 1 and _WRAPS.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def read_fields(data: bytes, path: str) -> ServoDocument:
    """The fields of `data`, a file shown as `path`. Anything can be read; what is no field is left out."""
    texts = text_lines(data)
    scanner = _Scanner()
    front_end = front_matter_end(texts, _FRONT_MATTER_LINES)
    for number, text in enumerate(texts, 1):
        if number <= front_end:
            if text.strip() != "---":
                scanner.entry(number, text, "front")
            continue
        if number == front_end + 1:
            scanner.leave_block()
        scanner.read(number, text)
    fields = tuple(draft.field() for draft in scanner.drafts)
    index: dict[str, list[Field]] = {}
    below: dict[int, list[Field]] = {}
    for item in fields:
        index.setdefault(item.name, []).append(item)
        if item.parent:
            below.setdefault(item.parent, []).append(item)
    return ServoDocument(path, fields, tuple(scanner.rows), tuple(scanner.found_headings), index, below)


def _title(text: str) -> str:
    """Text of a heading without the hashes that may close it."""
    text = text.strip()
    closed = text.rstrip("#")
    return bare(closed if not closed or closed.endswith(" ") else text)


@record
class _Draft:
    """A field that may still grow by continuation lines."""

    key: str
    pieces: list[str]
    line: int
    section: str
    headings: tuple[str, ...]
    place: Place
    trail: tuple[str, ...]
    parent: int

    def field(self) -> Field:
        value = bare(" ".join(piece for piece in self.pieces if piece))
        value = value if len(value) <= MAX_VALUE else value[:MAX_VALUE] + "…"
        key = bare(self.key)
        return Field(
            canonical(key), mask_credentials(key), mask_credentials(value), self.line, self.section,
            self.headings, self.place, self.trail, self.parent,
        )  # fmt: skip


class _Open(NamedTuple):
    """A field that lines below may belong to."""

    indent: int
    dash: bool
    draft: _Draft


class _Scanner:
    """What must be remembered from line to line."""

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self.rows: list[Row] = []
        self.found_headings: list[Heading] = []
        self._above: list[tuple[int, str]] = []
        self._titles: tuple[str, ...] = ()
        self._section = ""
        self._open: list[_Open] = []
        self._fence = ""
        self._yaml = False
        self._comment = False
        self._fold: int | None = None
        self._names: tuple[str, ...] = ()
        self._first_row: tuple[str, ...] | None = None
        self._value_of_heading = False
        self._blank = False

    def leave_block(self) -> None:
        """Nothing that follows belongs to what is open now."""
        self._open.clear()
        self._fold = None

    def read(self, number: int, text: str) -> None:
        """Take one line that is no front matter."""
        text = text.replace("‹U+FEFF›", "") if text.startswith("‹U+FEFF›") else text
        if self._fence:
            self._in_fence(number, text)
            return
        if self._comment or "<!--" in text:
            text = self._without_comments(text)
        stripped = text.strip()
        if not stripped:
            self._blank = True
            self._table_ends()
            return
        if stripped.startswith(("```", "~~~")) and (fence := _FENCE.match(text)):
            self._fence, self._yaml = fence[1], fence[2].casefold() in {"yaml", "yml"}
            self.leave_block()
        elif heading := _HEADING.fullmatch(text):
            self._heading(number, len(heading[1]), _title(heading[2]))
        elif self._fold is None and (stripped.startswith(">") or _is_rule(text)):
            if not stripped.startswith(">"):
                self.leave_block()
        elif stripped.startswith("|"):
            self._row(number, stripped)
        else:
            self._table_ends()
            self.entry(number, text, "bullet")
        self._blank = False

    def _in_fence(self, number: int, text: str) -> None:
        stripped = text.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence = ""
            self.leave_block()
        elif self._yaml and stripped and stripped != "---" and not stripped.startswith("#"):
            self.entry(number, text, "yaml")

    def _without_comments(self, text: str) -> str:
        if self._comment:
            _, end, text = text.partition("-->")
            if not end:
                return ""
        text, self._comment = _without_comments(text)
        return text

    def _heading(self, number: int, level: int, title: str) -> None:
        self.leave_block()
        self._table_ends()
        title = mask_credentials(title)
        self.found_headings.append(Heading(level, title, number))
        self._above = [*(item for item in self._above if item[0] < level), (level, title)]
        self._titles = tuple(name for _, name in self._above)
        self._section = next((name for depth, name in self._above if depth > 1), title)
        self._value_of_heading = bool(title)

    def _row(self, number: int, text: str) -> None:
        self.leave_block()
        if is_separator(text):
            self._names, self._first_row = self._first_row or (), None
            if self._names:
                self.rows.pop()
            return
        cells = tuple(mask_credentials(bare(cell))[:MAX_VALUE] for cell in split_cells(text))
        if not self._names:
            self._first_row = tuple(canonical(cell) for cell in cells)
        self.rows.append(Row(cells, self._names, number, self._titles))

    def _table_ends(self) -> None:
        self._names, self._first_row = (), None

    def entry(self, number: int, text: str, place: Place) -> None:
        """Take a line that may be a field, an item, or the continuation of one."""
        indent = len(text) - len(text.lstrip())
        if self._fold is not None and indent > self._fold:
            self.drafts[-1].pieces.append(text.strip())
            return
        self._fold = None
        item = _item(text)
        dash = item is not None
        body = text.strip() if item is None else item
        key, value = _key_value(body, loose=dash or place != "bullet")
        if not dash and not key:
            self._plain_text(number, indent, text.strip(), place)
            return
        if not dash and place == "bullet":
            place = "bullet" if indent and self._open else "text"
        self._add(number, indent, (key, value), place, dash=dash)

    def _add(self, number: int, indent: int, pair: tuple[str, str], place: Place, *, dash: bool) -> None:
        while self._open and not _belongs(self._open[-1], indent, dash=dash):
            self._open.pop()
        key, value = pair
        if place in {"yaml", "front"}:
            value = _yaml_scalar(value)
        del self._open[MAX_DEPTH:]
        above = self._open[-1].draft if self._open else None
        trail = (*above.trail, canonical(above.key)) if above else ()
        draft = _Draft(key, [value], number, self._section, self._titles, place, trail, above.line if above else 0)
        self.drafts.append(draft)
        self._open.append(_Open(indent, dash, draft))
        self._value_of_heading = False
        if value in _FOLD:
            draft.pieces.clear()
            self._fold = indent

    def _plain_text(self, number: int, indent: int, text: str, place: Place) -> None:
        if self._open and (indent > self._open[-1].indent) and self._open[-1].draft is self.drafts[-1]:
            self.drafts[-1].pieces.append(text)
        elif self._value_of_heading and self._titles:
            self._value_of_heading = False
            self.leave_block()
            self.drafts.append(_Draft(self._titles[-1], [text], number, self._section, self._titles, "heading", (), 0))
        elif self.drafts and self.drafts[-1].place == "heading" and not self._blank and not self._open:
            self.drafts[-1].pieces.append(text)
        elif place == "bullet" and not indent:
            self.leave_block()


def _belongs(above: _Open, indent: int, *, dash: bool) -> bool:
    """Whether a line at `indent` stands below `above`; yaml writes the items of a list under their key, not deeper."""
    return indent > above.indent or (indent == above.indent and dash and not above.dash and not any(above.draft.pieces))


def _key_value(body: str, *, loose: bool) -> tuple[str, str]:
    """Key and value of `body`; the key is empty and the value all of it when there is none."""
    plain = body.replace("**", "").lstrip("*`\"'") if body[:1] in "*`\"'" else body
    match = _KEY.fullmatch(plain) or (_LOOSE_KEY.fullmatch(plain) if loose else None)
    if match is None:
        return "", body
    return match[1].strip("*`\"' "), match[2].strip()


def _item(text: str) -> str | None:
    """What stands behind the bullet or number of a list item, and behind its check box; None when it is no item."""
    mark, *rest = text.split(None, 1) or [" "]
    numbered = mark[-1] in _NUMBER_ENDS and len(mark) <= _NUMBER_WIDTH and mark[:-1].isdecimal()
    if mark not in _BULLETS and not numbered:
        return None
    body = rest[0] if rest else ""
    if body[:1] == "[" and body[1:2] in _CHECKS and body[2:3] == "]" and body[3:4].isspace():
        return body[3:].lstrip()
    return body[1:].lstrip() if body[:1] in _BOXES else body


def _is_rule(text: str) -> bool:
    stripped = text.strip()
    return not stripped.replace(stripped[0], "").strip() and _RULE.fullmatch(text) is not None


def _yaml_scalar(value: str) -> str:
    """A plain or quoted yaml value without the comment behind it."""
    quote = value[:1]
    if quote in {'"', "'"} and (end := value.find(quote, 1)) > 0:
        rest = value[end + 1 :].strip()
        return value[: end + 1] if not rest or rest.startswith("#") else value
    if "#" not in value:
        return value
    return _YAML_COMMENT.sub("", value) if not value.startswith("#") else ""
