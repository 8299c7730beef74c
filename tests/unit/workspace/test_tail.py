from __future__ import annotations

import os
import re
import time

import pytest

from harness_tui.workspace import fingerprint, tail
from harness_tui.workspace.line_search import matching_lines, search
from harness_tui.workspace.signature import Signature
from harness_tui.workspace.tail import LineFile, RawLine, TailChange

OLD = b"".join(b"old line %02d\n" % n for n in range(20))
NEW = b"".join(b"new line %02d, a little longer\n" % n for n in range(25))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "STREAM_LOG.md"


@pytest.fixture
def opened(path):
    path.write_bytes(OLD)
    file = LineFile(path)
    assert file.refresh() == TailChange("appeared", 0, len(OLD))
    assert file.index()
    yield file
    file.close()


def texts(file):
    file.index()
    return [line.data for line in file.lines(0, file.total)]


def test_no_file_is_told_once_and_then_stays_the_same(path):
    file = LineFile(path)
    assert file.refresh() == TailChange("vanished", reason="it is not there")
    assert file.refresh().kind == "same"
    assert (file.exists, file.total, file.size, file.complete, file.partial) == (False, 0, 0, True, False)
    assert file.tail(5) == file.lines(0, 5) == []


def test_nothing_happened(opened):
    assert opened.refresh() == TailChange("same", len(OLD), len(OLD))


def test_appended_bytes_are_named(opened, path):
    with path.open("ab") as file:
        file.write(b"one more")
    assert opened.refresh() == TailChange("grown", len(OLD), len(OLD) + 8)
    assert not opened.complete
    assert opened.index()
    assert opened.total == 21
    assert opened.partial
    assert opened.lines(20, 99) == [RawLine(b"one more")]


def test_log_truncated_and_regrown_past_its_old_size_is_read_from_its_first_line(opened, path):
    inode = path.stat().st_ino
    path.write_bytes(NEW)
    assert path.stat().st_ino == inode
    assert opened.refresh() == TailChange("restarted", 0, len(NEW), "rewritten")
    assert texts(opened) == NEW.split(b"\n")[:-1]


def test_truncated_log_restarts(opened, path):
    os.truncate(path, 13)
    assert opened.refresh() == TailChange("restarted", 0, 13, "truncated")
    assert texts(opened) == [b"old line 00", b"o"]


@pytest.mark.parametrize(
    ("edited", "size_changes"),
    [(OLD.replace(b"old line 03", b"OLD LINE 03"), False), (OLD.replace(b"old line 03", b"old line 3: done"), True)],
)
def test_earlier_line_completed_in_place_is_seen(opened, path, edited, size_changes):
    with path.open("r+b") as file:
        file.write(edited)
    assert (len(edited) != len(OLD)) == size_changes
    assert opened.refresh() == TailChange("restarted", 0, len(edited), "edited")
    assert texts(opened) == edited.split(b"\n")[:-1]


@pytest.mark.parametrize("appended", [b"", NEW])
def test_change_far_from_both_ends_is_seen(path, appended):
    long = OLD * 30
    path.write_bytes(long)
    file = LineFile(path)
    file.refresh()
    middle = len(long) // 2
    path.write_bytes(long[:middle] + b"EDITED" + long[middle + 6 :] + appended)
    assert file.refresh() == TailChange("restarted", 0, len(long + appended), "edited")
    file.close()


def test_change_that_leaves_size_and_all_times_is_seen_when_it_follows_at_once(opened, path, monkeypatch):
    monkeypatch.setattr(tail, "signature_of", lambda found: Signature(1, found.st_size, time.time_ns(), time.time_ns()))
    opened.refresh()
    frozen = opened.signature
    monkeypatch.setattr(tail, "signature_of", lambda found: frozen)
    with path.open("r+b") as file:
        file.write(b"OLD")
    assert opened.refresh().kind == "restarted"


def test_touched_file_is_the_same(opened, path):
    os.utime(path, (1, 1))
    path.chmod(0o600)
    assert opened.refresh().kind == "same"


def test_rotated_log_restarts_with_the_new_file(opened, path):
    path.rename(path.with_suffix(".1"))
    path.write_bytes(NEW)
    assert opened.refresh() == TailChange("restarted", 0, len(NEW), "replaced")
    assert texts(opened) == NEW.split(b"\n")[:-1]


def test_copy_with_more_lines_saved_over_it_has_only_grown(opened, path):
    beside = path.with_suffix(".new")
    beside.write_bytes(OLD + NEW)
    beside.replace(path)
    assert opened.refresh() == TailChange("grown", len(OLD), len(OLD + NEW))


def test_removed_log_vanishes_and_may_appear_again(opened, path):
    path.unlink()
    assert opened.refresh().kind == "vanished"
    assert opened.total == 0
    path.write_bytes(NEW)
    assert opened.refresh() == TailChange("appeared", 0, len(NEW))


def test_pipe_folder_and_link_out_of_the_root_are_no_files(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("secret\n")
    os.mkfifo(root / "pipe")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "inner").symlink_to(root / "real")
    (root / "real").write_text("fine\n")
    assert LineFile(root / "pipe").refresh().reason == "it is not a regular file"
    assert LineFile(root).refresh().reason == "it is not a regular file"
    assert LineFile(root / "link", root=root).refresh().reason == "it is a link that leaves the workspace"
    inner = LineFile(root / "inner", root=root)
    assert inner.refresh().kind == "appeared"
    assert texts(inner) == [b"fine"]
    inner.close()


