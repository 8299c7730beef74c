"""Read each file once per change: last good readings, kept by path and signature."""

from __future__ import annotations

import os
import time

from harness_tui.model.frozen import record
from harness_tui.model.problem import Problem
from harness_tui.model.typed import Generic, T
from harness_tui.workspace.files import FileError, file_error, read_file
from harness_tui.workspace.signature import signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from harness_tui.workspace.signature import Signature

GRACE = 2.0
"""Seconds for which a file may look half written before it is taken as it stands."""


@record
class Reading(Generic[T]):
    """The last good reading of a file. `stale` when the file has changed since but cannot be read or is half written.

    `stale_since` is the monotonic time at which that began.
    """

    signature: Signature | None
    data: bytes
    value: T
    stale: bool = False
    stale_since: float = 0.0
    problem: Problem | None = None
    racy: bool = False
    """It was read so shortly after its last change that the next one may carry the same times."""


class Cache(Generic[T]):
    """Readings of one kind of file. A reading whose file did not change is the same object as before."""

    def __init__(
        self, root: Path | str, parse: Callable[[bytes, str], T], *, whole: Callable[[T, T], bool] | None = None
    ) -> None:
        """`parse` makes the value of bytes and shown name; links out of `root` are not followed.

        `whole(old, new)` says whether `new` may replace `old` at once. When it may not, the file looks half written:
        the old value stays, marked stale, for `GRACE` seconds.
        """
        self._root = root
        self._parse = parse
        self._whole = whole
        self._readings: dict[str, Reading[T]] = {}

    def get(self, path: str, name: str, *, look: bool, clock: float) -> Reading[T] | None:
        """The reading of `path`, shown as `name`; None when it is not there. Without `look` the last one is taken."""
        known = self._readings.get(path)
        if known is not None and not look:
            return known
        now = signature(path)
        if now is None:
            return self._unreadable(path, name, _why_not(path), clock)
        if known is not None and known.signature == now and not (known.stale or known.racy):
            return known
        racy = now.is_fresh(time.time_ns())
        try:
            data = read_file(path, root=self._root)
        except FileError as error:
            return self._unreadable(path, name, error, clock)
        if known is not None and not known.stale and known.data == data:
            known.signature, known.racy = now, racy
            return known
        value = self._parse(data, name)
        if known is not None and self._half_written(known, value, clock):
            return known
        reading = Reading(now, data, value, racy=racy)
        self._readings[path] = reading
        return reading

    def last(self, path: str) -> Reading[T] | None:
        """The reading of `path` as it was taken last, without a look at the file."""
        return self._readings.get(path)

    def forget(self, keep: Collection[str]) -> None:
        """Drop the readings of all files that are not in `keep`."""
        for path in [path for path in self._readings if path not in keep]:
            del self._readings[path]

    def drop(self, path: str) -> None:
        """Drop the reading of one file, if there is one."""
        self._readings.pop(path, None)

    @property
    def unsettled(self) -> bool:
        """Whether some file looked half written and should be looked at again soon."""
        return any(reading.stale and reading.problem is None for reading in self._readings.values())

    def stale_problems(self) -> tuple[Problem, ...]:
        """One problem for each file that can't be read now."""
        return tuple(reading.problem for reading in self._readings.values() if reading.problem is not None)

    def _half_written(self, known: Reading[T], value: T, clock: float) -> bool:
        if self._whole is None or self._whole(known.value, value):
            return False
        known.problem = None
        if not known.stale:
            known.stale, known.stale_since = True, clock
        return clock - known.stale_since < GRACE

    def _unreadable(self, path: str, name: str, error: FileError, clock: float) -> Reading[T] | None:
        if error.gone:
            self._readings.pop(path, None)
            return None
        message = f"this file can't be read: {error.reason}; the last good reading is shown, if there is one"
        problem = Problem(name, None, "error", "unreadable", message)
        known = self._readings.get(path)
        if known is None:
            known = Reading(None, b"", self._parse(b"", name))
            self._readings[path] = known
        if not known.stale:
            known.stale, known.stale_since = True, clock
        known.problem = problem
        return known


def _why_not(path: str) -> FileError:
    """Why nothing is known of a file: it is gone, or may not be looked at."""
    try:
        os.stat(path)  # noqa: PTH116 - of a file that is not there, most of the time
    except OSError as error:
        return file_error(error)
    except ValueError:
        pass
    return FileError("it is not there", gone=True)
