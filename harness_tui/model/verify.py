"""The project's own check, `verify_all`, and its history (formats/harness-kit 1.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

GateWord = Literal["pass", "soft-fail", "hard-fail", "blocked", "unknown"]


@frozen
class VerifyRun:
    """One run of verify_all. Counts are None where the source gives none.

    `verdict` is `hard-fail` when any check failed, `soft-fail` when only warnings, else `pass`; `unknown` when the
    counts are missing or damaged. `exit` is the exit code that such counts stand for (2, 1, 0), None if unknown.
    """

    verdict: GateWord
    passed: int | None
    warned: int | None
    failed: int | None
    skipped: int | None
    exit: int | None
    at: datetime | None
    path: str
    line: int | None = None
    text: str = ""
