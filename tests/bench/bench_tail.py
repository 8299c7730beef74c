"""What a log of any size costs: `python tests/bench/bench_tail.py [--size MB] [--rounds N] [--json]`.

Each row is a ratio of two things measured in turns; the median over the rounds is what counts, not the milliseconds.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from harness_tui.workspace.line_search import search
from harness_tui.workspace.tail import LineFile

LINE = "2026-01-01T00:00:00Z · T-%02d · dispatching pm-orchestrator · mode=full\n"
PAGE = 48


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=200, metavar="MB", help="size of the big log (1000 for a gigabyte)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        big, small = Path(folder, "big.md"), Path(folder, "small.md")
        make_log(big, options.size << 20)
        make_log(small, 1 << 10)
        rows = [measure(name, ours, floor, options.rounds, limit) for name, ours, floor, limit in pairs(big, small)]
        rows.append(following(Path(folder, "followed.md"), options.size << 20))
        rows.append(memory(big))
    show(rows, as_json=options.json)


def make_log(path: Path, size: int) -> None:
    block = "".join(LINE % (number % 100) for number in range(15_000)).encode()
    with path.open("wb") as file:
        while file.tell() + len(block) <= size:
            file.write(block)
        file.write(block[: size - file.tell()])


def pairs(big: Path, small: Path):
    """Name, what we do, the floor, and the goal for their ratio."""
    absent = "a word that is nowhere"
    return [
        ("open and last page, big against 1 kB", lambda: last_page(big), lambda: last_page(small), 5.0),
        ("index of all lines against wc -l", lambda: index(big), lambda: run("wc", "-l", big), 5.0),
        (
            "search for an absent word against grep -c",
            lambda: find(big, absent),
            lambda: run("grep", "-c", absent, big),
            5.0,
        ),
    ]


def last_page(path: Path) -> None:
    file = LineFile(path)
    file.refresh()
    assert len(file.tail(PAGE)) > 0
    file.close()


def index(path: Path) -> LineFile:
    file = LineFile(path)
    file.refresh()
    while not file.index():
        pass
    file.close()
    return file


def find(path: Path, text: str) -> float:
    """Seconds of the search alone: a dashboard has its index already."""
    file = LineFile(path)
    file.refresh()
    while not file.index():
        pass
    started = time.perf_counter()
    pattern = re.compile(re.escape(text.encode()))
    line, done = 0, False
    while not done:
        _, line, done = search(file, pattern, line)
    spent = time.perf_counter() - started
    file.close()
    return spent


def run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=False, capture_output=True)


def measure(name, ours, floor, rounds, goal) -> dict[str, object]:
    ratios, ours_ms, floor_ms = [], [], []
    for _ in range(rounds):
        a, b = seconds(ours), seconds(floor)
        ratios.append(a / b)
        ours_ms.append(a * 1e3)
        floor_ms.append(b * 1e3)
    return {
        "name": name, "ratio": statistics.median(ratios), "goal": goal,
        "ours_ms": statistics.median(ours_ms), "floor_ms": statistics.median(floor_ms),
    }  # fmt: skip


def seconds(work) -> float:
    """Time that `work` took, or the part of it that it names itself."""
    started = time.perf_counter()
    part = work()
    return part if isinstance(part, float) else time.perf_counter() - started


def following(path: Path, size: int) -> dict[str, object]:
    """CPU seconds a second of following 10,000 lines a second with 10 looks, on a big file against a new one."""
    spent = []
    for before in (size, 0):
        make_log(path, before)
        file = LineFile(path)
        file.refresh()
        while not file.index():
            pass
        batch = (LINE % 7).encode() * 1000
        started, looks = time.process_time(), 50
        for _ in range(looks):
            with path.open("ab") as out:
                out.write(batch)
            file.refresh()
            file.index()
            file.tail(PAGE)
        spent.append((time.process_time() - started) / looks * 10)
        file.close()
    return {
        "name": "CPU of following 10 looks/s, big against new", "ratio": spent[0] / spent[1], "goal": 1.5,
        "ours_ms": spent[0] * 1e3, "floor_ms": spent[1] * 1e3,
    }  # fmt: skip


def memory(big: Path) -> dict[str, object]:
    """Memory that the index of the big log keeps, against 8 bytes a block of 64 KiB."""
    before = resident()
    kept = index(big)
    grown = max(0, resident() - before)
    floor = big.stat().st_size // (1 << 16) * 8
    del kept
    return {"name": "kB kept for the index, against 8 B a block", "ratio": grown / floor, "goal": None,
            "ours_ms": grown / 1e3, "floor_ms": floor / 1e3}  # fmt: skip


def resident() -> int:
    """Bytes of memory in use, 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def show(rows: list[dict[str, object]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'':52} {'ours':>10} {'floor':>10} {'ratio':>8} {'goal':>6}")
    for row in rows:
        goal = "" if row["goal"] is None else f"{row['goal']:.1f}"
        print(f"{row['name']:52} {row['ours_ms']:10.2f} {row['floor_ms']:10.2f} {row['ratio']:8.2f} {goal:>6}")


if __name__ == "__main__":
    main()
