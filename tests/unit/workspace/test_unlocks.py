"""Giving an unlock signal."""

import pytest
from support import epic_tree as tree

from harness_tui.model.refusal import NotThere, Refused
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo import ServoReader
from harness_tui.workspace.unlocks import give_unlock, plan_unlock

NEW = "sharpen the mower, then take the south field"


def give(root, instruction=NEW, confirm="unlock MS-40", **more):
    return give_unlock(root, instruction, confirm, tree.NOW, **more)


def handback(root):
    return ServoReader(Layout(root)).refresh(None, 0.0).handback


@pytest.fixture
def root(tmp_path):
    return tree.control(tmp_path)


def test_the_signal_reads_back_as_valid_and_the_lock_stays(root):
    give(root)
    found = handback(root)
    assert (found.locked, found.unlock_valid, found.last_unlock, found.rounds) == (True, True, NEW, 2)
    assert (found.unlock.source, found.unlock.timestamp, found.unlock.confirmation) == (
        "programmer", tree.AT, "unlock MS-40",
    )  # fmt: skip


def test_only_one_line_changes(root):
    give(root)
    old, new = tree.CONTROL_TEXT.split("\n"), (root / tree.CONTROL).read_text().split("\n")
    assert [a.partition(":")[0] for a, b in zip(old, new, strict=True) if a != b] == ["- last_unlock_signal"]


@pytest.mark.parametrize(
    ("instruction", "confirm", "why"),
    [
        ("retry", "unlock MS-40", "bare"),
        ("继续工作！", "unlock MS-40", "bare"),
        ("please continue, ok?", "unlock MS-40", "bare"),
        ("the mower is dull", "unlock MS-40", "repeats"),
        (NEW, "unlock MS-41", "MS-41"),
        (NEW, "yes", "does not say unlock"),
        (NEW, "", "no confirmation"),
        ("", "unlock MS-40", "no instruction"),
    ],
)
def test_what_would_not_unlock_is_refused_with_the_reason(root, instruction, confirm, why):
    with pytest.raises(Refused, match=why) as refused:
        give(root, instruction, confirm)
    assert refused.value.code == "no-unlock"
    assert (root / tree.CONTROL).read_text() == tree.CONTROL_TEXT


def test_the_same_signal_again_is_a_repeat(root):
    give(root)
    with pytest.raises(Refused, match="repeats"):
        give(root)


def test_a_file_that_changed_since_it_was_shown_is_left_alone(root):
    shown = plan_unlock(root, NEW, "unlock MS-40", tree.NOW)
    changed = tree.CONTROL_TEXT.replace("rounds: 2", "rounds: 3")
    tree.put(root, tree.CONTROL, changed)
    with pytest.raises(Refused, match="changed since it was shown"):
        give(root, shown=shown)
    assert (root / tree.CONTROL).read_text() == changed
    give(root, shown=plan_unlock(root, NEW, "unlock MS-40", tree.NOW))


def test_looking_writes_nothing(root):
    before = tree.contents(root)
    plan = plan_unlock(root, NEW, "unlock MS-40", tree.NOW)
    assert tree.contents(root) == before
    give(root)
    assert (root / tree.CONTROL).read_bytes() == plan.change.after


def test_in_the_split_layout_the_file_with_the_guard_is_written(root):
    tree.put(root, ".servo/control-state-repo.md", "# Repo\n\n## Notes\n\n- a: b\n")
    assert give(root).change.path == tree.CONTROL


def test_two_guards_or_none_are_refused(root):
    tree.put(root, ".servo/control-state-repo.md", tree.CONTROL_TEXT)
    with pytest.raises(Refused, match="more than one file"):
        give(root)
    for name in (".servo/control-state-repo.md", tree.CONTROL):
        tree.put(root, name, "# Control state\n")
    with pytest.raises(Refused, match="no file has"):
        give(root, confirm="unlock")


def test_without_a_control_state_there_is_nothing_to_unlock(tmp_path):
    with pytest.raises(NotThere):
        give(tmp_path)
