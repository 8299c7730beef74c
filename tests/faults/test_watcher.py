"""What the watcher hears of, what it cannot hear of, and that it says when it is deaf."""

from __future__ import annotations

import errno
import logging
import mmap
import os
import subprocess
import sys
import threading
import time

import pytest
from support.processes import wait_for

from harness_tui.workspace.files import read_file
from harness_tui.workspace.signature import signature
from harness_tui.workspace.watcher import Watcher

SECONDS = 20.0


class Ears:
    """Collects what is told, and waits for a path."""

    def __init__(self):
        self.heard = set()
        self.calls = []
        self._news = threading.Condition()

    def __call__(self, paths):
        with self._news:
            self.heard |= paths
            self.calls.append(paths)
            self._news.notify_all()

    def hears(self, path, seconds=SECONDS):
        with self._news:
            return self._news.wait_for(lambda: str(path) in self.heard, seconds)

    def forget(self):
        with self._news:
            self.heard = set()
            self.calls = []

    def tellings_of(self, path):
        return sum(str(path) in paths for paths in self.calls)


@pytest.fixture
def ears():
    return Ears()


@pytest.fixture
def watcher(ears):
    made = Watcher(ears)
    made.start()
    assert made.healthy() is None
    yield made
    made.stop()


@pytest.fixture
def pool(tmp_path, watcher):
    folder = tmp_path / "pools" / "kiln"
    folder.mkdir(parents=True)
    (folder / "plan.md").write_text("one\n")
    watcher.arm([tmp_path / "pools", folder])
    assert watcher.healthy() is None
    return folder


def settle(pool, ears):
    """Wait until all that was done so far has been told."""
    mark = pool / f"mark-{time.monotonic_ns()}"
    mark.touch()
    assert ears.hears(mark)


def vim_save(path):
    backup = path.with_suffix(".md~")
    path.rename(backup)
    path.write_text("three\n")
    backup.unlink()


def append(path):
    with path.open("a") as file:
        file.write("two\n")


def rename_within(path):
    beside = path.with_suffix(".tmp")
    beside.write_text("two\n")
    beside.replace(path)


def rename_from_elsewhere(path):
    elsewhere = path.parent.parent.parent / "next.md"
    elsewhere.write_text("two\n")
    elsewhere.replace(path)


@pytest.mark.parametrize(
    "change",
    [append, lambda path: path.write_text("rewritten\n"), rename_within, rename_from_elsewhere, vim_save, os.unlink],
    ids=["append", "rewrite", "rename in the folder", "rename from elsewhere", "vim style", "remove"],
)
def test_changed_file_is_named_each_time(pool, ears, change):
    path = pool / "plan.md"
    for _ in range(2):
        path.touch()
        settle(pool, ears)
        ears.forget()
        change(path)
        assert ears.hears(path)


def test_change_is_told_at_once(pool, ears):
    path = pool / "plan.md"
    settle(pool, ears)
    delays = []
    for _ in range(5):
        ears.forget()
        started = time.monotonic()
        append(path)
        assert ears.hears(path)
        delays.append(time.monotonic() - started)
    assert min(delays) < 0.5


def test_a_folder_that_is_made_again_with_the_same_inode_is_known_to_be_another(pool, ears, watcher, monkeypatch):
    (pool / "plan.md").unlink()
    monkeypatch.setattr("harness_tui.workspace.watcher._inode", lambda _path: watcher._armed[str(pool)].inode)
    pool.rmdir()
    pool.mkdir()
    assert ears.hears(pool), "the folder above tells it"
    assert watcher.healthy() == "a watched folder was replaced"


def test_folder_removed_and_made_again_is_watched_again(pool, ears, watcher, tmp_path):
    folders = [tmp_path / "pools", pool]
    (pool / "plan.md").unlink()
    pool.rmdir()
    pool.mkdir()
    assert ears.hears(pool), "the folder above tells it"
    assert watcher.healthy() == "a watched folder was replaced"
    watcher.arm(folders)
    assert watcher.healthy() is None
    ears.forget()
    (pool / "plan.md").write_text("new\n")
    assert ears.hears(pool / "plan.md")


def test_what_is_told_late_of_the_folder_before_says_nothing_of_the_one_that_is_watched_now(pool, ears, tmp_path):
    class Slow(Watcher):
        held = None

        def _heard(self, *told):
            if self.held is None:
                super()._heard(*told)
            else:
                self.held.append(told)

    folders = [tmp_path / "pools", pool]
    watcher = Slow(ears)
    watcher.start()
    watcher.arm(folders)
    try:
        watcher.held = []
        (pool / "plan.md").unlink()
        pool.rmdir()
        pool.mkdir()
        wait_for(lambda: watcher.healthy() == "a watched folder was replaced")
        watcher.arm(folders)
        wait_for(lambda: sum(told[-1].event_type == "deleted" and told[-1].is_directory for told in watcher.held) > 1)
        late, watcher.held = watcher.held, None
        for told in late:
            watcher._heard(*told)
        assert watcher.healthy() is None
        pool.rmdir()
        wait_for(watcher.healthy)
    finally:
        watcher.stop()


def test_folder_renamed_away_and_back_is_watched_again(pool, ears, watcher, tmp_path):
    folders = [tmp_path / "pools", pool]
    away = tmp_path / "away"
    pool.rename(away)
    assert ears.hears(pool)
    assert watcher.healthy() == "a watched folder was replaced"
    watcher.arm(folders)
    assert watcher.healthy() is None
    away.rename(pool)
    watcher.arm(folders)
    assert watcher.healthy() is None
    settle(pool, ears)
    ears.forget()
    append(pool / "plan.md")
    assert ears.hears(pool / "plan.md")


