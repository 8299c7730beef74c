"""What the facts of a log cost: `python tests/bench/bench_log_parse.py [--size MB] [--rounds N] [--json]`.

The floor is reading the file whole and splitting it into lines.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from side_by_side import compare, show

from harness_tui.formats.log import LogScan

CHUNK = 1 << 20
NOTE = "stage {stage} · three files changed, tests 200→2{stage}0 · nothing to report"
EVENTS = {
    0: "dispatching pm-orchestrator · slug=part-{task} · mode=full",
    10: "DELIVERED · files=12 · rollback={stage} · verify_all=PASS 32/0/0 · commit=0123abc",
    11: "regression gate (after archiving): verify_all PASS 32/0/0 → go on · queue: 5 pending / 0 failed",
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=20, metavar="MB")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "STREAM_LOG.md")
        make_log(path, options.size << 20)
        ratios = measure(path, options.rounds)
    show(ratios, as_json=options.json)


def measure(path: Path, rounds: int):
    scan = scanned(path)
    size = path.stat().st_size
    entries = scan.log(size=size, modified_at=None, restarts=0, complete=True).entries
    line = b"2026-01-01T00:00:00Z \xc2\xb7 T-07 \xc2\xb7 a remark\n"

    def follow() -> None:
        scan.feed(line)
        scan.log(size=size, modified_at=None, restarts=0, complete=True)

    assert entries == path.read_bytes().count(b"\n")
    return [
        compare("scan of a whole log", lambda: scanned(path), lambda: path.read_bytes().split(b"\n"), rounds, 8.0),
        compare("one more line, against reading it", follow, lambda: path.open("rb").close(), rounds * 10, 20.0),
    ]


def scanned(path: Path) -> LogScan:
    scan = LogScan("oven", "log")
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            scan.feed(chunk)
    scan.log(size=0, modified_at=None, restarts=0, complete=True)
    return scan


def make_log(path: Path, size: int) -> None:
    lines = []
    for number in range(20_000):
        task, stage = number % 40, number % 7
        glued = " " if number % 20 == 11 else " · "
        event = EVENTS.get(number % 20, NOTE).format(task=task, stage=stage)
        time = f"2026-08-{1 + number // 1000:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00Z"
        lines.append(f"{time} · T-{task:02d}{glued}{event}\n")
    block = "".join(lines).encode()
    with path.open("wb") as file:
        while file.tell() < size:
            file.write(block)


if __name__ == "__main__":
    main()
