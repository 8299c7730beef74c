"""What a run costs beside its workers: per task, against spawning the same processes, and how that grows with the pool.

Run as `python tests/bench/bench_engine.py [TASKS]`. In each round the same no-op program is spawned in a bare loop (the
floor), in a run with a worker that only spawns it (the engine), in a run with the worker that operators use (both pipes
drained, output kept), by `make` and by `ninja` on a chain, if they are there. Goal: the engine at most twice the floor,
and no more in a pool of 10,000 rows than in one of 1,000.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.runs import Mill

from harness_tui.model.work import Result
from harness_tui.stream.workers.choose import make_worker

ROUNDS = 5
GOAL = 2.0
FLAT = 1.3
PROGRAM = "/bin/true"


class Spawn:
    """Spawns the program and waits for it."""

    def run(self, assignment, *, root, cancel, heard, born):
        pid = os.posix_spawn(PROGRAM, [PROGRAM], os.environ)
        born(pid)
        os.waitpid(pid, 0)
        return Result("delivered")


def floor(count):
    """Seconds for one spawn in a bare loop."""
    began = time.perf_counter()
    for _ in range(count):
        pid = os.posix_spawn(PROGRAM, [PROGRAM], os.environ)
        os.waitpid(pid, 0)
    return (time.perf_counter() - began) / count


def run(folder, worker, rows, count):
    """Seconds for one task, and those that the run needs besides (start, report)."""
    shutil.rmtree(folder, ignore_errors=True)
    done = rows - count
    table = [
        (f"T-{number:05}", f"T-{number - 1:05}" if number else "", "done" if number < done else "pending")
        for number in range(rows)
    ]
    mill = Mill(folder, *table)
    times = []

    def told(event):
        if event.kind in ("dispatched", "result"):
            times.append(time.perf_counter())

    began = time.perf_counter()
    end = mill.run(worker, on_event=told, clock=None)
    whole = time.perf_counter() - began
    assert end.dispatched == count
    per_task = (times[-1] - times[0]) / count
    return per_task, whole - per_task * count


def chain(program, folder, count):
    """Seconds for one task of a chain that another program drains; None when it is not there."""
    if shutil.which(program) is None:
        return None
    folder.mkdir(exist_ok=True)
    if program == "make":
        rules = "".join(f"t{n}: {f't{n - 1}' if n else ''}\n\t@{PROGRAM}\n" for n in range(count))
        (folder / "Makefile").write_text(
            f"all: t{count - 1}\n{rules}.PHONY: all {' '.join(f't{n}' for n in range(count))}\n"
        )
    else:
        rules = "".join(f"build t{n}: run {f't{n - 1}' if n else ''}\n" for n in range(count))
        (folder / "build.ninja").write_text(f"rule run\n  command = {PROGRAM}\n{rules}default t{count - 1}\n")
    began = time.perf_counter()
    subprocess.run([program], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) / count


def main(count=1000):
    subjects = {
        "engine, 1,000 rows": lambda folder: run(folder, Spawn(), max(1000, count), count)[0],
        "engine, 10,000 rows": lambda folder: run(folder, Spawn(), 10_000, count)[0],
        "engine + command worker": lambda folder: run(folder, make_worker("command", "echo DELIVERED"), 1000, count)[0],
        "make": lambda folder: chain("make", folder, count),
        "ninja": lambda folder: chain("ninja", folder, count),
    }
    found = {name: [] for name in subjects}
    floors = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR"), prefix="bench-") as name:
        for _ in range(ROUNDS):
            for subject, measure in subjects.items():
                before = floor(count // 2)
                took = measure(Path(name) / "w")
                base = (before + floor(count // 2)) / 2  # on both sides, as other programs come and go
                floors.append(base)
                if took is not None:
                    found[subject].append((took, took / base))
                shutil.rmtree(Path(name) / "w", ignore_errors=True)
        fixed = [run(Path(name) / "w", Spawn(), rows, 1)[1] for rows in (1000, 10_000)]
    print(f"floor: {statistics.median(floors) * 1e6:.0f} us a task, {count} tasks, median of {ROUNDS} rounds in turns")
    for subject, pairs in found.items():
        if pairs:
            took, ratio = (statistics.median(values) for values in zip(*pairs, strict=True))
            print(f"{subject:26} {took * 1e6:7.0f} us a task  {ratio:5.2f} x floor")
    engine = statistics.median(ratio for _, ratio in found["engine, 1,000 rows"])
    grown = statistics.median(took for took, _ in found["engine, 10,000 rows"])
    flat = grown / statistics.median(took for took, _ in found["engine, 1,000 rows"])
    print(f"start and report besides: {fixed[0] * 1e3:.0f} ms at 1,000 rows, {fixed[1] * 1e3:.0f} ms at 10,000")
    print(f"engine {engine:.2f} x floor (goal {GOAL}), ten times the rows {flat:.2f} x (goal {FLAT})")
    return int(engine > GOAL or flat > FLAT)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
