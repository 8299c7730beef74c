"""`harness-tui skip`: take one task out of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.cli.sending import declare_common, send_signal, words

if TYPE_CHECKING:
    import argparse

ABOUT = (
    "Ask the stream to skip the row with exactly this id; what depends on it will then wait for ever (--dry-run names "
    "it). In a repository whose single task is under way, 05 and 06 skip that stage."
)
EXAMPLES = "  harness-tui skip T-07\n  harness-tui skip T-07 the horn is broken\n  harness-tui skip T-07 --dry-run"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `skip`."""
    parser.add_argument("id", metavar="ID", help="the id of the row, as it stands in the plan")
    parser.add_argument("reason", nargs="*", default=[], metavar="REASON", help="why; - reads it from standard input")
    declare_common(parser)


def run(options: argparse.Namespace) -> int:
    """Send SKIP; 1 when it is refused, 3 when there is no such row."""
    return send_signal(options, "SKIP", options.id, words(options.reason))
