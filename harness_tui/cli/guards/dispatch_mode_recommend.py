"""`guard dispatch-mode-recommend` at the command line."""

from __future__ import annotations

from harness_tui.rules.guards import dispatch_mode_recommend as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Should a task be delegated, or done by whoever runs the loop? Always exits 0."
EXAMPLES = (
    "  harness-tui guard dispatch-mode-recommend --task-coupling low --state-sharing low --parallel-value high \\\n"
    "    --risk-profile low --context-budget-fit yes --runtime-supports-subagent yes \\\n"
    "    --permission-allows-delegation yes --dispatch-package-safe yes"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    for name, words in rule.FACTORS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", required=True, choices=words, help=name.replace("_", " "))


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(vars(options))
