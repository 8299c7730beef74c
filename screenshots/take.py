"""Takes the pictures of the README: the real dashboard on the demo's workspace, at a fixed point of its story.

`python screenshots/take.py [NAME …] [--png] [--out FOLDER]` writes the SVGs beside this file. `--png` also writes PNGs
(needs cairosvg), which is how a change of the looks is judged.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.demo import workspace
from harness_tui.demo.script import Actor
from harness_tui.store.store import Store
from harness_tui.tui.app import Dashboard
from harness_tui.workspace.live import Live

if TYPE_CHECKING:
    from collections.abc import Iterator

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Picture:
    """`rests` of the story are played first, then the keys are pressed."""

    name: str
    size: tuple[int, int] = (120, 40)
    keys: tuple[str, ...] = ()
    rests: int = 74
    theme: str = "dark"


PICTURES = (
    Picture("dashboard"),
    Picture("dashboard-80x24", (80, 24)),
    Picture("dashboard-200x60", (200, 60)),
    Picture("why", keys=("full_stop", "1", "j", "c")),
    Picture("document", keys=("g", "2", "o")),
    Picture("graph", keys=("x",)),
    Picture("light", theme="light"),
    Picture("contrast", theme="contrast"),
)


class Clock:
    """Time of the story: it goes on by each rest, and nothing waits."""

    def __init__(self, rests: int) -> None:
        self.now = START
        self._left = rests
        self.held = threading.Event()
        self.over = threading.Event()

    def sleep(self, seconds: float) -> bool:
        """Let `seconds` pass at once; after the last rest the story is held until it is over."""
        self.now += timedelta(seconds=seconds * 40)
        self._left -= 1
        if self._left <= 0:
            self.held.set()
            self.over.wait()
            return True
        return False


@contextmanager
def played(rests: int) -> Iterator[tuple[Path, Clock]]:
    """The demo's workspace after so many rests of its story; its run is alive meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "wheelhouse")
        clock = Clock(rests)
        workspace.build(root, START)
        actor = Actor(root, loop=False, sleep=clock.sleep, now=lambda: clock.now)
        actor.start()
        clock.held.wait(30)
        for path in root.rglob("*"):
            os.utime(path, (clock.now.timestamp(), clock.now.timestamp()))
        try:
            yield root, clock
        finally:
            clock.over.set()
            actor.stop()


async def take(picture: Picture, out: Path, *, png: bool) -> None:
    """Write one picture."""
    with played(picture.rests) as (root, clock):
        store = Store()
        live = Live(root, store.replace)
        live.start()
        app = Dashboard(root, store, live, theme=picture.theme, now=lambda: clock.now + timedelta(seconds=95))
        try:
            async with app.run_test(size=picture.size) as pilot:
                while app.snapshot is None or app.snapshot.git is None:
                    await pilot.pause(0.05)
                for key in picture.keys:
                    await pilot.press(key)
                    await pilot.pause(0.3)
                await pilot.pause(0.5)
                svg = app.export_screenshot(title="harness-tui")
        finally:
            live.stop()
    svg = re.sub(r"terminal-\d+", "terminal", svg)
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
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        for picture in PICTURES:
            if not options.names or picture.name in options.names:
                asyncio.run(take(picture, options.out, png=options.png))
                print(f"{picture.name}.svg")


if __name__ == "__main__":
    main()
