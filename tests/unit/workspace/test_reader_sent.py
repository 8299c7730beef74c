"""Signals in the snapshot: what stands unread, and what became of those that were sent from here."""

import pytest

from harness_tui.model.intervention import Signal
from harness_tui.workspace import mailbox
from harness_tui.workspace.reader import Reader

PLAN = """# Kiln

| ID | Slug | Goal | Mode | Depends on | Status |
|----|------|------|------|------------|--------|
| T-01 | brick | Lay a brick | full | — | pending |
"""


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "docs/batches/kiln"
    folder.mkdir(parents=True)
    (folder / "BATCH_PLAN.md").write_text(PLAN)
    return tmp_path


def signal(keyword, argument="", text=""):
    return Signal(keyword, argument, text, 0, "waiting")


def test_nothing_was_sent_and_nothing_waits(root):
    reader = Reader(root)
    snapshot = reader.read()
    assert snapshot.pending == ()
    assert snapshot.sent == ()


def test_what_somebody_else_wrote_waits_without_an_owner(root):
    (root / ".harness").mkdir()
    (root / ".harness/intervention.md").write_text("# Intervention\n\nSTOP — enough\n")
    (waiting,) = Reader(root).read().pending
    assert (waiting.number, waiting.signal.keyword, waiting.id) == (1, "STOP", None)


def test_a_sent_signal_waits_and_is_followed_to_its_effect(root):
    reader = Reader(root)
    reader.read()
    written = mailbox.send(root, signal("ADD", "glaze", "Mix the glaze"), pool_id="kiln")
    snapshot = reader.read()
    assert [item.id for item in snapshot.pending] == [written.id]
    assert [(item.id, item.state) for item in snapshot.sent] == [(written.id, "waiting")]
    (root / ".harness/intervention.md").unlink()
    assert [item.state for item in reader.read().sent] == ["picked-up"]
    plan = root / "docs/batches/kiln/BATCH_PLAN.md"
    plan.write_text(PLAN + "| T-02 | glaze | Mix the glaze | full | — | pending |\n")
    (done,) = reader.read().sent
    assert done.state == "in-effect"
    assert done.evidence == ("docs/batches/kiln/BATCH_PLAN.md", 6)


def test_the_history_alone_tells_a_reader_that_begins_later(root):
    mailbox.send(root, signal("STOP"))
    mailbox.withdraw(root)
    snapshot = Reader(root).read()
    assert [item.state for item in snapshot.sent] == ["withdrawn"]
    assert snapshot.pending == ()


def test_an_unchanged_workspace_gives_the_same_objects(root):
    mailbox.send(root, signal("NOTE", text="mind the draught"))
    reader = Reader(root)
    first, second = reader.read(), reader.read(frozenset())
    assert first.sent is second.sent
    assert first.pending == second.pending


def test_remains_of_a_broken_write_are_told_once_and_are_no_signal(root):
    (root / ".harness").mkdir()
    (root / ".harness/intervention.md.tmp").write_text("# Intervention\n\nADD half")
    (root / ".harness/.intervention.md.7f3a.tmp").write_text("STOP")
    reader = Reader(root)
    for _ in range(2):
        snapshot = reader.read()
        left = [problem.path for problem in snapshot.problems if problem.code == "leftover"]
        assert left == [".harness/.intervention.md.7f3a.tmp", ".harness/intervention.md.tmp"]
        assert not snapshot.interventions.present
        assert snapshot.pending == ()
    mailbox.send(root, signal("STOP"))
    assert (root / ".harness/intervention.md").read_text() == "# Intervention\n\nSTOP\n"
