"""Whether a text can be told from what lies behind it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color

if TYPE_CHECKING:
    from rich.color import Color as RichColor

LEGIBLE: Final = 4.0
"""Contrast that a text under the cursor has at least."""


def legible(segment: Segment, plain: RichColor | None) -> Segment:
    """`segment`, in the colour `plain` if its own would be too weak on its background."""
    style = segment.style
    if style is None or style.color is None or style.bgcolor is None or contrast(style.color, style.bgcolor) >= LEGIBLE:
        return segment
    return Segment(segment.text, style + Style(color=plain), segment.control)


@lru_cache(maxsize=256)
def contrast(one: RichColor, other: RichColor) -> float:
    """How much two colours differ, from 1 to 21 (the contrast ratio of WCAG 2)."""
    low, high = sorted(_luminance(Color.from_rich_color(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)  # noqa: PLR2004 - sRGB
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
