"""`.harness/state/<slug>.json`: stage, rounds and blocker of one task (formats/harness-kit 1.8)."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.text import clean
from harness_tui.model.problem import Problem
from harness_tui.model.task_state import TaskState

if TYPE_CHECKING:
    from pydantic import BaseModel

_LAST_STAGE = 7


def parse_task_state(data: bytes, path: str) -> tuple[TaskState | None, tuple[Problem, ...]]:
    """The state, or None and the reason why the file can't be taken at its word."""
    from pydantic import ValidationError  # noqa: PLC0415 - costs 0.1 s, and most workspaces have no such file

    try:
        value: Any = _schema().model_validate(loads(data))
    except BadJson as error:
        return None, (_problem(path, error.line, error.reason),)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = clean(".".join(str(part) for part in first["loc"])) or "the file"
        return None, (_problem(path, None, f"{place}: {clean(first['msg'])}"),)
    streak = sum(1 for _ in takewhile(lambda verdict: verdict.stage == value.stage, reversed(value.verdicts)))
    state = TaskState(
        slug=clean(value.slug),
        mode=clean(value.mode),
        stage=value.stage,
        rollbacks=sum(rounds - 1 for rounds in value.rounds.values() if rounds > 1),
        streak=streak,
        blocked=None if value.blocked is None else clean(value.blocked),
        path=path,
    )
    return state, ()


def _problem(path: str, line: int | None, why: str) -> Problem:
    return Problem(path, line, "warning", "unreadable-task-state", f"the task's counters can't be read: {why}")


@lru_cache(maxsize=1)
def _schema() -> type[BaseModel]:
    """The strict schema, built at first use."""
    from typing import Annotated  # noqa: PLC0415 - beside what it is used with

    from pydantic import ConfigDict, Field, create_model  # noqa: PLC0415 - costs 0.1 s

    strict = ConfigDict(strict=True, extra="ignore")
    stage = Annotated[int, Field(ge=1, le=_LAST_STAGE)]
    count = Annotated[int, Field(ge=0, le=10_000)]
    text = Annotated[str, Field(max_length=4096)]
    key = Annotated[str, Field(pattern=f"^[1-{_LAST_STAGE}]$")]
    verdict = create_model("Verdict", __config__=strict, stage=(stage, ...), round=(count, ...), verdict=(text, ...))
    state: type[BaseModel] = create_model(
        "State",
        __config__=strict,
        slug=(Annotated[str, Field(min_length=1, max_length=200)], ...),
        mode=(text, "full"),
        stage=(stage, ...),
        rounds=(dict[key, count], Field(default_factory=dict)),
        verdicts=(list[verdict], Field(default_factory=list)),  # type: ignore[valid-type]
        blocked=(text | None, None),
    )
    return state
