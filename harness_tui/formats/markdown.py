"""Lines of a Markdown document, each with what it is: enough structure to tell a statement from running text."""

from __future__ import annotations

from harness_tui.formats.table import is_separator, split_cells
from harness_tui.formats.text import front_matter_end, text_lines
from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple

_FENCE = regex(r"\s*(`{3,}|~{3,})(.*)")
_HEADING = regex(r"\s{0,3}(#{1,6})(?:\s+|$)(.*)")
_CLOSING_HASHES = regex(r"(?:^|\s)#+$")
_QUOTE = regex(r"\s{0,3}(?:>\s?)+")
_BULLET = regex(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_RULE = regex(r"\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={3,}\s*)$")
_FRONT_MATTER_LINES = 60


class Line(NamedTuple):
    """One line of a document.

    `text` is the cleaned line without blanks around it, `body` that without quote, heading and bullet marks, `bare` the
    body without emphasis and backticks. `level` is that of a heading (0: none), `indent` the blanks before a list item
    or paragraph. `section` names the headings around the line, from level 2 down. `opens` says that the line starts a
    block: no line of running text stands directly before it.
    """

    number: int
    text: str
    body: str
    bare: str
    level: int = 0
    indent: int = 0
    quoted: bool = False
    bullet: bool = False
    fenced: bool = False
    table: bool = False
    front: bool = False
    opens: bool = True
    preamble: bool = False
    section: tuple[str, ...] = ()

    @property
    def prose(self) -> bool:
        """Whether the line may hold a statement: neither code nor a table row nor front matter."""
        return not (self.fenced or self.table or self.front)


def bare_text(text: str) -> str:
    """`text` without the marks of emphasis and code, blanks around it removed."""
    return text.replace("*", "").replace("`", "").strip().strip("_").strip()


@frozen
class Table:
    """Rows of one block of table lines; `head` is empty for a block that goes on after a gap without its own head."""

    head: list[str]
    rows: list[Line]


def tables(lines: list[Line]) -> list[Table]:
    """Blocks of adjacent table lines, in order."""
    blocks: list[list[Line]] = []
    for line in lines:
        if not line.table:
            continue
        if blocks and blocks[-1][-1].number == line.number - 1:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [_as_table(block) for block in blocks]


def _as_table(block: list[Line]) -> Table:
    if len(block) > 1 and is_separator(block[1].body):
        return Table(split_cells(block[0].body), block[2:])
    return Table([], block)


def read_document(data: bytes) -> list[Line]:
    """Lines of a Markdown document, in order, without blank lines (`opens` remembers them), rules and comments."""
    texts = text_lines(data)
    front_end = front_matter_end(texts, _FRONT_MATTER_LINES)
    reader = _Reader()
    return [line for number, text in enumerate(texts, 1) if (line := reader.read(number, text, number < front_end))]


class _Reader:
    """What must be remembered from line to line: an open fence or comment, the headings above, text just before."""

    def __init__(self) -> None:
        self.fence = ""
        self.headings: list[tuple[int, str]] = []
        self.after_text = False
        self.comment = False

    def read(self, number: int, text: str, front: bool) -> Line | None:  # noqa: FBT001 - one caller
        stripped = text.strip()
        if not stripped:
            self.after_text = self.after_text and bool(self.fence)
            return None
        if not self.fence and (self.comment or stripped.startswith("<!--")):
            self.comment = "-->" not in stripped
            return None
        if front:
            return None if stripped == "---" else Line(number, stripped, stripped, bare_text(stripped), front=True)
        quote = _QUOTE.match(text)
        inner = text[quote.end() :] if quote else text
        marker = _FENCE.match(inner)
        if marker and self._fence(marker[1], marker[2]):
            self.after_text = False
            return None
        if self.fence:
            return Line(number, stripped, inner.strip(), bare_text(inner), fenced=True, section=self._section())
        return self._structure(number, stripped, inner, quoted=bool(quote))

    def _fence(self, mark: str, info: str) -> bool:
        """Open or close a fence; whether `mark` did so."""
        if not self.fence:
            if mark[0] == "`" and "`" in info:
                return False
            self.fence = mark
            return True
        if mark[0] == self.fence[0] and len(mark) >= len(self.fence) and not info.strip():
            self.fence = ""
            return True
        return False

    def _structure(self, number: int, text: str, inner: str, *, quoted: bool) -> Line | None:
        if _RULE.fullmatch(inner):
            self.after_text = False
            return None
        heading = _HEADING.match(inner)
        if heading:
            self.after_text = False
            level, title = len(heading[1]), _CLOSING_HASHES.sub("", heading[2].strip()).strip()
            if not quoted:
                self.headings = [(above, name) for above, name in self.headings if above < level]
            line = Line(
                number,
                text,
                title,
                bare_text(title),
                level,
                quoted=quoted,
                preamble=level == 1,
                section=self._section(),
            )
            if not quoted:
                self.headings.append((level, bare_text(title)))
            return line
        body = inner.strip()
        if body.startswith("|"):
            self.after_text = False
            return Line(number, text, body, body, quoted=quoted, table=True, section=self._section())
        bullet = _BULLET.match(body)
        opens = bool(bullet) or not self.after_text
        self.after_text = True
        body = body[bullet.end() :] if bullet else body
        return Line(
            number, text, body, bare_text(body), indent=len(inner) - len(inner.lstrip()), quoted=quoted,
            bullet=bool(bullet), opens=opens, preamble=not self._section(), section=self._section(),
        )  # fmt: skip

    def _section(self) -> tuple[str, ...]:
        return tuple(title for level, title in self.headings if level > 1)
