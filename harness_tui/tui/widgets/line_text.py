"""One line of a line view as text to draw: its parts, what was cut off, where it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_tui.tui.text import ELLIPSIS, cells, shown, window, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.tui.widgets.line_source import Line

Part = tuple[str, str]
"""Text and style name."""

REMARK = ".line-view--mark"
"""Style name of what we say about a line ourselves."""

_EXACT = 10_000
_TELLING = 1_000


class LineText(NamedTuple):
    """`text` in the style names of `runs` (ascending ends); what stands behind its `body` are our remarks.

    `rest` counts characters that were left out behind it, `dropped` bytes that the source cut off.
    """

    text: str
    runs: tuple[tuple[int, str], ...]
    body: int
    rest: int = 0
    dropped: int = 0

    def hidden(self, end: int) -> int:
        """How much of the line is not seen when `text` is shown up to `end`."""
        behind = max(0, self.body - end) + self.rest
        return behind + self.dropped if behind else len(self.text) - end


class Piece(NamedTuple):
    """What one row of the screen shows: `text[begin:end]` after `pad` blanks, then `mark`, in `cells` altogether."""

    begin: int
    end: int
    pad: int
    mark: str
    cells: int


def assemble(parts: Sequence[Part], line: Line, most: int) -> LineText:
    """The first `most` characters of `parts` and, if that is all, the remarks on `line` behind them."""
    texts: list[str] = []
    runs: list[tuple[int, str]] = []
    body = rest = 0
    for text, name in parts:
        room = max(0, most - body)
        kept = shown(text[:room])
        rest += max(0, len(text) - room)
        body += len(kept)
        texts.append(kept)
        runs.append((body, name))
    length = body
    for text in () if rest else _remarks(line):
        length += len(text)
        texts.append(text)
        runs.append((length, REMARK))
    return LineText("".join(texts), tuple(runs), body, rest, line.dropped)


def clip(line: LineText, start: int, width: int) -> Piece:
    """The piece in the cells from `start` on; a line that goes on beyond the edge ends on a mark."""
    part = window(line.text, start, width)
    if (part.end == len(line.text) and not line.rest) or width <= 0:
        return Piece(part.begin, part.end, part.pad, "", part.pad + part.cells)
    mark = _mark(line, part.end, width)
    part = window(line.text, start, width - len(mark))
    return Piece(part.begin, part.end, part.pad, mark, part.pad + part.cells + len(mark))


def fold(line: LineText, width: int, most: int) -> list[Piece]:
    """The rows of a wrapped line, at most `most`; the last one ends on a mark when the line goes on."""
    rows = [Piece(begin, end, 0, "", cells(line.text[begin:end])) for begin, end in wrap(line.text, width, most)]
    last = rows[-1]
    if last.end < len(line.text) or line.rest:
        tail = line._replace(text=line.text[last.begin :], body=line.body - last.begin)
        piece = clip(tail, 0, width)
        rows[-1] = piece._replace(begin=piece.begin + last.begin, end=piece.end + last.begin)
    return rows


def amount(count: int) -> str:
    """A number in few characters: 9999, 12k, 34M."""
    if count < _EXACT:
        return str(count)
    return f"{count // 1000}k" if count < _EXACT * 1000 else f"{count // 1_000_000}M"


def _mark(line: LineText, end: int, width: int) -> str:
    hidden = line.hidden(end)
    mark = f"{ELLIPSIS} +{amount(hidden)}" if hidden >= _TELLING else ELLIPSIS
    return mark if 2 * len(mark) <= width else ELLIPSIS


def _remarks(line: Line) -> list[str]:
    dropped = [f" {ELLIPSIS} +{amount(line.dropped)}"] if line.dropped else []
    return [*dropped, f" {line.marks}"] if line.marks else dropped
