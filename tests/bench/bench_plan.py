"""What reading a plan costs: `python tests/bench/bench_plan.py [--rows N] [--rounds N] [--json]`.

The floor is reading the file, decoding it and splitting it into lines.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from side_by_side import compare, show

from harness_tui.formats.depends import read_depends
from harness_tui.formats.pool import PlanParser, parse_plan
from harness_tui.formats.status import read_status
from harness_tui.rules.pool_check import check

STATUSES = ("pending", "done", "in-progress", "done (kept; one test is left)")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ratios = measure(Path(folder, "BATCH_PLAN.md"), options.rows, options.rounds)
    show(ratios, as_json=options.json)


def measure(path: Path, rows: int, rounds: int):
    data = plan_of(rows)
    changed = plan_of(rows, done=rows // 2)
    path.write_bytes(data)
    parser = PlanParser("plan")
    parser.parse(data)
    plan = parse_plan(data, "plan")
    turns = iter([changed, data] * rounds)

    def floor() -> None:
        path.read_bytes().decode().splitlines()

    def cold() -> None:
        read_depends.cache_clear()
        read_status.cache_clear()
        parse_plan(path.read_bytes(), "plan")

    def again() -> None:
        path.read_bytes()
        parser.parse(next(turns))

    assert not plan.problems
    return [
        compare("cold parse", cold, floor, rounds, 10.0),
        compare("parse after one row changed (read counted)", again, floor, rounds, 1.5),
        compare("check of ids, slugs and dependencies", lambda: check(plan), floor, rounds, 3.0),
    ]


def plan_of(rows: int, done: int | None = None) -> bytes:
    lines = [
        "# Plan",
        "",
        "| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |",
        "|---|---|---|---|---|---|",
    ]
    for number in range(1, rows + 1):
        needs = ("—", f"T-{number - 1:05d}", f"T-{number - 2:05d}, T-{number - 1:05d}")[number % 3 if number > 2 else 0]
        status = "failed" if number == done else STATUSES[0 if number % 10 else number // 10 % 4]
        goal = f"Let part {number} of the oven keep its `heat` for an hour, and say so on the panel — in °C"
        lines.append(f"| T-{number:05d} | oven-part-{number} | {goal} | full | {needs} | {status} |")
    return ("\n".join(lines) + "\n\n## Notes\n\n- made by a benchmark\n").encode()


if __name__ == "__main__":
    main()
