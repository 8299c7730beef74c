"""`harness-tui unlock`: give the control loop the signal with which it may lift its handback lock."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import changes_document, changes_text, refusals, refused_document

if TYPE_CHECKING:
    import argparse

ABOUT = (
    "Give the control loop an unlock signal: a new goal, fact, permission or task. Only the signal is written; whoever "
    "runs the loop lifts the lock. A bare retry or continue is refused."
)
EXAMPLES = (
    "  harness-tui unlock --instruction 'raise the cap to 3 and take option B' --confirm 'unlock MS-7'\n"
    "  harness-tui unlock --instruction 'the kiln sensor was replaced' --confirm 'unlock MS-7' --dry-run"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `unlock`."""
    parser.add_argument("--instruction", required=True, metavar="T", help="what is new, in one line")
    parser.add_argument("--confirm", required=True, metavar="T", help="unlock and the active milestone: unlock MS-7")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")


def run(options: argparse.Namespace) -> int:
    """Write the signal, or print what would be written; 1 when it is refused."""
    from harness_tui.workspace.unlocks import give_unlock, plan_unlock

    root = workspace_root(options.path)
    with refusals(root, refused_document if options.json else None):
        act = plan_unlock if options.dry_run else give_unlock
        plan = act(root, options.instruction, options.confirm, datetime.now(UTC))
    if options.json:
        from harness_tui.cli.json_text import dump

        signal = plan.signal
        found = {
            "dry_run": options.dry_run,
            "locked": plan.handback.locked,
            "signal": {name: getattr(signal, name) for name in ("source", "instruction", "timestamp", "confirmation")},
            "changes": changes_document([plan.change]),
        }
        sys.stdout.write(dump(found) + "\n")
        return 0
    done = "would be written" if options.dry_run else "is written"
    sys.stdout.write(f"the unlock signal {done} into {plan.change.path}; {plan.then}\n")
    if options.dry_run:
        sys.stdout.write(changes_text([plan.change]))
    return 0
