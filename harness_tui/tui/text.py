"""Foreign text on its way to the screen: always literal, measured in terminal cells, cut on whole characters.

Every function cleans what it is given (`formats.text.clean`, idempotent), so that text which missed the readers can
not act on the terminal either. Only as much of a text is looked at as can be shown: a text of 1 MB costs what a
short one costs.

A *grapheme* is what a reader takes for one character: a letter with its marks, a joined emoji, a flag, a keycap. A
*cell* is one column of the terminal. Widths are those of `rich.cells`, which Textual lays out by.
"""

from __future__ import annotations

from typing import Literal

from rich.cells import cell_len, split_graphemes
from textual.content import Content

from harness_tui.formats.text import clean, clean_block
from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex

Align = Literal["left", "right", "center"]
Grapheme = tuple[int, int, int]
"""Start and end as positions in the text, and the width in cells (0 to 2)."""

ELLIPSIS = "…"
"""Stands at the end of a text that was cut. One cell wide."""

_POINTS_PER_CELL = 8
_SLACK = 64
_ZWJ = "\u200d"
_FLAG_LETTER = regex("[\U0001f1e6-\U0001f1ff]")
_NARROW = regex(
    "[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u038a\u03a3-\u0482\u1e00-\u1eff"
    "\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u2199\u2400-\u2426\u2500-\u25fc\u2800-\u28ff]*"
)
_JOINING = regex(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u109f\u1160-\u11ff\u135d-\u135f\u1712-\u1c7f\u1cd0-\u1dff\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u20d0-\u20ff\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a\u3164\ua66f-\uabff\ud7b0-\ud7ff"
    "\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\U000101fd-\U0001037a\U00010a01-\U00011f5a"
    "\U00013430-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016b36\U00016f4f-\U00016ff1\U0001bc9d-\U0001bca3"
    "\U0001cf00-\U0001d244\U0001da00-\U0001daaf\U0001e000-\U0001e94a\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff"
    "\U000e0000-\U000e0fff]"
)
"""All characters that take no cell by themselves, and their neighbours: a cheap look whether there are any."""
_UNCOMMON = regex(
    rb"[\xcc-\xe1\xee-\xf4]|\xe2(?:\x80[\x80-\x8f\xa8-\xaf]|\x81[\x9f-\xbf]|[\x82\x83\xb4-\xbf]|\xb3[\xaf-\xbf])"
    rb"|\xe3(?:[\x80\x84-\x8f]|\x82[\x99-\x9f])|\xea(?:\x93[\x90-\xbf]|[\x94-\xaf])|\xed(?:\x9e[\xa4-\xbf]|[\x9f-\xbf])"
)
"""UTF-8 of characters that may be among them; nearly all output has none, and finding that out is quick.

Of bytes, as a start pays for the pattern: one of characters takes ten times as long to compile.
"""
_OUTPUT = regex(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[^\x1b\x00-\x1f]+|[\x00-\x1f]"
)
"""A control sequence, a string sequence, any other escape, a run of text, or a control character."""


def literal(text: str, style: str = "") -> Content:
    """One line of `text` as content in which nothing is markup, an action or a link; `style` is a Textual style."""
    return Content.styled(clean(text), style)


def literal_block(text: str, style: str = "") -> Content:
    """`literal` for text of several lines: line feeds stay."""
    return Content.styled(clean_block(text), style)


def shown(text: str) -> str:
    """`text` cleaned; costs one look when it is clean already."""
    return text if text.isprintable() else clean(text)


def is_narrow(text: str) -> bool:
    """Whether every character surely takes one cell by itself: then positions in the text are cells."""
    return text.isascii() or _NARROW.fullmatch(text) is not None


def cells(text: str) -> int:
    """Width of clean `text` in terminal cells."""
    return len(text) if is_narrow(text) else cell_len(text)


def graphemes(text: str) -> list[Grapheme]:
    """The graphemes of clean `text`, without gaps; two flag letters make one."""
    spans: list[Grapheme] = split_graphemes(text)[0]
    if _FLAG_LETTER.search(text) is None:
        return spans
    merged: list[Grapheme] = []
    paired = True
    for start, end, width in spans:
        letter = _FLAG_LETTER.match(text, start) is not None
        if letter and not paired:
            merged[-1] = (merged[-1][0], end, merged[-1][2] + width)
            paired = True
        else:
            merged.append((start, end, width))
            paired = not letter
    return merged


def cut(text: str, width: int) -> str:
    """`text` in at most `width` cells; a text that is longer ends on a whole grapheme and `…`."""
    return _cut(text, width)[0]


