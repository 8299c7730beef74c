"""Where writers are tried that wait for the disk again and again."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def memory(tmp_path):
    """In memory where there is such a folder: hundreds of writes that wait for no disk."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="mailbox-") as found:
        yield Path(found)
