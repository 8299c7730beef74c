"""Kills whoever answers, spends or unlocks at every call to the system, breaks every call once, and looks what is left.

Run as `python -m support.crash_epics HOW SCENARIO FOLDER`, HOW being `kill` or `break`: a small process of its own, as
forking a test runner is dear. Prints the number of points as JSON, or says what was wrong and ends with 1.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from support import epic_tree as tree
from support.kills import BrokenPromiseError, copy_tree, kill_at_every_call
from support.os_calls import WRITES, Calls, die

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import Refused
from harness_tui.workspace.answers import record_answer
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.budgets import consume_unit
from harness_tui.workspace.unlocks import give_unlock


class Scenario(NamedTuple):
    """`units` are spent in all, `events` lines added; `again` when the same action completes what is missing."""

    prepare: object
    action: object
    units: int = 0
    events: int = 0
    again: bool = True


def answering(question, kind, text=""):
    return lambda root: record_answer(root, Answer(tree.EPIC, question, kind, text), tree.NOW)


def paid(root):
    history = [{"at": tree.AT, "stage": "SPEC", "packet_id": "DP-SPEC-001"}]
    numbers = {"total": 1, "consumed": 1, "remaining": 0, "history": history}
    tree.epic(root, state=tree.state(interrupt_budget=numbers))


SCENARIOS = {
    "choice": Scenario(tree.epic, answering("Q-1", "choice", "B"), 1, 1),
    "free": Scenario(tree.epic, answering("Q-3", "free", 'vierzig "Ballen"\n- 四十'), 1, 1),
    "defer": Scenario(tree.epic, answering("Q-2", "defer"), 0, 1),
    "defaults": Scenario(tree.epic, answering("", "defaults"), 1, 2),
    "second": Scenario(paid, answering("Q-2", "default"), 0, 1),
    "packet-alone": Scenario(
        lambda root: tree.epic(root, decision_bundle=None), answering("Q-1", "choice", "B"), 1, 1
    ),
    "exhausted": Scenario(
        lambda root: tree.epic(root, state=tree.state(2, 2), decision_packet=tree.packet(interrupt_number=3)),
        answering("", "defaults"), 0, 3,
    ),
    "old-shape": Scenario(
        lambda root: tree.epic(root, state=tree.state(interrupt_budget=2, interrupts_used=0)),
        answering("Q-1", "default"), 1, 1,
    ),
    "consume": Scenario(tree.epic, lambda root: consume_unit(root, tree.EPIC, tree.NOW), 1, again=False),
    "unlock": Scenario(
        tree.control, lambda root: give_unlock(root, "sharpen the mower first", "unlock MS-40", tree.NOW), again=False
    ),
    "unlock-parts": Scenario(
        lambda root: tree.control(root, tree.CONTROL_TEXT.replace(" N/A", "").replace("\n", "\r\n")),
        lambda root: give_unlock(root, "sharpen the mower first", "unlock MS-40", tree.NOW), again=False,
    ),
    "checkpoint": Scenario(lambda root: tree.control(root, tree.TRACED_TEXT), tree.checkpoint),
    "normalize": Scenario(lambda root: tree.control(root, tree.TRACED_TEXT), tree.normalize),
}  # fmt: skip


class Bench:
    """One workspace that is set up anew for each point."""

    def __init__(self, scenario, folder):
        self.scenario = scenario
        self.folder = Path(folder)
        self.root = self.folder / "w"
        self.fresh = Path(folder) / "fresh"
        shutil.rmtree(self.fresh, ignore_errors=True)
        scenario.prepare(self.fresh)
        self.before = tree.contents(self.fresh)
        self.names = []
        self.reset()
        with Calls(lambda number, name, arguments: self.names.append(name)):
            scenario.action(self.root)
        self.after = tree.contents(self.root)
        if self.after == self.before:
            raise BrokenPromiseError("the action does nothing")
        self.seen = set()

    def reset(self):
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self.fresh, self.root)

    def check(self, *, told):
        """Every file is as before or as after; once more, and all are as after."""
        found = tree.contents(self.root)
        temporary = {name for name in found if name.endswith(".harness-tui.tmp")}
        for name in (self.before.keys() | self.after.keys() | found.keys()) - temporary:
            data, old, new = found.get(name), self.before.get(name), self.after.get(name)
            torn = name == tree.TRACE and data.startswith(old) and new.startswith(data)
            if data not in (old, new) and not torn:
                raise BrokenPromiseError(f"{name} is torn: {data!r}")
        if told and {name: data for name, data in found.items() if name not in temporary} != self.after:
            raise BrokenPromiseError("it was told to be done, but is not there")
        key = repr(
            (told, sorted((name, data) for name, data in found.items() if name not in temporary), len(temporary))
        )
        if key in self.seen:  # most calls change nothing on the disk
            return
        self.seen.add(key)
        self.complete(found)

    def complete(self, found):
        scenario = self.scenario
        state = f"{tree.HOME}/state.json"
        if scenario.again or found.get(state) == self.before.get(state):
            try:
                scenario.action(self.root)
            except Refused as error:
                if error.code != "no-unlock":  # it stands there, so it would be a repeat
                    raise
        last = tree.contents(self.root)
        different = [name for name in self.after.keys() | last.keys() if last.get(name) != self.after.get(name)]
        if [name for name in different if name != tree.TRACE and not name.endswith(".tmp")]:
            raise BrokenPromiseError(f"the same again does not complete it: {different}")
        if any(name.endswith(".tmp") for name in last):
            raise BrokenPromiseError("something is left over")
        if tree.TRACE in last and len(tree.events(self.root)) != 1 + scenario.events:
            raise BrokenPromiseError(f"events: {tree.events(self.root)}")

    def half(self, point):
        """Do the action in a child that dies in the middle of the write at call `point`."""
        child = os.fork()
        if not child:
            self._child(point)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise BrokenPromiseError(f"the writer was not killed at call {point}: {status}")

    def _child(self, point):
        real = os.write

        def before(number, name, arguments):
            if number == point:
                data = bytes(arguments[1])
                real(arguments[0], data[: len(data) // 2])
                die()

        try:
            with Calls(before):
                self.scenario.action(self.root)
        except BaseException as error:  # noqa: BLE001 - the child says why, and ends
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(9)
        os._exit(0)

    def breaks(self, point, code):
        """Do the action here, with call `point` failing; whether it was told to be done."""

        def before(number, name, arguments):
            if number == point:
                raise OSError(code, os.strerror(code))

        try:
            with Calls(before):
                self.scenario.action(self.root)
        except (WriteError, Refused):
            return False
        return True


def kills(bench):
    """At every call, looked at where it left something new, and in the middle of every write."""
    bench.reset()
    lefts, known = [], []

    def look(_number, _name):
        found = tree.contents(bench.root)
        if found not in known:
            known.append(found)
            lefts.append(bench.folder / f"left-{len(lefts)}")
            copy_tree(bench.root, lefts[-1])

    points = kill_at_every_call(lambda: bench.scenario.action(bench.root), look)
    bench.check(told=True)
    whole = bench.root
    for left in lefts:
        bench.root = left
        bench.check(told=False)
    bench.root = whole
    for point, name in enumerate(bench.names, 1):
        if name in WRITES:
            bench.reset()
            bench.half(point)
            bench.check(told=False)
            points += 1
    return points


def breakages(bench):
    """Every call, one after the other in one of three ways."""
    codes = (errno.EIO, errno.ENOSPC, errno.EACCES)
    for point, name in enumerate(bench.names, 1):
        bench.reset()
        told = bench.breaks(point, codes[point % len(codes)])
        bench.check(told=told and name != "close")
    return len(bench.names)


def main(how, scenario, folder):
    gc.freeze()
    gc.disable()
    try:
        bench = Bench(SCENARIOS[scenario], folder)
        points = {"kill": kills, "break": breakages}[how](bench)
    except BrokenPromiseError as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    sys.stdout.write(json.dumps({"points": points}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
