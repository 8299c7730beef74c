"""Questions that an epic puts to a person, and what became of them (formats/interrupt-budget 1)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    from harness_tui.model.problem import Problem

    DecisionState = Literal["open", "answered", "assumed", "deferred"]
    Level = Literal["critical", "high", "medium", "low"]


@frozen
class Choice:
    """An option that can be picked by `key`: the file's own key where every option has one, else its number.

    `default` when the question's default means this option.
    """

    key: str
    label: str
    default: bool = False


@frozen
class Question:
    """One row of a packet, a bundle or the pending list. Empty texts where the row gives none.

    `state` is what the row's status says, None when it has none. `level` is the worse of its risk and its
    severity, None when it gives neither.
    """

    id: str
    question: str = ""
    options: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    default: str | None = None
    why_now: str = ""
    risk: str = ""
    level: Level | None = None
    category: str = ""
    status: str = ""
    state: DecisionState | None = None
    critical_blocked: bool = False
    context: str = ""
    source_ref: str = ""
    deadline: str = ""
    resolution: str | None = None
    resolved_at: datetime | None = None
    linked_unknown: str | None = None
    line: int | None = None


@frozen
class Bundle:
    """`decision-bundle.json`: all decisions of an epic. `unreadable` says why nothing could be read."""

    path: str
    questions: tuple[Question, ...] = ()
    unreadable: str = ""
    problems: tuple[Problem, ...] = ()


@frozen
class Packet:
    """`decision-packet.json`: the questions that were put together into one interruption.

    It holds no answers and stays as it was when they come. `number` counts the interruptions of the epic from 1;
    `budget_left` is what the writer had left before this one. `stale` as in `Budget`.
    """

    epic_id: str
    path: str
    packet_id: str | None = None
    stage: str = ""
    number: int | None = None
    budget_left: int | None = None
    created_at: datetime | None = None
    questions: tuple[Question, ...] = ()
    unreadable: str = ""
    stale: bool = False
    problems: tuple[Problem, ...] = ()


@frozen
class Decision:
    """A question with what packet, bundle and pending list say about it together.

    `options` are as the file words them, `choices` the same to be picked from. `risk` is the file's own text,
    `severity` the worse of its risk and severity words (unknown or none: high). `order` is the place within the
    packet from 1, 0 when it is in none. `path` and `line` say where the question stands. `critical_blocked`: it
    was left unanswered because the budget was used up and no default is safe. `digest` stands for all that packet and
    bundle ask, whatever they say was answered.
    """

    epic_id: str
    packet_id: str | None
    question_id: str
    question: str
    options: tuple[str, ...]
    default: str | None
    why_now: str
    risk: str
    state: DecisionState
    path: str
    context: str = ""
    source_ref: str = ""
    deadline: str = ""
    category: str = ""
    severity: Level = "high"
    resolution: str | None = None
    resolved_at: datetime | None = None
    order: int = 0
    line: int | None = None
    in_packet: bool = False
    choices: tuple[Choice, ...] = ()
    critical_blocked: bool = False
    linked_unknown: str | None = None
    asked_at: datetime | None = None
    why: str = ""
    digest: str = ""
