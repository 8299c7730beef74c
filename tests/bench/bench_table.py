"""The row table against Textual's DataTable, at 10,000 rows; and against itself at 100,000.

Run it by itself: `python tests/bench/bench_table.py [rounds]`. Both tables get the same rows in a terminal of
160 x 48 whose output goes nowhere; times are CPU seconds of the process until the screen has been written. Exits
with 1 when a ratio is over its limit.
"""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import sys
import time
from typing import NamedTuple

os.environ["TEXTUAL_FPS"] = "1000"

from sink import Sink
from textual.app import App
from textual.widgets import DataTable

from harness_tui.tui.widgets.columns import Column
from harness_tui.tui.widgets.row_table import RowTable

ROWS = 10_000
HEADS = ("ID", "Slug", "Goal", "Mode", "Depends on", "Status", "Tries", "Changed", "Note")
LIMITS = {"build": 0.02, "cell": 0.05, "page": 0.15}
FLAT = 1.3
MARGIN_MS = 1.0  # of what a timer sees, for the figures that must not grow


class Task(NamedTuple):
    cells: tuple[str, ...]


def tasks(count):
    return [
        Task((f"T-{n}", f"kiln-part-{n}", f"Fire number {n} — slowly, {n % 97} degrees an hour", "full", f"T-{n - 1}",
              "pending", str(n % 4), "12 min", "—"))
        for n in range(count)
    ]  # fmt: skip


class BenchApp(App[None]):
    def __init__(self, table):
        super().__init__(driver_class=Sink)
        self.table = table

    def compose(self):
        yield self.table


def row_table():
    columns = [
        Column(head, head, None if head in {"Goal", "Note"} else 14, min_width=10, priority=n)
        for n, head in enumerate(HEADS)
    ]
    names = ("bold", "", "", "$text-muted", "", "$text-warning", "", "", "")
    return RowTable(
        columns, key=lambda task: task.cells[0], cells=lambda task: tuple(zip(task.cells, names, strict=True))
    )


class Ours:
    def __init__(self, count):
        self.rows, self.table = tasks(count), row_table()

    def build(self):
        self.table.set_rows(self.rows)

    def cell(self, turn):
        rows = list(self.rows)
        old = rows[5].cells
        rows[5] = Task((*old[:5], f"done {turn}", *old[6:]))
        self.rows = rows
        started = time.process_time()
        self.table.set_rows(rows)
        return started

    def page(self):
        self.table.action_page_down()

    def line(self):
        self.table.action_cursor_down()


class Theirs:
    def __init__(self, count):
        self.rows, self.table = tasks(count), DataTable(cursor_type="row")

    def build(self):
        self.table.add_columns(*HEADS)
        self.keys = [self.table.add_row(*task.cells) for task in self.rows]
        self.column = self.table.ordered_columns[5].key

    def cell(self, turn):
        started = time.process_time()
        self.table.update_cell(self.keys[5], self.column, f"done {turn}")
        return started

    def page(self):
        self.table.action_page_down()

    def line(self):
        self.table.action_cursor_down()


async def painted(app, seen):
    """Wait until something has been written and nothing is left to do."""
    for _ in range(2000):
        await asyncio.sleep(0.002)
        if Sink.written > seen and not app._animator._animations and not app.screen._dirty_widgets:
            return
    raise SystemExit("nothing was painted")


async def timed(app, act):
    seen, started = Sink.written, time.process_time()
    begun = act()
    await painted(app, seen)
    return time.process_time() - (begun or started)


async def measure(kind, count):
    bench = kind(count)
    app = BenchApp(bench.table)
    app.animation_level = "none"
    found = {}
    task = asyncio.create_task(app.run_async(headless=False, size=(160, 48)))
    while not app.is_running or not app.screen.size:  # noqa: ASYNC110 - nothing says when the first frame is out
        await asyncio.sleep(0.02)
    bench.table.focus()
    await asyncio.sleep(0.1)
    gc.collect()
    found["build"] = await timed(app, bench.build)
    await asyncio.sleep(0.05)
    found["cell"] = statistics.median([await timed(app, lambda t=t: bench.cell(t)) for t in range(7)])
    found["line"] = statistics.median([await timed(app, bench.line) for _ in range(7)])
    found["page"] = statistics.median([await timed(app, bench.page) for _ in range(9)])
    app.exit()
    await task
    return found


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    found = {"ours": [], "theirs": [], "small": [], "large": []}
    for _ in range(rounds):
        found["ours"].append(asyncio.run(measure(Ours, ROWS)))
        found["theirs"].append(asyncio.run(measure(Theirs, ROWS)))
        found["small"].append(asyncio.run(measure(Ours, 1_000)))
        found["large"].append(asyncio.run(measure(Ours, 100_000)))
    bad = 0
    for what in ("build", "cell", "line", "page"):
        pairs = list(zip(found["ours"], found["theirs"], strict=True))
        ratio = statistics.median(ours[what] / theirs[what] for ours, theirs in pairs)
        times = [1000 * statistics.median(run[what] for run in found[side]) for side in ("ours", "theirs")]
        limit = LIMITS.get(what)
        over = limit is not None and ratio > limit
        bad += over
        marks = " OVER" * over
        print(f"{what:6} {times[0]:8.1f} ms  DataTable {times[1]:8.1f} ms  ratio {ratio:.3f}  limit {limit}{marks}")
    for what in ("build", "cell", "line", "page"):
        small, large = (1000 * statistics.median(run[what] for run in found[side]) for side in ("small", "large"))
        over = large > small * FLAT + MARGIN_MS
        bad += over
        marks = " OVER" * over
        print(f"{what:6} 1,000 rows {small:6.1f} ms  100,000 rows {large:6.1f} ms  ratio {large / small:.2f}{marks}")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
