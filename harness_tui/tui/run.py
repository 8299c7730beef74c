"""Opens the dashboard and leaves the terminal as it was, whatever happens."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from harness_tui.store.store import Store
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.tui.app import Dashboard
    from harness_tui.workspace.live import Health

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)


def run_dashboard(
    root: Path,
    *,
    pool: str | None = None,
    theme: str | None = None,
    mouse: bool = True,
    bell: bool = False,
    notify: bool = False,
) -> int:
    """Show the workspace at `root` until the operator leaves.

    Returns 0, 128 + n when signal n ended it, or 1 when the program itself failed.
    """
    # Reading begins before Textual is imported, so that the first frame has something to show.
    store = Store()
    health: list[Callable[[Health], None]] = []
    live = Live(root, store.replace, lambda news: health[0](news) if health else None)
    live.hold()
    live.start()
    try:
        from harness_tui.tui.announcer import Announcer  # noqa: PLC0415 - after the reader was started
        from harness_tui.tui.app import Dashboard  # noqa: PLC0415 - 0.3 s, while the reader is already at work

        app = Dashboard(root, store, live, pool=pool, theme=theme, announcer=Announcer(bell=bell, notify=notify))
        health.append(app.hear_health)
        _catch_signals()
        try:
            app.run(mouse=mouse)
        except SystemExit:  # a signal between the first drawing and the moment when the dashboard catches it itself
            app.leave_terminal()
            raise
    finally:
        live.stop()
        gc.enable()
    return _code(app)


def _catch_signals() -> None:
    """Before the dashboard catches them itself, these signals raise, so that whatever was begun is undone."""

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


def _code(app: Dashboard) -> int:
    code = app.return_code
    if code and code > 128:  # noqa: PLR2004 - shells say signals that way
        # A terminal that is gone can't be written to any more, not even on the way out.
        with suppress(OSError):
            sys.stdout.flush()
        if app.terminal_lost:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code or 0
