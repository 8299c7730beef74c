"""Keeps a reading of a workspace up to date, in a thread of its own.

Events say where to look at once; a pass over everything each few seconds is what is relied upon, as events get lost.
Everything that touches the disk for the dashboard happens here: its questions come as jobs.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import clean
from harness_tui.model.frozen import frozen
from harness_tui.workspace.git_folders import git_folders
from harness_tui.workspace.layout import WATCH_LIMIT
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from harness_tui.model.git import Git
    from harness_tui.model.snapshot import Snapshot

    Job = Callable[[Reader], bool]

POLL: Final = 2.0
"""Seconds between passes over everything while events arrive."""
POLL_WITHOUT_EVENTS: Final = 1.0
SETTLE: Final = 0.2
"""Seconds until a half-written file is looked at again."""
BUSY: Final = 0.1
"""Seconds between readings while changes keep coming."""
DRAWING: Final = 0.008
"""Seconds for which a new line of a log has the processor to itself, to get onto the screen."""
FREE_READS: Final = 4
"""Readings in a row that are made at once after a rest."""
ALIVE: Final = 0.5
"""Seconds between looks whether the process that holds a run still lives."""
RETRY: Final = 1.0
"""Seconds until a pass that failed is tried again."""
GIT_EVERY: Final = 20.0
FIRST_FRAME: Final = 5.0
"""Seconds after which watching begins even if nobody said that the first frame is drawn."""
MOST_OTHERS: Final = 12
"""Watched folders of other families than the pools, at most."""
_GIT_PAUSE: Final = 1.0
_READ: Final = frozenset({"md", "json", "jsonl", "log", "flag", "lock"})
"""Endings of the files that are read; a file of another ending, such as a temporary one, changes nothing."""
_ROOT_NAMES: Final = frozenset({"docs", ".harness", ".servo", "scripts", "PLAN.md", ".git"})


@frozen
class Health:
    """How changes are heard of: `live` (events), `polling` (only by looking, `why` says so) or `stale` (not at all)."""

    state: str
    why: str = ""


class Live:
    """Publishes snapshots of the workspace at `root` until stopped.

    `publish` and `tell` are called in this thread and must return at once. `ask` hands a job to this thread; it is
    called with the reader again and again until it returns True, between other work.
    """

    def __init__(
        self, root: Path, publish: Callable[[Snapshot], object], tell: Callable[[Health], object] | None = None
    ) -> None:
        self._root = root
        self._publish = publish
        self._tell = tell or (lambda _health: None)
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._changed: set[str] = set()
        self._jobs: deque[Job] = deque()
        self._stopping = False
        self._all = False
        self._health = Health("", "")
        self._missed = 0
        self._next_poll = 0.0
        self._facts: object = None
        self._watching = False
        self._last: Snapshot | None = None
        self._reads: deque[float] = deque(maxlen=FREE_READS)
        self._followers: list[Callable[[Reader], bool]] = []
        self._watcher = Watcher(self._heard)
        self._git = _GitThread(root, self._wake)
        self._released = threading.Event()
        self._released.set()
        self._thread = threading.Thread(target=self._main, name="harness-tui reader", daemon=True)
        self.beat = time.monotonic()
        """Monotonic time of the last completed pass: when it is old, what is shown is stale."""

    def start(self) -> None:
        """Start reading; the first snapshot follows at once."""
        self._thread.start()

    def hold(self) -> None:
        """Rest after the first reading, so that the first frame has the processor to itself, until `release`."""
        self._released.clear()

    def release(self) -> None:
        """Go on: start watching and ask git."""
        self._released.set()
        self._wake.set()

    def stop(self) -> None:
        """End the threads; waits three seconds at most."""
        self._stopping = True
        self._released.set()
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(2.0)
        self._git.stop()

    def refresh(self) -> None:
        """Look at everything again now."""
        self._all = True
        self._git.ask()
        self._wake.set()

    def ask(self, job: Job) -> None:
        """Have `job` done in the reader's thread."""
        self._jobs.append(job)
        self._wake.set()

    def follow(self, follower: Callable[[Reader], bool]) -> Callable[[], None]:
        """Have `follower` called in this thread when logs have changed, before all else is judged anew.

        Also after each reading, before it is published. It says whether there is something to draw. Returns what ends
        all that.
        """
        self._followers.append(follower)

        def leave() -> None:
            if follower in self._followers:
                self._followers.remove(follower)

        return leave

    def ask_changed_files(self, since: datetime, reply: Callable[[tuple[str, ...] | None], None]) -> None:
        """Ask git which files changed since then; `reply` is called in git's thread."""
        self._git.ask_changed(since, reply)

    # In the reader's thread

    def _main(self) -> None:
        reader = Reader(self._root)
        try:
            while not self._stopping:
                try:
                    self._turn(reader)
                except Exception as error:  # noqa: BLE001 - one bad pass must not end the watch; it is told and tried again
                    self._say(Health("stale", clean(f"{type(error).__name__}: {error}")[:120]))
                    self._all = True
                    self._wake.wait(RETRY)
        finally:
            self._watcher.stop()
            reader.close()

    def _first(self, reader: Reader) -> None:
        self._tell_all(reader, reader.read())
        self._next_poll = self.beat + FIRST_FRAME

    def _begin(self, reader: Reader) -> None:
        """Start what was put off until the first frame is drawn: watching, and asking git."""
        self._watching = True
        self._git.start()
        self._watcher.start()
        # What changed between the reading and the watch is found by the next look.
        self._all = True
        if self._last is not None:
            self._arm(reader, self._last)

    def _turn(self, reader: Reader) -> None:
        """Wait for something to do, then do it: jobs first, then one reading if one is due."""
        if self._last is None:
            self._first(reader)
        self._wake.wait(self._rest(reader))
        self._wake.clear()
        if self._stopping:
            return
        self._do_jobs(reader)
        now = time.monotonic()
        if not self._watching:
            if not self._released.is_set() and now < self._next_poll:
                return
            self._begin(reader)
        full = self._all or now >= self._next_poll
        if not full and self._changed and self._busy(now) > 0:
            return
        with self._lock:
            changed, self._changed = frozenset(self._changed), set()
        git_news = self._git.take()
        if git_news is not None:
            reader.git = git_news
        if full:
            self._pass_over_all(reader, changed)
        elif changed:
            if self._rested(now):  # in a flood all is drawn at once, which costs less
                reader.logs.look(changed)
                if self._tell_followers(reader):
                    time.sleep(DRAWING)
            self._reads.append(now)
            snapshot = reader.read(changed)
            self._tell_all(reader, snapshot)
            if reader.listed:  # there may be a new folder in which more will happen at once
                self._arm(reader, snapshot)
        elif git_news is not None or reader.unsettled or not reader.logs.complete or reader.holder_gone:
            self._tell_all(reader, reader.read(frozenset()))

    def _rest(self, reader: Reader) -> float:
        """Seconds until there is something to do without being woken."""
        now = time.monotonic()
        until = self._next_poll - now
        if self._jobs:
            return 0.0
        if not self._watching:
            return 0.0 if self._released.is_set() else max(0.0, until)
        if self._all or not reader.logs.complete:
            return 0.0
        if self._changed:
            until = min(until, self._busy(now))
        if reader.unsettled:
            until = min(until, SETTLE)
        if reader.has_holder:
            until = min(until, ALIVE)
        return max(0.0, until)

    def _busy(self, now: float) -> float:
        """Seconds to wait before the next reading: none after a rest, up to `BUSY` while changes keep coming."""
        return 0.0 if self._rested(now) else self._reads[-1] + BUSY - now

    def _rested(self, now: float) -> bool:
        return len(self._reads) < FREE_READS or now - self._reads[0] > FREE_READS * BUSY

    def _tell_all(self, reader: Reader, snapshot: Snapshot) -> None:
        """Hand on a reading: to the followers first, who show new log lines without waiting for anything else."""
        self._tell_followers(reader)
        self._last = snapshot
        self._facts = _facts(snapshot)
        self._publish(snapshot)
        self.beat = time.monotonic()

    def _tell_followers(self, reader: Reader) -> bool:
        """Whether there is something to draw."""
        drawing = [follower(reader) for follower in tuple(self._followers)]
        return any(drawing)

    def _pass_over_all(self, reader: Reader, changed: frozenset[str]) -> None:
        """Look at everything, and judge by what is found whether events can be relied on."""
        asked, self._all = self._all, False
        before = self._facts
        snapshot = reader.read(None) if not changed else reader.read(changed | {""})
        self._tell_all(reader, snapshot)
        self._arm(reader, snapshot)
        news = before is not None and before != self._facts and reader.logs.complete
        self._missed = self._missed + 1 if news and not asked and not changed else self._missed
        trouble = self._watcher.healthy()
        if trouble is None and self._missed > 1:
            trouble = "changes arrive without events"
        self._say(Health("polling", trouble) if trouble else Health("live"))
        self._next_poll = time.monotonic() + (POLL_WITHOUT_EVENTS if trouble else POLL)

    def _arm(self, reader: Reader, snapshot: Snapshot) -> None:
        folders = reader.layout.folders_to_watch(reader.watched_slugs(snapshot.pools))
        others = [folder for folder in reader.families.folders() if folder not in folders]
        self._watcher.arm([*folders[: WATCH_LIMIT - len(others[:MOST_OTHERS])], *others[:MOST_OTHERS]])

    def _do_jobs(self, reader: Reader) -> None:
        for _ in range(len(self._jobs)):
            job = self._jobs.popleft()
            if not job(reader):
                self._jobs.append(job)

    def _say(self, health: Health) -> None:
        if health != self._health:
            self._health = health
            self._tell(health)

    # In the observer's thread

    def _heard(self, paths: frozenset[str]) -> None:
        mine = {path for path in paths if self._matters(path)}
        if any(path.startswith(folder) for path in paths for folder in self._git.folders):
            self._git.ask()
        if mine:
            self._missed = 0
            with self._lock:
                self._changed |= mine
            self._wake.set()

    def _matters(self, path: str) -> bool:
        if any(path.startswith(folder) for folder in self._git.folders):
            return False
        parent, name = os.path.split(path)
        _, dot, suffix = name.rpartition(".")
        if dot and suffix not in _READ and not os.path.isdir(path):  # noqa: PTH112 - per event, on the observer's thread
            return False
        return parent != str(self._root) or name in _ROOT_NAMES


