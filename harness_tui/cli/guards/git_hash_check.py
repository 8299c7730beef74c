"""`guard git-hash-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import head_of, text_of
from harness_tui.rules.guards import git_hash_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

_FILE = ".servo/control-state-repo.md"

ABOUT = "Is the repository still where the loop looked at it last? Exit 1 when it has moved, or nobody has looked."
EXAMPLES = (
    "  harness-tui guard git-hash-check\n  harness-tui guard git-hash-check --control-state .servo/control-state.md"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--control-state", default=_FILE, metavar="FILE", help=f"default: {_FILE}")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(text_of(options.control_state), head_of(".").commit)
