"""How a run of verify_all went, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness_tui.model.verify import VerifyRun


def verify_words(run: VerifyRun) -> str:
    """The verdict, then how many checks ended how, those that none did left out: `hard-fail, 3 ok, 1 failed`."""
    counts = ((run.passed, "ok"), (run.warned, "warned"), (run.failed, "failed"), (run.skipped, "skipped"))
    return ", ".join([run.verdict, *(f"{number} {word}" for number, word in counts if number)])
