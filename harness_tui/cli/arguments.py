"""Arguments that several commands take."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_PATH = "any folder in the repository (default: the current one)"


def path(parser: argparse.ArgumentParser) -> None:
    """The workspace, by any folder in it."""
    from pathlib import Path

    parser.add_argument("path", nargs="?", type=Path, default=Path(), metavar="PATH", help=_PATH)


def path_text(parser: argparse.ArgumentParser) -> None:
    """The same for a guard, which must not wait for pathlib."""
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help=_PATH)


def json(parser: argparse.ArgumentParser) -> None:
    """Output for scripts."""
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")


def look(parser: argparse.ArgumentParser) -> None:
    """How the dashboard opens."""
    parser.add_argument("--pool", metavar="ID", help="the pool to open first")
    parser.add_argument("--theme", choices=("dark", "light", "contrast"), help="colours (default: dark)")
    parser.add_argument("--plain", action="store_true", help="print the state and, on a terminal, a line per change")
    parser.add_argument("--bell", action="store_true", help="ring once for each new thing that needs you")
    parser.add_argument("--notify", action="store_true", help="a desktop notification for each (OSC 9 and OSC 777)")
    parser.add_argument("--read-only", action="store_true", help="show only: no key writes anything")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