def _facts(snapshot: Snapshot) -> object:
    """What changes only when files do."""
    logs = tuple((log.path, log.size, log.restarts) for log in snapshot.logs)
    return logs, tuple((pool.path, pool.tasks, pool.notes) for pool in snapshot.pools)


class _GitThread:
    """Asks git in its own thread, as it may take seconds: when told to, and each `GIT_EVERY` seconds."""

    def __init__(self, root: Path, wake: threading.Event) -> None:
        self._root = root
        self._wake = wake
        self._asked = threading.Event()
        self._questions: deque[Callable[[], None]] = deque()
        self._news: deque[Git] = deque(maxlen=1)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._main, name="harness-tui git", daemon=True)
        self.folders = tuple(str(folder) for folder in git_folders(root))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread; waits half a second at most, as git may take its time."""
        self._stopped.set()
        self._asked.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(0.5)

    def ask(self, question: Callable[[], None] | None = None) -> None:
        """Read again soon, or answer `question` in this thread."""
        if question is not None:
            self._questions.append(question)
        self._asked.set()

    def ask_changed(self, since: datetime, reply: Callable[[tuple[str, ...] | None], None]) -> None:
        """Answer in this thread which files changed since then."""
        from harness_tui.workspace.git import changed_files  # noqa: PLC0415 - in this thread only, after the start

        self.ask(lambda: reply(changed_files(self._root, since)))

    def take(self) -> Git | None:
        """The newest reading, once."""
        return self._news.popleft() if self._news else None

    def _main(self) -> None:
        from harness_tui.workspace.git import read_git  # noqa: PLC0415 - not before the first frame

        last = None
        while not self._stopped.is_set():
            self._asked.clear()
            while self._questions and not self._stopped.is_set():
                with suppress(Exception):  # whoever asked may be gone, and the next one has not to do with that
                    self._questions.popleft()()
            found = read_git(self._root)
            if found != last:
                last = found
                self._news.append(found)
                self._wake.set()
            if self._asked.wait(GIT_EVERY) and not self._questions:
                self._stopped.wait(_GIT_PAUSE)  # a commit changes several files of git's folder one after the other
