"""`harness-tui stream`: drain a pool with a worker of the operator's choice."""

from __future__ import annotations

import argparse
import math
import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure, complain
from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import USAGE, refusals, usage

if TYPE_CHECKING:
    import queue
    from collections.abc import Callable, Iterator
    from types import FrameType

    from harness_tui.cli.progress import Progress
    from harness_tui.model.run import RunEnd, RunEvent, RunOptions
    from harness_tui.stream.engine import Engine
    from harness_tui.stream.workers.base import Worker

    News = queue.SimpleQueue[RunEvent | int | None]

ABOUT = (
    "Drain a pool, one task at a time: each row is given to a worker, its end is recorded in plan, log and report. "
    "STOP, SKIP, ADD and NOTE are heeded before each dispatch; Ctrl+C ends the worker and the run."
)
EXAMPLES = """\
  harness-tui stream kiln --worker 'my-agent --task {slug}'
  harness-tui stream kiln --adapter claude
  harness-tui stream kiln --adapter claude --worker 'claude --permission-mode acceptEdits'
  harness-tui stream kiln --adapter opencode --worker 'opencode run --agent build'
  harness-tui stream kiln --worker 'ssh build-box run-task {slug}'
  harness-tui stream kiln --worker 'docker run --rm -v .:/w -w /w agent {slug}'
  harness-tui stream --follow --worker ./agent.sh   the default pool, waiting for more
  harness-tui stream kiln --worker ./agent.sh --json | jq -r 'select(.kind == "result").text'

The worker's command is split into words as a shell would, and given to none. It finds its task in {task_id},
{slug}, {goal}, {mode}, and in HARNESS_TASK_ID, HARNESS_SLUG …; the last line that states a verdict counts:
DELIVERED · FAILED · BLOCKED · BLOCKED: NEEDS-HUMAN — <ask> — <unblock>.
Defaults stand in [stream] of ~/.config/harness-tui/settings.toml (worker, adapter, silence, limit …).
exit codes: 0 drained, nothing open · 1 refused, or drained with something open · 2 usage, no worker named
· 3 no such pool or worker · 4 a file could not be read or written · 5 hard stop · 130 ended by Ctrl+C, 143 by TERM,
129 by HUP"""

_SIGNALS: Final = {
    signal.SIGINT: "the operator with Ctrl+C",
    signal.SIGTERM: "SIGTERM",
    signal.SIGQUIT: "SIGQUIT",
    signal.SIGHUP: "SIGHUP, which a closing terminal sends",
}
"""What ends a run from outside, and how its log calls that."""
_MOST: Final = 10**9


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `stream`."""
    parser.add_argument(
        "pool", nargs="?", metavar="POOL", help="the pool (default: `default`, made when it is missing)"
    )
    parser.add_argument("--worker", metavar="CMD", help="the command that works on a task")
    parser.add_argument("--adapter", choices=("command", "claude", "opencode"), help="how it is talked to")
    parser.add_argument("--result-file", metavar="F", help="a file that holds its verdict; may name {slug} …")
    parser.add_argument("--silence", type=_seconds, metavar="S", help="seconds of silence that end it (default: 1800)")
    parser.add_argument("--limit", type=_seconds, metavar="S", help="seconds that one task may take (default: 14400)")
    parser.add_argument("--steps", type=_count, metavar="N", help="its own limit of steps, for the hard stop")
    parser.add_argument(
        "--variant",
        choices=("pr108", "orchestrated"),
        help="which hard-stop rules count; orchestrated also takes up a builder that was cut off, once in its session, "
        "once in a fresh one",
    )
    parser.add_argument("--epic", metavar="E", help="ask people only while the interrupt budget of this epic lasts")
    parser.add_argument("--batch", action="store_true", help="frozen plan, ends with the first failure")
    more = parser.add_mutually_exclusive_group()
    more.add_argument("--idle", type=_count, metavar="K", help="wait K empty ticks for more work before the end")
    more.add_argument("--follow", action="store_true", help="wait for more work without end")
    parser.add_argument("--tick", type=_seconds, metavar="S", help="seconds of a tick (default: 30)")
    parser.add_argument("--tolerate-fails", type=_count, default=0, metavar="N", help="FAILs of verify_all to bear")
    parser.add_argument("--no-gate", action="store_true", help="never run the project's verify_all")
    parser.add_argument("--no-retry", action="store_true", help="leave rows that an earlier run closed as failed …")
    parser.add_argument("--json", action="store_true", help="one JSON object per event")
    parser.add_argument(
        "--output-limit",
        type=_count,
        default=0,
        metavar="BYTES",
        help="begin a file that is written to anew at this size",
    )
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")


def run(options: argparse.Namespace) -> int:
    """Drain; the exit code says what is left."""
    from harness_tui.cli.progress import Progress

    if options.batch and options.pool is None:
        raise usage("stream", "a batch needs the name of its pool")
    root = workspace_root(options.path)
    found = _with_defaults(options)
    worker = _worker(found, root)
    wanted = _run_options(options, found)
    with refusals(root):
        return _drive(root, worker, wanted, Progress(json=options.json, limit=options.output_limit))


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:  # noqa: PLR2004 - below a thousand million
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)


def _with_defaults(options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says, and the settings file where it says nothing."""
    from harness_tui.workspace.settings import SettingsError, stream_settings

    try:
        found = dict(stream_settings())
    except SettingsError as error:
        raise Failure(str(error.path), str(error), NOT_READ) from error
    if options.worker is not None or options.adapter is not None:
        found.pop("worker", None)
        found.pop("adapter", None)
    names = ("worker", "adapter", "result_file", "silence", "limit", "steps", "variant", "idle", "tick")
    given = {name: getattr(options, name) for name in names}
    return found | {name: value for name, value in given.items() if value is not None}


