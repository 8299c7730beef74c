"""Whether the files of the control loop agree about milestones and worktracks (formats/servo 1.3, 1.8, 4, 6).

Two files that disagree show that a write was cut short or forgotten; nothing is decided here about which is right.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.model.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.control import Control
    from harness_tui.model.handback import Handback
    from harness_tui.model.milestone import Index, Milestone

STALE = "milestone-pipeline-stale"
INCOMPLETE = "writeback-incomplete"
_LIVE = ("planned", "active")
_PAST = ("completed", "superseded")
_ID = re.compile(r"\bMS-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


def pipeline_problems(
    control: Control | None,
    backlog: Index | None,
    history: Index | None,
    milestones: Sequence[Milestone] = (),
    handback: Handback | None = None,
) -> tuple[Problem, ...]:
    """What the files say against each other. A file that is missing or damaged is not compared."""
    live = backlog if backlog is not None and backlog.readable else None
    past = history if history is not None and history.readable else None
    return (
        *_active(control, live),
        *_counts(control, live, past),
        *_lists(live, past),
        *_files(milestones, live, past),
        *_handback(control, handback),
    )


def _active(control: Control | None, backlog: Index | None) -> Iterable[Problem]:
    if backlog is None:
        return
    active = [entry for entry in backlog.entries if entry.status == "active"]
    if len({entry.id for entry in active}) > 1:
        names = ", ".join(entry.id for entry in active)
        yield _problem(backlog.path, active[-1].line, STALE, f"more than one milestone is active: {names}")
    if control is None or not control.paths:
        return
    path, line, named = _path(control), control.milestone_line, control.active_milestone
    if named == "none":
        for entry in active:
            yield _problem(path, line, STALE, f"no active milestone here, but {backlog.path} has {entry.id} active")
        return
    entries = [entry for entry in backlog.entries if entry.id == named]
    if all(entry.id != named for entry in active):
        said = f"as {entries[-1].status or 'unknown'}" if entries else "not at all"
        yield _problem(path, line, STALE, f"{named} is active here, but {backlog.path} lists it {said}")
    if entries and control.milestone_status not in {"none", entries[-1].status}:
        message = f"{named} is {control.milestone_status} here, but {entries[-1].status or 'unknown'} in {backlog.path}"
        yield _problem(path, line, STALE, message)


def _counts(control: Control | None, backlog: Index | None, history: Index | None) -> Iterable[Problem]:
    sources: list[tuple[str, int | None, dict[str, int]]]
    sources = [(index.path, None, dict(index.summary)) for index in (backlog, history) if index is not None]
    if control is not None and control.paths:
        sources.append((_path(control), control.milestone_line, dict(control.summary)))
    for path, line, summary in sources:
        for index, words in ((backlog, _LIVE), (history, _PAST)):
            if index is None:
                continue
            for word in words:
                found = len({entry.id for entry in index.entries if entry.status == word})
                if word in summary and summary[word] != found:
                    message = f"the summary counts {summary[word]} {word}, but {index.path} lists {found}"
                    yield _problem(path, line, STALE, message)


def _lists(backlog: Index | None, history: Index | None) -> Iterable[Problem]:
    if backlog is None:
        return
    past = {entry.id: entry for entry in history.entries} if history is not None else {}
    for entry in backlog.entries:
        if entry.id in past and history is not None:
            message = f"{entry.id} is in {history.path}, too: the move to the history was not finished"
            yield _problem(backlog.path, entry.line, INCOMPLETE, message)
        elif entry.status in _PAST:
            message = f"{entry.id} is {entry.status} and still in the live backlog; it belongs in the history"
            yield Problem(backlog.path, entry.line, "info", STALE, message)


def _files(milestones: Sequence[Milestone], backlog: Index | None, history: Index | None) -> Iterable[Problem]:
    listed = {
        entry.id: (entry, index.path) for index in (backlog, history) if index is not None for entry in index.entries
    }
    for milestone in milestones:
        status = milestone.gate.status
        entry, path = listed.get(milestone.id, (None, ""))
        if entry is not None and entry.status and {status, entry.status} & set(_PAST) and status != entry.status:
            message = f"{milestone.id} is {status} here, but {entry.status} in {path}"
            yield _problem(milestone.path, milestone.gate.line, INCOMPLETE, message)
        for row in milestone.worktracks if status == "completed" else ():
            if row.status in {"planned", "active"}:
                message = f"{milestone.id} is completed, but its worktrack {row.id} is still {row.status}"
                yield _problem(milestone.path, row.line, INCOMPLETE, message)


def _handback(control: Control | None, handback: Handback | None) -> Iterable[Problem]:
    """A signature of another milestone than the active one is left over from an earlier stop."""
    if control is None or handback is None or not handback.signature or control.active_milestone == "none":
        return
    named = _ID.findall(handback.signature)
    if named and control.active_milestone not in named:
        message = f"the last handback is about {named[0]}, but {control.active_milestone} is active: it may be stale"
        yield Problem(handback.path, handback.line, "info", "handback-stale", message)


def _path(control: Control) -> str:
    return control.paths[-1]


def _problem(path: str, line: int | None, code: str, message: str) -> Problem:
    return Problem(path, line, "warning", code, message)