def test_big_file_that_was_touched_is_believed_to_be_edited(path, monkeypatch):
    monkeypatch.setattr(fingerprint, "WHOLE", 100)
    monkeypatch.setattr(tail, "WHOLE", 100)
    path.write_bytes(OLD)
    file = LineFile(path)
    file.refresh()
    os.utime(path, (1, 1))
    assert file.refresh() == TailChange("restarted", 0, len(OLD), "edited")
    path.chmod(0o600)
    assert file.refresh().kind == "same"
    file.close()


def test_big_file_replaced_by_one_with_the_same_ends_restarts(path, monkeypatch):
    monkeypatch.setattr(fingerprint, "WHOLE", 100)
    monkeypatch.setattr(tail, "WHOLE", 100)
    path.write_bytes(OLD * 30)
    file = LineFile(path)
    file.refresh()
    beside = path.with_suffix(".new")
    beside.write_bytes(OLD * 30)
    beside.replace(path)
    assert file.refresh() == TailChange("restarted", 0, len(OLD * 30), "replaced")
    file.close()


def test_small_file_that_grew_big_is_still_compared_whole_once(path, monkeypatch):
    monkeypatch.setattr(fingerprint, "WHOLE", len(OLD) + 10)
    path.write_bytes(OLD)
    file = LineFile(path)
    file.refresh()
    path.write_bytes(OLD[:50].upper() + OLD[50:] + NEW)
    assert file.refresh().kind == "restarted"
    file.close()


def test_file_that_shrinks_at_each_look_is_taken_as_empty(opened, monkeypatch):
    real = os.pread
    monkeypatch.setattr(os, "pread", lambda descriptor, length, offset: real(descriptor, max(0, length - 1), offset))
    opened._signature = None
    assert opened.refresh() == TailChange("restarted", reason="truncated")
    monkeypatch.undo()
    assert opened.refresh().end == len(OLD)
    assert len(texts(opened)) == 20


def test_file_truncated_after_the_look_gives_fewer_lines_and_no_error(opened, path):
    os.truncate(path, 0)
    assert opened.lines(5, 15) == []
    assert opened.tail(3) == []
    assert search(opened, re.compile(b"old"), 0).line is None


def test_character_cut_at_the_end_is_given_as_it_is(opened, path):
    with path.open("ab") as file:
        file.write("窯の温".encode()[:-1])
    opened.refresh()
    assert opened.tail(1) == [RawLine("窯の温".encode()[:-1])]
    with path.open("ab") as file:
        file.write("温".encode()[-1:] + b"\n")
    opened.refresh()
    opened.index()
    assert opened.tail(1) == [RawLine("窯の温".encode())]
    assert opened.total == 21


def test_long_line_is_cut_and_its_rest_counted(path):
    path.write_bytes(b"a\n" + b"x" * 200_000 + b"\r\nb\r\n")
    file = LineFile(path)
    file.refresh()
    cut = RawLine(b"x" * tail.MAX_LINE, 200_000 - tail.MAX_LINE)
    assert file.tail(2) == [cut, RawLine(b"b")]
    file.index()
    assert file.lines(0, 9) == [RawLine(b"a"), cut, RawLine(b"b")]
    file.close()


def test_only_a_line_feed_ends_a_line(path):
    path.write_bytes(b"10%\r40%\r100%\na\x0bb\x85c\n" + "d\u2028e\n".encode())
    file = LineFile(path)
    file.refresh()
    assert texts(file) == [b"10%\r40%\r100%", b"a\x0bb\x85c", "d\u2028e".encode()]
    file.close()


def test_last_lines_of_a_big_file_need_no_index(path):
    path.write_bytes(b"".join(b"line %07d\n" % n for n in range(400_000)))
    file = LineFile(path)
    file.refresh()
    assert file.tail(2) == [RawLine(b"line 0399998"), RawLine(b"line 0399999")]
    assert file._index.at == 0
    assert not file.index(1 << 20)
    while not file.index(1 << 20):
        pass
    assert file.total == 400_000
    assert file.lines(123_456, 123_457) == [RawLine(b"line 0123456")]
    assert file.line_at(file.offset(123_456)) == 123_456
    file.close()


def test_line_without_end_in_a_huge_file_is_shown_in_part(path, monkeypatch):
    monkeypatch.setattr(tail, "_TAIL_REACH", 1 << 17)
    path.write_bytes(b"start\n" + b"x" * (1 << 20))
    file = LineFile(path)
    file.refresh()
    (last,) = file.tail(5)
    assert last.data == b"x" * tail.MAX_LINE
    assert last.dropped == (1 << 17) - tail.MAX_LINE
    file.close()


def test_search_goes_both_ways_and_in_steps(opened):
    assert search(opened, re.compile(b"line 1"), 0) == (10, 11, False)
    assert search(opened, re.compile(b"line 1"), 19, forward=False) == (19, 18, False)
    assert search(opened, re.compile(b"nothing"), 0) == (None, 20, True)
    assert search(opened, re.compile(b"line 00$"), 19, forward=False) == (0, -1, True)
    step = search(opened, re.compile(b"line 19"), 0, budget=36)
    assert step == (None, 3, False)


def test_unfinished_line_joins_the_filter_when_it_has_its_end(opened, path):
    with path.open("ab") as file:
        file.write(b"old li")
    opened.refresh()
    opened.index()
    numbers, at = matching_lines(opened, re.compile(b"old"), 18)
    assert (list(numbers), at) == ([18, 19], 20)
    with path.open("ab") as file:
        file.write(b"ne\n")
    opened.refresh()
    opened.index()
    numbers, at = matching_lines(opened, re.compile(b"old"), at)
    assert (list(numbers), at) == ([20], 21)
