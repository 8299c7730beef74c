"""`harness-tui status`: everything once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_tui.cli import arguments
from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse


ABOUT = "Print everything that is known about a workspace, once."
EXAMPLES = (
    "  harness-tui status\n  harness-tui status --json | jq '.pools[].tally'\n  harness-tui status ~/src/kiln\n"
    "  harness-tui status --check > /dev/null || notify-send 'the stream needs you'"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `status`."""
    arguments.path(parser)
    arguments.json(parser)
    parser.add_argument("--check", action="store_true", help="exit with 1 when something needs you")


def run(options: argparse.Namespace) -> int:
    """Print the snapshot of the workspace; with `--check` 1 when something needs the operator, else 0."""
    from harness_tui.workspace.once import read_workspace

    snapshot = read_workspace(workspace_root(options.path))
    code = int(options.check and any(item.urgency for item in snapshot.inbox))
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.cli.output import document

        sys.stdout.write(dump(document(snapshot)) + "\n")
        return code
    from harness_tui.cli.text import console, status_lines

    out = console()
    for line in status_lines(snapshot):
        out.print(line)
    return code
