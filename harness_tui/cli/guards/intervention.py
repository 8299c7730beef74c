"""`guard intervention` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.root import root_around
from harness_tui.rules.guards import intervention as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Does an operator's signal wait to be read? Exit 1 while one does; `safest` is how a careful reader takes it."
EXAMPLES = "  harness-tui guard intervention\n  harness-tui guard intervention ~/src/kiln || read-it-first"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace."""
    from harness_tui.formats.intervention import parse_interventions
    from harness_tui.workspace.files import FileError, read_file
    from harness_tui.workspace.listing import Listing

    root = root_around(options.path)
    listing = Listing(root)
    path = listing.signal()
    if path is None:
        return rule.judge(parse_interventions(None), unreadable=bool(listing.problems))
    try:
        return rule.judge(parse_interventions(read_file(path, root=root), listing.rel(path)))
    except FileError as error:
        return rule.judge(parse_interventions(None), unreadable=not error.gone)
