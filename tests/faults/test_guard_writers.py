"""The guards that write do no harm to each other, nor to those who take no lock."""

import pytest
from support import epic_tree as tree
from support.children import run

from harness_tui.rules.guards.normalize_control_state import normalized
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.control_writes import edit_control


@pytest.fixture
def control(tmp_path):
    return tree.control(tmp_path, tree.TRACED_TEXT) / tree.CONTROL


def test_a_crowd_of_them_leaves_every_record_and_no_doubled_key(tmp_path, control):
    told = run("support.crowd", "guards", tmp_path, 30)
    assert sorted(told) == ["normalized"] * 10 + ["recorded"] * 20
    tree.normalize(tmp_path)
    text = control.read_text()
    times = [f"2027-04-05T06:07:{number:02}Z" for number in range(30) if number % 3 != 2]
    entries = [line.strip().removeprefix("- ") for line in text.split("\n") if line.strip().startswith("- 2027")]
    assert sorted(entries) == sorted([*times, "2027-01-01", "2027-02-02"])
    assert text.count("latest_observed_checkpoint") == text.count("verified_at_history") == 1
    gathered = ("- verified_at:", "- last_stop_reason:")
    assert {line for line in tree.TRACED_TEXT.split("\n") if not line.startswith(gathered)} <= set(text.split("\n"))
    assert normalized(text)[0] == text
    assert [path.name for path in control.parent.iterdir()] == ["control-state.md"]


def test_a_change_by_somebody_without_a_lock_is_kept(control):
    others = iter([b"- theirs: 1\n", b"- theirs: 2\n"])

    def change(text):
        other = next(others, None)
        if other is not None:
            with control.open("ab") as file:
                file.write(other)
        return f"- ours: x\n{text}"

    edit_control(control, change)
    text = control.read_text()
    assert text.startswith("- ours: x\n# Control state\n")
    assert text.endswith("- theirs: 1\n- theirs: 2\n")


def test_somebody_who_never_stops_is_told_and_not_overwritten(control):
    def change(text):
        with control.open("ab") as file:
            file.write(b"x\n")
        return "ours"

    with pytest.raises(WriteError, match="keeps changing"):
        edit_control(control, change)
    assert control.read_text().startswith("# Control state")


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path, control):
    outside = tmp_path / "outside.md"
    control.replace(outside)
    (tmp_path / ".servo/in").mkdir()
    control.symlink_to(outside)
    inside = tmp_path / "w"
    inside.mkdir()
    (tmp_path / ".servo").rename(inside / ".servo")
    (inside / ".git").mkdir()
    with pytest.raises(WriteError, match="leaves the workspace"):
        edit_control(inside / tree.CONTROL, lambda text: text + "x")
    assert outside.read_text() == tree.TRACED_TEXT


def test_a_read_only_file_is_refused(control):
    control.chmod(0o444)
    with pytest.raises(WriteError, match="read-only"):
        edit_control(control, lambda text: text + "x")


def test_nothing_is_written_when_nothing_changes_or_is_asked_for(control):
    before = control.stat()
    edit_control(control, lambda text: text)
    edit_control(control, lambda text: text + "x", write=False)
    assert edit_control(control, lambda _: None) is None
    assert edit_control(control.with_name("gone.md"), lambda text: text) is None
    assert (control.stat().st_ino, control.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_the_mode_stays_and_what_a_dead_writer_left_is_removed(control):
    control.chmod(0o640)
    left = control.with_name(f".{control.name}.00ff.harness-tui.tmp")
    left.write_text("half")
    edit_control(control, lambda text: text + "x")
    assert control.stat().st_mode & 0o777 == 0o640
    assert not left.exists()
