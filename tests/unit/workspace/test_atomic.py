"""Each writer leaves what stood there, or all of what is new, and says which; the errors of one call at a time."""

import errno
import os
import stat

import pytest
from support.os_calls import Calls

from harness_tui.workspace import atomic
from harness_tui.workspace.atomic import (
    ANY,
    ChangedError,
    WriteError,
    append_line,
    leftovers,
    move_file,
    opened_place,
    read_target,
    remove_file,
    remove_leftover,
    replace_file,
    staged,
)


def failing(call, number, also=lambda: None):
    """Have the next `call` fail with the error `number`, behind what `also` does."""

    def before(_count, _name, _arguments):
        also()
        raise OSError(number, os.strerror(number))

    return Calls(before, (call,))


def failing_for_folders(number=errno.EIO):
    """Have the disk confirm no change of a folder."""

    def before(_count, _name, arguments):
        if stat.S_ISDIR(os.fstat(arguments[0]).st_mode):
            raise OSError(number, os.strerror(number))

    return Calls(before, ("fsync",))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV])
def test_a_file_system_without_hard_links_gets_new_files_all_the_same_and_replaces_none(tmp_path, number):
    path = tmp_path / "new"
    with failing("link", number):
        replace_file(path, b"x", root=tmp_path, expect=None)
    assert (names(tmp_path), path.read_bytes()) == (["new"], b"x")
    path.unlink()
    made = failing("link", number, lambda: path.write_bytes(b"theirs"))
    with made, pytest.raises(ChangedError, match="it was made by somebody else"):
        replace_file(path, b"x", root=tmp_path, expect=None)
    assert (names(tmp_path), path.read_bytes()) == (["new"], b"theirs")


def test_a_file_that_somebody_makes_just_before_ours_gets_its_name_stays(tmp_path):
    path = tmp_path / "new"
    made = Calls(lambda _count, _name, _arguments: path.write_bytes(b"theirs") and None, ("link",))
    with made, pytest.raises(ChangedError, match="somebody else has just made it"):
        replace_file(path, b"x", root=tmp_path, expect=None)
    assert (names(tmp_path), path.read_bytes()) == (["new"], b"theirs")


def test_a_new_file_that_can_not_get_its_name_is_not_there(tmp_path):
    with failing("link", errno.EIO), pytest.raises(WriteError, match="the disk reports an error") as error:
        replace_file(tmp_path / "new", b"x", root=tmp_path, expect=None)
    assert (names(tmp_path), error.value.undone) == ([], True)


def test_what_changed_meanwhile_is_told_as_what_became_of_it(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"theirs")
    for expect, why in ((b"x", "it has changed since"), (None, "it was made by somebody else")):
        with pytest.raises(ChangedError, match=f"file: {why}$"):
            replace_file(path, b"y", root=tmp_path, expect=expect)
    path.unlink()
    with pytest.raises(ChangedError, match="it has gone since it was read"):
        remove_file(path, root=tmp_path, expect=b"x")
    assert names(tmp_path) == []


def test_new_content_takes_its_place_once(tmp_path):
    with staged(tmp_path / "file", b"x", root=tmp_path) as stage:
        stage.commit(ANY)
        with pytest.raises(WriteError, match="nothing is staged"):
            stage.commit(ANY)
    assert names(tmp_path) == ["file"]


def test_a_file_is_moved_to_a_name_that_nobody_has(tmp_path):
    old, new = tmp_path / "old", tmp_path / "sub/new"
    old.write_bytes(b"x")
    move_file(old, new, root=tmp_path)
    assert (names(tmp_path), new.read_bytes()) == (["sub"], b"x")
    old.write_bytes(b"y")
    with pytest.raises(ChangedError, match="new: it was made by somebody else"):
        move_file(old, new, root=tmp_path)
    assert (old.read_bytes(), new.read_bytes()) == (b"y", b"x")
    (tmp_path / "link").symlink_to("old")
    with pytest.raises(WriteError, match="link: it is a link"):
        move_file(tmp_path / "link", tmp_path / "other", root=tmp_path)
    assert names(tmp_path) == ["link", "old", "sub"]


@pytest.mark.parametrize("which", [1, 2])
def test_a_move_is_brought_to_the_disk_in_both_folders(tmp_path, which):
    (tmp_path / "old").write_bytes(b"x")
    (tmp_path / "sub").mkdir()
    seen = []

    def before(_count, _name, arguments):
        seen.append(os.fstat(arguments[0]).st_ino)
        if len(seen) == which:
            raise OSError(errno.EIO, "broken")

    with Calls(before, ("fsync",)), pytest.raises(WriteError, match="the disk did not confirm it") as error:
        move_file(tmp_path / "old", tmp_path / "sub/new", root=tmp_path)
    assert not error.value.undone
    assert seen == [(tmp_path / "sub").stat().st_ino, tmp_path.stat().st_ino][:which]


