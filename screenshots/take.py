"""Takes the pictures of the README: the real dashboard on the demo's workspace, at a fixed point of its story.

`python screenshots/take.py [NAME …] [--png] [--out FOLDER]` writes the SVGs beside this file. `--png` also writes PNGs
(needs cairosvg), which is how a change of the looks is judged.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.demo import workspace
from harness_tui.demo.run import Run
from harness_tui.store.store import Store
from harness_tui.stream import clock as machine
from harness_tui.tui.app import Dashboard
from harness_tui.workspace import claims, mailbox, process, reader
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.pilot import Pilot

KEYS = {" ": "space", "-": "minus"}
PID = 4711
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Picture:
    """`rests` of the story are played first, then the keys are pressed; with `loop` there is a control loop, too.

    Among the keys, `type:TEXT` types a text and `play:N` lets the story go on for N rests.
    """

    name: str
    size: tuple[int, int] = (120, 40)
    keys: tuple[str, ...] = ()
    rests: int = 52
    theme: str = "dark"
    loop: bool = False


SERIES = (100, 26)
ADD = ("A", "type:glaze-export", "enter", "type:Write the glaze table as CSV", "enter")
PICTURES = (
    Picture("dashboard"),
    Picture("dashboard-80x24", (80, 24)),
    Picture("dashboard-200x60", (200, 60)),
    Picture("why", keys=("full_stop", "1", "j", "c")),
    Picture("document", keys=("g", "2", "o")),
    Picture("graph", keys=("x",)),
    Picture("control", keys=("6",), rests=40, loop=True),
    Picture("add-1-preview", SERIES, ADD, 40),
    Picture("add-2-unread", SERIES, (*ADD, "enter"), 40),
    Picture("add-3-in-effect", SERIES, (*ADD, "enter", "play:22", "1", "end"), 40),
    Picture("signals", SERIES, (*ADD, "enter", "play:22", "8"), 40),
    Picture("light", theme="light"),
    Picture("contrast", theme="contrast"),
)


class Clock(machine.Clock):
    """Time of the story: it goes on by each rest, and nothing waits."""

    def __init__(self, rests: int) -> None:
        self.at = START
        self._left = rests
        self._over = False
        self._go = threading.Event()
        self._held = threading.Event()

    def now(self) -> datetime:
        """The time of the story."""
        return self.at

    def monotonic(self) -> float:
        """The same in seconds."""
        return self.at.timestamp()

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Let `seconds` pass at once; after the last rest the story is held. Whether `event` is set."""
        self.at += timedelta(seconds=seconds * 40)
        os.environ["SOURCE_DATE_EPOCH"] = f"{self.at.timestamp():.0f}"  # heeded by the project's own check
        self._left -= 1
        if self._left == 1:
            time.sleep(0.6)  # so that the lease takes note of what the worker does at the point that is shown
        while self._left <= 0 and not self._over:
            self._held.set()
            self._go.wait()
            self._go.clear()
        return event.is_set() or self._over

    def held(self) -> None:
        """Wait until the story is held."""
        self._held.wait(30)

    def play(self, rests: int) -> None:
        """Let the story go on for some rests."""
        self._held.clear()
        self._left = rests
        self._go.set()
        self.held()

    def end(self) -> None:
        """End the story."""
        self._over = True
        self._go.set()


@contextmanager
def played(rests: int, files: dict[str, str]) -> Iterator[tuple[Path, Clock]]:
    """The demo's workspace with `files` after so many rests of its story; its run is alive meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "wheelhouse")
        clock = Clock(rests)
        workspace.build(root, START)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = Run(root, clock=clock)
        run.start()
        clock.held()
        date(root, clock)
        try:
            yield root, clock
        finally:
            clock.end()
            run.stop()


def control_loop() -> dict[str, str]:
    """The control loop of the tests, which the second of its guards stops."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from support import loop

    stopped: dict[str, str] = loop.STOPPED
    return stopped


def pin_machine() -> None:
    """Let machine, operator and process have one name whoever takes the pictures; the process still proves its life."""
    real, state_of = os.getpid(), process.process_state
    os.getpid = lambda: PID
    process.process_state = lambda pid, *proc: state_of(real if pid == PID else pid, *proc)
    process.own_host = socket.gethostname = lambda: "workshop"
    os.environ["USER"] = "operator"
    os.environ["TZ"] = "UTC"
    time.tzset()


def date(root: Path, clock: Clock) -> None:
    """Let every file be of the time of the story."""
    time.sleep(0.5)  # until the engine has written what it gathers
    for path in root.rglob("*"):
        os.utime(path, (clock.at.timestamp(), clock.at.timestamp()))


async def press(pilot: Pilot[None], key: str, root: Path, clock: Clock) -> None:
    """One step of a picture."""
    kind, _, rest = key.partition(":")
    if kind == "type":
        await pilot.press(*(KEYS.get(char, char) for char in rest))
    elif kind == "play":
        await asyncio.to_thread(clock.play, int(rest))
        date(root, clock)
        await pilot.pause(2.5)  # until every file was looked at again
    else:
        await pilot.press(key)
    await pilot.pause(0.6)


async def take(picture: Picture, out: Path, *, png: bool) -> None:
    """Write one picture."""
    with played(picture.rests, control_loop() if picture.loop else {}) as (root, clock):
        for module in (mailbox, claims, reader):
            module.datetime = type(  # type: ignore[attr-defined]
                "StoryTime", (datetime,), {"now": staticmethod(lambda _zone: clock.at)}
            )
        store = Store()
        live = Live(root, store.replace)
        live.start()
        app = Dashboard(root, store, live, theme=picture.theme, now=lambda: clock.at + timedelta(seconds=95))
        try:
            async with app.run_test(size=picture.size) as pilot:
                while app.snapshot is None or app.snapshot.git is None:
                    await pilot.pause(0.05)
                for key in picture.keys:
                    await press(pilot, key, root, clock)
                await pilot.pause(0.5)
                svg = app.export_screenshot(title="harness-tui")
        finally:
            live.stop()
    svg = re.sub(
        r"terminal-\d+", "terminal", svg
    )  # a checksum in each class: one changed letter would change all lines
    (out / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
    if png:
        import cairosvg

        plain = re.sub(r"@font-face \{[^}]*\}", "", svg).replace("Fira Code", "DejaVu Sans Mono")
        width = min(1900, picture.size[0] * 11)
        cairosvg.svg2png(bytestring=plain.encode(), write_to=str(out / f"{picture.name}.png"), output_width=width)


def main() -> None:
    """Take the pictures that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(picture.name for picture in PICTURES))
    parser.add_argument("--png", action="store_true", help="also write PNGs")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    options = parser.parse_args()
    pin_machine()
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        for picture in PICTURES:
            if not options.names or picture.name in options.names:
                asyncio.run(take(picture, options.out, png=options.png))
                print(f"{picture.name}.svg")


if __name__ == "__main__":
    main()
