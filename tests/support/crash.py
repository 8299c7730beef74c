# ruff: noqa: PTH103, PTH106, PTH108, PTH112, PTH116, PTH123, PTH208 - done thousands of times: no objects on the way
"""Kills writers of the intervention file with SIGKILL at every call, and looks at what is left.

Run as `python -m support.crash SCENARIO FOLDER STRIDE`: a small process of its own, as forking a test runner is dear.
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
FOLDER_NAMES = (".harness", "harness-tui")
ID = re.compile(r"[0-9a-f]{12}")
STAMP = re.compile(rb'"id": "\w+", "at": "[^"]+"')


class BrokenPromiseError(AssertionError):
    """A promise was broken."""


def keys(data):
    return [signal_key(item) for item in parse_interventions(data).signals]


class Bench:
    """One workspace that is set up anew for each kill."""

    def __init__(self, folder, old, prepare=None):
        self.root = Path(folder) / "w"
        self.fresh = Path(folder) / "fresh"
        shutil.rmtree(self.fresh, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)
        self.old = old
        self.file = self.root / PATH
        self.prepare = prepare
        self.kills = 0
        self.seen = set()

    def reset(self):
        """The workspace as it was at first."""
        if not self.fresh.exists():
            self._make()
        for folder in reversed(FOLDERS):
            place = f"{self.root}/{folder}"
            for name in os.listdir(place) if os.path.isdir(place) else ():
                os.rmdir(f"{place}/{name}") if name in FOLDER_NAMES else os.unlink(f"{place}/{name}")
        for folder in FOLDERS:
            place = f"{self.fresh}/{folder}"
            if os.path.isdir(place):
                os.makedirs(f"{self.root}/{folder}", exist_ok=True)
                for name in os.listdir(place):
                    if name not in FOLDER_NAMES:
                        shutil.copy(f"{place}/{name}", f"{self.root}/{folder}/{name}")

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

    def calls(self, action):
        """Names of the calls of `action`, in order; run here, and to its end."""
        names = []
        self.reset()
        with Calls(lambda number, name, arguments: names.append(name)):
            action(self.root)
        return names

    def run(self, action, point, *, cut=0):
        """Do `action` in a child that dies before call `point`, or when a part of that write is done.

        Returns whether it was done and told so, and whether the child lived to its end.
        """
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            self._child(action, point, cut, theirs)
        os.close(theirs)
        told = os.read(ours, 1)
        os.close(ours)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            raise BrokenPromiseError(f"the writer failed at call {point} with {os.WEXITSTATUS(status)}")
        self.kills += os.WIFSIGNALED(status)
        return bool(told), os.WIFEXITED(status)

    def _child(self, action, point, cut, theirs):
        real = os.write

        def before(number, name, arguments):
            if number != point:
                return
            if cut:
                data = bytes(arguments[1])
                real(arguments[0], data[: {1: 1, 2: len(data) // 2}.get(cut, -1)])
            die()

        try:
            with Calls(before):
                action(self.root)
            os.write(theirs, b"1")
        except BaseException as error:  # noqa: BLE001 - the child says why, and ends
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(9)
        os._exit(0)


CUTS = (-1, 1, 2)
"""Where a write is cut: before its last byte, after its first, in its middle."""


def sweep(bench, action, wanted, stride, first=1):
    """Kill `action` at every `stride`-th call and in every write; the file must be as before or as `wanted`."""
    names = bench.calls(action)
    points = [(point, 0) for point in range(first, len(names) + 2, stride)]
    points += [(point, cut) for point, name in enumerate(names, 1) if name in WRITES for cut in CUTS]
    for point, cut in points:
        bench.reset()
        before = bench.data()
        told, _ = bench.run(action, point, cut=cut)
        check(bench, before, wanted, told=told, mode=0o640 if before is not None else None)


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
    if state in bench.seen:  # most calls change nothing on the disk: what is left is what the one before left
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


def chosen(things, name, stride):
    """All of `things` with their places when every call is killed, else each second: by turns for the old contents."""
    begin = list(OLD).index(name) % 2
    return [(at, thing) for at, thing in enumerate(things) if stride == 1 or at % 2 == begin]


def send_scenario(name, folder, stride):
    """Every signal over one old content."""
    kills = 0
    for at, signal in chosen(SIGNALS.values(), name, stride):
        bench = Bench(folder, OLD[name])
        sweep(
            bench,
            lambda root, s=signal: mailbox.send(root, s),
            lambda old, s=signal: append(old, s),
            stride,
            1 + at % stride,
        )
        kills += bench.kills
    return kills


def sent_before(root):
    mailbox.send(root, SKIP)
    mailbox.send(root, STOP)
    (root / PATH).chmod(0o640)


def withdraw_scenario(name, folder, stride):
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
    for at, (action, wanted, prepare) in chosen(actions, name, stride):
        bench = Bench(folder, old, prepare)
        sweep(bench, action, wanted, stride, 1 + at % stride)
        kills += bench.kills
    return kills


def append_all(data, signals):
    for signal in signals:
        data = append(data, signal)
    return data


def split_scenario(name, folder, stride):
    """Several signals in one write: all of them are there, or none is."""
    bench = Bench(folder, OLD[name])
    sweep(bench, lambda root: mailbox.send_all(root, PARTS), lambda old: append_all(old, PARTS), stride)
    return bench.kills


def twice_scenario(name, folder, stride):
    """A writer is killed, and so is the one that comes next, before anybody could find out what happened."""
    kills = 0
    for second in (SKIP, STOP):
        bench = Bench(folder, OLD[name])
        for point in range(1, 1000, stride):
            bench.reset()
            before = bench.data()
            bench.run(lambda root: mailbox.send(root, ADD), 30 + point % 70)
            middle, mode = bench.data(), bench.mode()
            if middle not in (before, append(before, ADD)):
                raise BrokenPromiseError("torn by the first")
            told, ended = bench.run(lambda root, s=second: mailbox.send(root, s), point)
            check(bench, middle, lambda old, s=second: append(old, s), told=told, mode=mode)
            if ended:
                break
        kills += bench.kills
    return kills


SCENARIOS = {"send": send_scenario, "withdraw": withdraw_scenario, "split": split_scenario, "twice": twice_scenario}


def main(scenario, name, folder, stride):
    gc.freeze()
    gc.disable()
    try:
        kills = SCENARIOS[scenario](name, folder, int(stride))
    except BrokenPromiseError as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    sys.stdout.write(json.dumps({"kills": kills}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
