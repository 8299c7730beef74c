"""`harness-tui watch`: one JSON object per change."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_tui.cli import arguments
from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot

ABOUT = "Print one JSON object per change, until interrupted."
EXAMPLES = "  harness-tui watch\n  harness-tui watch | jq -r 'select(.kind == \"task-status\") | .title'"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `watch`."""
    arguments.path(parser)
    parser.add_argument("--json", action="store_true", help="the lines are JSON anyhow")


def run(options: argparse.Namespace) -> int:
    """Print changes until interrupted (130) or told to end (143)."""
    from harness_tui.cli.following import follow
    from harness_tui.cli.json_text import dump_line
    from harness_tui.cli.output import change_line

    def tell(snapshot: Snapshot, changes: tuple[Change, ...], revision: int) -> None:
        for change in changes:
            sys.stdout.write(dump_line(change_line(change, revision, snapshot.generated_at)) + "\n")
        sys.stdout.flush()

    return follow(workspace_root(options.path), tell)
