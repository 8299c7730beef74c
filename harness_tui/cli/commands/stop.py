"""`harness-tui stop`: end the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.cli.sending import declare_common, send_signal, words

if TYPE_CHECKING:
    import argparse

ABOUT = (
    "Ask the stream to stop: it reads the signal between tasks and dispatches nothing more. STOP is put before "
    "everything else that waits."
)
EXAMPLES = "  harness-tui stop\n  harness-tui stop the tree is red\n  harness-tui stop --dry-run"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `stop`."""
    parser.add_argument("reason", nargs="*", default=[], metavar="REASON", help="why; - reads it from standard input")
    declare_common(parser)


def run(options: argparse.Namespace) -> int:
    """Send STOP."""
    return send_signal(options, "STOP", "", words(options.reason))
