"""`harness-tui demo`: a sample workspace, a real run in it with a scripted worker, and the dashboard on top."""

from __future__ import annotations

import argparse
import signal
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.cli import arguments
from harness_tui.cli.commands.dashboard import show
from harness_tui.cli.diagnostics import NOT_READ, Failure, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_NAME = "wheelhouse"
_USAGE = 2
ABOUT = (
    "Make a sample workspace, drain its pool with a scripted worker, and open the dashboard on it. The keys that write "
    "steer the run; when it has ended, whatever you send begins the next one. Nothing outside is touched."
)
EXAMPLES = "  harness-tui demo\n  harness-tui demo --speed 4\n  harness-tui demo --dir /tmp/kiln   keep the workspace"


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `demo`."""
    parser.add_argument(
        "--dir", type=Path, metavar="D", help="build the workspace here and keep it (default: a temporary folder)"
    )
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="how many times as fast (default: 1)")
    arguments.look(parser)


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 1000:  # noqa: PLR2004 - the range is in the message
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0.01 to 1000")
    return value


def run(options: argparse.Namespace) -> int:
    """Run the demo below the dashboard that the options want."""
    return play(options.dir, options.speed, lambda folder: show(folder, options))


def play(directory: Path | None, speed: float, dashboard: Callable[[Path], int]) -> int:
    """Run the demo until `dashboard`, opened on the workspace, returns; its exit code is that of the command.

    Without `directory` the workspace lies in a temporary folder that is removed at the end, after an error or a signal
    too. A given one must be empty or not exist, and stays. Raises Failure when it is neither, when `speed` is not
    greater than 0, and when the workspace cannot be written.
    """
    _check(directory, speed)
    with _signals_unwind():
        if directory is not None:
            return _play(directory, speed, dashboard)
        with tempfile.TemporaryDirectory(prefix="harness-tui-demo-", ignore_cleanup_errors=True) as name:
            return _play(Path(name) / _NAME, speed, dashboard)


def _play(folder: Path, speed: float, dashboard: Callable[[Path], int]) -> int:
    from harness_tui.demo import workspace
    from harness_tui.demo.run import Run
    from harness_tui.model.refusal import Refused
    from harness_tui.stream.ending import end_run, run_to_end
    from harness_tui.workspace.atomic import WriteError

    try:
        workspace.build(folder)
    except OSError as error:
        raise Failure(str(error.filename or folder), error.strerror or str(error), NOT_READ) from error
    stream = Run(folder, speed=speed)
    stream.start()
    try:
        return dashboard(folder)
    finally:
        stream.stop()
        with suppress(Refused, WriteError):  # one that was started by a key is a process of its own
            end_run(folder, run_to_end(folder))
        for fault in stream.errors:
            complain("demo", f"the run broke off: {fault}")


def _check(directory: Path | None, speed: float) -> None:
    if not speed > 0:
        raise Failure("--speed", f"must be greater than 0, not {speed:g}", _USAGE)
    if directory is None or not directory.exists():
        return
    if not directory.is_dir():
        raise Failure(str(directory), "is no folder", _USAGE)
    if any(directory.iterdir()):
        raise Failure(str(directory), "is not empty; give an empty folder or one that does not exist", _USAGE)


@contextmanager
def _signals_unwind() -> Iterator[None]:
    """While this is open, SIGTERM and SIGHUP unwind the program as Ctrl+C does, so that nothing is left behind."""
    old = {number: signal.signal(number, _leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
