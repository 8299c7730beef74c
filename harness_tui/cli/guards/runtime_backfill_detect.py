"""`guard runtime-backfill-detect` at the command line."""

from __future__ import annotations

from harness_tui.cli.guards.edge import text_of
from harness_tui.rules.guards import runtime_backfill_detect as rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict

ABOUT = "Which fields of an artifact are missing, and what must be assumed for them? Always exits 0; strict says more."
EXAMPLES = (
    "  harness-tui guard runtime-backfill-detect --artifact .servo/control-state.md\n"
    "  harness-tui guard runtime-backfill-detect --artifact state.md --schema-file template.md"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    parser.add_argument("--artifact", required=True, metavar="FILE", help="the file to look at")
    parser.add_argument("--schema-file", default="", metavar="FILE", help="a file whose keys are expected, too")


def judge(options: argparse.Namespace) -> Verdict:
    """The answer for these arguments."""
    schema = text_of(options.schema_file) if options.schema_file else None
    return rule.judge(text_of(options.artifact), schema)
