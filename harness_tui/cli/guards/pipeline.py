"""`guard pipeline` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import workspace_root
from harness_tui.rules.guards import pipeline as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from harness_tui.rules.guards.verdict import Verdict

_FILES: Final = (".servo/control-state", ".servo/repo/", ".servo/milestone/")

ABOUT = (
    "Do control state, backlog, history and milestones agree? Exit 1 when not, with the files that disagree and the "
    "recovery that is meant for it. Nothing is repaired."
)
EXAMPLES = "  harness-tui guard pipeline\n  harness-tui guard pipeline ~/src/kiln"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path(parser)


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure`: 3 without a control loop, 4 when a file can't be read."""
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader

    root = workspace_root(options.path)
    layout = Layout(root)
    servo = ServoReader(layout).refresh(None, 0.0)
    refuse_unread((*layout.problems, *servo.problems), *_FILES)
    if not servo.present:
        raise Failure(str(root / ".servo"), "there is no control loop", NOT_THERE)
    return rule.judge(servo.inconsistencies)
