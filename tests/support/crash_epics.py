"""Kills whoever answers, spends or unlocks at every call to the system, breaks every call once, and looks what is left.

Run as `python -m support.crash_epics HOW SCENARIO FOLDER STRIDE`, HOW being `kill` or `break`: a small process of its
own, as forking a test runner is dear. Prints the number of points as JSON, or says what was wrong and ends with 1.
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
from support.os_calls import WRITES, Calls, die

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import Refused
from harness_tui.workspace.answers import record_answer
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.budgets import consume_unit
from harness_tui.workspace.unlocks import give_unlock


class BrokenPromiseError(AssertionError):
    """A promise was broken."""


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
        self.root = Path(folder) / "w"
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
        if told and found != self.after:
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

    def kill(self, point, *, half):
        """Do the action in a child that dies before call `point`, or in the middle of that write."""
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            self._child(point, half, theirs)
        os.close(theirs)
        told = os.read(ours, 1)
        os.close(ours)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            raise BrokenPromiseError(f"the writer failed at call {point}")
        return bool(told)

    def _child(self, point, half, theirs):
        real = os.write

        def before(number, name, arguments):
            if number != point:
                return
            if half:
                data = bytes(arguments[1])
                real(arguments[0], data[: len(data) // 2])
            die()

        try:
            with Calls(before):
                self.scenario.action(self.root)
            os.write(theirs, b"1")
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


def kills(bench, stride):
    points = [(point, False) for point in range(1, len(bench.names) + 2, stride)]
    points += [(point, True) for point, name in enumerate(bench.names, 1) if name in WRITES]
    for point, half in points:
        bench.reset()
        bench.check(told=bench.kill(point, half=half))
    return len(points)


def breakages(bench, stride):
    done = 0
    for code in (errno.EIO, errno.ENOSPC, errno.EACCES):
        for point in range(1, len(bench.names) + 1, stride):
            bench.reset()
            told = bench.breaks(point, code)
            bench.check(told=told and bench.names[point - 1] != "close")
            done += 1
    return done


def main(how, scenario, folder, stride):
    gc.freeze()
    gc.disable()
    try:
        bench = Bench(SCENARIOS[scenario], folder)
        points = {"kill": kills, "break": breakages}[how](bench, int(stride))
    except BrokenPromiseError as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    sys.stdout.write(json.dumps({"points": points}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
