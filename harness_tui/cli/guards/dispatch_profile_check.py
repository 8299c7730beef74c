"""`guard dispatch-profile-check` at the command line."""

from __future__ import annotations

from harness_tui.rules.guards import dispatch_profile_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Does a dispatch say what it ran on, and who did the work? Exit 1 when a field is missing."
EXAMPLES = '  harness-tui guard dispatch-profile-check --profile-json "$(cat profile.json)"'


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--profile-json", required=True, metavar="JSON", help="the profile, a JSON object")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    return rule.judge(options.profile_json)
