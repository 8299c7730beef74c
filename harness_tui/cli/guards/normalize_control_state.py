"""`guard normalize-control-state`: gather doubled keys of a control state into lists, or make them one."""

from __future__ import annotations

import sys
from pathlib import Path

from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.writing import difference, failures
from harness_tui.rules.guards.normalize_control_state import GATHERED, normalized

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_FILE = ".servo/control-state.md"

ABOUT = "Gather doubled keys of a control state into lists, or make them one. Nothing else in the file changes."
EXAMPLES = (
    "  harness-tui guard normalize-control-state --dry-run\n"
    "  harness-tui guard normalize-control-state --input .servo/control-state.md --output plain.md"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--input", default=_FILE, metavar="FILE", help=f"default: {_FILE}")
    parser.add_argument("--output", metavar="FILE", help="default: the input")
    parser.add_argument("--dry-run", action="store_true", help="show the difference, and write nothing")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")


def run(options: argparse.Namespace) -> int:
    """Write the plain form and tell what changed; 3 when there is no input."""
    from harness_tui.workspace.control_writes import edit_control

    target = options.output or options.input
    counts: dict[str, int] = {}

    def change(text: str) -> str:
        after, found = normalized(text)
        counts.clear()
        counts.update(found)
        return after

    with failures():
        edited = edit_control(Path(options.input), change, target=Path(target), write=not options.dry_run)
    if edited is None:
        raise Failure(options.input, "no such file", NOT_THERE)
    old, new = edited.before.count(b"\n"), edited.after.count(b"\n")
    text = difference(edited, options.input) if options.dry_run else ""
    if options.json:
        from harness_tui.cli.json_text import dump

        found = {"written": not options.dry_run, "input": options.input, "output": target, "keys": counts}
        sys.stdout.write(dump({**found, "lines_before": old, "lines_after": new, "diff": text}) + "\n")
        return 0
    sys.stdout.write(f"Lines: {old} → {new} (delta: {new - old})\n")
    for key, count in counts.items():
        into = f"gathered in {GATHERED[key]}" if key in GATHERED else "replaced by the last value"
        sys.stdout.write(f"  {key}: {count} {into}\n")
    sys.stdout.write(text or (f"Nothing would change in {target}\n" if options.dry_run else f"Written to {target}\n"))
    return 0
