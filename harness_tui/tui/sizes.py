"""Sizes of the terminal at which the main screen changes its arrangement."""

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
