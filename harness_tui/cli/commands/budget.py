"""`harness-tui budget`: how often a person may still be asked, and spending one of these times."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.cli.diagnostics import complain
from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals

if TYPE_CHECKING:
    import argparse

    from harness_tui.workspace.budgets import BudgetCheck

ABOUT = "Look at the interrupt budget of an epic, or spend one unit of it. Exit 1 when nothing is left."
EXAMPLES = (
    "  harness-tui budget check --epic-id sh-7-kiln --json\n"
    "  harness-tui budget check --epic-id sh-7-kiln > /dev/null && ask-a-person\n"
    "  harness-tui budget consume --epic-id sh-7-kiln"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `budget`."""
    parser.add_argument("action", choices=("check", "consume"), metavar="check|consume", help="look, or spend one unit")
    parser.add_argument("--epic-id", required=True, metavar="E", help="the epic: the name of its folder")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")


def run(options: argparse.Namespace) -> int:
    """Print what is left (1 when that is nothing), or spend a unit (1 when that can't be)."""
    from harness_tui.workspace.budgets import check_budget, consume_unit

    root = workspace_root(options.path)
    with refusals(root):
        if options.action == "check":
            found = check_budget(root, options.epic_id)
            _print_check(found, json=options.json)
            code = int(found.exhausted)
        else:
            found = consume_unit(root, options.epic_id, datetime.now(UTC))
            _print_consumed(found, json=options.json)
            code = 0
    for problem in found.warnings:
        complain(problem.path, f"{problem.code}: {problem.message}")
    return code


def _print_check(found: BudgetCheck, *, json: bool) -> None:
    if json:
        from harness_tui.cli.json_text import dump

        numbers = {"total": found.total, "consumed": found.consumed, "remaining": found.remaining}
        sys.stdout.write(dump({"epic_id": found.epic_id, **numbers, "exhausted": found.exhausted}) + "\n")
        return
    word = "EXHAUSTED" if found.exhausted else "OK"
    sys.stdout.write(f"interrupt budget of {found.epic_id} [{word}]\n")
    sys.stdout.write(f"  total {found.total}\n  consumed {found.consumed}\n  remaining {found.remaining}\n")


def _print_consumed(found: BudgetCheck, *, json: bool) -> None:
    if json:
        from harness_tui.cli.json_text import dump

        sys.stdout.write(dump({"consumed": found.consumed, "remaining": found.remaining}) + "\n")
        return
    sys.stdout.write(f"one unit of {found.epic_id} is spent, left: {found.remaining}/{found.total}\n")
