from __future__ import annotations

import errno
import os
from datetime import UTC, datetime, timedelta

import pytest

from harness_tui.workspace import raw_runs
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.raw_runs import FOLDER, RawRun, rotate

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def kept(root, number, data=b"x", task="T-01"):
    run = RawRun(root, task, NOW + timedelta(seconds=number), str(number))
    run.write("stdout", data)
    run.close()
    return run


def names(root):
    return sorted(path.name for path in (root / FOLDER).iterdir())


def test_nothing_is_made_before_there_is_something_to_keep(tmp_path):
    run = RawRun(tmp_path, "T-01", NOW, "1")
    run.close()
    assert run.path is None
    assert list(tmp_path.iterdir()) == []


def test_two_runs_of_one_second_are_kept_apart(tmp_path):
    first, second = kept(tmp_path, 1, b"a"), kept(tmp_path, 1, b"b")
    assert first.path != second.path
    assert [(tmp_path / run.path / "stdout").read_bytes() for run in (first, second)] == [b"a", b"b"]


def test_git_ignores_the_folder(tmp_path):
    kept(tmp_path, 1)
    assert (tmp_path / ".harness/harness-tui/.gitignore").read_text() == "*\n"


@pytest.mark.parametrize("task", ["../../x", "/etc/x", "..", "", "a b\n", "ü" * 300])
def test_the_name_of_a_task_makes_no_path(tmp_path, task):
    run = kept(tmp_path, 1, task=task)
    assert run.why_not == ""
    assert (tmp_path / run.path / "stdout").is_file()
    assert (tmp_path / run.path).parent == tmp_path / FOLDER


def test_a_file_is_kept_up_to_a_limit_with_a_mark(tmp_path):
    run = RawRun(tmp_path, "T-01", NOW, "1", limit=10)
    for _ in range(4):
        run.write("stdout", b"abcd")
    run.close()
    data = (tmp_path / run.path / "stdout").read_bytes()
    assert data.startswith(b"abcdabcdab\n[harness-tui: ")
    assert data.count(b"harness-tui") == 1


def test_the_oldest_runs_go_first(tmp_path):
    runs = [kept(tmp_path, number) for number in range(6)]
    rotate(tmp_path, most=3)
    assert names(tmp_path) == [run.path.rpartition("/")[2] for run in runs[-2:]]


def test_many_bytes_push_out_the_oldest_and_never_the_newest(tmp_path):
    for number in range(4):
        kept(tmp_path, number, b"x" * 100)
    rotate(tmp_path, most=50, most_bytes=250)
    assert len(names(tmp_path)) == 2


def test_only_folders_of_runs_are_removed_and_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("p")
    kept(tmp_path, 1)
    (tmp_path / FOLDER / "notes").mkdir()
    (tmp_path / FOLDER / "20250101T000000Z-T-01-1").symlink_to(outside)
    odd = tmp_path / FOLDER / "20250101T000000Z-T-02-1"
    (odd / "inner").mkdir(parents=True)
    rotate(tmp_path, most=1)
    assert (outside / "precious").exists()
    assert (tmp_path / FOLDER / "notes").exists()
    assert (odd / "inner").exists()
    assert not any("-T-01-1" in name and name.startswith("2026") for name in names(tmp_path))


def test_a_folder_that_leads_outside_is_refused_and_the_run_goes_on(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (root / ".harness/harness-tui").mkdir(parents=True)
    (root / FOLDER).symlink_to(outside)
    run = kept(root, 1)
    assert run.why_not
    assert run.path is None
    assert list(outside.iterdir()) == []
    with pytest.raises(WriteError):
        rotate(root)


def test_on_a_full_disk_half_of_what_was_kept_makes_room_for_what_matters_more(tmp_path, monkeypatch):
    run = RawRun(tmp_path, "T-01", NOW, "1")
    run.write("stdout", b"x" * 1000)

    def full(*_arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(raw_runs, "_write", full)
    run.write("stdout", b"y")
    assert "No space" in run.why_not
    assert (tmp_path / run.path / "stdout").read_bytes() == b"x" * 500
