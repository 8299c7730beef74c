"""Kills runs with SIGKILL at calls of the system, starts them again until the pool is drained, looks at what is left.

Run as `python -m support.crash_stream FOLDER SEED KILLS EVERY`: with EVERY above 0 at every so many calls of one run,
else at random calls, several runs in a row. Prints the number of kills as JSON, or what was wrong and ends with 1.
"""

from __future__ import annotations

import gc
import json
import os
import random
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

from support.kills import BrokenPromiseError
from support.os_calls import NAMES, Calls, die
from support.runs import Mill, Script

from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.intervention_text import signal_key
from harness_tui.formats.log_line import parse_entry
from harness_tui.formats.mailbox import new_signal
from harness_tui.formats.report import parse_report
from harness_tui.model.refusal import Refused
from harness_tui.model.work import Result
from harness_tui.workspace import claims, mailbox
from harness_tui.workspace.atomic import TEMPORARY

ROWS = (
    ("T-01", "", "done"), ("T-02", "T-01", "in-progress"), ("T-03", "T-02", "pending"), ("T-04", "", "pending"),
    ("T-05", "T-04", "pending"), ("T-06", "", "pending"), ("T-07", "", "pending (on Monday)"),
    ("T-08", "T-03", "pending"),
)  # fmt: skip
LAST = {
    "T-01": "done", "T-02": "done", "T-03": "done", "T-04": "failed", "T-05": "blocked", "T-06": "needs-human",
    "T-07": "skipped (on Monday)", "T-08": "done", "T-09": "done",
}  # fmt: skip
MAIL = "# Intervention\n\nNOTE — mind the gap\n\nADD new-row — a | b\n\nSKIP T-07 — not now\n"
OTHERS = ("crane", "for another pool")
_CELL = re.compile(r"\| [a-z-]+( \(on Monday\))? \|$", re.MULTILINE)


