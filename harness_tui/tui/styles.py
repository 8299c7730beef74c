"""Where the style sheets are: in the package when installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NAMES: Final = ("app.tcss",)


def styles_folder() -> Path:
    """The folder of style sheets. Raises `FileNotFoundError` when the installation is broken."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "styles", package.parent / "styles"):
        if (folder / _NAMES[0]).is_file():
            return folder
    raise FileNotFoundError(f"no style sheets in {package / 'styles'}: the installation is incomplete")


def stylesheets() -> list[Path]:
    """The style sheets of the first frame; screens that open later name their own with `screen_stylesheet`."""
    return [styles_folder() / name for name in _NAMES]


def screen_stylesheet(name: str) -> Path:
    """The style sheet of the screens of that name."""
    return styles_folder() / "screens" / f"{name}.tcss"


def later_stylesheets() -> list[Path]:
    """Those of all screens: to meet one only when its screen opens would have every rule parsed again."""
    return sorted((styles_folder() / "screens").glob("*.tcss"))
