"""What a style name means in the current theme: `bold error`, `text-muted`, `italic`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.color import Color, ColorParseError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ATTRIBUTES = frozenset({"bold", "dim", "italic", "underline", "strike", "reverse"})
_SHORT = {"muted": "text-muted", "disabled": "text-disabled"}


def named_style(name: str, variables: Mapping[str, str], background: Color) -> Style:
    """The Rich style of `name`: attributes and at most one theme colour, separated by blanks.

    A colour is a theme variable with or without `$`; for `error`, `warning`, `success`, `accent`, `primary` and
    `secondary` the shade made for text is taken. Words that name nothing are passed over. `background` is what the
    text will stand on: translucent and automatic colours are made for it.
    """
    style = Style.null()
    for word in name.split():
        if word in _ATTRIBUTES:
            style += Style.parse(word)
        elif color := _color(word.removeprefix("$"), variables, background):
            style += Style.from_color(color.rich_color)
    return style


def _color(word: str, variables: Mapping[str, str], background: Color) -> Color | None:
    word = _SHORT.get(word, word)
    value = variables.get(f"text-{word}") or variables.get(word)
    if value is None:
        return None
    if value.startswith("auto"):
        share = value.removeprefix("auto").strip().removesuffix("%")
        return background + background.get_contrast_text(float(share or 100) / 100)
    try:
        color = Color.parse(value)
    except ColorParseError:
        return None
    return color if color.ansi is not None else background + color
