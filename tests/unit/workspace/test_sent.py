"""Sent signals through snapshots of a workspace."""

import pytest

from harness_tui.formats.intervention import PATH
from harness_tui.formats.mailbox import new_signal
from harness_tui.model.sent import Where
from harness_tui.workspace import mailbox
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.sent import SentReader


@pytest.fixture
def look(workspace):
    """The states of what was sent, after the workspace was read anew."""
    reader = Reader(workspace.root)
    sent = SentReader(reader.layout)
    clock = iter(range(0, 100000, 60))

    def read():
        snapshot = reader.read_all()
        sent.refresh(None, float(next(clock)))
        return sent.follow(snapshot.interventions, snapshot.pools, snapshot.logs)

    yield read
    reader.close()


def lines(workspace):
    return {f"{workspace.pool}/STREAM_LOG.md": len(workspace.log.read_bytes().split(b"\n")) - 1}


def test_a_workspace_in_which_nothing_was_sent_has_no_history(look, workspace):
    assert look() == ()
    assert not (workspace / ".harness/harness-tui").exists()


def test_an_add_is_followed_from_the_file_into_the_plan(look, workspace):
    signal = new_signal("ADD", "glaze-bottles", "Glaze the bottles")
    mailbox.send(workspace.root, signal, pool_id="orchard", seen=lines(workspace))
    assert [item.state for item in look()] == ["waiting"]
    (workspace / PATH).unlink()
    assert [item.state for item in look()] == ["picked-up"]
    row = "| T-05 | mend-ladder | Mend the ladder. | goal | T-99 | pending |\n"
    added = "| T-06 | glaze-bottles | Glaze the bottles | full | — | pending |\n"
    workspace.replace(f"{workspace.pool}/BATCH_PLAN.md", workspace.plan.read_text("utf-8").replace(row, row + added))
    (found,) = look()
    number = workspace.plan.read_text("utf-8").split("\n").index(added.strip()) + 1
    assert (found.state, found.evidence) == ("in-effect", Where(f"{workspace.pool}/BATCH_PLAN.md", number))


def test_a_note_is_followed_into_the_log_of_a_task(look, workspace):
    mailbox.send(
        workspace.root, new_signal("NOTE", "", "use the small press"), pool_id="orchard", seen=lines(workspace)
    )
    (workspace / PATH).unlink()
    assert [item.state for item in look()] == ["picked-up"]
    workspace.write(
        "docs/features/press-cider/PM_LOG.md", "# Log\n\n## Intervention consumed\n\nNOTE — use the small press\n"
    )
    (found,) = look()
    assert (found.state, found.evidence) == ("in-effect", Where("docs/features/press-cider/PM_LOG.md", 5))


def test_a_signal_without_effect_is_told_of_after_two_tasks(look, workspace):
    mailbox.send(workspace.root, new_signal("STOP", "", ""), pool_id="orchard", seen=lines(workspace))
    (workspace / PATH).unlink()
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", "2024-04-02T09:00:00Z · T-02 · DELIVERED · rollbacks=0\n")
    assert [item.state for item in look()] == ["picked-up"]
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", "2024-04-02T09:30:00Z · T-03 · DELIVERED · rollbacks=0\n")
    assert [item.state for item in look()] == ["no-effect-seen"]


def test_nothing_changed_is_the_same_object(look, workspace):
    mailbox.send(workspace.root, new_signal("STOP", "", "red"))
    assert look() is look()


def test_what_was_seen_is_added_to_the_history_once(look, workspace):
    from datetime import UTC, datetime

    from harness_tui.rules.sent import news

    mailbox.send(workspace.root, new_signal("SKIP", "T-03", ""), pool_id="orchard")
    (workspace / PATH).unlink()
    workspace.set_status("T-03", "skipped")
    fresh = news(mailbox.read_history(workspace.root), look(), datetime.now(UTC))
    mailbox.record(workspace.root, fresh)
    mailbox.record(workspace.root, fresh)
    assert [item.event for item in mailbox.read_history(workspace.root).records] == ["writing", "sent", "in-effect"]
    workspace.set_status("T-03", "pending")
    assert [item.state for item in look()] == ["in-effect"]


def test_a_very_long_history_is_read_from_its_end(workspace, monkeypatch):
    for number in range(4):
        mailbox.send(workspace.root, new_signal("NOTE", "", f"note {number}"))
    monkeypatch.setattr(mailbox, "HISTORY", 600)
    found = mailbox.read_history(workspace.root)
    assert 0 < len(found.records) < 8
    assert not found.problems
    mailbox.send(workspace.root, new_signal("STOP", "", ""))
    assert mailbox.pending(workspace.root)[0].id is not None
