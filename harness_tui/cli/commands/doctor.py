"""`harness-tui doctor`: what was found, what could not be read as it should, and what to do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from harness_tui.cli import arguments
from harness_tui.cli.root import workspace_root

if TYPE_CHECKING:
    import argparse

    from harness_tui.model.problem import Problem
    from harness_tui.model.snapshot import Snapshot


ABOUT = "Say what was found, what could not be read, where, and what to do. Exit 1 when anything is wrong."
EXAMPLES = "  harness-tui doctor\n  harness-tui doctor --json"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `doctor`."""
    arguments.path(parser)
    arguments.json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the findings; 1 when anything is an error, else 0."""
    from harness_tui.workspace.once import read_workspace

    snapshot = read_workspace(workspace_root(options.path))
    problems = _problems(snapshot)
    broken = any(problem.severity == "error" for problem in problems)
    if options.json:
        from harness_tui.cli.json_text import dump
        from harness_tui.cli.output import SCHEMA_VERSION, plain

        found: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION, "root": snapshot.root, "ok": not broken,
            "found": list(snapshot.found), "git": plain(snapshot.git), "problems": plain(tuple(problems)),
        }  # fmt: skip
        sys.stdout.write(dump(found) + "\n")
        return int(broken)
    from rich.text import Text

    from harness_tui.cli.text import LOOKED_FOR, console, git_words, problem_line
    from harness_tui.formats.text import clean

    out = console()
    out.print(Text(clean(snapshot.root), "bold"))
    for line in snapshot.found:
        out.print(Text(f"  {line}"))
    if snapshot.git is not None:
        out.print(Text(f"  git: {git_words(snapshot.git)}"))
    out.print(Text(""))
    if not snapshot.found:
        for line in LOOKED_FOR:
            out.print(Text(line))
    if not problems:
        out.print(Text("nothing is wrong with what was read"))
    else:
        out.print(Text(f"{len(problems)} finding{'s' if len(problems) > 1 else ''}", "bold"))
    for problem in problems:
        out.print(problem_line(problem))
    return int(broken)


def _problems(snapshot: Snapshot) -> list[Problem]:
    rank = ("error", "warning", "info")
    found = [*snapshot.problems, *(item for pool in snapshot.pools for item in pool.problems)]
    return sorted(found, key=lambda item: (rank.index(item.severity), item.path, item.line or 0, item.code))
