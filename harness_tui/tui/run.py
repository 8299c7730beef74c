"""Opens the dashboard and leaves the terminal as it was, whatever happens."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.store.store import Store
from harness_tui.tui import view_state
from harness_tui.tui.early_signals import EarlySignals
from harness_tui.tui.lean_imports import import_textual
from harness_tui.tui.preview import Preview, draw
from harness_tui.tui.sizes import terminal_size
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.app import Dashboard
    from harness_tui.workspace.live import Health

_PATIENCE: Final = 0.25
"""Seconds that a preview of the first rows may take to read; after that the dashboard itself comes as soon."""


def run_dashboard(
    root: Path,
    *,
    pool: str | None = None,
    theme: str | None = None,
    mouse: bool = True,
    bell: bool = False,
    notify: bool = False,
    read_only: bool = False,
) -> int:
    """Show the workspace at `root` until the operator leaves.

    Returns 0, 128 + n when signal n ended it, or 1 when the program itself failed.
    """
    # Reading begins before Textual is imported, so that the first frame has something to show.
    store = Store()
    first = threading.Event()

    def publish(snapshot: Snapshot) -> None:
        store.replace(snapshot)
        first.set()

    health: list[Callable[[Health], None]] = []
    live = Live(root, publish, lambda news: health[0](news) if health else None)
    live.hold()
    live.start()
    preview, signals = Preview(), EarlySignals()
    signals.catch()
    try:
        if first.wait(_PATIENCE) and store.snapshot is not None:
            state = view_state.load(root)
            look = f"harness-{theme}" if theme else state.theme
            preview.show(draw(store.snapshot, pool or state.pool, look, terminal_size(), os.environ))
        import_textual()
        from harness_tui.tui.acting import why_read_only  # noqa: PLC0415 - as below
        from harness_tui.tui.announcer import Announcer  # noqa: PLC0415 - after the reader was started
        from harness_tui.tui.app import Dashboard  # noqa: PLC0415 - 0.3 s, while the first rows can be read
        from harness_tui.tui.driver import CarefulDriver  # noqa: PLC0415 - imports Textual, too

        app = Dashboard(root, store, live, pool=pool, theme=theme, announcer=Announcer(bell=bell, notify=notify))
        app.read_only = why_read_only(root, wanted=read_only)
        health.append(app.hear_health)
        CarefulDriver.preview, CarefulDriver.signals = preview, signals
        signals.hold()  # until the driver has the terminal
        try:
            app.run(mouse=mouse)
        finally:  # a signal during the start may have cut Textual's own way out short
            app.leave_terminal()
    except Exception:
        if signals.came:  # in the middle of an import even SystemExit may come out as an error of that import
            raise SystemExit(128 + signals.came[0]) from None
        raise
    finally:
        preview.close()
        live.stop()
        gc.enable()
    return _code(app)


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
