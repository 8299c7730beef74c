"""What follows a technical failure where an orchestrator would decide it (formats/hard-stop 3, the later variant).

Time-out, limit of steps, lost session: the same session once more, then one fresh one, then the halt. A verdict of the
agent, a test that fails or a hard stop is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from harness_tui.formats.text import clean
from harness_tui.model.work import Result
from harness_tui.stream.workers.judging import doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.hard_stop import Variant
    from harness_tui.stream.workers.agent import Listening
    from harness_tui.stream.workers.process import Ended

Way = Literal["first", "same session", "fresh session"]

TRIGGER: Final = "technical_failure"
_SESSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")


def ways(variant: Variant) -> tuple[Way, ...]:
    """The ways in which a task is tried, one after the other as long as they fail for technical reasons."""
    return ("first", "same session", "fresh session") if variant == "orchestrated" else ("first",)


def sound_session(name: str) -> str:
    """`name` when it can be a word of a command, else nothing: it came from the agent's output."""
    return name if _SESSION.fullmatch(name) else ""


def technical_failure(heard: Listening, ended: Ended, result: Result, *, whole: bool) -> str:
    """Why the run failed without the work being at fault; empty when it did not.

    Of a plain command only a time limit is one: its status is its own verdict.
    """
    if result.outcome != "failed" or ended.by == "nothing":
        return ""
    if heard.verdict is not None and heard.verdict.word != "delivered":
        return ""
    if ended.by in {"silence", "time"} or heard.limited:
        return doubt(heard, ended, whole=whole) or "it came to its own limit of steps"
    return doubt(heard, ended, whole=whole) if whole else ""


def halted(last: Result, failures: Sequence[str]) -> Result:
    """The end when no way is left: a Blocker says what was tried."""
    tried = "; ".join(f"attempt {number}: {why}" for number, why in enumerate(failures, 1))
    return Result(
        "hard-stop", f"given up after {len(failures)} attempts", trigger=TRIGGER, signature=clean(failures[-1]),
        tried=clean(tried), needed=f"a look at what the agent printed ({last.raw_path or 'not kept'}), then a new run",
        exit_code=last.exit_code, raw_path=last.raw_path,
    )  # fmt: skip
