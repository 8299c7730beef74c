"""`guard all`: every guard that has something to say about a workspace, in one document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_THERE, Failure
from harness_tui.cli.json_text import dump
from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

ABOUT = (
    "Every guard that has something to say about this workspace, in one JSON document. Exit 1 when one says no. "
    "Guards that write, or that are asked about a task, are left out and named with the reason."
)
EXAMPLES = "  harness-tui guard all\n  harness-tui guard all ~/src/kiln"

OWN = ("intervention", "lock", "gate", "budget", "packet", "pool", "pipeline")


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path(parser)


def run(options: argparse.Namespace) -> int:
    """Print the answers; 1 when one of them is no."""
    root = workspace_root(options.path)
    guards: dict[str, Any] = {}
    silent: dict[str, str] = {}
    for name, words in _questions(root).items():
        if isinstance(words, str):
            silent[name] = words
            continue
        try:
            guards[name] = _ask(name, words, root)
        except Failure as failure:
            if failure.code == NOT_THERE:
                silent[name] = failure.why
            else:
                guards[name] = {"go": False, "exit": failure.code, "error": f"{failure.what}: {failure.why}"}
    go = all(found["go"] for found in guards.values())
    found = {"schema_version": 1, "root": str(root), "go": go, "guards": guards, "not_asked": silent}
    sys.stdout.write(dump(found) + "\n")
    return 0 if go else 1


def _questions(root: Path) -> dict[str, list[str] | str]:
    """The arguments of each guard, in the order of the table, or why it is not asked."""
    from harness_tui.cli.commands.guard import GUARDS
    from harness_tui.workspace.guard_inputs import NEEDS_WORDS, WRITES, guard_inputs
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader

    layout = Layout(root)
    found = guard_inputs(layout, ServoReader(layout).refresh(None, 0.0))
    found |= {name: [str(root)] for name in OWN}
    writing = {"checkpoint-writeback", "normalize-control-state"}
    return {name: found.get(name, WRITES if name in writing else NEEDS_WORDS) for name in GUARDS if name != "all"}


def _ask(name: str, words: list[str], root: Path) -> dict[str, Any]:
    from harness_tui.cli.commands.guard import guard_module, guard_parser

    module: Any = guard_module(name)
    options = guard_parser(name, module).parse_args(words)
    options.folder = str(root)
    verdict = module.judge(options)
    return {"go": verdict.go, "exit": 0 if verdict.go else 1, "result": verdict.document}
