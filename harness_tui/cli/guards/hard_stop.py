"""`harness-tui guard hard-stop`: whether an agent had to stop, by the events of its run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from harness_tui.formats.agent_lines import OutputLine
    from harness_tui.model.agent_event import AgentEvent
    from harness_tui.rules.hard_stop.monitor import Monitor

ABOUT = "Judge the events of an agent's run by the hard-stop triggers. Exit 1 when one fired."
EXAMPLES = (
    "  harness-tui guard hard-stop --events events.ndjson --steps 100\n"
    "  harness-tui guard hard-stop --from claude --events agent.jsonl --owned-paths src/kiln/ tests/kiln.py\n"
    "  opencode run --format json 'go on' | harness-tui guard hard-stop --from opencode --events -"
)
_CHUNK: Final = 1 << 16


class _Reader(Protocol):
    def read(self, line: bytes) -> tuple[AgentEvent, ...]: ...


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `guard hard-stop`."""
    parser.add_argument(
        "path", nargs="?", default="", metavar="PATH",
        help="the folder that absolute paths of the events lie in (default: as the run itself names it)",
    )  # fmt: skip
    parser.add_argument("--events", required=True, metavar="FILE", help="one event a line; - is standard input")
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
    parser.add_argument("--json", action="store_true", help="accepted for symmetry; the answer is always JSON")


def run(options: argparse.Namespace) -> int:
    """Print what fired and where; 1 when something did."""
    from harness_tui.model.hard_stop import StopRules
    from harness_tui.rules.hard_stop.monitor import Monitor

    rules = StopRules(
        steps=options.steps,
        owned_paths=tuple(options.owned_paths),
        scope_text=f"{options.task}\n{options.description}" if options.description else "",
        commands=tuple(options.validation_commands),
        variant=options.variant,
        root=str(Path(options.path).absolute()) if options.path else "",
    )
    monitor, reader, noise = Monitor(rules), _reader(options.source), 0
    for at, line in enumerate(_lines(options.events)):
        events = reader.read(line.data) if not line.cut else ()
        noise += line.cut or any(event.kind == "noise" for event in events)
        for event in events:
            monitor.feed(event, at)
    from harness_tui.cli.output import dump

    sys.stdout.write(dump(_answer(monitor, noise)) + "\n")
    return int(monitor.stop is not None)


def _answer(monitor: Monitor, noise: int) -> dict[str, Any]:
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
    found |= {"steps": monitor.steps, "noise": noise}
    return {name: clean_block(value) if isinstance(value, str) else value for name, value in found.items()}


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
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as source:
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
