"""The epics that guards ask about."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import root_around
from harness_tui.model.frozen import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from harness_tui.model.epic import Epics

_EPIC: Final = 2
"""Slashes in the path of an epic's folder."""


def declare_epic(parser: argparse.ArgumentParser) -> None:
    """The workspace, and one epic of it."""
    arguments.path_text(parser)
    parser.add_argument("--epic-id", metavar="E", help="this epic alone (default: all)")


def epics_of(options: argparse.Namespace) -> Epics:
    """The epics that are asked about. Raises `Failure`: 3 when there are none, 4 for a folder that can't be read."""
    from harness_tui.workspace.epics import EpicReader

    root = root_around(options.path)
    epics = EpicReader(root).refresh(None, 0.0)
    there = [item.epic_id for item in epics.budgets]
    name = options.epic_id
    if name is not None:
        epics = replace(
            epics,
            budgets=tuple(item for item in epics.budgets if item.epic_id == name),
            packets=tuple(item for item in epics.packets if item.epic_id == name),
            decisions=tuple(item for item in epics.decisions if item.epic_id == name),
        )
    folders = (item for item in epics.problems if item.path.count("/") <= _EPIC)
    refuse_unread(folders, f".harness/features/{name}/" if name is not None else ".harness/features/")
    if not epics.budgets:
        from harness_tui.rules.near import did_you_mean

        which = f"epic {name}" if name is not None else "epic"
        raise Failure(f"{root}/.harness/features", f"there is no {which}{did_you_mean(name or '', there)}", NOT_THERE)
    return epics
