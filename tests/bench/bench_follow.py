"""Following a log of 10,000 lines a second, looked at ten times a second: the line view against Textual's Log.

Run it by itself: `python tests/bench/bench_follow.py [rounds]`. A look takes in 1,000 new lines in a terminal of
160 x 48 whose output goes nowhere; what counts are CPU seconds of the process until the screen has been written.
Also: a look at a million known lines must cost what one at a thousand costs, a hidden view nothing. Exits with 1
when a limit is passed.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time

os.environ["TEXTUAL_FPS"] = "1000"

from sink import Sink
from textual.app import App
from textual.widgets import Log, RichLog

from harness_tui.tui.widgets.line_source import Line
from harness_tui.tui.widgets.line_view import LineView

LOOK = 1_000
LOOKS = 20
FLAT = 1.3
HIDDEN = 0.05
MARGIN_MS = 1.0


class Numbers:
    """A log of any length of which every line is in memory."""

    def __init__(self, total):
        self.total = total

    def get(self, line, /):
        return Line(
            f"2026-11-30 10:{line // 60 % 60:02}:{line % 60:02} · T-{line} · dispatch — stage {line}", "$text-accent"
        )

    def want(self, start, stop, /):
        raise AssertionError


class FollowApp(App[None]):
    def __init__(self, view):
        super().__init__(driver_class=Sink)
        self.view = view

    def compose(self):
        yield self.view


class Ours:
    def __init__(self, total=1_000):
        self.source = Numbers(total)
        self.view = LineView(self.source, follow=True)

    def look(self):
        self.source.total += LOOK
        self.view.grew(self.source.total)


class TheirLog:
    widget = Log

    def __init__(self):
        self.source = Numbers(0)
        self.view = self.widget(max_lines=2000)

    def look(self):
        start = self.source.total
        self.source.total += LOOK
        self.write([self.source.get(line).text for line in range(start, start + LOOK)])

    def write(self, texts):
        self.view.write_lines(texts)


class TheirRichLog(TheirLog):
    widget = RichLog

    def write(self, texts):
        for text in texts:
            self.view.write(text)


async def measure(bench, *, hidden=False):
    """Milliseconds of CPU for one look, median."""
    app = FollowApp(bench.view)
    task = asyncio.create_task(app.run_async(headless=False, size=(160, 48)))
    while not app.is_running or not app.screen.size:  # noqa: ASYNC110 - nothing says when the first frame is out
        await asyncio.sleep(0.02)
    bench.view.display = not hidden
    await asyncio.sleep(0.2)
    found = []
    for _ in range(LOOKS):
        seen, started = Sink.written, time.process_time()
        bench.look()
        for _ in range(10 if hidden else 2000):
            await asyncio.sleep(0.002)
            if Sink.written > seen and not app.screen._dirty_widgets:
                break
        found.append(1000 * (time.process_time() - started))
        await asyncio.sleep(0.01)
    app.exit()
    await task
    return statistics.median(found)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    makers = {
        "ours": Ours,
        "log": TheirLog,
        "richlog": TheirRichLog,
        "large": lambda: Ours(1_000_000),
    }
    found = {name: [] for name in [*makers, "hidden"]}
    for _ in range(rounds):
        for name, make in makers.items():
            found[name].append(asyncio.run(measure(make())))
        found["hidden"].append(asyncio.run(measure(Ours(), hidden=True)))
    mid = {name: statistics.median(times) for name, times in found.items()}
    for name, value in mid.items():
        print(
            f"{name:8} {value:7.2f} ms a look, {value:5.1f} % of a core at ten a second, {value / mid['log']:.2f} x Log"
        )
    bad = [
        name
        for name, over in {
            "dearer than Log": mid["ours"] > mid["log"],
            "grows with the log": mid["large"] > FLAT * mid["ours"] + MARGIN_MS,
            "works while hidden": mid["hidden"] > HIDDEN * mid["ours"] + MARGIN_MS,
        }.items()
        if over
    ]
    print(*bad, sep="\n")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