def test_folder_exchanged_for_another_tells_the_names_of_the_new_one(pool, ears, watcher, tmp_path):
    pool.rename(tmp_path / "put-aside")
    pool.mkdir()
    watcher.arm([tmp_path / "pools", pool])
    settle(pool, ears)
    ears.forget()
    (tmp_path / "put-aside" / "plan.md").write_text("nobody looks here\n")
    (pool / "plan.md").write_text("here\n")
    assert ears.hears(pool / "plan.md")
    assert not any("put-aside" in path for path in ears.heard)
    settle(pool, ears)
    assert ears.tellings_of(pool / "plan.md") <= 2, "the one that was put aside is told under the name of the new one"


def test_write_through_memory_is_never_told_but_changes_the_signature(pool, ears):
    path = pool / "plan.md"
    settle(pool, ears)
    before = signature(path)
    ears.forget()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:3] = b"ONE"
        memory.flush()
    settle(pool, ears)
    assert str(path) not in ears.heard
    assert signature(path) != before
    assert read_file(path) == b"ONE\n"


def test_own_reads_are_not_told(pool, ears, watcher):
    settle(pool, ears)
    ears.forget()
    for _ in range(50):
        read_file(pool / "plan.md")
        signature(pool / "plan.md")
        list(os.scandir(pool))
        watcher.arm([pool.parent, pool])
    settle(pool, ears)
    assert {path for path in ears.heard if "mark-" not in path} == set()


def test_handler_that_fails_does_not_deafen(tmp_path):
    told = threading.Event()
    calls = []

    def fail_first(paths):
        calls.append(paths)
        if len(calls) == 1:
            raise ValueError("a bad file")
        told.set()

    watcher = Watcher(fail_first)
    watcher.start()
    watcher.arm([tmp_path])
    (tmp_path / "a").touch()
    for number in range(50):
        if told.wait(0.1):
            break
        (tmp_path / f"b{number}").touch()
    assert told.is_set()
    assert watcher.healthy() is None
    watcher.stop()


def test_linked_folder_is_told_under_the_name_it_was_given(tmp_path, watcher, ears):
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    watcher.arm([link, real])
    (real / "a.md").touch()
    assert ears.hears(link / "a.md")
    assert ears.hears(real / "a.md")


def test_arming_again_changes_nothing_and_dropping_stops_hearing(pool, watcher, ears, tmp_path):
    emitters = set(watcher._observer.emitters)
    watcher.arm([tmp_path / "pools", pool])
    assert set(watcher._observer.emitters) == emitters
    watcher.arm([tmp_path / "pools", tmp_path / "not-there"])
    assert watcher.healthy() is None
    ears.forget()
    append(pool / "plan.md")
    (tmp_path / "pools" / "new").mkdir()
    assert ears.hears(tmp_path / "pools" / "new")
    assert str(pool / "plan.md") not in ears.heard


def test_no_instance_left_is_said_in_words(monkeypatch, ears, tmp_path):
    import watchdog.observers

    def refuse(*_, **__):
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(watchdog.observers, "Observer", refuse)
    watcher = Watcher(ears)
    watcher.start()
    assert watcher.healthy() == "inotify limit reached"
    watcher.arm([tmp_path])
    watcher.stop()
    monkeypatch.undo()
    watcher.start()
    assert watcher.healthy() is None
    watcher.stop()


def test_no_watch_left_is_said_in_words_until_there_is_one(monkeypatch, watcher, ears, tmp_path):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(watcher._observer, "schedule", refuse)
    watcher.arm([tmp_path])
    assert watcher.healthy() == "inotify limit reached"
    monkeypatch.undo()
    watcher.arm([tmp_path])
    assert watcher.healthy() is None
    (tmp_path / "a").touch()
    assert ears.hears(tmp_path / "a")


def test_lost_events_name_every_watched_folder(pool, ears, capfd):
    ears.forget()
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    assert ears.hears(pool)
    assert ears.hears(pool.parent)
    assert capfd.readouterr() == ("", "")


def test_observer_that_ended_is_said_in_words(pool, watcher):
    watcher._observer.stop()
    watcher._observer.join(SECONDS)
    assert watcher.healthy() == "the observer stopped"


def test_watch_that_died_is_said_in_words_and_renewed(pool, watcher, ears, tmp_path):
    for emitter in list(watcher._observer.emitters):
        emitter.stop()
        emitter.join(SECONDS)
    assert watcher.healthy() is not None
    watcher.arm([tmp_path / "pools", pool])
    assert watcher.healthy() is None
    append(pool / "plan.md")
    assert ears.hears(pool / "plan.md")


def test_stopping_ends_its_threads_and_may_be_repeated(tmp_path, ears):
    before = set(threading.enumerate())
    watcher = Watcher(ears)
    assert watcher.healthy() == "watching was not started"
    watcher.start()
    watcher.start()
    watcher.arm([tmp_path])
    watcher.stop()
    watcher.stop()
    watcher.arm([tmp_path])
    deadline = time.monotonic() + SECONDS
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        for thread in set(threading.enumerate()) - before:
            thread.join(0.1)
    assert set(threading.enumerate()) == before
    assert watcher.healthy() == "watching was not started"


def test_importing_the_module_does_not_load_the_library():
    code = "import sys, harness_tui.workspace.watcher; sys.exit('watchdog' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
