"""What is remembered of the last visit: beside nobody's files, private, and never a reason to fail."""

import json
import stat
from dataclasses import asdict

import pytest

from harness_tui.tui.view_state import ViewState, load, save, state_file


def test_what_was_saved_is_loaded(tmp_path):
    state = ViewState(theme="harness-light", pool="default", seen={"a/T-1/x": "done"})
    save(tmp_path, state)
    assert load(tmp_path) == state


def test_each_workspace_has_its_own_file_in_the_state_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    one, two = state_file(tmp_path / "one"), state_file(tmp_path / "two")
    assert one != two
    assert one.parent == two.parent == tmp_path / "state" / "harness-tui"


def test_without_a_state_folder_it_is_the_usual_one(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_file(tmp_path).parent == tmp_path / ".local" / "state" / "harness-tui"


def test_the_file_is_private_and_no_other_is_left_behind(tmp_path):
    save(tmp_path, ViewState())
    save(tmp_path, ViewState(pool="x"))
    path = state_file(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_nothing_is_written_into_the_workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "kiln"
    root.mkdir()
    save(root, ViewState(pool="x"))
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"theme": 3, "seen": [1]}',
        b'{"seen": {"a": 1}}',
        b'{"other": "x"}',
    ],
)
def test_a_damaged_file_is_a_fresh_start(tmp_path, data):
    path = state_file(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert load(tmp_path) == ViewState()


def test_fields_of_another_version_are_passed_over(tmp_path):
    path = state_file(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(asdict(ViewState(pool="x")) | {"new": 1}))
    assert load(tmp_path) == ViewState(pool="x")


def test_a_folder_that_takes_nothing_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    save(tmp_path, ViewState(pool="x"))
    assert load(tmp_path) == ViewState()


def test_a_disk_that_is_full_leaves_the_old_state(tmp_path, monkeypatch):
    save(tmp_path, ViewState(pool="old"))

    def full(*_words, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", full)
    save(tmp_path, ViewState(pool="new"))
    monkeypatch.undo()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state-home"))
    assert load(tmp_path).pool == "old"
    assert len(list(state_file(tmp_path).parent.iterdir())) == 1


def test_a_path_that_is_no_utf8_has_a_file_too(tmp_path):
    save(tmp_path / "kiln\udce9", ViewState(pool="x"))
    assert load(tmp_path / "kiln\udce9").pool == "x"


def test_hostile_names_survive(tmp_path):
    state = ViewState(seen={"a\udce9/[b]/\x1b": "done"})
    save(tmp_path, state)
    assert load(tmp_path) == state
