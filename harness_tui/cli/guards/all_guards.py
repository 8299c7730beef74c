"""`guard all`: every guard that has something to say about a workspace, in one document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_tui.cli import arguments
from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure
from harness_tui.cli.guards.edge import head_of
from harness_tui.cli.json_text import dump
from harness_tui.cli.root import root_around

if TYPE_CHECKING:
    import argparse

    from harness_tui.rules.guards.verdict import Verdict
    from harness_tui.workspace.guard_questions import Question

ABOUT = (
    "Every guard that has something to say about this workspace, in one JSON document. Exit 1 when one says no. "
    "Guards that write, or that are asked about a task, are left out and named with the reason."
)
EXAMPLES = "  harness-tui guard all\n  harness-tui guard all ~/src/kiln"

OWN = ("intervention", "lock", "gate", "budget", "packet", "pool", "pipeline")
_TASK = "what it is asked depends on a task: call it with its arguments"
_NOT_ASKED = dict.fromkeys(("checkpoint-writeback", "normalize-control-state"), "it writes: call it by its name")


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the guard."""
    arguments.path_text(parser)


def run(options: argparse.Namespace) -> int:
    """Print the answers; 1 when one of them is no."""
    from harness_tui.cli.commands.guard import GUARDS

    root = Path(root_around(options.path))
    loop = _loop_questions(root)
    guards: dict[str, Any] = {}
    silent: dict[str, str] = {}
    for name in GUARDS:
        try:
            if name in OWN:
                guards[name] = _told(_ask_own(name, root))
            elif isinstance(question := loop.get(name, _NOT_ASKED.get(name, _TASK)), str):
                silent[name] = question
            else:
                guards[name] = _told(_ask_loop(question, root))
        except Failure as failure:
            if failure.code == NOT_THERE:
                silent[name] = failure.why
            else:
                guards[name] = {"go": False, "exit": failure.code, "error": f"{failure.what}: {failure.why}"}
    silent.pop("all")
    go = all(found["go"] for found in guards.values())
    found = {"schema_version": 1, "root": str(root), "go": go, "guards": guards, "not_asked": silent}
    sys.stdout.write(dump(found) + "\n")
    return 0 if go else 1


def _loop_questions(root: Path) -> dict[str, Question | str]:
    from harness_tui.workspace.guard_questions import guard_questions
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader

    layout = Layout(root)
    return guard_questions(layout, ServoReader(layout).refresh(None, 0.0))


def _ask_loop(question: Question, root: Path) -> Verdict:
    """Raises `Failure` (4) when a file can't be read or git can't be asked."""
    from harness_tui.workspace.files import FileError
    from harness_tui.workspace.git_head import GitError, Head

    try:
        return question.ask(head_of(str(root)) if question.git else Head())
    except FileError as error:
        name = question.files[0].relative_to(root).as_posix()
        raise Failure(name, error.reason, NOT_READ) from error
    except GitError as error:
        raise Failure("git", str(error), NOT_READ) from error


def _ask_own(name: str, root: Path) -> Verdict:
    from harness_tui.cli.commands.guard import defaults, guard_module

    module: Any = guard_module(name)
    options: Any = defaults(module)
    options.path = str(root)
    verdict: Verdict = module.judge(options)
    return verdict


def _told(verdict: Verdict) -> dict[str, Any]:
    return {"go": verdict.go, "exit": 0 if verdict.go else 1, "result": verdict.document}
