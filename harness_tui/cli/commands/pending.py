"""`harness-tui pending`: what is written and was not read yet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals

if TYPE_CHECKING:
    import argparse

    from harness_tui.model.sent import PendingSignal

ABOUT = "Print the signals that stand unread in the intervention file, in its order, and how a careful reader takes it."
EXAMPLES = "  harness-tui pending\n  harness-tui pending --json | jq '.signals[].keyword'"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `pending`."""
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")


def run(options: argparse.Namespace) -> int:
    """Print what waits; 0, also when nothing does."""
    from harness_tui.formats.intervention import PATH
    from harness_tui.workspace.mailbox import pending, read_waiting

    root = workspace_root(options.path)
    with refusals(root):
        waiting = read_waiting(root)
        found = pending(root)
    if options.json:
        from harness_tui.cli.json_text import dump

        document = {
            "path": PATH, "present": waiting.present, "safest": waiting.safest,
            "signals": [pending_document(item) for item in found],
        }  # fmt: skip
        sys.stdout.write(dump(document) + "\n")
        return 0
    lines = [line for item in found for line in pending_lines(item)] or ["nothing waits"]
    if waiting.safest is not None and any(item.signal.state != "waiting" for item in found):
        lines.append(f"not all of it is clear; a careful reader takes it as {waiting.safest}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def pending_document(item: PendingSignal) -> dict[str, object]:
    """A waiting signal as JSON."""
    from harness_tui.cli.output import plain

    who = {"number": item.number, "id": item.id, "at": plain(item.at), "by": item.by}
    return {**who, **plain(item.signal), "pool_id": item.pool_id}


def pending_lines(item: PendingSignal) -> list[str]:
    """A waiting signal as text, all of it."""
    signal = item.signal
    head = " ".join(part for part in (signal.keyword or "unclear:", signal.argument) if part)
    first, *more = signal.text.split("\n")
    state = f" ({signal.state})" if signal.state != "waiting" else ""
    words = f" — {first}" if first and signal.keyword else f" {first}" if first else ""
    owner = f"{item.id} by {item.by}, {item.at:%Y-%m-%d %H:%M:%SZ}" if item.id is not None else "not sent from here"
    owner += f", for pool {item.pool_id}" if item.pool_id is not None else ""
    return [f"{item.number}. {head}{words}{state}", *(f"     {line}".rstrip() for line in more), f"     {owner}"]