def fit(text: str, width: int, align: Align = "left") -> str:
    """`text` in exactly `width` cells: cut when longer, padded with blanks when shorter."""
    piece, used = _cut(text, width)
    space = width - used
    if space <= 0:
        return piece
    if align == "left":
        return piece + " " * space
    before = space if align == "right" else space // 2
    return " " * before + piece + " " * (space - before)


def head(text: str, width: int) -> tuple[str, bool]:
    """The clean start of `text` that holds at least `width` cells, and whether it is all of `text`.

    A text may put any number of marks on one letter: those beyond eight characters a cell are not looked at.
    """
    limit = _POINTS_PER_CELL * max(width, 0) + _SLACK
    if len(text) <= limit:
        return shown(text), True
    return shown(text[:limit].rstrip(_ZWJ)), False


def _cut(text: str, width: int) -> tuple[str, int]:
    if width <= 0:
        return "", 0
    piece, whole = head(text, width)
    if is_narrow(piece):
        if whole and len(piece) <= width:
            return piece, len(piece)
        piece = piece[: width - 1] + ELLIPSIS
        return piece, len(piece)
    spans = graphemes(piece)
    if whole and sum(span[2] for span in spans) <= width:
        return piece, sum(span[2] for span in spans)
    if not whole:
        del spans[-1:]  # its end may lie beyond the piece
    end = used = 0
    for _, stop, size in spans:
        if used + size > width - 1:
            break
        end, used = stop, used + size
    return piece[:end] + ELLIPSIS, used + 1


@frozen
class Window:
    """A part of a text by cells: `text[begin:end]` takes `cells`, after `pad` blanks for half a wide character."""

    begin: int
    end: int
    pad: int
    cells: int


def window(text: str, start: int, width: int) -> Window:
    """The part of clean `text` in the cells from `start` to `start + width`; graphemes that do not fit stay out."""
    if is_narrow(text[: start + width]):
        begin, end = min(start, len(text)), min(start + width, len(text))
        # A mark or joiner right behind the window changes the character before it: then measure it properly.
        if end == len(text) or is_narrow(text[end : end + 1]):
            return Window(begin, end, 0, end - begin)
    piece = text[: _POINTS_PER_CELL * (start + width) + _SLACK]
    begin, end, pad, column, used = len(piece), len(piece), 0, 0, 0
    opened = False
    for left, right, size in graphemes(piece):
        if not opened and column >= start and size:
            begin, pad, opened = left, min(column - start, width), True
        column += size
        if opened and column > start + width:
            end = left
            break
        if opened:
            used += size
            end = right
    return Window(begin, max(begin, end), pad, used)


def wrap(text: str, width: int, most: int) -> list[tuple[int, int]]:
    """Where clean `text` breaks into rows of at most `width` cells, as positions; at most `most` rows, at least one.

    Breaks stand between graphemes, at no regard of words: the row of a log shows what was written.
    """
    width = max(width, 1)
    if is_narrow(text[: width * most + 1]):
        stops = range(0, min(len(text), width * most), width)
        return [(start, min(start + width, len(text))) for start in stops] or [(0, 0)]
    rows: list[tuple[int, int]] = []
    begin = used = end = 0
    for left, right, size in graphemes(text[: _POINTS_PER_CELL * width * most + _SLACK]):
        if used + size > width and left > begin:
            rows.append((begin, left))
            begin, used = left, 0
            if len(rows) == most:
                return rows
        used += size
        end = right
    return [*rows, (begin, end)]


def pin_widths(output: str) -> str:
    """`output` to a terminal, in which graphemes of unsure width move the cursor by the width that was laid out.

    Terminals disagree about flags, keycaps, emoji presentation, joined emoji and the marks of some scripts. Such a
    grapheme is written between saving and restoring the cursor, then the cursor is moved on by the cells it was
    given: whatever the terminal drew, the next character stands in its column. For the `write` of the driver, once.
    """
    if not _may_join(output):
        return output
    return "".join(_pinned(token) for token in _OUTPUT.findall(output))


def _may_join(text: str) -> bool:
    return _UNCOMMON.search(text.encode("utf-8", "surrogatepass")) is not None and _JOINING.search(text) is not None


def _pinned(token: str) -> str:
    if token[0] == "\x1b" or not _may_join(token):
        return token
    return "".join(_pin(token[begin:end], width) for begin, end, width in graphemes(token))


def _pin(grapheme: str, width: int) -> str:
    if len(grapheme) == 1 and _JOINING.match(grapheme) is None:
        return grapheme
    return f"\x1b7{grapheme}\x1b8" + (f"\x1b[{width}C" if width else "")
