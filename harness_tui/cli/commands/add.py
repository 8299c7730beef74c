"""`harness-tui add`: queue one more task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.cli.sending import declare_common, send_signal, send_signals, words

if TYPE_CHECKING:
    import argparse

ABOUT = (
    "Ask the stream to append a pending row to its pool: mode full, no dependency, the next free id. The slug must be "
    "free in the plan, among the feature folders and in what waits already. With --part the requirement is split: one "
    "row for each part, SLUG before its name and GOAL before its own goal, all of them in one write."
)
EXAMPLES = (
    "  harness-tui add glaze-export Write the glaze table as CSV\n"
    "  harness-tui add glaze-export --dry-run -- 'Write the glaze table as CSV'\n"
    "  harness-tui add glaze-export --pool kiln --json 'Write the glaze table as CSV'\n"
    "  harness-tui add glaze 'The glaze table' --part 'csv: as CSV' --part 'mail < csv: sent weekly'"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `add`."""
    parser.add_argument("slug", metavar="SLUG", help="lower case words joined by hyphens, 40 characters at most")
    parser.add_argument("goal", nargs="+", metavar="GOAL", help="one sentence; - reads it from standard input")
    parser.add_argument(
        "--part", action="append", metavar="P", help="one row of several: 'name: goal', or 'name < earlier: goal'"
    )
    declare_common(parser)


def run(options: argparse.Namespace) -> int:
    """Send ADD; 1 when the slug or the goal is refused."""
    goal = words(options.goal)
    if options.part is None:
        return send_signal(options, "ADD", options.slug, goal)
    from harness_tui.rules.split import split

    return send_signals(options, "ADD", lambda: split(options.slug, goal, "\n".join(options.part)))
