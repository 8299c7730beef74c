"""The program's `main`, called in this process: much cheaper than starting it, for all but what ends a process."""

from __future__ import annotations

import os
from typing import NamedTuple

import pytest

from harness_tui.cli.main import main


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def call(capfd, monkeypatch):
    """Run `main` with arguments; what it wrote to both streams, and its exit code."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        try:
            code = main([os.fspath(argument) for argument in arguments])
        except SystemExit as end:  # argparse ends the program by itself
            code = end.code
        out, err = capfd.readouterr()
        return Answer(code, out, err)

    return run
