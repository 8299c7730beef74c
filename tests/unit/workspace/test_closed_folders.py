"""A folder that nobody may look into: what may stand in there is never taken for missing (CONTRACT rule 1)."""

from __future__ import annotations

import errno
import json
import os

import pytest
from support.runs import Mill

from harness_tui.cli.main import main
from harness_tui.formats.intervention import PATH
from harness_tui.model.refusal import Refused
from harness_tui.workspace.atomic import WriteError, read_target
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.mailbox import read_waiting
from harness_tui.workspace.once import read_workspace


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A workspace whose `.harness` holds a STOP and may not be searched, also where the tests run as root."""
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("STOP\n")
    inside = f"{mill.mail.parent}{os.sep}"

    def shut(function):
        def asked(path, *arguments, **more):
            if not isinstance(path, int) and os.fspath(path).startswith((inside, mill.mail.name)):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
            return function(path, *arguments, **more)

        return asked

    for name in ("stat", "lstat", "open"):
        monkeypatch.setattr(os, name, shut(getattr(os, name)))
    return mill


def test_it_is_named_and_not_read_as_nothing(closed):
    with pytest.raises(WriteError, match="permission denied"):
        read_target(closed.root / PATH, root=closed.root)
    with pytest.raises(WriteError, match="permission denied"):
        read_waiting(closed.root)
    assert Layout(closed.root).intervention == closed.mail


def test_a_reader_names_it(closed):
    problems = read_workspace(closed.root).problems
    assert [(item.path, item.code) for item in problems if item.path == PATH] == [(PATH, "unreadable")]


def test_nothing_is_dispatched(closed):
    with pytest.raises((Refused, WriteError)):
        closed.run()
    assert closed.worker.ids == []


def test_a_guard_that_can_not_look_says_stop(closed, capsys):
    assert main(["guard", "intervention", str(closed.root)]) == 1
    assert json.loads(capsys.readouterr().out)["safest"] == "STOP"
