# ruff: noqa: PTH112, PTH116, PTH123, PTH208 - done thousands of times: no objects on the way
"""Kills writers of the intervention file with SIGKILL at every call and in every write, and looks at what is left.

Run as `python -m support.crash SCENARIO OLD FOLDER`: a small process of its own, as forking a test runner is dear.
Prints the number of kills as JSON, or says what was wrong and ends with 1.
"""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import stat
import sys
from collections import Counter
from pathlib import Path

from support.kills import BrokenPromiseError, copy_tree, kill_at_every_call
from support.os_calls import WRITES, Calls, die

from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.intervention_text import signal_key
from harness_tui.formats.mailbox import append, edit, new_signal, withdraw
from harness_tui.rules.sent import Sights, follow
from harness_tui.workspace import mailbox

STOP = new_signal("STOP", "", "the tree is red")
NOTE = new_signal("NOTE", "", "ease the ramp\n\n- 60 C/h\n- STOP means stop\n\n```\nSTOP\n```")
LONG = new_signal("NOTE", "", "0123456789" * 900)
ADD = new_signal("ADD", "glaze-export", "write the table as CSV | with pipes")
SKIP = new_signal("SKIP", "T-02", "标签 later")
PARTS = tuple(new_signal("ADD", f"glaze-{name}", f"the table: {name}") for name in ("csv", "mail", "print"))
BARE = new_signal("STOP", "", "")
SIGNALS = {"stop": STOP, "bare": BARE, "note": NOTE, "long": LONG, "add": ADD, "skip": SKIP}
OLD = {
    "absent": None,
    "stop": b"STOP\n",
    "note": "# Intervention\n\nNOTE — use tabs\n".encode(),
    "prose": b"please stop before the horn task",
    "crlf": b"\xef\xbb\xbfSTOP\r\n",
    "many": "# Intervention\n\nSTOP — red\n\nSKIP T-03 — no\n\nADD a-b — c\n\nNOTE — ~~~\nx\n".encode(),
    "large": b"# Intervention\n\nNOTE \xe2\x80\x94 " + b"line after line of it\r\n" * 400,
    "odd": b"NOTE \xff\x00 a\n\n```\nSKIP T-01\n",
}


FOLDERS = ("", ".harness", ".harness/harness-tui")
ID = re.compile(r"[0-9a-f]{12}")
STAMP = re.compile(rb'"id": "\w+", "at": "[^"]+"')


def keys(data):
    return [signal_key(item) for item in parse_interventions(data).signals]


