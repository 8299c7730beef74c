"""`harness-tui status`: everything once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Print the snapshot of the workspace; with `--check` 1 when something needs the operator, else 0."""
    from harness_tui.workspace.once import read_workspace

    snapshot = read_workspace(workspace_root(options.path))
    code = int(options.check and any(item.urgency for item in snapshot.inbox))
    if options.json:
        from harness_tui.cli.output import document, dump

        sys.stdout.write(dump(document(snapshot)) + "\n")
        return code
    from harness_tui.cli.text import console, status_lines

    out = console()
    for line in status_lines(snapshot):
        out.print(line)
    return code
