"""Every call to the operating system that our writers make, counted, so that a test can break any one of them."""

from __future__ import annotations

import fcntl
import os
import signal

NAMES = (
    "open", "close", "read", "write", "pread", "pwrite", "fsync", "replace", "link", "unlink", "mkdir", "fchmod",
    "fchown", "ftruncate", "stat", "fstat", "listdir", "access",
)  # fmt: skip
LOOKS = ("lstat", "readlink")
"""What only finds out where a path leads."""
WRITES = ("write", "pwrite")


class Calls:
    """Wraps the functions of `os` and `flock`; `before(number, name, arguments)` is asked ahead of each call.

    It may raise, end the process, or return a number: so many bytes are then written at most. Its own calls are not
    counted.
    """

    def __init__(self, before, names=NAMES):
        self._names = names
        self.count = 0
        self._before = before
        self._kept = {}
        self._asking = False

    def __enter__(self):
        self._kept = {name: getattr(os, name) for name in self._names}
        self._flock = fcntl.flock
        for name, function in self._kept.items():
            setattr(os, name, self._wrapped(name, function))
        fcntl.flock = self._wrapped("flock", self._flock)
        return self

    def __exit__(self, *_):
        for name, function in self._kept.items():
            setattr(os, name, function)
        fcntl.flock = self._flock

    def _wrapped(self, name, function):
        def call(*arguments, **options):
            if self._asking:
                return function(*arguments, **options)
            self.count += 1
            self._asking = True
            try:
                most = self._before(self.count, name, arguments)
            finally:
                self._asking = False
            if most is not None and name in WRITES:
                descriptor, data, *rest = arguments
                return function(descriptor, memoryview(data)[:most], *rest)
            return function(*arguments, **options)

        return call


def die():
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)
