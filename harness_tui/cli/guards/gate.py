"""`guard gate` at the command line."""

from __future__ import annotations

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.guards.edge import refuse_unread
from harness_tui.cli.root import workspace_root
from harness_tui.rules.guards import gate as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Did the gate of the current worktrack pass, on all three axes? Exit 1 when not, or when an axis is missing."
EXAMPLES = "  harness-tui guard gate\n  harness-tui guard gate --worktrack WT-4"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path(parser)
    parser.add_argument("--worktrack", metavar="ID", help="this one instead of the current one")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for the workspace. Raises `Failure`: 3 without such a gate, 4 when a file can't be read."""
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader

    root = workspace_root(options.path)
    layout = Layout(root)
    servo = ServoReader(layout).refresh(None, 0.0)
    refuse_unread((*layout.problems, *servo.problems), ".servo/control-state", ".servo/worktrack/")
    gates = servo.worktracks
    wanted = options.worktrack
    found = [gate for gate in gates if (gate.id == wanted if wanted else gate.current)]
    if not found:
        from harness_tui.rules.near import did_you_mean

        which = f"of {wanted}" if wanted else "of a current worktrack"
        hint = did_you_mean(wanted or "", [gate.id for gate in gates if gate.id])
        raise Failure(str(root / ".servo/worktrack"), f"there is no gate evidence {which}{hint}", NOT_THERE)
    return rule.judge(found)
