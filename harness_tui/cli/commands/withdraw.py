"""`harness-tui withdraw`: take back a signal that was not read yet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals, refused_document

if TYPE_CHECKING:
    import argparse

ABOUT = "Take back a signal that was not read yet: the one that was sent last from here, or the one that is named."
EXAMPLES = (
    "  harness-tui withdraw\n"
    "  harness-tui withdraw 2              the second one that `pending` lists\n"
    "  harness-tui withdraw 9f3c51d02a7e   the one of that id\n"
    "  harness-tui withdraw --dry-run"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `withdraw`."""
    parser.add_argument("which", nargs="?", metavar="N", help="its number or id, as `pending` prints it")
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--dry-run", action="store_true", help="print what would be taken back, and write nothing")


def run(options: argparse.Namespace) -> int:
    """Take the signal back and print it; 1 when it does not wait any more."""
    from harness_tui.cli.commands.pending import pending_document, pending_lines
    from harness_tui.formats.intervention import PATH
    from harness_tui.workspace.mailbox import preview_withdraw, withdraw

    root = workspace_root(options.path)
    with refusals(root, refused_document if options.json else None):
        if options.dry_run:
            chosen, content = preview_withdraw(root, options.which)
        else:
            chosen, content = withdraw(root, options.which), None
    if options.json:
        from harness_tui.cli.json_text import dump

        document = {"dry_run": options.dry_run, "path": PATH, "withdrawn": pending_document(chosen)}
        if options.dry_run:
            document["content"] = content.decode("utf-8", "surrogateescape") if content is not None else None
        sys.stdout.write(dump(document) + "\n")
        return 0
    left = "the file goes" if content is None else "the other signals stay as they are"
    head = f"would take back from {PATH} ({left}):" if options.dry_run else f"taken back from {PATH}:"
    sys.stdout.write("\n".join([head, *pending_lines(chosen)]) + "\n")
    return 0