@pytest.mark.parametrize(
    "write",
    [
        lambda path: replace_file(path, b"new", root=path.parent, expect=b"old"),
        lambda path: remove_file(path, root=path.parent, expect=b"old"),
    ],
)
def test_a_change_that_the_disk_does_not_confirm_may_stand_there(tmp_path, write):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def before(_count, _name, arguments):
        if stat.S_ISDIR(os.fstat(arguments[0]).st_mode) and (not path.exists() or path.read_bytes() == b"new"):
            raise OSError(errno.EIO, "broken")

    with Calls(before, ("fsync",)), pytest.raises(WriteError, match="it was written, but the disk did not") as error:
        write(path)
    assert not error.value.undone


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EBADF])
def test_a_file_system_that_syncs_no_folders_is_written_to_all_the_same(tmp_path, number):
    with failing_for_folders(number):
        replace_file(tmp_path / "file", b"x", root=tmp_path, expect=None)
        append_line(tmp_path / "log", b"one", root=tmp_path)
    assert names(tmp_path) == ["file", "log"]


def test_a_line_is_on_the_disk_and_so_is_the_name_of_its_file_when_that_is_new(tmp_path):
    path = tmp_path / "log"
    with failing_for_folders(), pytest.raises(WriteError, match="the disk reports an error") as error:
        append_line(path, b"one", root=tmp_path)
    assert (path.read_bytes(), error.value.undone) == (b"", True)
    append_line(path, b"one", root=tmp_path)
    with failing_for_folders():
        append_line(path, b"two", root=tmp_path)
    with failing("fsync", errno.EIO), pytest.raises(WriteError) as error:
        append_line(path, b"three", root=tmp_path)
    assert (path.read_bytes(), error.value.undone) == (b"one\ntwo\n", False)  # nor was the way back confirmed


def test_a_file_is_read_up_to_its_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "MAX_FILE", 4)
    monkeypatch.setattr(atomic, "_CHUNK", 2)
    (tmp_path / "file").write_bytes(b"1234")
    assert read_target(tmp_path / "file", root=tmp_path) == b"1234"
    (tmp_path / "file").write_bytes(b"12345")
    with pytest.raises(WriteError, match="more than 4 bytes"):
        read_target(tmp_path / "file", root=tmp_path)
    assert read_target(tmp_path / "nothing", root=tmp_path) is None
    assert read_target(tmp_path / "no/thing", root=tmp_path) is None


def test_remains_of_a_dead_writer_are_told_by_token_with_whether_they_took_their_place(tmp_path):
    path = tmp_path / "file"
    (tmp_path / ".file.a.harness-tui.tmp").write_bytes(b"x")
    (tmp_path / ".file.b.harness-tui.tmp").write_bytes(b"y")
    os.link(tmp_path / ".file.b.harness-tui.tmp", path)
    for other in (".file.c.tmp", ".file2.d.harness-tui.tmp", "file.e.harness-tui.tmp"):
        (tmp_path / other).write_bytes(b"z")
    with opened_place(path, root=tmp_path) as place:
        assert leftovers(place) == {"a": False, "b": True}
        for token in ("a", "b", "gone"):
            remove_leftover(place, token)
        assert leftovers(place) == {}
    assert names(tmp_path) == [".file.c.tmp", ".file2.d.harness-tui.tmp", "file", "file.e.harness-tui.tmp"]


def test_mode_and_owner_stay_but_for_special_bits(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x")
    owner = (12345, 23456) if os.getuid() == 0 else (os.getuid(), os.getgid())
    os.chown(path, *owner)
    path.chmod(0o6751)
    replace_file(path, b"y", root=tmp_path, expect=b"x")
    found = path.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o751, *owner)
    with failing("fchown", errno.EPERM):  # who may not give files away keeps them
        replace_file(path, b"z", root=tmp_path, expect=b"y")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"z", 0o751)


def test_new_content_is_hidden_from_others_until_it_has_the_mode_of_the_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x")
    path.chmod(0o600)
    modes = []

    def before(_count, _name, arguments):
        modes.append(stat.S_IMODE(os.fstat(arguments[0]).st_mode))

    with Calls(before, ("write",)):
        replace_file(path, b"y", root=tmp_path, expect=ANY)
    assert modes == [0o600]


def test_a_line_goes_behind_one_torn_byte_and_into_regular_files_alone(tmp_path):
    (tmp_path / "log").write_bytes(b"x")
    append_line(tmp_path / "log", b"one", root=tmp_path)
    assert (tmp_path / "log").read_bytes() == b"x\none\n"
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, why in (("folder", "it is a folder"), ("pipe", "it is not a regular file")):
        with pytest.raises(WriteError, match=f"{name}: {why}$"):
            append_line(tmp_path / name, b"one", root=tmp_path)
