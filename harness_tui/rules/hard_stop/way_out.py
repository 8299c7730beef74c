"""Whether an agent that stopped left as it should: Blocker, commit, question, no `[x]` (formats/hard-stop 3, exit)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from harness_tui.model.work_plan import WorkPlan

_NAMES: Final = {"error_signature": "signature"}


@frozen
class WayOut:
    """`missing` names what was left undone: `blocker` or parts of it, `commit`, `question`, and `unmarked` for a task
    that was marked done. `warn` holds `question-unavailable` when nobody could have been asked.
    """  # noqa: D205 - one sentence

    ok: bool
    missing: tuple[str, ...]
    warn: tuple[str, ...]


def check_way_out(plan: WorkPlan, *, committed: bool, asked: bool, headless: bool, mark: str) -> WayOut:
    """Judge the plan as it stands after the stop; `mark` is what stands in the box of the task that was stopped."""
    blocker = plan.blocker
    missing = ["blocker"] if blocker is None else [_NAMES.get(part, part) for part in blocker.missing]
    if not committed:
        missing.append("commit")
    if not asked and not headless:
        missing.append("question")
    if mark.casefold() == "x":
        missing.append("unmarked")
    return WayOut(not missing, tuple(missing), ("question-unavailable",) if headless and not asked else ())
