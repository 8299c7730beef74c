"""`guard intervention` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.root import workspace_root
from harness_tui.rules.guards import intervention as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Does an operator's signal wait to be read? Exit 1 while one does; `safest` is how a careful reader takes it."
EXAMPLES = "  harness-tui guard intervention\n  harness-tui guard intervention ~/src/kiln || read-it-first"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace."""
    from harness_tui.formats.intervention import parse_interventions
    from harness_tui.workspace.files import FileError, read_file
    from harness_tui.workspace.layout import Layout

    root = workspace_root(options.path)
    layout = Layout(root)
    path = layout.intervention
    if path is None:
        return rule.judge(parse_interventions(None), unreadable=bool(layout.problems))
    try:
        return rule.judge(parse_interventions(read_file(path, root=root), layout.rel(path)))
    except FileError as error:
        return rule.judge(parse_interventions(None), unreadable=not error.gone)
