"""The whole program in a real terminal against floors in the same run.

`python tests/bench/bench_program.py [start] [live] [status] [paint] [row] [idle] [follow] [--rounds N] [--json]`

Every figure is a ratio of two things that were measured in turns; the median of the rounds' ratios counts. Runs that
were disturbed show in the spread, so use a quiet machine. Needs Linux (/proc) and nothing else.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "harness_tui"
OURS = [sys.executable, "-m", "harness_tui"]
MINIMAL = [sys.executable, str(HERE / "minimal_app.py")]
LINE = "2026-01-01T00:00:00Z · T-%02d · regression gate · verify_all PASS 24/0/0/1 · %s\n"
HEAD = (
    "# Batch Plan — default\n\n## Tasks\n\n"
    "| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
)


def workspace(folder: Path, rows: int = 50, log_bytes: int = 20_000) -> Path:
    pool = folder / "docs/batches/default"
    pool.mkdir(parents=True)
    lines = [
        f"| T-{n:05} | task-number-{n} | Do the thing that has the number {n} | full | — "
        f"| {'done' if n < rows // 2 else 'pending'} |\n"
        for n in range(1, rows + 1)
    ]
    (pool / "BATCH_PLAN.md").write_text(HEAD + "".join(lines))
    block = "".join(LINE % (n % 50, "quiet") for n in range(500)).encode()
    with (pool / "STREAM_LOG.md").open("wb") as file:
        while file.tell() < log_bytes:
            file.write(block)
        file.write((LINE % (1, "first-row-is-here")).encode())
    subprocess.run(["git", "init", "-q", str(folder)], check=False)
    return folder


def start(rounds: int, folder: Path) -> dict[str, object]:
    """Exec to the first rows of the pool on the screen, against the first frame of the minimal app (goal 1: 1.25)."""
    return _start(rounds, folder, "first rows / minimal Textual app", "task-number-20", 1.25)


def live(rounds: int, folder: Path) -> dict[str, object]:
    """Exec to the first frame of the dashboard itself, which takes keys, against the same (words that it alone has)."""
    return _start(rounds, folder, "first live frame / minimal Textual app", "Stream pool default", 1.3)


def _start(rounds: int, folder: Path, name: str, text: str, goal: float | None) -> dict[str, object]:
    root = workspace(folder / "start")
    compileall.compile_dir(PACKAGE, quiet=1)  # as an installation does: else the first start after a change compiles

    def shown(argv: list[str], text: str) -> float:
        with Terminal(argv) as terminal:
            return terminal.wait_for(text) - terminal.started

    return ratios(
        name, rounds, lambda: shown([*OURS, str(root)], text), lambda: shown(MINIMAL, "first-row-is-here"), goal
    )


def big_log(rounds: int, folder: Path) -> dict[str, object]:
    """The last page of a 1 GB log against that of a 1 kB log (goal 8: 1.1)."""
    big = workspace(folder / "big", log_bytes=1 << 30)
    small = workspace(folder / "small", log_bytes=1000)

    def shown(root: Path) -> float:
        with Terminal([*OURS, str(root)]) as terminal:
            return terminal.wait_for("first-row-is-here") - terminal.started

    return ratios("last page of 1 GB log / of 1 kB log", rounds, lambda: shown(big), lambda: shown(small), 1.1)


def status(rounds: int, folder: Path) -> dict[str, object]:
    """`status --json` against `python -c "import pydantic"`."""
    root = workspace(folder / "status")

    def run(argv: list[str]) -> float:
        began = time.perf_counter()
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    return ratios("status --json / import pydantic", rounds,
                  lambda: run([*OURS, "status", str(root), "--json"]),
                  lambda: run([sys.executable, "-c", "import pydantic"]), None)  # fmt: skip


def paint(rounds: int, folder: Path) -> dict[str, object]:
    """One appended log line to the screen, against the minimal app with watchdog (goal 4: p50 1.5, p99 2)."""
    root = workspace(folder / "paint")
    log = root / "docs/batches/default/STREAM_LOG.md"
    other = folder / "watched" / "one.md"
    other.parent.mkdir()
    other.write_text("first-row-is-here\n")
    ours: list[float] = []
    floor: list[float] = []
    with Terminal([*OURS, str(root)]) as us, Terminal([*MINIMAL, str(other)]) as them:
        us.wait_for("first-row-is-here")
        them.wait_for("first-row-is-here")
        us.drain(3)
        for number in range(rounds * 20):
            for terminal, path, times in ((us, log, ours), (them, other, floor)):
                terminal.drain(0.06 + (number % 7) * 0.01)
                word = f"w{number:05}"
                text = LINE % (1, word) if terminal is us else f"{word}\n"
                with path.open("a") as file:
                    began = time.perf_counter()
                    file.write(text)
                times.append(terminal.wait_for(word) - began)
    ratios = [a / b for a, b in zip(sorted(ours), sorted(floor), strict=True)]
    return row("append to screen / minimal app with watchdog", ratios, 1.5,
               ours_p50_ms=1000 * statistics.median(ours), floor_p50_ms=1000 * statistics.median(floor),
               p99_ratio=quantile(ours, 0.99) / quantile(floor, 0.99))  # fmt: skip


def changed_row(rounds: int, folder: Path) -> dict[str, object]:
    """One row of 10,000 changed by rename, against twice read + decode + split and the paint of the minimal app."""
    root = workspace(folder / "row", rows=10_000)
    plan = root / "docs/batches/default/BATCH_PLAN.md"
    times: list[float] = []
    floors: list[float] = []
    with Terminal([*OURS, str(root)], size=(220, 48)) as terminal:
        terminal.wait_for("task-number-4995")
        terminal.drain(3)
        for number in range(rounds * 4):
            terminal.drain(0.2)
            word = f"changed-{number:04}"
            text = plan.read_text().split("\n")
            place = next(i for i, line in enumerate(text) if line.startswith("| T-04995 "))
            text[place] = f"| T-04995 | task-number-4995 | {word} | full | — | pending |"
            next_plan = plan.with_suffix(".next")
            next_plan.write_text("\n".join(text))
            began = time.perf_counter()
            next_plan.replace(plan)
            times.append(terminal.wait_for(word) - began)
            began = time.perf_counter()
            plan.read_bytes().decode().splitlines()
            floors.append(time.perf_counter() - began)
    floor = 2 * statistics.median(floors) + 0.005
    return row("row of 10,000 changed to screen / (2 x read+split + 5 ms)", [t / floor for t in times], 1.0,
               ours_p50_ms=1000 * statistics.median(times), floor_ms=1000 * floor)  # fmt: skip


def idle(rounds: int, folder: Path) -> dict[str, object]:
    """Processor, output and memory at rest for 30 s, against the minimal app (goal 13: 2, 1.5)."""
    root = workspace(folder / "idle")
    del rounds
    with Terminal([*OURS, str(root)]) as us, Terminal(MINIMAL) as them:
        us.wait_for("first-row-is-here")
        them.wait_for("first-row-is-here")
        for terminal in (us, them):
            terminal.drain(8)
            terminal.written = 0
        before = us.cpu(), them.cpu()
        until = time.perf_counter() + 30
        while time.perf_counter() < until:
            us.pump(0.05)
            them.pump(0.05)
        used = us.cpu() - before[0], them.cpu() - before[1]
        return row("idle CPU / minimal app", [used[0] / used[1]], 2.0,
                   cpu_percent=used[0] / 0.3, floor_percent=used[1] / 0.3,
                   bytes_written=us.written, rss_mib=us.rss(), rss_ratio=us.rss() / them.rss())  # fmt: skip


def follow(rounds: int, folder: Path) -> dict[str, object]:
    """Following 10,000 lines a second for 10 s: processor time, how far behind, memory growth (goal 10)."""
    root = workspace(folder / "follow")
    log = root / "docs/batches/default/STREAM_LOG.md"
    del rounds
    with Terminal([*OURS, str(root)]) as terminal:
        terminal.wait_for("first-row-is-here")
        terminal.drain(3)
        cpu, rss, began = terminal.cpu(), terminal.rss(), time.perf_counter()
        with log.open("ab", buffering=0) as file:
            for tick in range(1000):
                file.write("".join(LINE % (n % 50, f"{tick}") for n in range(100)).encode())
                while time.perf_counter() < began + (tick + 1) * 0.01:
                    terminal.pump(max(0.0, began + (tick + 1) * 0.01 - time.perf_counter()))
            took = time.perf_counter() - began
            file.write((LINE % (1, "the-very-last")).encode())
        written = time.perf_counter()
        drained = terminal.wait_for("the-very-last") - written
        used = terminal.cpu() - cpu
        return row("CPU while 10,000 lines/s are appended (share of a core)", [used / took], 0.25,
                   drain_ms=1000 * drained, rss_growth=terminal.rss() / rss)  # fmt: skip


def ratios(
    name: str, rounds: int, ours: Callable[[], float], floor: Callable[[], float], limit: float | None
) -> dict[str, object]:
    ours(), floor()
    pairs = [(ours(), floor()) for _ in range(rounds)]
    return row(name, [a / b for a, b in pairs], limit, ours_p50_ms=1000 * statistics.median(a for a, _ in pairs),
               floor_p50_ms=1000 * statistics.median(b for _, b in pairs))  # fmt: skip


def row(name: str, found: list[float], limit: float | None, **more: float) -> dict[str, object]:
    return {
        "name": name, "ratio": statistics.median(found), "low": min(found), "high": max(found), "goal": limit, **more,
    }  # fmt: skip


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


SUITES = {
    "start": start,
    "live": live,
    "log": big_log,
    "status": status,
    "paint": paint,
    "row": changed_row,
    "idle": idle,
    "follow": follow,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], metavar="SUITE")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.suites or SUITES:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = f"{folder}/state"
            rows.append(SUITES[name](options.rounds, Path(folder)))
            if not options.json:
                show(rows[-1])
    if options.json:
        print(json.dumps(rows, indent=2))


def show(found: dict[str, object]) -> None:
    goal = f" (goal {found['goal']})" if found["goal"] is not None else ""
    print(f"{found['name']}: {found['ratio']:.2f} [{found['low']:.2f} – {found['high']:.2f}]{goal}")
    for name, value in found.items():
        if name not in ("name", "ratio", "low", "high", "goal"):
            print(f"    {name} {value:.2f}")


if __name__ == "__main__":
    main()