class Bench:
    """One workspace that is set up anew for each kill."""

    def __init__(self, folder, old, prepare=None, fresh=None):
        """`old` is the content at first; `prepare` does something more, or all of it is as in `fresh`."""
        self.folder = Path(folder)
        self.at(self.folder / "w")
        self.fresh = fresh or self.folder / "fresh"
        if fresh is None:
            shutil.rmtree(self.fresh, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)
        self.old = old
        self.prepare = prepare
        self.kills = 0
        self.seen = set()

    def at(self, root):
        """Look at the workspace in `root`."""
        self.root = root
        self.file = root / PATH

    def reset(self):
        """The workspace as it was at first."""
        if not self.fresh.exists():
            self._make()
        copy_tree(self.fresh, self.root)

    def _make(self):
        self.fresh.mkdir(parents=True)
        if self.old is not None:
            (self.fresh / PATH).parent.mkdir()
            (self.fresh / PATH).write_bytes(self.old)
            (self.fresh / PATH).chmod(0o640)
        if self.prepare is not None:
            self.prepare(self.fresh)

    def state(self):
        """All that the next writer finds, ids and times aside."""
        files = []
        for folder in FOLDERS:
            place = f"{self.root}/{folder}"
            for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
                path = f"{place}/{name}"
                found = os.stat(path)
                if stat.S_ISREG(found.st_mode):
                    with open(path, "rb") as file:
                        files.append((ID.sub("", name), found.st_nlink, hash(STAMP.sub(b"", file.read()))))
        return tuple(files)

    def mode(self):
        return self.file.stat().st_mode & 0o777 if self.file.exists() else None

    def data(self):
        return self.file.read_bytes() if self.file.exists() else None

    def cut(self, action, point, cut):
        """Do `action` in a child that dies when a part of the write at call `point` is done."""
        child = os.fork()
        if not child:
            self._child(action, point, cut)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise BrokenPromiseError(f"the writer was not killed at call {point}: {status}")
        self.kills += 1

    def _child(self, action, point, cut):
        real = os.write

        def before(number, name, arguments):
            if number != point:
                return
            data = bytes(arguments[1])
            real(arguments[0], data[: {1: 1, 2: len(data) // 2}.get(cut, -1)])
            die()

        try:
            with Calls(before):
                action(self.root)
        except BaseException as error:  # noqa: BLE001 - the child says why, and ends
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(9)
        os._exit(0)


CUTS = (-1, 1, 2)
"""Where a write is cut: before its last byte, after its first, in its middle."""


def sweep(bench, action, wanted):
    """Kill `action` at every call and in every write; the file must be as before or as `wanted`."""
    bench.reset()
    before, mode = bench.data(), bench.mode()
    lefts, writes = walk(bench, action)
    check(bench, before, wanted, told=True, mode=mode)
    for left in lefts:
        bench.at(left)
        check(bench, before, wanted, told=False, mode=mode)
    bench.at(bench.folder / "w")
    for point in writes:
        for cut in CUTS:
            bench.reset()
            bench.cut(action, point, cut)
            check(bench, before, wanted, told=False, mode=mode)


def walk(bench, action):
    """Kill `action` at every call; copies of what was left, each of another state, and the numbers of its writes.

    Most calls change nothing on the disk: what is left is what the one before left.
    """
    lefts, states, writes = [], set(), []

    def look(number, name):
        if name in WRITES:
            writes.append(number)
        state = bench.state()
        if state not in states:
            states.add(state)
            lefts.append(bench.folder / f"left-{len(lefts)}")
            copy_tree(bench.root, lefts[-1])

    bench.kills += kill_at_every_call(lambda: action(bench.root), look)
    return lefts, writes


def check(bench, before, wanted, *, told, mode=0o640):
    after = wanted(before)
    found = bench.data()
    if found not in (before, after):
        raise BrokenPromiseError(f"torn: {found!r} is neither {before!r} nor {after!r}")
    if told and found != after:
        raise BrokenPromiseError("it was told to be done, but is not there")
    if mode is not None and found is not None and bench.mode() != mode:
        raise BrokenPromiseError("the mode was lost")
    state = (told, bench.state())
    if state in bench.seen:
        return
    bench.seen.add(state)
    if [signal_key(item.signal) for item in mailbox.pending(bench.root)] != keys(found):
        raise BrokenPromiseError("something else than the file is read as a signal")
    reported = {item.id for item in signals(bench.root)}
    late = NOTE if after is None or STOP in parse_interventions(after).signals else STOP
    mailbox.send(bench.root, late)
    if bench.data() != append(found, late):
        raise BrokenPromiseError("finding out what happened changed the file")
    if any(bench.file.parent.glob(".*.tmp")):
        raise BrokenPromiseError("something is left over")
    history = signals(bench.root)
    waiting = sorted(item.text for item in history if item.state != "withdrawn")
    ours = Counter([*keys(found), signal_key(late)]) - Counter(keys(bench.old) if bench.old is not None else ())
    ours = sorted(key[2] for key in ours.elements())
    if waiting != ours:
        raise BrokenPromiseError(f"the history tells of {waiting}, the file {ours}")
    if reported - {item.id for item in history}:
        raise BrokenPromiseError("told of something that was not written")


def signals(root):
    data = (root / PATH).read_bytes() if (root / PATH).exists() else None
    return follow(mailbox.read_history(root), Sights(parse_interventions(data)))


def send_scenario(name, folder):
    """Every signal over one old content."""
    kills = 0
    for signal in SIGNALS.values():
        bench = Bench(folder, OLD[name])
        sweep(bench, lambda root, s=signal: mailbox.send(root, s), lambda old, s=signal: append(old, s))
        kills += bench.kills
    return kills


def sent_before(root):
    mailbox.send(root, SKIP)
    mailbox.send(root, STOP)
    (root / PATH).chmod(0o640)


def withdraw_scenario(name, folder):
    """Take back the last, the first, and the only signal; replace one by another."""
    kills = 0
    old = OLD[name]
    actions = [
        (lambda root: mailbox.withdraw(root, 1), lambda data: withdraw(data, 1), sent_before),
        (mailbox.withdraw, lambda data: withdraw(data, 1), sent_before),
        (lambda root: mailbox.edit(root, 1, ADD), lambda data: edit(data, 1, ADD), sent_before),
        (lambda root: mailbox.edit(root, 2, LONG), lambda data: edit(data, 2, LONG), sent_before),
    ]
    if old is None:
        only = lambda root: (mailbox.send(root, ADD), (root / PATH).chmod(0o640))  # noqa: E731
        actions.append((mailbox.withdraw, lambda data: None, only))
    for action, wanted, prepare in actions:
        bench = Bench(folder, old, prepare)
        sweep(bench, action, wanted)
        kills += bench.kills
    return kills


def append_all(data, signals):
    for signal in signals:
        data = append(data, signal)
    return data


def split_scenario(name, folder):
    """Several signals in one write: all of them are there, or none is."""
    bench = Bench(folder, OLD[name])
    sweep(bench, lambda root: mailbox.send_all(root, PARTS), lambda old: append_all(old, PARTS))
    return bench.kills


def twice_scenario(name, folder):
    """A writer is killed, and so is the one that comes next, before anybody could find out what happened."""
    first = Bench(folder, OLD[name])
    first.reset()
    before = first.data()
    lefts, _ = walk(first, lambda root: mailbox.send(root, ADD))
    kills = first.kills
    for number, middle in enumerate([left.rename(f"{left}-first") for left in lefts[1:]]):
        second = (SKIP, STOP)[number % 2]
        bench = Bench(folder, OLD[name], fresh=middle)
        bench.reset()
        if bench.data() not in (before, append(before, ADD)):
            raise BrokenPromiseError("torn by the first")
        sweep(bench, lambda root, s=second: mailbox.send(root, s), lambda old, s=second: append(old, s))
        kills += bench.kills
    return kills


SCENARIOS = {"send": send_scenario, "withdraw": withdraw_scenario, "split": split_scenario, "twice": twice_scenario}


def main(scenario, name, folder):
    gc.freeze()
    gc.disable()
    try:
        kills = SCENARIOS[scenario](name, folder)
    except BrokenPromiseError as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    sys.stdout.write(json.dumps({"kills": kills}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
