"""`guard evidence-completeness-check` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.formats.evidence_items import affirmed, mentioned
from harness_tui.rules.guards import evidence_completeness_check as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

_FILE = ".servo/worktrack/gate-evidence.md"

ABOUT = "Is all evidence there that a gate needs? Exit 1 when one of the nine items is not mentioned."
EXAMPLES = (
    "  harness-tui guard evidence-completeness-check\n"
    "  harness-tui guard evidence-completeness-check --evidence-file .servo/worktrack/WT-4/gate-evidence.md"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--evidence-file", default=_FILE, metavar="FILE", help=f"default: {_FILE}")
    parser.add_argument("--evidence-text", metavar="TEXT", help="the text itself instead of a file")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    text = text_of(options.evidence_file) if options.evidence_text is None else options.evidence_text
    return rule.judge(None) if text is None else rule.judge(mentioned(text), affirmed(text))
