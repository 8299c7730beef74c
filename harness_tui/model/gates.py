"""Verdicts of the control loop's gates: one for each worktrack, one for each milestone (formats/servo 1.7, 1.8)."""

from __future__ import annotations

from harness_tui.model.frozen import field, frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.problem import Problem
    from harness_tui.model.verify import GateWord


class AxisWord(NamedTuple):
    """What a file says about one axis: the verdict that counts and the words that decided it."""

    axis: str
    verdict: GateWord
    text: str
    line: int


@frozen
class WorktrackAxes:
    """The three axes of a worktrack gate; an axis that the file does not give is `unknown`."""

    implementation: GateWord = "unknown"
    validation: GateWord = "unknown"
    policy: GateWord = "unknown"


@frozen
class MilestoneAxes:
    """The four axes of a milestone gate; an axis that the file does not give is `unknown`."""

    blackbox: GateWord = "unknown"
    whitebox: GateWord = "unknown"
    anticheat: GateWord = "unknown"
    composite: GateWord = "unknown"


@frozen
class EvidenceItems:
    """Which of the nine items of evidence a file mentions (formats/servo 2.11), in the order of that list."""

    complete: bool = False
    missing: tuple[str, ...] = ()
    present: tuple[str, ...] = ()


@frozen
class WorktrackGate:
    """One gate evidence file. `verdict` is the worst of all that the file states; an axis that is missing is unknown.

    `text` is the file's own words for the verdict, `line` where they stand (None: nowhere). `remarks` marks a pass
    that is one with remarks. `axis_words` holds the words of the axes that the file gives, `missing_axes` the others.
    `override` is a manual exception and `acceptance` the operator's acceptance: neither changes the verdict. `current`
    marks the active worktrack, and every one when no control state says which that is. `closeout` is the path of the
    closeout record of the same worktrack, `closeout_verdict` what that record says.
    """

    id: str | None
    path: str
    verdict: GateWord
    text: str
    axes: WorktrackAxes
    evidence: EvidenceItems
    override: str | None = None
    remarks: bool = False
    line: int | None = None
    axis_words: tuple[AxisWord, ...] = ()
    missing_axes: tuple[str, ...] = ()
    acceptance: str | None = None
    current: bool = False
    closeout: str | None = None
    closeout_verdict: GateWord | None = None
    problems: tuple[Problem, ...] = ()


@frozen
class MilestoneGate:
    """The gate of one milestone. `verdict` is `unknown` unless the file states one and gives the three veto axes.

    `status` and `kind` are the file's own words, `unknown` when missing. `override` is a manual exception, shown beside
    the verdict and never in its place. `acceptance` is the operator's decision as written.
    """

    id: str
    path: str
    status: str
    kind: str
    verdict: GateWord
    axes: MilestoneAxes = field(default_factory=MilestoneAxes)
    override: str | None = None
    acceptance: str | None = None
    line: int | None = None
    text: str = ""
    remarks: bool = False
    axis_words: tuple[AxisWord, ...] = ()
    missing_axes: tuple[str, ...] = ()
