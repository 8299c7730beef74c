"""Hears of changed files at once. Events are hints: they get lost, so whoever uses this also looks for himself.

Folders are watched, never files (a save by rename replaces the file) and never whole trees. Only events that change
something are asked for: the kernel reports reads, too, and a reader that wakes on its own reads loops for ever.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from typing import TYPE_CHECKING

from harness_tui.model.frozen import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, EventEmitter, ObservedWatch

_JOIN_SECONDS = 2.0
_LIMITS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.ENOMEM})
_LOGGER = "watchdog"
_LEAVING = frozenset({"deleted", "moved"})


@record
class _Armed:
    """A folder under watch, by its real path: the names under which it was given, and the inode that was watched."""

    names: tuple[str, ...]
    inode: tuple[int, int] | None
    watch: ObservedWatch
    emitter: EventEmitter | None
    left: bool = False
    """Whether it was told to be gone from its place: one that is made again may get the same inode."""
    told: bool = False
    """Whether the folder above told so."""


class Watcher:
    """Calls `on_change` with absolute paths that changed, from a thread of its own: it must return at once.

    A folder itself is named when only that is known of a change. `start`, `arm`, `healthy` and `stop` belong to one
    thread; none of them raises for what the system refuses.
    """

    def __init__(self, on_change: Callable[[frozenset[str]], None]) -> None:
        self._on_change = on_change
        self._observer: BaseObserver | None = None
        self._handler: Callable[[str], FileSystemEventHandler] | None = None
        self._filter: list[type[FileSystemEvent]] = []
        self._armed: dict[str, _Armed] = {}
        self._late: set[str] = set()
        """Folders that are watched anew before the folder above told that the ones before had gone."""
        self._refused = ""
        self._overflow = _OverflowListener(self._rescan)

    def start(self) -> None:
        """Start watching; `healthy` says whether that worked. No folder is watched until `arm`."""
        if self._observer is not None:
            return
        try:
            from watchdog.observers import Observer  # noqa: PLC0415 - 0.1 s that only a dashboard needs

            self._filter, self._handler = _events_and_handler(self._heard)
            observer = Observer()
            observer.start()
        except (OSError, ImportError, RuntimeError) as error:
            self._refused = _why(error)
            return
        self._observer = observer
        self._refused = ""
        logging.getLogger(_LOGGER).addHandler(self._overflow)

    def arm(self, folders: Sequence[Path]) -> None:
        """Watch exactly `folders`, as far as they exist; again those that were replaced or whose watch died.

        Costs one `stat` a folder when nothing changed. Linked folders are watched where they really are, and what
        happens in them is told under the names given here.
        """
        if self._observer is None:
            return
        wanted = _by_real_path(folders)
        for real in [real for real in self._armed if real not in wanted or self._is_dead(real)]:
            if real in wanted and not self._armed[real].told and real.rpartition(os.sep)[0] in self._armed:
                self._late.add(real)
            self._disarm(self._observer, real)
        self._refused = ""
        for real, names in wanted.items():
            if real in self._armed:
                self._armed[real].names = names
            else:
                self._watch(self._observer, real, names)

    def healthy(self) -> str | None:
        """None while every folder under watch is really watched, else in words why not."""
        if self._observer is None:
            return self._refused or "watching was not started"
        if not self._observer.is_alive():
            return "the observer stopped"
        if any(self._is_dead(real) for real in self._armed):
            return "a watched folder was replaced"
        return self._refused or None

    def stop(self) -> None:
        """Stop watching; waits two seconds at most for the threads to end."""
        observer, self._observer = self._observer, None
        self._armed.clear()
        self._late.clear()
        self._refused = ""
        if observer is not None:
            observer.stop()
            observer.join(_JOIN_SECONDS)
            logging.getLogger(_LOGGER).removeHandler(self._overflow)

    def _watch(self, observer: BaseObserver, real: str, names: tuple[str, ...]) -> None:
        inode = _inode(real)
        if inode is None or self._handler is None:
            return
        if not os.access(real, os.R_OK):  # the library takes that refusal for success
            self._refused = "a folder may not be watched: permission denied"
            return
        before = set(observer.emitters)
        try:
            watch = observer.schedule(self._handler(real), real, event_filter=self._filter)
        except (OSError, RuntimeError) as error:
            self._refused = _why(error)
            return
        emitter = next(iter(set(observer.emitters) - before), None)
        self._armed[real] = _Armed(names, inode, watch, emitter)

    def _disarm(self, observer: BaseObserver, real: str) -> None:
        armed = self._armed.pop(real)
        try:
            observer.unschedule(armed.watch)
        except (KeyError, OSError):  # it went away by itself
            return

    def _is_dead(self, real: str) -> bool:
        armed = self._armed[real]
        return armed.left or _inode(real) != armed.inode or armed.emitter is None or not armed.emitter.is_alive()

    def _heard(self, folder: str, event: FileSystemEvent) -> None:
        try:
            if event.event_type in _LEAVING:
                self._gone(folder, os.fsdecode(event.src_path))
            self._tell(os.fsdecode(path) for path in (event.src_path, event.dest_path) if path)
        except Exception:  # one that escapes would end the observer's thread without a word
            logging.getLogger(__name__).debug("a change could not be passed on", exc_info=True)

    def _gone(self, teller: str, path: str) -> None:
        """The watch of the folder `teller` told that `path` has left its place. One of its own ends with it."""
        armed = self._armed.get(path)
        if armed is None or teller == path:
            return
        if path in self._late:
            self._late.discard(path)
        else:
            armed.left = armed.told = True

    def _rescan(self) -> None:
        self._tell(list(self._armed))

    def _tell(self, paths: Iterable[str]) -> None:
        changed = frozenset(name for path in paths for name in self._given_names(path))
        if changed:
            self._on_change(changed)

    def _given_names(self, path: str) -> list[str]:
        """`path` under each name that its folder was given."""
        folder, _, name = path.rpartition(os.sep)
        names: list[str] = []
        if armed := self._armed.get(folder):
            names += [f"{given}{os.sep}{name}" for given in armed.names]
        if armed := self._armed.get(path):
            names += armed.names
        return names or [path]


class _OverflowListener(logging.Handler):
    """The library only logs that events were lost. Being there also keeps its warnings off the terminal."""

    def __init__(self, on_overflow: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._on_overflow = on_overflow

    def emit(self, record: logging.LogRecord) -> None:
        """Pass on that the queue of events ran over; what it says else is of no use to anybody."""
        with contextlib.suppress(Exception):  # it would be raised into the library's own thread
            if "overflow" in record.getMessage():
                self._on_overflow()


def _events_and_handler(
    heard: Callable[[str, FileSystemEvent], None],
) -> tuple[list[type[FileSystemEvent]], Callable[[str], FileSystemEventHandler]]:
    from watchdog import events  # noqa: PLC0415 - see `start`

    class Handler(events.FileSystemEventHandler):
        def __init__(self, folder: str) -> None:
            self._folder = folder

        def dispatch(self, event: FileSystemEvent) -> None:
            heard(self._folder, event)

    kinds: list[type[FileSystemEvent]] = [
        events.FileModifiedEvent, events.FileCreatedEvent, events.FileMovedEvent, events.FileDeletedEvent,
        events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent,
    ]  # fmt: skip
    return kinds, Handler


def _by_real_path(folders: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    wanted: dict[str, tuple[str, ...]] = {}
    for folder in folders:
        name = os.fspath(folder)
        real = os.path.realpath(name)
        wanted[real] = (*wanted.get(real, ()), name)
    return wanted


def _inode(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - runs for each folder, each second
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _why(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in _LIMITS:
        return "inotify limit reached"
    return f"watching failed: {os.strerror(number)}" if number else f"watching failed: {error}"
