"""`guard checkpoint-writeback`: record in the control state that the loop has looked at HEAD."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from harness_tui.cli.guards.edge import head_of
from harness_tui.cli.guards.writing import difference, failures
from harness_tui.cli.json_text import dump_line
from harness_tui.rules.guards.checkpoint_writeback import KEYS, SECTION, with_checkpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_FILE = ".servo/control-state-repo.md"

ABOUT = (
    "Record in the control state that the loop has looked at HEAD. Exit 1 when there is no place for it, or no commit."
)
EXAMPLES = (
    "  harness-tui guard checkpoint-writeback --checkpoint-type observed\n"
    "  harness-tui guard checkpoint-writeback --checkpoint-type doc-catch-up --control-state .servo/control-state.md\n"
    "  harness-tui guard checkpoint-writeback --checkpoint-type observed --dry-run"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--checkpoint-type", required=True, choices=(*KEYS,), help="what was looked at")
    parser.add_argument("--control-state", default=_FILE, metavar="FILE", help=f"default: {_FILE}")
    parser.add_argument("--dry-run", action="store_true", help="show the difference, and write nothing")
    parser.add_argument("--json", action="store_true", help="with --dry-run: the difference within the JSON")


def run(options: argparse.Namespace) -> int:
    """Write the checkpoint and print what was written; 1 with a JSON object on stderr when that can't be."""
    from harness_tui.workspace.control_writes import edit_control

    path = Path(options.control_state)
    commit = head_of(".").commit
    if not commit:
        return _refused("there is no commit here: not a git repository, or nothing is committed")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    previous: list[str | None] = [None]

    def change(text: str) -> str | None:
        found = with_checkpoint(text, options.checkpoint_type, commit, at)
        if found is None:
            return None
        previous[0] = found[1]
        return found[0]

    with failures():
        edited = edit_control(path, change, write=not options.dry_run)
    if edited is None:
        return _refused(f"no section '## {SECTION}'" if path.exists() else f"file not found: {options.control_state}")
    found = {
        "written": not options.dry_run,
        "checkpoint_type": options.checkpoint_type,
        "hash": commit,
        "previous_hash": previous[0],
        "verified_at": at,
    }
    if options.dry_run:
        text = difference(edited, options.control_state)
        sys.stdout.write(dump_line({**found, "dry_run": True, "diff": text}) + "\n" if options.json else text)
        return 0
    sys.stdout.write(dump_line(found) + "\n")
    return 0


def _refused(error: str) -> int:
    sys.stderr.write(json.dumps({"written": False, "error": error}) + "\n")
    return 1
