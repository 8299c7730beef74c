"""The size of the terminal, and those at which the main screen changes its arrangement."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

WIDE: Final = 110
"""Columns from which all panels stand beside each other."""
STACKED: Final = (80, 20)
"""Columns and rows from which two panels stand above each other; below, one at a time."""
LEAST: Final = (60, 16)
"""Columns and rows below which nothing useful fits."""


def arrangement(width: int, height: int) -> str:
    """How many panels fit: all (`wide`), two (`stacked`) or one (`single`)."""
    if width < STACKED[0] or height < STACKED[1]:
        return "single"
    return "wide" if width >= WIDE else "stacked"


def terminal_size() -> os.terminal_size:
    """Columns and rows, 80 and 24 where nobody knows: what `shutil` says, which imports all kinds of compression."""
    columns, lines = _number("COLUMNS"), _number("LINES")
    known = os.terminal_size((80, 24))
    if sys.__stdout__ is not None:
        with suppress(ValueError, OSError):  # closed, or none of a terminal
            known = os.get_terminal_size(sys.__stdout__.fileno())
    return os.terminal_size((columns or known.columns or 80, lines or known.lines or 24))


def _number(name: str) -> int:
    """What an environment variable sets, 0 where it says nothing."""
    try:
        return max(0, int(os.environ.get(name, "")))
    except ValueError:
        return 0
