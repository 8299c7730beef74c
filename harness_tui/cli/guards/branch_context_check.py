"""`guard branch-context-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.diagnostics import NOT_READ, Failure
from harness_tui.cli.guards.edge import head_of, text_of
from harness_tui.rules.guards import branch_context_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Is this the branch on which the function may run? Exit 1 when it must not; a warning alone exits 0."
EXAMPLES = (
    "  harness-tui guard branch-context-check --control-state .servo/control-state.md \\\n"
    "    --scope RepoScope --function Observe\n"
    "  harness-tui guard branch-context-check --control-state .servo/control-state.md \\\n"
    "    --scope WorktrackScope --function Close --worktrack-contract .servo/worktrack/contract.md"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--control-state", required=True, metavar="FILE", help="the control state")
    parser.add_argument("--scope", required=True, choices=rule.SCOPES, metavar="SCOPE", help=" or ".join(rule.SCOPES))
    parser.add_argument(
        "--function", required=True, choices=rule.FUNCTIONS, metavar="FUNCTION", help=", ".join(rule.FUNCTIONS)
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--worktrack-contract", metavar="FILE", help="the contract that names the branch")
    either.add_argument("--worktrack-id", metavar="ID", help="the worktrack, whose branch is wt/ID")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    head = head_of(".")
    contract = options.worktrack_contract
    return rule.judge(
        text_of(options.control_state), text_of(contract) if contract else None, options.scope, options.function,
        branch=head.branch, head=head.commit, origin=_origin,
        worktrack_id=options.worktrack_id,
    )  # fmt: skip


def _origin() -> str:
    from harness_tui.workspace.git_head import GitError, origin_branch

    try:
        return origin_branch()
    except GitError as error:
        raise Failure("git", str(error), NOT_READ) from error
