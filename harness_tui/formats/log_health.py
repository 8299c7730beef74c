"""What a log's reader could not take at face value: counted over the whole log, reported once per sort."""

from __future__ import annotations

from typing import Final

from harness_tui.formats.log_line import LINE_LIMIT
from harness_tui.formats.text import has_hidden
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

_PLAIN: Final = bytes([*range(0x20, 0x7F), *b"\t\n"])
_MIDDLE_DOT: Final = "·".encode()
_NULS = regex(rb"\0{2,}")
_REPORTED_ELSEWHERE = regex("\0{2,}|[\udc80-\udcff]")


class Health:
    """Counts of odd lines, fed with blocks of whole lines. Each sort keeps its first line, so it stays small."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, int, int]] = {}

    def look(self, block: bytes, first: int) -> None:
        """Look at the lines of `block`; its first is line number `first` of the log."""
        if b"\0" in block:
            number, position = first, 0
            for run in _NULS.finditer(block):
                number += block.count(b"\n", position, run.start())
                position = run.start()
                self._count("nul-run", number, len(run[0]))
        if not _is_plain(block):
            for number, line in enumerate(block.split(b"\n"), first):
                self._look_closer(line.removesuffix(b"\r"), number)

    def long_line(self, line: int, size: int) -> None:
        """Line number `line` has `size` bytes, more than are looked at."""
        self._count("long-line", line, size)

    def problems(self, path: str) -> tuple[Problem, ...]:
        """One problem for each sort of oddity."""
        return tuple(_problem(path, code, *facts) for code, facts in sorted(self._found.items()))

    def _look_closer(self, line: bytes, number: int) -> None:
        text = line.decode("utf-8", "surrogateescape")
        if text.isprintable():
            return
        if any("\udc80" <= char <= "\udcff" for char in text):
            self._count("invalid-utf8", number, 0)
        if has_hidden(_REPORTED_ELSEWHERE.sub("", text)):
            self._count("hidden-characters", number, 0)

    def _count(self, code: str, line: int, size: int) -> None:
        known = self._found.get(code)
        self._found[code] = (line, 1, size) if known is None else (known[0], known[1] + 1, known[2])


def _is_plain(block: bytes) -> bool:
    """Whether all of `block` is UTF-8 and printable, tabs aside. ASCII is taken out first, as most of a log is."""
    try:
        block.decode()
        rest = block.translate(None, _PLAIN)
        if b"\r" in rest:
            rest = block.replace(b"\r\n", b"\n").translate(None, _PLAIN)
        return not rest.strip(_MIDDLE_DOT) or rest.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _problem(path: str, code: str, line: int, number: int, size: int) -> Problem:
    more = f"; {number} lines are so" if number > 1 else ""
    if code == "nul-run":
        again = f"; {number} such runs in all" if number > 1 else ""
        return Problem(path, line, "warning", code, f"{size} NUL bytes in a row, as after a power cut{again}")
    if code == "invalid-utf8":
        return Problem(path, line, "warning", code, f"not UTF-8: the bytes are shown as marks{more}")
    if code == "long-line":
        text = f"a line of {size} bytes: only the first {LINE_LIMIT} are looked at{more}"
        return Problem(path, line, "info", code, text)
    return Problem(path, line, "warning", code, f"control or hidden characters are shown as marks{more}")
