"""The first rows in plain escape codes, on the screen until the dashboard, which takes Textual to import, covers them.

Rows stand where the dashboard will put them and say what it will say, so nothing moves at the hand-over.
"""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from rich.cells import set_cell_size

from harness_tui.formats.text import clean
from harness_tui.rules.interest import of_interest
from harness_tui.rules.stream import shown_status
from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.sizes import LEAST, STACKED, WIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.stream import Stream

ENTER: Final = "\x1b[?1049h"
"""Goes to the alternate screen. Written a second time it would clear it."""
_LEAVE: Final = b"\x1b[0m\x1b[?25h\x1b[?1049l"
COLOURS: Final = {
    "harness-dark": ("#d5dae1", "#0f1318"),
    "harness-light": ("#1d232b", "#fbfbf9"),
    "harness-contrast": ("#ffffff", "#000000"),
}
"""Text and background of each theme."""
_INPUT, _OUTPUT = 0, 1


class Preview:
    """Draws on the alternate screen of the terminal, until the driver of the dashboard takes it over."""

    def __init__(self) -> None:
        self.up = False
        """Whether the alternate screen is ours."""
        self._attributes: list[Any] | None = None

    def show(self, drawing: str) -> None:
        """Draw, and keep keys from being echoed into it: they wait for the dashboard, in the order of typing."""
        if not drawing:
            return
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(_INPUT) != os.getpgrp():  # in the background the terminal is not ours
                return
            self._attributes = termios.tcgetattr(_INPUT)
            silent = list(self._attributes)
            silent[0] &= ~(termios.ICRNL | termios.IXON)
            silent[3] &= ~(termios.ECHO | termios.ICANON)
            silent[6] = list(silent[6])
            silent[6][termios.VSUSP] = os.fpathconf(_INPUT, "PC_VDISABLE").to_bytes()  # Ctrl+Z waits, too
            self.up = True  # first: a signal may come at any moment, and what was begun is undone by `close`
            signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # the driver hears of it later
            termios.tcsetattr(_INPUT, termios.TCSANOW, silent)
            _write(drawing.encode())

    def hand_over(self, attributes: list[Any] | None) -> list[Any] | None:
        """Whoever draws from now on puts the terminal back: to the attributes given back, if not to its own."""
        was_up, self.up = self.up, False
        return self._attributes if was_up else attributes

    def close(self) -> None:
        """Put the terminal back if nobody took it over."""
        if self.up:
            self.up = False
            with suppress(OSError, termios.error):
                _write(_LEAVE)
                termios.tcsetattr(_INPUT, termios.TCSANOW, self._attributes or termios.tcgetattr(_INPUT))
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)


def _write(data: bytes) -> None:
    """Unbuffered: nothing is left over that would be written after the terminal was put back."""
    while data:
        data = data[os.write(_OUTPUT, data) :]


def draw(snapshot: Snapshot, wanted: str, theme: str, size: os.terminal_size, env: Mapping[str, str]) -> str:
    """The pool that the dashboard will open, at the row that it will show; empty where it will show something else."""
    pools = {pool.id: pool for pool in snapshot.pools}
    pool = pools.get(wanted) or pools.get(snapshot.stream.pool_id or "") or next(iter(pools.values()), None)
    if pool is None or not pool.tasks or size.columns < LEAST[0] or size.lines < LEAST[1]:
        return ""
    wide, stacked = size.columns >= WIDE, size.columns >= STACKED[0] and size.lines >= STACKED[1]
    width = size.columns * 3 // 5 if wide and stacked else size.columns
    first = (6 if wide and stacked else 7) + bool(snapshot.pending)  # unread signals have a line of their own
    body = size.lines - first + 2
    rows = (body * 3 // 5 if wide else body // 2) - 3 if stacked else body - 3
    lines = {1: _heading(snapshot, pool)}
    cursor = of_interest(pool.tasks)
    top = max(0, cursor - rows + 1)
    ids = max(4, min(12, max(len(task.id) for task in pool.tasks[:200])))
    for index, task in enumerate(pool.tasks[top : top + rows], top):
        lines[first + index - top] = ("▌" if index == cursor else " ") + _row(task, ids, snapshot.streams.get(pool.id))
    drawn = (f"\x1b[{y};2H{set_cell_size(clean(text), width - 2)}" for y, text in lines.items())
    return f"{ENTER}\x1b[?25l{_colours(theme, env)}\x1b[2J{''.join(drawn)}\x1b[H"


def _heading(snapshot: Snapshot, pool: Pool) -> str:
    name = snapshot.root.rstrip("/").rsplit("/", 1)[-1] or "/"
    return f"{name}  {pool.kind} pool {pool.id}"


def _row(task: Task, ids: int, stream: Stream | None) -> str:
    status = shown_status(task.effective_status, stream)
    words = f"{STATUS_SIGN[status]} {status:11}"
    drift = "≠" if task.drift else "!" if any(problem.severity == "error" for problem in task.problems) else " "
    return f"{set_cell_size(clean(task.id), ids)} {words} {drift} {clean(task.slug)}"


def _colours(theme: str, env: Mapping[str, str]) -> str:
    """The colours of the theme where the terminal surely has them, else its own."""
    if env.get("NO_COLOR") or env.get("COLORTERM", "").lower() not in ("truecolor", "24bit"):
        return "\x1b[0m"
    pair = COLOURS.get(theme, COLOURS["harness-dark"])
    text, ground = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in pair)
    return "\x1b[0;38;2;{};{};{};48;2;{};{};{}m".format(*text, *ground)
