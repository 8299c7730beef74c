"""One line of a line view as text to draw: its parts, what was cut off, where it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_tui.tui.text import ELLIPSIS, cells, shown, window, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.tui.widgets.line_source import Line

Part = tuple[str, str]
"""Text and style name."""

REMARK = ".line-view--mark"
"""Style name of what we say about a line ourselves."""

_EXACT = 10_000
_TELLING = 1_000


class LineText(NamedTuple):
    """`text` in the style names of `runs` (ascending ends); `rest` counts what stands behind it and was left out."""

    text: str
    runs: tuple[tuple[int, str], ...]
    rest: int = 0
    dropped: bool = False


class Piece(NamedTuple):
    """What one row of the screen shows: `text[begin:end]` after `pad` blanks, then `mark`, in `cells` altogether."""

    begin: int
    end: int
    pad: int
    mark: str
    cells: int


def assemble(parts: Iterable[Part], line: Line, most: int) -> LineText:
    """The first `most` characters of `parts`, and behind them, if that is all, the remarks on `line`."""
    texts: list[str] = []
    runs: list[tuple[int, str]] = []
    length = left_out = 0
    for text, name in (*parts, *_remarks(line)):
        kept = shown(text[: max(0, most - length)])
        left_out += max(0, len(text) - max(0, most - length))
        length += len(kept)
        texts.append(kept)
        runs.append((length, name))
    return LineText("".join(texts), tuple(runs), left_out + (line.dropped if left_out else 0), line.dropped > 0)


def clip(line: LineText, start: int, width: int) -> Piece:
    """The piece in the cells from `start` on; a line that goes on beyond the edge ends on a mark."""
    part = window(line.text, start, width)
    hidden = len(line.text) - part.end + line.rest
    if not hidden or width <= 0:
        return Piece(part.begin, part.end, part.pad, "", part.pad + part.cells)
    mark = f"{ELLIPSIS} +{amount(hidden)}" if line.dropped or hidden >= _TELLING else ELLIPSIS
    if 2 * len(mark) > width:
        mark = ELLIPSIS
    part = window(line.text, start, width - len(mark))
    return Piece(part.begin, part.end, part.pad, mark, part.pad + part.cells + len(mark))


def fold(line: LineText, width: int, most: int) -> list[Piece]:
    """The rows of a wrapped line, at most `most`; the last one ends on a mark when the line goes on."""
    rows = [Piece(begin, end, 0, "", cells(line.text[begin:end])) for begin, end in wrap(line.text, width, most)]
    last = rows[-1]
    if last.end < len(line.text) or line.rest:
        tail = LineText(line.text[last.begin :], (), line.rest, line.dropped)
        piece = clip(tail, 0, width)
        rows[-1] = piece._replace(begin=piece.begin + last.begin, end=piece.end + last.begin)
    return rows


def amount(count: int) -> str:
    """A number in few characters: 9999, 12k, 34M."""
    if count < _EXACT:
        return str(count)
    return f"{count // 1000}k" if count < _EXACT * 1000 else f"{count // 1_000_000}M"


def _remarks(line: Line) -> list[Part]:
    remarks = []
    if line.dropped:
        remarks.append((f" {ELLIPSIS} +{amount(line.dropped)}", REMARK))
    if line.marks:
        remarks.append((f" {line.marks}", REMARK))
    return remarks
