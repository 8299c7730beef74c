"""Files of the control loop that say different things about milestones and worktracks."""

from __future__ import annotations

from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from harness_tui.model.problem import Severity

    Recovery = Literal["rebuild-pipeline", "reconcile-active", "repair-binding", "clear-stale-reference"]


class Inconsistency(NamedTuple):
    """What disagrees, where, in which files, and the recovery by which the loop puts it right.

    `files` are all that have a part in it, `path` and `line` the place to look at first. An `info` is a remark: nothing
    goes wrong by it.
    """

    path: str
    line: int | None
    severity: Severity
    code: str
    message: str
    recovery: Recovery
    files: tuple[str, ...]
