"""A run that is killed at any call of the system is taken up where it was: no row lost, none done twice, files whole.

A sample by default; HARNESS_TUI_STREAM_KILLS=1000 kills so often at random, HARNESS_TUI_CRASH_STRIDE=1 at every call of
a run. `support.crash_stream` holds what is looked at after each kill.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
KILLS = int(os.environ.get("HARNESS_TUI_STREAM_KILLS", "25"))
STRIDE = int(os.environ.get("HARNESS_TUI_CRASH_STRIDE", "50"))


def kill(folder, *arguments):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    run = subprocess.run(
        [sys.executable, "-m", "support.crash_stream", str(folder), *map(str, arguments)],
        env=environment, capture_output=True, text=True, timeout=50 + KILLS, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["kills"]


@pytest.mark.timeout(60 + KILLS)
def test_kills_at_random_and_restarts_until_the_pool_is_drained(tmp_path):
    assert kill(tmp_path / "w", 7, KILLS, 0) >= KILLS


@pytest.mark.timeout(600 // STRIDE + 60)
@pytest.mark.parametrize("first", [0, 19])
def test_a_kill_at_every_call_of_a_run(tmp_path, first):
    assert kill(tmp_path / "w", min(first, STRIDE - 1), 0, STRIDE) >= 400 // STRIDE
