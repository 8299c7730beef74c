"""What watching costs: `python tests/bench/bench_watch.py [--folders N] [--rounds N] [--idle S] [--json]`.

Set-up on a repository with many folders against one with four, the time from a change to being told, and what an
idle second costs. `--folders 50000` is the size of a repository with its packages unpacked.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from pathlib import Path

from harness_tui.workspace.layout import Layout
from harness_tui.workspace.watcher import Watcher


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folders", type=int, default=5_000, help="folders of the big repository")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--idle", type=float, default=5.0, metavar="S")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small, big = make_repository(Path(folder, "small")), make_repository(Path(folder, "big"))
        for number in range(options.folders):
            big.joinpath("node_modules", f"p{number // 100}", f"f{number}").mkdir(parents=True)
        set_up(small)  # the library is loaded here
        figures = compare_set_up(big, small, options.rounds) | compare_delays(big) | idle(big, options.idle)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        print(f"{name:48} {figure:10.3f}")


def make_repository(root: Path) -> Path:
    for name in (".git/refs/heads", "docs/batches/kiln", "docs/features/_archived", ".harness/state"):
        root.joinpath(name).mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "docs/batches/kiln/BATCH_PLAN.md").write_text("# Batch Plan\n")
    return root


def set_up(root: Path) -> tuple[Watcher, float]:
    started = time.perf_counter()
    watcher = Watcher(lambda _: None)
    watcher.start()
    watcher.arm(Layout(root).folders_to_watch())
    spent = time.perf_counter() - started
    assert watcher.healthy() is None
    watches = len(watcher._observer.emitters)
    watcher.stop()
    return watches, spent


def compare_set_up(big: Path, small: Path, rounds: int) -> dict[str, float]:
    ratios, times, watches = [], [], 0
    for _ in range(rounds):
        watches, spent = set_up(big)
        ratios.append(spent / set_up(small)[1])
        times.append(spent * 1e3)
    return {
        "set-up of the big repository, ms": statistics.median(times),
        "ratio to the small one (goal 1.5)": statistics.median(ratios),
        "kernel watches (goal 32)": watches,
    }


def compare_delays(root: Path, changes: int = 200) -> dict[str, float]:
    told = threading.Event()
    watcher = Watcher(lambda _: told.set())
    watcher.start()
    folders = Layout(root).folders_to_watch()
    watcher.arm(folders)
    log = root / "docs/batches/kiln/STREAM_LOG.md"
    delays = []
    for _ in range(changes):
        time.sleep(0.01)
        told.clear()
        with log.open("ab") as file:
            file.write(b"a line\n")
            file.flush()
            started = time.perf_counter()
            told.wait(2)
            delays.append((time.perf_counter() - started) * 1e3)
    started = time.perf_counter()
    for _ in range(100):
        watcher.arm(folders)
        watcher.healthy()
    pass_ms = (time.perf_counter() - started) * 10
    watcher.stop()
    cuts = statistics.quantiles(delays, n=20)
    return {
        "change to told, p50 ms": statistics.median(delays),
        "change to told, p95 ms": cuts[18],
        "arm and healthy when nothing changed, ms": pass_ms,
    }


def idle(root: Path, seconds: float) -> dict[str, float]:
    """Wake-ups and CPU of a process that only watches, against one that does nothing."""
    watcher = Watcher(lambda _: None)
    watcher.start()
    watcher.arm(Layout(root).folders_to_watch())
    time.sleep(0.5)
    wakes, spent = wake_ups(), time.process_time()
    time.sleep(seconds)
    wakes, spent = wake_ups() - wakes, time.process_time() - spent
    watcher.stop()
    return {"idle: wake-ups a second": wakes / seconds, "idle: CPU, % of a core": spent / seconds * 100}


def wake_ups() -> int:
    """Times that threads of this process gave up the processor by themselves; 0 where the system does not say."""
    total = 0
    try:
        for task in Path("/proc/self/task").iterdir():
            status = (task / "status").read_text()
            total += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
    except OSError:
        return 0
    return total


if __name__ == "__main__":
    main()
