"""The whole program against other programs that do a like thing, in turns on the same machine. Never part of the tests.

`python tests/bench/bench_peers.py [append] [load] [--rounds N] [--seconds S] [--json]`

`append`: one appended line to the screen, against toolong (`tl`: `pip install toolong`, in an environment of its own)
and lnav (`apt install lnav`). `load`: processor and memory while an agent prints 20 and 200 lines a second, against
ralph-tui (`npm i bun ralph-tui`, both on PATH). A peer that is not on PATH is named and left out. Needs Linux (/proc).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bench_program import LINE, OURS, quantile, row, show, workspace
from terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

PEERS = {
    "tl": ("toolong", "pip install toolong"),
    "lnav": ("lnav", "apt install lnav"),
    "ralph-tui": ("ralph-tui", "npm i bun ralph-tui"),
}
AGENT = '''#!/usr/bin/env python3
"""Prints what Claude Code would while it works, at a steady rate."""
import json, os, sys, time
if "--version" in sys.argv:
    print("2.0.0 (Claude Code)")
    raise SystemExit
rate, began = float(os.environ["BENCH_RATE"]), time.monotonic()
for number in range(1, int(600 * rate)):
    text = f"line {number} of an agent at work, looking at src/module_{number % 50}.py\\n"
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    print(json.dumps({"type": "assistant", "message": message}), flush=True)
    time.sleep(max(0.0, began + number / rate - time.monotonic()))
'''
STORIES = {
    "name": "bench",
    "branchName": "bench",
    "userStories": [
        {
            "id": f"US-{n:03}", "title": f"Story {n}", "description": "do it", "acceptanceCriteria": ["done"],
            "priority": n, "passes": False, "dependsOn": [],
        }
        for n in range(1, 31)
    ],
}  # fmt: skip


def append(options: argparse.Namespace, folder: Path) -> list[dict[str, object]]:
    """One appended log line to the screen (goal 4: a tenth of toolong's and of lnav's time)."""
    root = workspace(folder / "ours")
    log = root / "docs/batches/default/STREAM_LOG.md"
    programs = {"ours": ([*OURS, str(root)], log)}
    for peer in present("tl", "lnav"):
        own = folder / peer / "STREAM_LOG.md"
        own.parent.mkdir()
        shutil.copy(log, own)
        programs[peer] = ([peer, str(own)], own)
    times: dict[str, list[float]] = {name: [] for name in programs}
    with ExitStack() as stack:
        terminals = {name: stack.enter_context(Terminal(argv)) for name, (argv, _) in programs.items()}
        for terminal in terminals.values():
            terminal.wait_for("first-row-is-here")
            terminal.drain(3)
        for number in range(options.rounds * 5):
            for name, terminal in terminals.items():
                terminal.drain(0.1 + (number % 7) * 0.03)
                word = other_letters(number)
                with programs[name][1].open("a") as file:
                    began = time.perf_counter()
                    file.write(LINE % (1, word))
                times[name].append(terminal.wait_for(word) - began)
    ours = times.pop("ours")
    return [
        row(f"append to screen / {PEERS[peer][0]}", [a / b for a, b in zip(ours, theirs, strict=True)], 0.1,
            ours_p50_ms=1000 * statistics.median(ours), peer_p50_ms=1000 * statistics.median(theirs),
            ours_p99_ms=1000 * quantile(ours, 0.99), peer_p99_ms=1000 * quantile(theirs, 0.99))
        for peer, theirs in times.items()
    ]  # fmt: skip


def other_letters(number: int) -> str:
    """A word that shares no letter with the one before: some programs write only the letters that changed."""
    first = ord("a") if number % 2 else ord("n")
    return "".join(chr(first + number // 13**place % 13) for place in range(5))


def load(options: argparse.Namespace, folder: Path) -> list[dict[str, object]]:
    """Processor and memory while an agent prints (peers: less of both than ralph-tui).

    Ours is measured twice: the dashboard while a log grows by as many lines, and dashboard and engine together, with
    the same agent at work. The agent itself is counted on neither side.
    """
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "claude").write_text(AGENT)
    (bin_folder / "claude").chmod(0o755)
    os.environ["PATH"] = f"{bin_folder}:{os.environ['PATH']}"
    os.environ["HOME"] = str(folder)
    peers: dict[str, Callable[..., Load]] = {"ralph-tui": ralph} if present("ralph-tui") else {}
    found = []
    for rate in (20, 200):
        os.environ["BENCH_RATE"] = str(rate)
        for name, ours in {"dashboard on a log": log_alone, "dashboard and engine": engine}.items():
            us = ours(folder / f"{ours.__name__}-{rate}", rate, options.seconds)
            for peer, run in peers.items():
                them = run(folder / f"{peer}-{ours.__name__}-{rate}", rate, options.seconds)
                found += [
                    row(f"CPU at {rate} lines/s, {name} / {peer}", [us.cpu / them.cpu], 1.0,
                        ours_percent=100 * us.cpu, peer_percent=100 * them.cpu),
                    row(f"memory at {rate} lines/s, {name} / {peer}", [us.rss / them.rss], 1.0,
                        ours_mib=us.rss, peer_mib=them.rss, ours_growth=us.growth, peer_growth=them.growth),
                ]  # fmt: skip
            if not peers:
                found.append(row(f"CPU at {rate} lines/s, {name}", [us.cpu], None, rss_mib=us.rss))
    return found


class Load:
    """What `terminals` use from here on: cores of processor, MiB at the end, and that over MiB at the beginning."""

    def __init__(self, *terminals: Terminal) -> None:
        self._terminals = terminals
        self._began, self._cpu = time.perf_counter(), sum(terminal.cpu() for terminal in terminals)
        self._rss = sum(terminal.rss() for terminal in terminals)

    def run(self, seconds: float, each: Callable[[], float] = lambda: 1.0) -> Load:
        """Take output for `seconds`; `each` does what is due and says in how many seconds it is due again."""
        due = 0.0
        while (now := time.perf_counter() - self._began) < seconds:
            if now >= due:
                due += each()
            for terminal in self._terminals:
                terminal.pump(max(0.0, min(due - now, 0.02)))
        self.cpu = (sum(terminal.cpu() for terminal in self._terminals) - self._cpu) / now
        self.rss = sum(terminal.rss() for terminal in self._terminals)
        self.growth = self.rss / self._rss
        return self


def log_alone(folder: Path, rate: int, seconds: float) -> Load:
    """Our dashboard while the log of its pool grows by `rate` lines a second."""
    root = workspace(folder)
    log = root / "docs/batches/default/STREAM_LOG.md"
    with Terminal([*OURS, str(root)]) as terminal, log.open("a", buffering=1) as file:
        terminal.wait_for("first-row-is-here")
        terminal.drain(5)

        def write() -> float:
            file.write(LINE % (1, f"at-{time.monotonic():.3f}"))
            return 1 / rate

        return Load(terminal).run(seconds, write)


def engine(folder: Path, rate: int, seconds: float) -> Load:
    """Our dashboard, and our engine with the agent at work."""
    del rate
    root = workspace(folder)
    argv = [*OURS, "stream", "default", "--adapter", "claude", "--no-gate", "--path", str(root)]
    with Terminal([*OURS, str(root)]) as dashboard, Terminal(argv) as stream:
        dashboard.wait_for("first-row-is-here")
        stream.wait_for("of an agent at work")
        for terminal in (dashboard, stream):
            terminal.drain(3)
        return Load(dashboard, stream).run(seconds)


def ralph(folder: Path, rate: int, seconds: float) -> Load:
    """ralph-tui with the agent at work."""
    del rate
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "prd.json").write_text(json.dumps(STORIES))
    options = ("--agent", "claude", "--no-setup", "--force", "--no-notify", "--iterations", "1")
    with Terminal(["ralph-tui", "run", "--prd", "./prd.json", *options], cwd=str(folder)) as terminal:
        terminal.wait_for("Start")
        terminal.drain(2)
        terminal.press("s")
        terminal.wait_for("of an agent at work")
        terminal.drain(5)
        return Load(terminal).run(seconds)


def present(*names: str) -> list[str]:
    """Those that are on PATH; the others are named on stderr, with how to get them."""
    for name in names:
        if shutil.which(name) is None:
            title, how = PEERS[name]
            print(f"{title} is not on PATH (as `{name}`) and left out: {how}", file=sys.stderr)
    return [name for name in names if shutil.which(name)]


SUITES = {"append": append, "load": load}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], metavar="SUITE")
    parser.add_argument("--rounds", type=int, default=7, help="times five appended lines each")
    parser.add_argument("--seconds", type=float, default=30.0, help="under load")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.suites or SUITES:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            os.environ["XDG_STATE_HOME"] = f"{folder}/state"
            found = SUITES[name](options, Path(folder))
        rows += found
        if not options.json:
            for item in found:
                show(item)
    if options.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
