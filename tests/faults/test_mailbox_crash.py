"""A writer of the intervention file that is killed at any call leaves the old file or the new one, and nothing else.

Six signals over eight old contents, three at once, taking back and replacing, and writers that are killed one after the
other: at every call, and in every write. `support.crash` holds what is looked at after each.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.children import run
from support.crash import OLD, SCENARIOS

MEMORY = Path("/dev/shm")
LEAST = {"send": 500, "withdraw": 480, "split": 140, "twice": 900}
"""Kills of one run at least."""


def test_there_are_ten_thousand_points():
    assert len(OLD) * sum(LEAST.values()) > 10_000


@pytest.fixture
def folder(tmp_path, request):
    """In memory where there is such a folder: what is shown does not depend on the disk."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    import tempfile

    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="crash-") as found:
        yield Path(found)


@pytest.mark.parametrize("old", OLD)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_kill_9_at_every_call_loses_and_tears_nothing(scenario, old, folder):
    assert run("support.crash", scenario, old, folder)["kills"] >= LEAST[scenario]
