"""`harness-tui guard NAME`: deterministic answers for scripts and agents. Only the guard that is asked is imported."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import SimpleNamespace

from harness_tui.cli.diagnostics import Failure
from harness_tui.cli.guards.edge import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, Final

    from harness_tui.cli.parser import Command, Parser

GUARDS: Final = {
    "branch-context-check": "branch_context_check",
    "git-hash-check": "git_hash_check",
    "milestone-kind-routing": "milestone_kind_routing",
    "pre-milestone-intake-guard": "pre_milestone_intake_guard",
    "complex-project-entry-gate-check": "complex_project_entry_gate_check",
    "milestone-review-gate-check": "milestone_review_gate_check",
    "runtime-backfill-detect": "runtime_backfill_detect",
    "worktrack-intake-review-check": "worktrack_intake_review_check",
    "dispatch-mode-recommend": "dispatch_mode_recommend",
    "dispatch-profile-check": "dispatch_profile_check",
    "evidence-completeness-check": "evidence_completeness_check",
    "autonomy-policy-check": "autonomy_policy_check",
    "checkpoint-writeback": "checkpoint_writeback",
    "normalize-control-state": "normalize_control_state",
    "writeback-bridge": "writeback_bridge",
    "intervention": "intervention",
    "lock": "lock",
    "gate": "gate",
    "budget": "budget",
    "packet": "packet",
    "pool": "pool",
    "pipeline": "pipeline",
    "hard-stop": "hard_stop",
    "all": "all_guards",
}
"""Every guard, and its module in `cli.guards`. A name is accepted with `_` for `-`, and with `.py` behind it."""

ABOUT = (
    "Deterministic answers to the questions of a control loop, as JSON, for scripts and agents: exit 0 says go on, "
    "1 no, 4 that a file can't be read. The fifteen of the loop's own scripts take the same flags and give the same "
    "fields and exit codes."
)
EXAMPLES = (
    "  harness-tui guard --list                 every guard, what it is for, its flags\n"
    "  harness-tui guard lock && run-the-loop   is the handback lock open?\n"
    "  harness-tui guard git_hash_check.py      the names of the scripts work, too\n"
    "  harness-tui guard all ~/src/kiln         every guard that has something to say here\n"
    "  harness-tui guard NAME --help            more about one guard"
)
USAGE: Final = 2


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `guard` itself; those of a guard stand behind its name."""
    parser.add_argument("name", nargs="?", choices=(*GUARDS,), metavar="NAME", help="the guard; --list names them")
    parser.add_argument("--list", action="store_true", help="every guard, what it is for, and its flags")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")


def run(options: argparse.Namespace) -> int:
    """Print the list; a guard that is named first is run by `run_guard`."""
    if not options.list:
        raise Failure("guard", "which guard? see harness-tui guard --list", USAGE)
    if options.json:
        from harness_tui.cli.json_text import dump

        sys.stdout.write(dump({"guards": list_guards()}) + "\n")
        return 0
    for guard in list_guards():
        sys.stdout.write(f"{guard['name']}\n    {guard['purpose']}\n    {' '.join(guard['flags']) or '-'}\n")
    return 0


def run_guard(word: str, words: list[str]) -> int:
    """Ask the guard called `word` with the arguments `words`; returns the exit code."""
    name = word.removesuffix(".py").replace("_", "-")
    if name not in GUARDS:
        from harness_tui.rules.near import did_you_mean

        why = f"there is no guard {word}{did_you_mean(name, GUARDS)}"
        raise Failure("guard", f"{why}; see harness-tui guard --list", USAGE)
    gc.disable()  # all that is made from here on is in use until the answer is there
    try:
        module = guard_module(name)
        options: Any = (None if words else defaults(module)) or guard_parser(name, module).parse_args(words)
        judge = getattr(module, "judge", None)
        verdict = None if judge is None else judge(options)
    finally:
        gc.enable()
    return module.run(options) if verdict is None else answer(verdict)


def guard_module(name: str) -> Command:
    """The module of a guard: what a command offers, but for most `judge`, which gives a verdict, in place of `run`."""
    module: Command = import_module(f"harness_tui.cli.guards.{GUARDS[name]}")
    return module


class _Defaults:
    """Takes the place of a parser, and keeps what the options are when nobody gives one."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.wanting = False

    def add_argument(self, name: str, *, default: Any = None, dest: str = "", **more: Any) -> None:
        self.wanting |= bool(more.get("required")) or not (name.startswith("-") or "nargs" in more)
        value = False if more.get("action") == "store_true" else default
        self.options[dest or name.lstrip("-").replace("-", "_")] = value

    def add_mutually_exclusive_group(self) -> _Defaults:
        return self


def defaults(module: Command) -> SimpleNamespace | None:
    """The options of a guard that is asked without a word; None when it must be given some.

    A hook asks most guards that way, and importing `argparse` takes as long as a third of the answer.
    """
    found = _Defaults()
    module.declare(found)  # type: ignore[arg-type]
    return None if found.wanting else SimpleNamespace(**found.options)


def list_guards() -> list[dict[str, Any]]:
    """Name, purpose and flags of each guard, in the order of the table."""
    from harness_tui.cli.parser import command_parser

    found = []
    for name in GUARDS:
        module = guard_module(name)
        actions = command_parser(name, module)._actions  # noqa: SLF001 - argparse has no public list
        flags = [
            flag for action in actions for flag in action.option_strings if flag.startswith("--") and flag != "--help"
        ]
        places = [str(action.metavar) for action in actions if not action.option_strings]
        found.append({"name": name, "purpose": _first_sentence(module.ABOUT), "flags": [*places, *flags]})
    return found


def guard_parser(name: str, module: Command) -> Parser:
    """The parser of one guard; `--json` is accepted by each, as all of them answer in JSON."""
    from harness_tui.cli.parser import command_parser

    parser = command_parser(f"guard {name}", module)
    if "--json" not in parser._option_string_actions:  # noqa: SLF001 - as above
        parser.add_argument("--json", action="store_true", help="the answer is JSON anyhow")
    return parser


def _first_sentence(text: str) -> str:
    end = min((at for at in (text.find(". "), text.find("? "), text.find("; ")) if at >= 0), default=len(text))
    return text[: end + 1].rstrip(";")
