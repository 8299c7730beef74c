from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness_tui.workspace import files
from harness_tui.workspace.files import FileError, is_inside, read_file
from harness_tui.workspace.signature import signature


def reason(path, **options):
    with pytest.raises(FileError) as caught:
        read_file(path, **options)
    return caught.value.reason


def test_reads_all_bytes(tmp_path):
    path = tmp_path / "a"
    for content in (b"", b"\xff\0\r\n", b"x" * 300_000):
        path.write_bytes(content)
        assert read_file(path) == content


def test_says_why_it_does_not_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_file(path, limit=5) == b"12345"
    assert reason(path, limit=4) == "it is too big: 5 bytes, at most 4 are read"
    assert reason(tmp_path) == "it is not a regular file"
    assert reason(tmp_path / "gone") == "it is not there"
    assert reason(path / "below") == "it is not there"
    assert reason("a\0b") == "its name is not valid"


def test_gone_is_told_apart_from_unreadable(tmp_path):
    with pytest.raises(FileError) as caught:
        read_file(tmp_path / "gone")
    assert caught.value.gone
    with pytest.raises(FileError) as caught:
        read_file(tmp_path)
    assert not caught.value.gone


@pytest.mark.parametrize(
    "make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to("/dev/tty")]
)
def test_pipes_and_devices_neither_block_nor_read(tmp_path, make):
    make(tmp_path / "odd")
    assert reason(tmp_path / "odd") == "it is not a regular file"


def test_file_that_grows_while_it_is_read_stays_within_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    monkeypatch.setattr(files.os, "read", lambda descriptor, length: b"x" * length)
    assert reason(path, limit=8).startswith("it is too big")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission_is_said_in_words(tmp_path):
    path = tmp_path / "a"
    path.touch(mode=0)
    assert reason(path) == "permission denied"


def test_permission_error_in_words(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.touch()

    def refuse(*_):
        raise PermissionError(13, "no")

    monkeypatch.setattr(files.os, "open", refuse)
    assert reason(path) == "permission denied"


def test_links_are_followed_inside_the_root_only(tmp_path):
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "real").write_text("in")
    (tmp_path / "root-outside").write_text("out")
    (root / "in").symlink_to(root / "real")
    (root / "out").symlink_to(tmp_path / "root-outside")
    (root / "docs" / "up").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    assert read_file(root / "in", root=root) == b"in"
    assert read_file(root / "out") == b"out"
    assert reason(root / "out", root=root) == "it is a link that leaves the workspace"
    assert reason(root / "docs" / "up" / "root-outside", root=root) == "it is a link that leaves the workspace"
    assert reason(root / "loop", root=root) == "it is a link that leads nowhere or elsewhere"
    assert is_inside(root, root)
    assert not is_inside(tmp_path / "root-outside", root)


def test_no_descriptor_is_left_open(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    before = open_descriptors()
    for _ in range(20):
        read_file(path)
        reason(path, limit=1)
        reason(tmp_path / "pipe")
    assert open_descriptors() == before


def open_descriptors():
    return len(list(Path("/dev/fd").iterdir()))


def test_signature_sees_a_replacement_of_same_size_and_time(tmp_path):
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_text("1 left")
    other.write_text("0 left")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    before = signature(path)
    other.replace(path)
    after = signature(path)
    assert (before.size, before.mtime_ns) == (after.size, after.mtime_ns)
    assert before != after


def test_signature_of_nothing_is_none(tmp_path):
    assert signature(tmp_path / "gone") is None
    assert signature("a\0b") is None
