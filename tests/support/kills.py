# ruff: noqa: PTH102, PTH103 - done thousands of times: no objects on the way
"""Kills a writer with SIGKILL at every call to the system that it makes, at the price of one run.

Ahead of each call a copy of the process, which has come as far, is killed. It leaves on the disk what the writer would
leave: nothing of that is in a process. Only its lock is not let go, as the writer goes on; so the workspace is looked
at in a copy, where nobody holds one.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat

from support.os_calls import Calls, die


class BrokenPromiseError(AssertionError):
    """A promise was broken."""


def kill_at_every_call(action, look):
    """Do `action`; ahead of each call, and at its end, a copy of this process is killed and `look(number, name)` asked.

    `number` counts from 1; at the end it is one more than there are calls, and `name` empty. Returns the kills.
    """
    kills = 0

    def before(number, name, _arguments=()):
        nonlocal kills
        child = os.fork()
        if not child:
            die()
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            raise BrokenPromiseError(f"the copy was not killed at call {number}")
        kills += 1
        look(number, name)

    calls = Calls(before)
    with calls:
        action()
    before(calls.count + 1, "")
    return kills


def copy_tree(source, target):
    """All of `source`, with its modes and the links between its files: how many names a file has means something."""
    names = {}
    shutil.rmtree(target, ignore_errors=True)
    os.mkdir(target)
    for folder, _, files in os.walk(source):
        place = os.path.normpath(f"{target}/{os.path.relpath(folder, source)}")
        os.makedirs(place, exist_ok=True)
        for name in files:
            found = os.lstat(f"{folder}/{name}")
            if not stat.S_ISREG(found.st_mode):
                continue
            if found.st_ino in names:
                os.link(names[found.st_ino], f"{place}/{name}")
            else:
                names[found.st_ino] = shutil.copy(f"{folder}/{name}", f"{place}/{name}")
