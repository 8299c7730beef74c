"""Whether the files of the control loop agree about milestones and worktracks (formats/servo 1.3, 1.8, 4, 6).

Two files that disagree show that a write was cut short or forgotten; nothing is decided here about which is right, and
nothing is repaired. Each finding names the recovery of the loop that is meant for it (harness-skill, its pipeline):

- `rebuild-pipeline`: the backlog is damaged, or does not fit the milestones' own files: it is made anew from them;
- `reconcile-active`: the active milestone is none that there is, or not the active one of the backlog;
- `repair-binding`: a worktrack is bound to a milestone that does not exist, or is not the one that is meant;
- `clear-stale-reference`: a milestone's file is in no list, or something points to a milestone that is over.
"""

from __future__ import annotations

from harness_tui.model.inconsistency import Inconsistency
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

    from harness_tui.model.control import Control, ControlField
    from harness_tui.model.handback import Handback
    from harness_tui.model.inconsistency import Recovery
    from harness_tui.model.milestone import Index, IndexEntry, Milestone

STALE: Final = "milestone-pipeline-stale"
INCOMPLETE: Final = "writeback-incomplete"
BINDING: Final = "worktrack-binding"
HANDBACK: Final = "handback-stale"
_LIVE: Final = ("planned", "active")
_PAST: Final = ("completed", "superseded")
_ID: Final = regex(r"\bMS-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_NONE: Final = frozenset({"", "none", "n/a", "-"})
_MOST_NAMES: Final = 3


def as_problems(found: Iterable[Inconsistency]) -> tuple[Problem, ...]:
    """The findings as problems of a file, each with its recovery in words."""
    return tuple(
        Problem(item.path, item.line, item.severity, item.code, f"{item.message}; recovery: {item.recovery}")
        for item in found
    )


def inconsistencies(
    control: Control | None,
    backlog: Index | None,
    history: Index | None,
    milestones: Sequence[Milestone] = (),
    handback: Handback | None = None,
    worktracks: Index | None = None,
) -> tuple[Inconsistency, ...]:
    """What the files say against each other. A file that is missing or damaged is a finding at most, not compared."""
    live = backlog if backlog is not None and backlog.readable else None
    past = history if history is not None and history.readable else None
    return (
        *_damage(backlog),
        *_missing(control, backlog),
        *_active(control, live, past, milestones),
        *_counts(control, live, past),
        *_lists(live, past),
        *_files(milestones, live, past),
        *_unlisted(milestones, live, past),
        *_bindings(control, milestones),
        *_orphans(worktracks, live, past, milestones),
        *_references(control),
        *_handback(control, handback),
    )


def _damage(backlog: Index | None) -> Iterable[Inconsistency]:
    if backlog is not None and not backlog.readable:
        message = "the backlog is damaged: no milestone can be read from it"
        yield _found(backlog.path, None, STALE, message, "rebuild-pipeline")


def _missing(control: Control | None, backlog: Index | None) -> Iterable[Inconsistency]:
    """An active milestone, and milestones that are counted, where there is no list that could hold them."""
    if backlog is not None or control is None or control.active_milestone == "none":
        return
    counts = dict(control.summary)
    if any(counts.get(word) for word in _LIVE):
        message = f"{control.active_milestone} is active here and counted, but there is no milestone backlog"
        yield _found(_path(control), control.milestone_line, STALE, message, "rebuild-pipeline")


def _active(
    control: Control | None, backlog: Index | None, history: Index | None, milestones: Sequence[Milestone]
) -> Iterable[Inconsistency]:
    if backlog is None:
        return
    active = [entry for entry in backlog.entries if entry.status == "active"]
    if len({entry.id for entry in active}) > 1:
        names = ", ".join(entry.id for entry in active)
        message = f"more than one milestone is active: {names}"
        yield _found(backlog.path, active[-1].line, STALE, message, "reconcile-active")
    if control is None or not control.paths:
        return
    path, line, named = _path(control), control.milestone_line, control.active_milestone
    if named == "none":
        for entry in active:
            message = f"no active milestone here, but {backlog.path} has {entry.id} active"
            yield _found(path, line, STALE, message, "reconcile-active", backlog.path)
        return
    entries = [entry for entry in backlog.entries if entry.id == named]
    if not entries:
        yield from _unknown(path, line, named, backlog, history, milestones)
        return
    if all(entry.id != named for entry in active):
        message = f"{named} is active here, but {backlog.path} lists it as {entries[-1].status or 'unknown'}"
        yield _found(path, line, STALE, message, "reconcile-active", backlog.path)
    elif control.milestone_status not in {"none", entries[-1].status}:
        message = f"{named} is {control.milestone_status} here, but {entries[-1].status or 'unknown'} in {backlog.path}"
        yield _found(path, line, STALE, message, "reconcile-active", backlog.path)


def _unknown(
    path: str, line: int | None, named: str, backlog: Index, history: Index | None, milestones: Sequence[Milestone]
) -> Iterable[Inconsistency]:
    """An active milestone that the backlog does not list."""
    if history is not None and any(entry.id == named for entry in history.entries):
        message = f"{named} is active here, but {backlog.path} lists it not at all; it is over by {history.path}"
        yield _found(path, line, STALE, message, "reconcile-active", backlog.path, history.path)
    elif all(item.id != named for item in milestones):  # else its file is the finding
        message = f"{named} is active here, but {backlog.path} lists it not at all, and it has no file: there is none"
        yield _found(path, line, STALE, message, "reconcile-active", backlog.path)


def _counts(control: Control | None, backlog: Index | None, history: Index | None) -> Iterable[Inconsistency]:
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
                    yield _found(path, line, STALE, message, "rebuild-pipeline", index.path)


def _lists(backlog: Index | None, history: Index | None) -> Iterable[Inconsistency]:
    for index in (index for index in (backlog, history) if index is not None):
        for entry in index.entries:
            if entry.unfinished and entry.status == "completed":
                names = ", ".join(entry.unfinished[:_MOST_NAMES])
                names += (
                    f" and {len(entry.unfinished) - _MOST_NAMES} more" if len(entry.unfinished) > _MOST_NAMES else ""
                )
                message = f"{entry.id} is completed, but still marked as planned or active: {names}"
                yield _found(index.path, entry.line, INCOMPLETE, message, "rebuild-pipeline")
    if backlog is None:
        return
    past = {entry.id: entry for entry in history.entries} if history is not None else {}
    for entry in backlog.entries:
        if entry.id in past and history is not None:
            message = f"{entry.id} is in {history.path}, too: the move to the history was not finished"
            yield _found(backlog.path, entry.line, INCOMPLETE, message, "rebuild-pipeline", history.path)
        elif entry.status in _PAST:
            message = f"{entry.id} is {entry.status} and still in the live backlog; it belongs in the history"
            yield _remark(backlog.path, entry.line, STALE, message, "rebuild-pipeline")


def _files(milestones: Sequence[Milestone], backlog: Index | None, history: Index | None) -> Iterable[Inconsistency]:
    listed = {
        entry.id: (entry, index.path) for index in (backlog, history) if index is not None for entry in index.entries
    }
    for milestone in milestones:
        status = milestone.gate.status
        entry, path = listed.get(milestone.id, (None, ""))
        if entry is not None and entry.status and {status, entry.status} & set(_PAST) and status != entry.status:
            message = f"{milestone.id} is {status} here, but {entry.status} in {path}"
            yield _found(milestone.path, milestone.gate.line, INCOMPLETE, message, "rebuild-pipeline", path)
        for row in milestone.worktracks if status == "completed" else ():
            if row.status in {"planned", "active"}:
                message = f"{milestone.id} is completed, but its worktrack {row.id} is still {row.status}"
                yield _found(milestone.path, row.line, INCOMPLETE, message, "repair-binding")


def _unlisted(milestones: Sequence[Milestone], backlog: Index | None, history: Index | None) -> Iterable[Inconsistency]:
    """Files of milestones that no list names, and an active milestone of the backlog that has no file."""
    if backlog is None:
        return
    listed = {entry.id for index in (backlog, history) if index is not None for entry in index.entries}
    for milestone in milestones:
        over = milestone.gate.status in _PAST
        if milestone.id not in listed and not (over and history is None):
            lists = (backlog.path,) if history is None else (backlog.path, history.path)
            message = f"{milestone.id} has a file, but is in no list"
            yield _found(milestone.path, None, STALE, message, "clear-stale-reference", *lists)
    files = {milestone.id for milestone in milestones}
    for entry in backlog.entries if files else ():
        if entry.id not in files and entry.status == "active":
            message = f"{entry.id} is active, but has no file"
            yield _found(backlog.path, entry.line, STALE, message, "rebuild-pipeline")


def _bindings(control: Control | None, milestones: Sequence[Milestone]) -> Iterable[Inconsistency]:
    """A current worktrack that another milestone claims, or that the active one does not list."""
    if control is None or control.active_milestone == "none" or control.active_worktrack == "none":
        return
    worktrack = control.active_worktrack
    for field in _fields(control, "target_milestone_id"):
        if field.value != control.active_milestone:
            message = f"{worktrack} is meant for {field.value}, but {control.active_milestone} is active"
            yield _found(field.path, field.line, BINDING, message, "repair-binding")
    owners = [item for item in milestones if any(row.id == worktrack for row in item.worktracks)]
    active = next((item for item in milestones if item.id == control.active_milestone), None)
    if active is not None and active.worktracks and active not in owners:
        where = f"; {owners[0].id} does" if owners else ""
        message = f"{worktrack} is the current worktrack, but {active.path} does not list it{where}"
        files = (active.path, *(item.path for item in owners))
        yield _found(_path(control), control.milestone_line, BINDING, message, "repair-binding", *files)


def _orphans(
    worktracks: Index | None, backlog: Index | None, history: Index | None, milestones: Sequence[Milestone]
) -> Iterable[Inconsistency]:
    """Worktracks of a milestone that is in no list and has no file."""
    if worktracks is None or not worktracks.readable or backlog is None or history is None:
        return
    known = {entry.id for index in (backlog, history) for entry in index.entries} | {item.id for item in milestones}
    bound: dict[str, list[IndexEntry]] = {}
    for entry in worktracks.entries:
        if entry.milestone_id.casefold() not in _NONE and entry.milestone_id not in known:
            bound.setdefault(entry.milestone_id, []).append(entry)
    for name, entries in bound.items():
        message = f"{', '.join(entry.id for entry in entries[:_MOST_NAMES])}"
        message += f" and {len(entries) - _MOST_NAMES} more" if len(entries) > _MOST_NAMES else ""
        message += f" {'is' if len(entries) == 1 else 'are'} bound to {name}, which does not exist"
        files = (backlog.path, history.path)
        yield _found(worktracks.path, entries[0].line, BINDING, message, "repair-binding", *files)


def _references(control: Control | None) -> Iterable[Inconsistency]:
    """Paths of another milestone than the active one."""
    if control is None or control.active_milestone == "none":
        return
    for field in _fields(control, "milestone_artifact"):
        named = _ID.findall(field.value)
        if named and control.active_milestone not in field.value:
            message = f"milestone_artifact points to {named[0]}, but {control.active_milestone} is active"
            yield _found(field.path, field.line, STALE, message, "clear-stale-reference")


def _handback(control: Control | None, handback: Handback | None) -> Iterable[Inconsistency]:
    """A signature of another milestone than the active one is left over from an earlier stop."""
    if control is None or handback is None or not handback.signature or control.active_milestone == "none":
        return
    named = _ID.findall(handback.signature)
    if named and control.active_milestone not in named:
        message = f"the last handback is about {named[0]}, but {control.active_milestone} is active: it may be stale"
        yield _remark(handback.path, handback.line, HANDBACK, message, "clear-stale-reference")


def _fields(control: Control, name: str) -> list[ControlField]:
    return [field for field in control.fields if field.key == name and field.value.casefold() not in _NONE]


def _path(control: Control) -> str:
    return control.paths[-1]


def _found(path: str, line: int | None, code: str, message: str, recovery: Recovery, *others: str) -> Inconsistency:
    return Inconsistency(path, line, "warning", code, message, recovery, tuple(dict.fromkeys((path, *others))))


def _remark(path: str, line: int | None, code: str, message: str, recovery: Recovery) -> Inconsistency:
    return Inconsistency(path, line, "info", code, message, recovery, (path,))
