"""`guard pool` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import root_around
from harness_tui.rules.guards import pool as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from harness_tui.rules.guards.verdict import Verdict

_POOL: Final = 2
"""Slashes in the path of a pool's folder."""

ABOUT = "Can the plan of a pool be worked off? Exit 1 for rings, doubled ids or slugs, unknown dependencies, bad slugs."
EXAMPLES = "  harness-tui guard pool\n  harness-tui guard pool --pool default"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)
    parser.add_argument("--pool", metavar="ID", help="this pool alone (default: all)")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure`: 3 when it has no such pool, 4 when a plan can't be read."""
    from pathlib import Path

    from harness_tui.formats.pool import parse_plan
    from harness_tui.workspace.files import FileError, read_file
    from harness_tui.workspace.layout import Layout

    root = root_around(options.path)
    layout = Layout(Path(root))
    plans = []
    pools = layout.pools()
    for pool in pools:
        if options.pool in {None, pool.id} and pool.plan is not None:
            path = layout.rel(pool.plan)
            try:
                plans.append((pool.id, parse_plan(read_file(pool.plan, root=root), path)))
            except FileError as error:
                raise Failure(path, error.reason, NOT_READ) from error
    wanted = options.pool if options.pool is not None else ""
    refuse_unread(
        (item for item in layout.problems if item.path.endswith("/BATCH_PLAN.md") or item.path.count("/") <= _POOL),
        f"docs/batches/{wanted}{'/' if wanted else ''}",
    )
    if not plans:
        from harness_tui.rules.near import did_you_mean

        which = f"pool {options.pool}" if options.pool is not None else "pool"
        hint = did_you_mean(options.pool or "", [pool.id for pool in pools])
        raise Failure(f"{root}/docs/batches", f"there is no {which} with a plan{hint}", NOT_THERE)
    return rule.judge(plans)
