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
    """All style sheets, in the order in which they count."""
    folder = styles_folder()
    return [folder / "app.tcss", *sorted(folder.glob("screens/*.tcss")), *sorted(folder.glob("widgets/*.tcss"))]
