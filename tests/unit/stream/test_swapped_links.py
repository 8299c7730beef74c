"""Links that are put in the place of folders at the last moment: what lies outside the workspace stays as it is."""

from __future__ import annotations

import pytest
from support.runs import Mill

from harness_tui.model.lease import OWN
from harness_tui.stream import lease
from harness_tui.stream.journal import Journal
from harness_tui.workspace import claims
from harness_tui.workspace.atomic import WriteError


def swap(folder, outside):
    """Put a link to `outside` in the place of `folder`."""
    folder.rename(outside.with_name("moved"))
    folder.symlink_to(outside, target_is_directory=True)


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def mill(tmp_path):
    (tmp_path / "w").mkdir()
    return Mill(tmp_path / "w", ("T-01", "", "pending"))


def test_the_log_is_not_kept_open_where_a_link_leads_out(mill, outside, monkeypatch):
    victim = outside / mill.log.name
    victim.write_text("a log of somebody else\n")
    opened = Journal._open

    def late(journal):
        if not mill.log.parent.is_symlink():
            swap(mill.log.parent, outside)
        opened(journal)

    monkeypatch.setattr(Journal, "_open", late)
    assert mill.run().state == "write-error"
    assert victim.read_text() == "a log of somebody else\n"


@pytest.mark.parametrize("what", ["removed", "swapped"])
def test_a_lease_that_is_taken_away_at_once_is_told_of_and_nothing_is_begun(mill, outside, monkeypatch, what):
    written = lease.replace_file

    def late(path, data, **more):
        written(path, data, **more)
        if what == "removed":
            path.unlink()
        else:
            swap(mill.root / ".harness", outside)

    victim = outside / OWN.removeprefix(".harness/")
    victim.parent.mkdir(parents=True)
    victim.write_text("somebody else's")
    monkeypatch.setattr(lease, "replace_file", late)
    with pytest.raises(WriteError):
        mill.run()
    assert mill.worker.ids == []
    assert victim.read_text() == "somebody else's"


def test_remains_of_our_writes_are_not_looked_for_where_a_link_leads_out(mill, outside):
    victim = outside / ".note.md.0a.harness-tui.tmp"
    victim.write_text("somebody else's")
    folder = mill.root / claims.CLAIMS / "mill"
    folder.parent.mkdir(parents=True)
    folder.symlink_to(outside)
    mill.run()
    assert victim.exists()
