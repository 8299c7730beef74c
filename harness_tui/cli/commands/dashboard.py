"""`harness-tui [PATH]`: the dashboard, or its plain twin where there is no screen to draw on."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from harness_tui.cli.diagnostics import NOT_THERE, Failure

if TYPE_CHECKING:
    import argparse
    from pathlib import Path


def run(options: argparse.Namespace) -> int:
    """Open the workspace around the given path."""
    from harness_tui.workspace.layout import find_root

    if not options.path.exists():
        from harness_tui.cli.parser import command_meant

        raise Failure(str(options.path), f"no such file or folder{command_meant(str(options.path))}", NOT_THERE)
    root = find_root(options.path) or options.path.resolve()
    return show(root, options)


def show(root: Path, options: argparse.Namespace) -> int:
    """The dashboard on `root`, as the options want it."""
    if options.plain or not drawable():
        from harness_tui.cli.plain import run_plain

        return run_plain(root, options.pool)
    # Until the first frame is drawn the collector would only walk over what the imports leave for good.
    gc.disable()
    from harness_tui.tui.run import run_dashboard

    mouse = not (options.no_mouse or os.environ.get("NO_MOUSE"))
    return run_dashboard(
        root, pool=options.pool, theme=options.theme, mouse=mouse, bell=options.bell, notify=options.notify,
        read_only=options.read_only,
    )  # fmt: skip


def drawable() -> bool:
    """Whether there is a terminal on both ends that can place text."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
