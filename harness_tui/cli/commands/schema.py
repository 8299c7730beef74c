"""`harness-tui schema`: JSON Schemas of what `status --json` prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness_tui.cli.diagnostics import NOT_THERE, Failure

if TYPE_CHECKING:
    import argparse

ABOUT = "Print the JSON Schema of `status --json`, of a part of it, or of `guard all`."
EXAMPLES = "  harness-tui schema > status.schema.json\n  harness-tui schema task"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `schema`."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a part of it, such as pool, task or budget; or change, guards (default: status)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the schema of one part, or that of the whole document."""
    from harness_tui.cli.json_text import dump
    from harness_tui.cli.schemas import GUARDS, MODELS, document_schema, guards_schema, schema

    if options.name in (None, "status"):
        sys.stdout.write(dump(document_schema()) + "\n")
        return 0
    if options.name == GUARDS:
        sys.stdout.write(dump(guards_schema()) + "\n")
        return 0
    if options.name not in MODELS:
        from harness_tui.rules.near import did_you_mean

        names = ("status", *MODELS, GUARDS)
        hint = did_you_mean(options.name, names)
        raise Failure(options.name, f"no schema of that name; there are {', '.join(names)}{hint}", NOT_THERE)
    sys.stdout.write(dump(schema(options.name)) + "\n")
    return 0
