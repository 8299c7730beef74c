"""`guard lock` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.writing import failures
from harness_tui.cli.root import workspace_root
from harness_tui.rules.guards import lock as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Is the handback lock open? Exit 1 while it holds, and when no file says plainly that it does not."
EXAMPLES = "  harness-tui guard lock\n  harness-tui guard lock ~/src/kiln && run-the-loop"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure` (3) when it has no control state."""
    from harness_tui.workspace.control_files import read_control_files

    root = workspace_root(options.path)
    with failures():
        files = read_control_files(root)
    if files is None:
        raise Failure(str(root / ".servo/control-state.md"), "there is no control state", NOT_THERE)
    return rule.judge(files.handback)