class Bench:
    """One workspace, run again and again."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.mill = Mill(Path(folder), *ROWS)
        self.mill.send(MAIL, age=10)
        mailbox.send(self.mill.root, new_signal("ADD", *OTHERS), pool_id="quay")
        self.before = self.mill.plan.read_text("utf-8")
        self.ledger = os.open(self.mill.root / "ledger", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.kills = 0

    def worker(self):
        """Sets down each beginning and end in a file of its own, and sends a note when it works on T-03."""
        real = os.write
        outcomes = {"T-04": "failed", "T-06": Result("needs-human", "which?", needed="that")}

        def work(assignment, *, root, **_):
            real(self.ledger, f"begin {assignment.task_id} {len(assignment.notes)}\n".encode())
            if assignment.task_id == "T-03":
                mailbox.send(root, new_signal("NOTE", "", "from the worker"))
            real(self.ledger, f"end {assignment.task_id}\n".encode())
            return outcomes.get(assignment.task_id)

        return Script({f"T-{number:02}": work for number in range(1, 12)})

    def calls(self):
        """How many calls a run makes."""
        counted = Calls(lambda *_: None, names=(*NAMES, "fdatasync"))
        with counted:
            self.mill.run(self.worker())
        return counted.count

    def run(self, point):
        """Run in a child that dies before call `point`; whether it died."""
        child = os.fork()
        if not child:
            try:
                with Calls(lambda number, *_: die() if number == point else None, names=(*NAMES, "fdatasync")):
                    self.mill.run(self.worker(), retry=False)
            except Refused as error:
                sys.stderr.write(f"refused: {error}\n")
                os._exit(8)
            except BaseException as error:  # noqa: BLE001 - the child says why, and ends
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(9)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            raise BrokenPromiseError(f"the run failed at call {point} with {os.WEXITSTATUS(status)}")
        self.kills += os.WIFSIGNALED(status)
        return os.WIFSIGNALED(status)

    def look(self):
        """What holds at any time: whole files, no row lost, nothing that was delivered dispatched again."""
        text = self.mill.plan.read_text("utf-8")
        added = [line for line in text.split("\n") if "new-row" in line]
        if len(added) > 1:
            raise BrokenPromiseError(f"added {len(added)} times")
        rest = text.replace(added[0] + "\n", "") if added else text
        if _CELL.sub("", rest) != _CELL.sub("", self.before):
            raise BrokenPromiseError(f"more than statuses changed: {text}")
        closed = set()
        lines = self.mill.log.read_text("utf-8").split("\n") if self.mill.log.exists() else [""]
        for number, line in enumerate(lines[:-1], 1):
            entry = parse_entry(number, line)
            if entry is None and line and not line.startswith("#"):
                raise BrokenPromiseError(f"a torn line: {line!r}")
            if entry is not None and entry.kind == "dispatch" and entry.task_id in closed:
                raise BrokenPromiseError(f"{entry.task_id} was dispatched after its result")
            if entry is not None and entry.kind in ("delivered", "failed", "needs-human", "skipped"):
                closed.add(entry.task_id)

    def finish(self):
        """Run to the end and look at all of it."""
        while self.run(1 << 40):
            pass
        self.look()
        if self.mill.statuses() != LAST:
            raise BrokenPromiseError(f"drained to {self.mill.statuses()}")
        text = self.mill.log.read_text("utf-8")
        begun = Counter()
        notes = 0
        for line in (self.mill.root / "ledger").read_text().split("\n"):
            word, _, rest = line.partition(" ")
            if word == "begin":
                begun[rest.split()[0]] += 1
                notes += int(rest.split()[1])
        dispatched = Counter(re.findall(r" · (T-\d+) · dispatching", text))
        if any(count > dispatched[name] for name, count in begun.items()) or begun["T-01"] or begun["T-07"]:
            raise BrokenPromiseError(f"begun {begun}, but the log says {dispatched}")
        if sum(begun.values()) > 7 + self.kills:
            raise BrokenPromiseError(f"more was begun than {self.kills} kills explain: {begun}")
        if not notes or any((self.mill.root / claims.CLAIMS).rglob("*.*")):
            raise BrokenPromiseError("a signal was lost or is left")
        left = [(item.signal.argument, item.pool_id) for item in mailbox.pending(self.mill.root)]
        if left != [(OTHERS[0], "quay")]:
            raise BrokenPromiseError(f"what is for another pool does not wait as it did: {left}")
        kept = [parse_interventions(path.read_bytes()) for path in (self.mill.root / claims.CONSUMED).iterdir()]
        own = [signal_key(signal)[:3] for signal in parse_interventions(MAIL.encode()).signals]
        if not any([signal_key(signal)[:3] for signal in found.signals] == own for found in kept):
            raise BrokenPromiseError("no copy of the signals was kept")
        report = parse_report(self.mill.report.read_bytes(), "r")
        if [need.task_id for need in report.needs_input] != ["T-06"]:
            raise BrokenPromiseError("the report does not ask")
        names = [path.name for path in self.mill.root.rglob("*")]
        left = [name for name in names if name.endswith(TEMPORARY) or name == "lease.json"]
        if left:
            raise BrokenPromiseError(f"left over: {left}")
        os.close(self.ledger)


def every(folder, step, first):
    """A kill at every `step`-th call of a run, beginning at `first`."""
    total = Bench(folder)
    count = total.calls()
    kills = 0
    for point in range(first, count + 1, step):
        bench = Bench(folder)
        bench.run(point)
        bench.look()
        bench.finish()
        kills += bench.kills
    return kills


def at_random(folder, seed, wanted):
    """Up to five kills of runs one after the other, until `wanted` in all."""
    chance = random.Random(seed)
    count = Bench(folder).calls()
    kills = 0
    while kills < wanted:
        bench = Bench(folder)
        for _ in range(chance.randint(1, 5)):
            bench.run(chance.randint(1, count))
            bench.look()
        bench.finish()
        kills += bench.kills
    return kills


def main(folder, seed, wanted, step):
    gc.freeze()
    gc.disable()
    try:
        kills = every(folder, int(step), 1 + int(seed)) if int(step) else at_random(folder, int(seed), int(wanted))
    except BrokenPromiseError as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    sys.stdout.write(json.dumps({"kills": kills}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
