"""Stage documents of a task and the verdicts that they hold (formats/harness-kit 1.6, 2.5, 2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from harness_tui.model.pool import Status
    from harness_tui.model.problem import Problem


@frozen
class Verdict:
    """A verdict as the document words it.

    `verdict` is the longest word of the vocabulary of that document, upper case (`APPROVED WITH CONDITIONS`), or
    `UNKNOWN`; `text` is the line as written, `line` counts from 1. A document may hold several: the last counts.
    """

    verdict: str
    text: str
    path: str
    line: int


@frozen
class TaskGates:
    """The four verdicts of a task; None where the document is missing or states none."""

    gate_review: Verdict | None = None
    code_review: Verdict | None = None
    qa: Verdict | None = None
    delivery: Verdict | None = None


@frozen
class StageDoc:
    """One document of a feature folder. `stage` is 1 to 7, or 0 for PM_LOG, INPUT and others.

    `verdicts` are all that it states, in order; `verdict` is the one that counts.
    """

    path: str
    stage: int
    verdict: Verdict | None = None
    verdicts: tuple[Verdict, ...] = ()
    problems: tuple[Problem, ...] = ()


@frozen
class Delivery:
    """`07_DELIVERY.md`: what it proves about its task.

    `says` is `done`, `blocked`, `failed`, `skipped` (declined, nothing built), `needs-human` or `unknown` (states
    nothing that can be trusted: a promise, a word in prose). `verify` is the value of its final verify line.
    """

    path: str
    says: Status
    verdict: Verdict | None
    line: int | None
    text: str
    verify: str = ""
    rollbacks: int | None = None
    mode: str = ""
    problems: tuple[Problem, ...] = ()
