"""Who holds a lock, and when it is given to somebody else."""

import errno
import os
import threading

import pytest
from support.os_calls import Calls

from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.lock import OWN_FOLDER, KeptLock, LockedError, folder_locked, locked, sweep


def test_a_kept_lock_is_held_each_time_and_free_between(tmp_path):
    kept = KeptLock(tmp_path, "x")
    for _ in range(3):
        with kept.held(), pytest.raises(LockedError), locked(tmp_path, "x", timeout=0.01):
            pass
        with locked(tmp_path, "x", timeout=0.01), pytest.raises(LockedError), kept.held(timeout=0.01):
            pass
    kept.close()
    kept.close()


def test_a_kept_lock_whose_file_was_replaced_is_that_of_the_new_file(tmp_path):
    kept = KeptLock(tmp_path, "x")
    with kept.held():
        pass
    (tmp_path / OWN_FOLDER / "x.lock").unlink()
    with locked(tmp_path, "x"), pytest.raises(LockedError), kept.held(timeout=0.01):
        pass
    with kept.held(), pytest.raises(LockedError), locked(tmp_path, "x", timeout=0.01):
        pass
    kept.close()


def test_a_kept_lock_keeps_one_file_open_and_gives_it_back(tmp_path, files_open):
    before = files_open()
    kept = KeptLock(tmp_path, "x")
    for _ in range(3):
        with kept.held():
            pass
        assert files_open() == before + 1
    opened = []
    with Calls(lambda _count, name, _arguments: opened.append(name), ("open",)), kept.held():
        pass
    assert opened.count("open") == 0
    kept.close()
    assert files_open() == before


def test_a_lock_that_comes_free_in_time_is_waited_for(tmp_path):
    entered = threading.Event()

    def hold():
        with locked(tmp_path, "x"):
            entered.set()
            leave.wait(10)

    leave = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    entered.wait(10)
    threading.Timer(0.05, leave.set).start()
    with locked(tmp_path, "x", timeout=10):
        assert leave.is_set()
    holder.join()


def test_what_is_no_regular_file_is_no_lock(tmp_path):
    (tmp_path / OWN_FOLDER).mkdir(parents=True)
    (tmp_path / OWN_FOLDER / "x.lock").symlink_to("/dev/null")
    os.mkfifo(tmp_path / OWN_FOLDER / "y.lock")
    for name in ("x", "y"):
        with pytest.raises(WriteError), locked(tmp_path, name):
            pass


def test_git_ignores_the_folder_of_the_locks_unless_its_owner_says_what_to_ignore(tmp_path):
    ignore = tmp_path / OWN_FOLDER / ".gitignore"
    for text, after in ((None, "*\n"), ("", "*\n"), ("*.log\n", "*.log\n"), ("x\n", "x\n")):
        if text is not None:
            ignore.write_text(text)
        with locked(tmp_path, "x"):
            assert ignore.read_text() == after


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_whose_file_goes_between_opening_and_taking_it_is_that_of_the_new_file(tmp_path, files_open, replaced):
    before, path, seen = files_open(), tmp_path / OWN_FOLDER / "x.lock", []

    def remove(_count, name, _arguments):
        if name == "flock" and not seen:
            seen.append(name)
            path.unlink()
            if replaced:
                path.touch()

    with Calls(remove, ()), locked(tmp_path, "x"), pytest.raises(LockedError), locked(tmp_path, "x", timeout=0.01):
        pass
    assert (path.exists(), files_open()) == (True, before)


def test_a_file_system_that_gives_no_locks_is_told_of(tmp_path):
    def refuse(_count, _name, _arguments):
        raise OSError(errno.ENOLCK, "no locks")

    with Calls(refuse, ()), pytest.raises(WriteError) as error, locked(tmp_path, "x"):
        pass
    assert not isinstance(error.value, LockedError)
    with Calls(refuse, ()), folder_locked(tmp_path):  # who keeps others out by it has more than that
        pass


def test_a_folder_is_held_by_one_and_free_again(tmp_path, files_open):
    before = files_open()
    with folder_locked(tmp_path):
        with pytest.raises(LockedError, match="another program holds it"), folder_locked(tmp_path):
            pass
        with folder_locked(tmp_path / "nothing"):
            pass
    with folder_locked(tmp_path):
        pass
    assert files_open() == before


def test_remains_of_dead_writers_are_swept_from_beside_their_files_alone(tmp_path):
    for name in (".a.1.harness-tui.tmp", ".a.2.harness-tui.tmp", ".b.1.harness-tui.tmp", ".c.1.harness-tui.tmp"):
        (tmp_path / name).write_bytes(b"x")
    sweep(tmp_path, [tmp_path / "a", tmp_path / "no/folder", tmp_path / "b"])
    assert [path.name for path in tmp_path.iterdir()] == [".c.1.harness-tui.tmp"]
