"""Logs are scanned once, followed through everything that happens to a log, and read by the page."""

from __future__ import annotations

import os

import pytest

from harness_tui.workspace.logs import LogReader
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.tail import LineFile

HEAD = "# Log\n\n"


def line(minute, task="T-01", words="note · all well"):
    return f"2024-05-02T10:{minute:02}:00Z · {task} · {words}\n"


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "STREAM_LOG.md"
    made.write_text(HEAD + line(1) + line(2), "utf-8")
    return made


@pytest.fixture
def logs(tmp_path):
    made = LogReader(tmp_path)
    yield made
    made.close()


def refresh(logs, path, *, look=True, budget=1 << 20):
    return logs.refresh(str(path), "pool", path.name, look=look, budget=budget)


def append(path, text):
    with path.open("ab") as file:
        file.write(text.encode())


def test_facts_of_a_log(logs, path):
    found = refresh(logs, path)
    assert (found.pool_id, found.path, found.entries, found.lines) == ("pool", "STREAM_LOG.md", 2, 4)
    assert found.last.line == 4
    assert found.complete
    assert logs.knows(str(path))
    assert not logs.knows(str(path) + "x")


def test_an_unchanged_log_is_the_same_object(logs, path):
    found = refresh(logs, path)
    assert refresh(logs, path) is found
    assert refresh(logs, path, look=False) is found


def test_each_byte_is_scanned_once(logs, path, monkeypatch):
    refresh(logs, path)
    fed = []
    followed = logs._logs[str(path)]
    real = followed.scan.feed
    monkeypatch.setattr(followed.scan, "feed", lambda data: fed.append(bytes(data)) or real(data), raising=False)
    append(path, line(3))
    assert refresh(logs, path).entries == 3
    append(path, line(4))
    assert refresh(logs, path).entries == 4
    assert b"".join(fed) == (line(3) + line(4)).encode()


def test_without_a_look_new_bytes_wait(logs, path):
    refresh(logs, path)
    append(path, line(3))
    assert refresh(logs, path, look=False).entries == 2
    assert refresh(logs, path).entries == 3


def test_a_look_ahead_takes_in_what_the_next_refresh_tells(logs, path):
    before = refresh(logs, path)
    append(path, line(3))
    logs.look([str(path), f"{path}.other"])
    assert logs.text(str(path)).size == path.stat().st_size
    assert refresh(logs, path, look=False).entries == before.entries + 1
    assert not logs.knows(f"{path}.other")


def test_a_line_without_an_end_is_no_entry_until_it_has_one(logs, path):
    append(path, line(3)[:-1])
    half = refresh(logs, path)
    assert half.entries == 2
    assert half.partial.startswith("2024-05-02T10:03")
    append(path, "\n")
    whole = refresh(logs, path)
    assert (whole.entries, whole.partial) == (3, "")


@pytest.mark.parametrize("how", ["truncate", "replace", "rewrite"])
def test_a_log_that_begins_anew_is_scanned_anew(logs, path, how):
    refresh(logs, path)
    fresh = HEAD + line(30, "T-07")
    if how == "replace":
        path.with_suffix(".new").write_text(fresh, "utf-8")
        path.with_suffix(".new").replace(path)
    elif how == "rewrite":
        path.write_text(fresh + line(31, "T-07") + line(32, "T-07"), "utf-8")
    else:
        path.write_text(fresh, "utf-8")
    found = refresh(logs, path)
    assert set(found.tasks) == {"T-07"}
    assert found.restarts == 1
    assert logs.restarts(str(path)) == 1
    assert logs.restarts("another") == 0


def test_a_rotated_log_is_followed_under_its_name(logs, path):
    refresh(logs, path)
    path.rename(path.with_suffix(".1"))
    assert refresh(logs, path) is None
    path.write_text(HEAD + line(40), "utf-8")
    assert refresh(logs, path).entries == 1
    append(path.with_suffix(".1"), line(5))
    assert refresh(logs, path).entries == 1


def test_lines_completed_in_place_are_seen(logs, path):
    refresh(logs, path)
    text = path.read_text("utf-8")
    path.write_text(text.replace("note · all well", "DELIVERED · rollbacks=1"), "utf-8")
    assert refresh(logs, path).tasks["T-01"].result is not None


def test_a_big_log_comes_in_slices(logs, path):
    append(path, line(3) * 3000)
    first = refresh(logs, path, budget=1 << 12)
    assert not first.complete
    assert not logs.complete
    seen = [first.entries]
    while not logs.complete:
        seen.append(refresh(logs, path, look=False, budget=1 << 16).entries)
    assert seen[-1] == 3002
    assert seen == sorted(seen)
    assert len(seen) > 3


@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_something_else_in_place_of_a_log_is_none(logs, path, tmp_path_factory, kind):
    refresh(logs, path)
    path.unlink()
    if kind == "link":
        outside = tmp_path_factory.mktemp("outside") / "x"
        outside.write_text(line(1), "utf-8")
        path.symlink_to(outside)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert refresh(logs, path) is None


def test_last_entries_of_a_task_newest_last(logs, path):
    for minute in range(3, 30):
        append(path, line(minute, "T-02" if minute % 2 else "T-020"))
    refresh(logs, path)
    found = logs.last_entries(str(path), "T-02", count=5)
    assert [entry.at.minute for entry in found] == [21, 23, 25, 27, 29]
    assert all(entry.task_id == "T-02" for entry in found)
    assert logs.last_entries(str(path), "T-99") == []
    assert logs.last_entries("not followed", "T-02") == []
    assert [entry.line for entry in logs.last_entries(str(path), "T-01")] == [3, 4]


def test_text_of_other_files_is_kept_for_a_few_of_them(logs, tmp_path, path):
    refresh(logs, path)
    assert logs.text(str(path)).total == 4
    for number in range(8):
        other = tmp_path / f"{number}.md"
        other.write_text(f"{number}\n" * (number + 1), "utf-8")
        assert logs.text(str(other)).total == number + 1
    assert len(logs._texts) <= 4


def test_forgotten_and_closed_logs_give_their_files_back(logs, tmp_path, path, files_open):
    before = files_open()
    other = tmp_path / "b.md"
    other.write_text(line(1), "utf-8")
    refresh(logs, path)
    refresh(logs, other)
    logs.text(str(tmp_path / "b.md"))
    assert files_open() == before + 2
    logs.forget({str(other)})
    assert not logs.knows(str(path))
    assert files_open() == before + 1
    logs.close()
    assert files_open() == before


def test_bytes_that_can_not_be_read_are_waited_for_and_not_asked_for_again_and_again(logs, path, monkeypatch):
    read, broken = LineFile.read, [True]
    monkeypatch.setattr(LineFile, "read", lambda self, *span: b"" if broken[0] else read(self, *span))
    assert not refresh(logs, path).complete
    assert logs.broke
    assert logs.complete, "there is nothing to scan on for"
    broken[0] = False
    assert not refresh(logs, path, look=False).complete, "only a look goes on"
    assert refresh(logs, path).complete
    assert not logs.broke


def test_a_reading_of_everything_ends_though_a_log_can_not_be_read(tmp_path, monkeypatch):
    folder = tmp_path / "docs/batches/kiln"
    folder.mkdir(parents=True)
    (folder / "STREAM_LOG.md").write_text(HEAD + line(1))
    monkeypatch.setattr(LineFile, "read", lambda *_: b"")
    reader = Reader(tmp_path)
    assert not reader.read_all().logs[0].complete
    reader.close()
