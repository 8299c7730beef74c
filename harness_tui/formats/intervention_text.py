"""Signals as text: the exact bytes that are written into `.harness/intervention.md`, and where each stands there.

What is rendered here is read back by `formats.intervention` as that one signal, whatever its text holds: a line of the
text that a reader might take for a keyword line, for the heading or for the edge of a code block is quoted (`> `),
which can be seen and changes no word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.intervention import BOM, FENCE, HEADING, KEYWORDS, signal_spans
from harness_tui.formats.text import TAB, clean, has_hidden, text_lines
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.intervention import Signal

TITLE: Final = "# Intervention"
"""The heading of the file (formats/harness-kit 1.4)."""
TEXT_LIMIT: Final = 64 * 1024
"""Characters of the longest text that is sent."""
ARGUMENT = regex(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
"""What can be named in a signal."""

_KEYWORD_LINE = regex(rf"\s*(?:{'|'.join(KEYWORDS)})(?![\w-])")
_QUOTE: Final = "> "


class Block(NamedTuple):
    """Bytes of one signal in its file: `start` of its keyword line, or of a heading of its own, up to `end`."""

    start: int
    line: int
    end: int


def hidden_in(text: str) -> str:
    """The first place of `text` that holds a hidden or acting character, in words; empty when there is none."""
    for number, line in enumerate(_lines(text), 1):
        if has_hidden(line):
            column = next(
                at for at in range(len(line)) if has_hidden(line[at]) and has_hidden(line[max(at - 1, 0) : at + 2])
            )
            return f"{clean(line[column])} in line {number}, column {column + 1}"
    return ""


def plain_text(text: str) -> str:
    """`text` as it is written: line ends are LF, tabs four blanks, dangerous lines quoted. Idempotent.

    Blanks at the ends of lines and blank lines around the text go.
    """
    lines = [line.replace("\t", TAB).rstrip() for line in _lines(text.strip())]
    fence = ""
    plain: list[str] = []
    for number, line in enumerate(lines):
        mark = FENCE.match(line)
        inside = bool(fence)
        if mark:
            fence = _next_fence(fence, mark[1])
        taken = number and (_KEYWORD_LINE.match(line) or HEADING.fullmatch(line.strip()))
        plain.append(_QUOTE + line if taken or inside or mark else line)
    return "\n".join(line.rstrip() for line in plain).strip()


def render_signal(keyword: str, argument: str, text: str, *, end: str = "\n") -> bytes:
    """The signal in the shape of the norm, with line ends `end`: `KEYWORD argument — text`, then further lines."""
    plain = plain_text(text)
    head = f"{keyword} {argument}" if argument else keyword
    if plain or keyword == "NOTE":
        head = f"{head} — {plain}".rstrip()
    return (head.replace("\n", end) + end).encode()


def line_end(data: bytes) -> str:
    """The line end of `data`: CRLF when every line has it, else LF."""
    feeds = data.count(b"\n")
    return "\r\n" if feeds and data.count(b"\r\n") == feeds else "\n"


def blocks(data: bytes) -> list[Block]:
    """Where each signal of the file stands, in order; together they cover all but what stands before the first."""
    lines = text_lines(data)
    if not lines:  # a file without a line is one unclear signal, too
        return [Block(len(data), len(data), len(data))]
    offsets = _offsets(data)
    starts = [start for start, _ in signal_spans(lines)]
    own = [_with_heading(lines, start) for start in starts]
    ends = [*own[1:], len(lines)]
    return [
        Block(offsets[head], offsets[start], offsets[end]) for head, start, end in zip(own, starts, ends, strict=True)
    ]


def same_signals(found: tuple[Signal, ...], wanted: tuple[Signal, ...]) -> bool:
    """Whether both say the same in the same order, lines aside."""
    return [signal_key(signal) for signal in found] == [signal_key(signal) for signal in wanted]


def signal_key(signal: Signal) -> tuple[str, str, str, str]:
    """All of a signal but its line."""
    return signal.keyword, signal.argument, signal.text, signal.state


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")]


def _next_fence(fence: str, mark: str) -> str:
    if not fence:
        return mark
    return "" if mark[0] == fence[0] and len(mark) >= len(fence) else fence


def _with_heading(lines: list[str], start: int) -> int:
    """The first heading directly before the keyword line, blank lines between them; the line itself without one."""
    first = at = start
    while at > 0 and (not lines[at - 1].strip() or HEADING.fullmatch(lines[at - 1].strip())):
        at -= 1
        if lines[at].strip():
            first = at
    return first


def _offsets(data: bytes) -> list[int]:
    """Offset of each line of `data`, and its length; a byte-order mark belongs to no line."""
    found = [len(BOM) if data.startswith(BOM) else 0]
    at = data.find(b"\n") + 1
    while at:
        found.append(at)
        at = data.find(b"\n", at) + 1
    if found[-1] != len(data):
        found.append(len(data))
    return found
