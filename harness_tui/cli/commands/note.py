"""`harness-tui note`: leave a note for the next task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.cli.sending import declare_common, send_signal, words

if TYPE_CHECKING:
    import argparse

ABOUT = (
    "Leave a note, which goes with the next dispatch. Lines of it that look like a signal or open a code block are "
    "quoted, so that it stays one note."
)
EXAMPLES = (
    "  harness-tui note ease the ramp to 60 C/h\n"
    "  harness-tui note - < note.md\n"
    "  harness-tui note --dry-run -- '- one more thing'"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `note`."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help="the note; - reads it from standard input")
    declare_common(parser)


def run(options: argparse.Namespace) -> int:
    """Send NOTE; 1 when the text is refused."""
    return send_signal(options, "NOTE", "", words(options.text))
