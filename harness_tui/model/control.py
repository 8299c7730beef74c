"""The control state of the loop in `.servo/`, in one file or in four (formats/servo 1.3, 1.4)."""

from __future__ import annotations

from harness_tui.model.frozen import frozen
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from harness_tui.model.gap import Gap

    Layout = Literal["single", "split"]


class ControlField(NamedTuple):
    """One field as written; the key of a nested one has its parents before it (`profile.backend_runtime`).

    An item of a list has the key of its list. Credentials in URLs are masked.
    """

    section: str
    key: str
    value: str
    line: int
    path: str


class Occurrence(NamedTuple):
    """One of several places that give a value for the same key."""

    section: str
    value: str
    line: int
    path: str


@frozen
class Duplicate:
    """A key with several values. `section` is empty when they stand in different sections or files."""

    section: str
    key: str
    places: tuple[Occurrence, ...]


@frozen
class Ledger:
    """What the loop may still do by itself, 0 and up; what is missing or unreadable counts as 0."""

    budget_remaining: int = 0
    opened: int = 0
    max_new_worktracks: int = 0


@frozen
class Control:
    """The control state with conservative defaults, each of which is listed in `gaps`.

    `scope` is `RepoScope`, `WorktrackScope` or `unknown`, from the two scope fields as written in `repo_scope` and
    `worktrack_scope`. `active_milestone` and `active_worktrack` are `none` when there is none. `needs_approval` is True
    unless the file clearly says no. `continuation` and `approval` are the fields of those sections; `autonomy` is the
    file's word for what is granted, `none` when nothing is.
    """

    scope: str
    function: str
    active_milestone: str
    active_worktrack: str
    next_route: str
    fields: tuple[ControlField, ...] = ()
    gaps: tuple[Gap, ...] = ()
    layout: Layout = "single"
    paths: tuple[str, ...] = ()
    repo_scope: str = "unknown"
    worktrack_scope: str = "none"
    milestone_status: str = "none"
    needs_approval: bool = True
    autonomy: str = "none"
    stop_after_slice: bool = True
    ledger: Ledger = Ledger()
    approval: tuple[ControlField, ...] = ()
    continuation: tuple[ControlField, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    summary: tuple[tuple[str, int], ...] = ()
    milestone_line: int | None = None
