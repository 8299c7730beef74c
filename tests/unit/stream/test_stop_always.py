"""STOP counts before the next dispatch whatever else goes wrong at that moment."""

from __future__ import annotations

import pytest
from support.runs import Mill, Script

from harness_tui.formats.mailbox import new_signal
from harness_tui.workspace import claims, lock, mailbox
from harness_tui.workspace.lock import LockedError


@pytest.fixture
def history_is_held(monkeypatch):
    """Somebody holds the mailbox for long, just when the run wants to set down what it has claimed."""

    def busy(root, item, *_arguments):
        raise LockedError(root / mailbox.LOCK, f"held while {item.signal.keyword} was to be told of")

    monkeypatch.setattr(claims, "tell", busy)


@pytest.mark.usefixtures("history_is_held")
def test_a_stop_that_was_claimed_counts_though_the_history_of_signals_can_not_be_written(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mailbox.send(tmp_path, new_signal("STOP", "", "the tree is red"))
    end = mill.run()
    assert (end.code, mill.worker.ids) == (5, [])


@pytest.mark.usefixtures("history_is_held")
def test_all_that_was_claimed_is_acted_on_once_though_the_history_of_signals_can_not_be_written(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    for signal in (new_signal("ADD", "new-row", "a goal"), new_signal("SKIP", "T-02", ""), new_signal("NOTE", "", "x")):
        mailbox.send(tmp_path, signal)
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01", "T-03"]
    assert mill.worker.seen[0].notes == ("x",)
    assert list((tmp_path / claims.CLAIMS).rglob("*.md")) == []