def _worker(found: dict[str, Any], root: Path) -> Worker:
    """The worker that is wanted. Raises `Failure`: a program that is missing would fail every row."""
    from harness_tui.stream.workers.agent import Settings
    from harness_tui.stream.workers.choose import make_worker, missing_program
    from harness_tui.stream.workers.process import Limits

    command, adapter = found.get("worker", ""), found.get("adapter", "command")
    if adapter == "command" and not command:
        why = "a worker is needed: --worker CMD, --adapter claude|opencode, or worker in the settings file"
        raise Failure("stream", f"{why}; see harness-tui stream --help", USAGE)
    limits = Limits()
    limits = Limits(found.get("silence", limits.silence), found.get("limit", limits.total))
    settings = Settings(limits, found.get("steps"), found.get("variant", "pr108"))
    try:
        worker = make_worker(adapter, command, settings, result_file=found.get("result_file", ""))
    except ValueError as error:
        raise Failure("--worker", str(error), USAGE) from error
    missing = missing_program(adapter, command, root)
    if missing:
        raise Failure("--worker", f"{missing}: there is no such program", NOT_THERE)
    return worker


def _run_options(options: argparse.Namespace, found: dict[str, Any]) -> RunOptions:
    from harness_tui.model.run import RunOptions

    return RunOptions(
        pool=options.pool, batch=options.batch, idle=0 if options.follow else found.get("idle", 0),
        tick=found.get("tick", RunOptions().tick), follow=options.follow, epic=options.epic,
        tolerate=options.tolerate_fails, gate=not options.no_gate, retry=not options.no_retry,
    )  # fmt: skip


def _drive(root: Path, worker: Worker, options: RunOptions, progress: Progress) -> int:
    """Run the engine in a thread of its own, and tell of it in this one, which hears the signals."""
    import queue
    import threading

    from harness_tui.model.refusal import Refused
    from harness_tui.stream.engine import Engine
    from harness_tui.workspace.orphans import adopting

    news: News = queue.SimpleQueue()
    ended: list[RunEnd] = []
    failed: list[BaseException] = []
    engine = Engine(root, worker, options, on_event=news.put)

    def work() -> None:
        try:
            ended.append(engine.run())
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            failed.append(error)
        finally:
            news.put(None)

    thread = threading.Thread(target=work, name="harness-tui engine")
    with adopting(), _heard(news.put):
        thread.start()
        number = _follow(news, progress, engine)
        thread.join()
    if failed:
        if number and isinstance(failed[0], Refused):  # it was ended before it had begun
            return 128 + number
        raise failed[0]
    end = ended[0]
    code = 128 + number if number and end.state == "cancelled" else end.code
    progress.ended(end, code)
    if end.state == "write-error":
        complain("the run can't go on", end.reason)
    return code


def _follow(news: News, progress: Progress, engine: Engine) -> int:
    """Tell of events until there are no more; returns the signal by which the operator ended the run, 0 without one."""
    import queue

    ended_by = 0
    while True:
        try:
            item = news.get(timeout=1.0 if progress.live else None)
        except queue.Empty:
            progress.refresh()
            continue
        if item is None:
            return ended_by
        if isinstance(item, int):
            ended_by = item
            engine.end(_SIGNALS[signal.Signals(item)])
            progress.say("ending the worker, then the run …")
        else:
            progress.tell(item)


@contextmanager
def _heard(tell: Callable[[int], None]) -> Iterator[None]:
    """While this is open, signals that end a program are told instead."""

    def heard(number: int, _frame: FrameType | None) -> None:
        tell(number)

    old = {number: signal.signal(number, heard) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
        sys.stdout.flush()
