"""`harness-tui guard hard-stop`: whether an agent had to stop, by the events of its run."""

from __future__ import annotations

import os
import sys

from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any, Final, Protocol

    from harness_tui.formats.agent_lines import OutputLine
    from harness_tui.model.agent_event import AgentEvent
    from harness_tui.rules.hard_stop.monitor import Monitor

    class _Reader(Protocol):
        def read(self, line: bytes) -> tuple[AgentEvent, ...]: ...


ABOUT = (
    "Judge the events of an agent's run by the hard-stop triggers, or a PLAN.md by the refusals in it and by how its "
    "Blocker was left. Exit 1 when a trigger fired, or the way out of a stop was not taken to its end."
)
EXAMPLES = (
    "  harness-tui guard hard-stop --events events.ndjson --steps 100\n"
    "  harness-tui guard hard-stop --from claude --events agent.jsonl --owned-paths src/kiln/ tests/kiln.py\n"
    "  opencode run --format json 'go on' | harness-tui guard hard-stop --from opencode --events -\n"
    "  harness-tui guard hard-stop --plan PLAN.md --stopped --committed --headless"
)
_CHUNK: Final = 1 << 16


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `guard hard-stop`."""
    parser.add_argument(
        "path", nargs="?", default="", metavar="PATH",
        help="the folder that absolute paths of the events lie in (default: as the run itself names it)",
    )  # fmt: skip
    parser.add_argument("--events", metavar="FILE", help="one event a line; - is standard input")
    parser.add_argument("--plan", metavar="FILE", help="a PLAN.md: whether its code reviews are deadlocked")
    parser.add_argument(
        "--from", dest="source", choices=("events", "claude", "opencode"), default="events",
        help="what the lines are: normalised events (default), or the raw output of an agent",
    )  # fmt: skip
    parser.add_argument("--steps", type=_steps, metavar="N", help="the agent's own limit of steps")
    parser.add_argument(
        "--owned-paths",
        nargs="+",
        action="extend",
        default=[],
        metavar="P",
        help="files, folders and patterns of the task",
    )
    parser.add_argument(
        "--validation-commands", nargs="+", action="extend", default=[], metavar="CMD",
        help="commands that build or test, besides the known ones",
    )  # fmt: skip
    parser.add_argument("--task", default="", metavar="T", help="the task, for the warning about its scope")
    parser.add_argument("--description", default="", metavar="T", help="what the task is to change, in its own words")
    parser.add_argument(
        "--variant", choices=("pr108", "orchestrated"), default="pr108",
        help="orchestrated: neither a step budget nor a reviewer deadlock",
    )  # fmt: skip
    parser.add_argument("--stopped", action="store_true", help="judge how the Blocker in the plan was left, too")
    parser.add_argument("--committed", action="store_true", help="the Blocker was committed")
    parser.add_argument("--asked", action="store_true", help="a person was asked")
    parser.add_argument("--headless", action="store_true", help="nobody could be asked")
    parser.add_argument("--mark", default="", metavar="X", help="what stands in the box of the task that was stopped")
    parser.add_argument("--json", action="store_true", help="accepted for symmetry; the answer is always JSON")


def run(options: argparse.Namespace) -> int:
    """Print what fired and where; 1 when something did."""
    from harness_tui.cli.json_text import dump

    if options.events is None and options.plan is None:
        from harness_tui.cli.writing import usage

        raise usage("guard hard-stop", "--events or --plan is needed")
    monitor, lines = _watched(options)
    found = _answer(monitor) | lines
    if options.plan is not None:
        found |= _judged_plan(options, found)
    sys.stdout.write(dump(found) + "\n")
    return int(found["stop"] is not None or not found.get("exit", {}).get("ok", True))


def _watched(options: argparse.Namespace) -> tuple[Monitor, dict[str, int]]:
    """The events as the monitor saw them; how many lines were none, and whether the last one broke off.

    Raises `Failure` (4) when no line is one: a run of another kind must not look like one without a trigger.
    """
    from harness_tui.model.hard_stop import StopRules
    from harness_tui.rules.hard_stop.monitor import Monitor

    rules = StopRules(
        steps=options.steps,
        owned_paths=tuple(options.owned_paths),
        scope_text=f"{options.task}\n{options.description}" if options.description else "",
        commands=tuple(options.validation_commands),
        variant=options.variant,
        root=os.path.abspath(options.path) if options.path else "",  # noqa: PTH100 - a guard needs no pathlib
    )
    monitor, reader, noise, unfinished, sound = Monitor(rules), _reader(options.source), 0, 0, False
    for at, line in enumerate(_lines(options.events) if options.events is not None else ()):
        events = reader.read(line.data) if not line.cut else ()
        odd = line.cut or any(event.kind == "noise" for event in events)
        noise, unfinished, sound = noise + (odd and not line.torn), int(odd and line.torn), sound or not odd
        for event in events:
            monitor.feed(event, at)
    if noise and not sound:
        why = "no line of it is an event of this kind, so nothing was judged (--from says which kind)"
        raise Failure(options.events, why, NOT_READ)
    return monitor, {"noise": noise, "unfinished": unfinished}


def _answer(monitor: Monitor) -> dict[str, Any]:
    from harness_tui.cli.output import plain
    from harness_tui.formats.text import clean_block

    stop = monitor.stop
    found: dict[str, Any] = {"stop": None, "at": None, "signature": None}
    if stop is not None:
        signature = plain(stop.signature) if stop.signature is not None else None
        found = {"stop": stop.trigger, "at": stop.at, "signature": signature, "reason": stop.reason}
        found |= {name: value for name in ("path", "by") if (value := getattr(stop, name))}
        found |= {"error": stop.error, "tried": stop.tried, "needed": stop.needed, "guard_blocked": stop.guard_blocked}
    found |= {"warn": monitor.warnings, "breaches": monitor.breaches, "strikes": monitor.strikes}
    found |= {"steps": monitor.steps}
    return {name: clean_block(value) if isinstance(value, str) else value for name, value in found.items()}


def _judged_plan(options: argparse.Namespace, found: dict[str, Any]) -> dict[str, Any]:
    """What the plan adds: refusals, a deadlock when nothing else fired, and how its Blocker was left."""
    from harness_tui.cli.output import plain
    from harness_tui.formats.work_plan import parse_work_plan
    from harness_tui.rules.blockers import deadlocked, judge, strikes
    from harness_tui.rules.hard_stop.monitor import task_words
    from harness_tui.rules.hard_stop.way_out import check_way_out

    plan = judge(parse_work_plan(_content(options.plan), options.plan))
    refused = {task_words(task): count for task, count in strikes(plan.code_reviews).items() if task}
    more: dict[str, Any] = {"strikes": found["strikes"] | refused}
    more["plan_review_strikes"] = sum(strikes(plan.plan_reviews).values())
    stuck = deadlocked(plan)
    if stuck and found["stop"] is None and options.variant == "pr108":
        reason = f"the review refused {task_words(stuck[0])} {refused[task_words(stuck[0])]} times"
        more |= {"stop": "reviewer_deadlock", "reason": reason}
    if options.stopped:
        left = check_way_out(
            plan, committed=options.committed, asked=options.asked, headless=options.headless, mark=options.mark
        )
        more["exit"] = plain(left)
    return more


def _content(name: str) -> bytes:
    from harness_tui.workspace.files import FileError, read_file

    try:
        return read_file(name)
    except FileError as error:
        raise Failure(name, error.reason, NOT_THERE if error.gone else NOT_READ) from None


def _reader(source: str) -> _Reader:
    if source == "claude":
        from harness_tui.formats.claude_events import ClaudeEvents

        return ClaudeEvents()
    if source == "opencode":
        from harness_tui.formats.opencode_events import OpencodeEvents

        return OpencodeEvents()
    from harness_tui.formats.agent_events import PlainEvents

    return PlainEvents()


def _lines(name: str) -> Iterator[OutputLine]:
    """Lines of the file as they come, so that a run of any length can be judged."""
    from harness_tui.formats.agent_lines import LineReader

    lines = LineReader()
    try:
        with sys.stdin.buffer if name == "-" else open(name, "rb") as source:  # noqa: PTH123 - as above
            while chunk := source.read1(_CHUNK) if hasattr(source, "read1") else source.read(_CHUNK):
                yield from lines.feed(chunk)
    except FileNotFoundError:
        raise Failure(name, "there is no such file", NOT_THERE) from None
    except OSError as error:
        raise Failure(name, error.strerror or str(error), NOT_READ) from None
    if (rest := lines.close()) is not None:
        yield rest


def _steps(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number
