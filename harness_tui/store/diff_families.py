"""Changes of budgets, decisions, the handback lock and the control loop's gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.model.change import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.change import ChangeKind
    from harness_tui.model.snapshot import Snapshot

Shown = dict[str, tuple[str, str, int | None]]
"""By name: what is shown of it, its path and its line."""


def family_changes(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    """What changed in the families beside the pools; what appears for the first time counts as changed."""
    yield from _compare("budget", _budgets(old), _budgets(new))
    yield from _compare("decision", _decisions(old), _decisions(new))
    yield from _compare("lock", _lock(old), _lock(new))
    yield from _compare("gate", _gates(old), _gates(new))


def _compare(kind: ChangeKind, old: Shown, new: Shown) -> Iterator[Change]:
    for name, (words, path, line) in new.items():
        before = old[name][0] if name in old else None
        if before != words:
            yield Change(kind, f"{name}: {words}", before=before, after=words, path=path, line=line)
    for name, (words, path, line) in old.items():
        if name not in new:
            yield Change(kind, f"{name} is gone", before=words, path=path, line=line)


def _budgets(snapshot: Snapshot) -> Shown:
    budgets = snapshot.epics.budgets if snapshot.epics is not None else ()
    return {item.epic_id: (f"{item.left} left, {item.state}", item.path, None) for item in budgets}


def _decisions(snapshot: Snapshot) -> Shown:
    decisions = snapshot.epics.decisions if snapshot.epics is not None else ()
    return {f"{item.epic_id} {item.question_id}": (item.state, item.path, item.line) for item in decisions}


def _lock(snapshot: Snapshot) -> Shown:
    handback = snapshot.servo.handback if snapshot.servo is not None else None
    if handback is None:
        return {}
    words = {True: "locked", False: "unlocked", None: "not recorded"}[handback.locked]
    return {"handback lock": (words, handback.path, handback.line)}


def _gates(snapshot: Snapshot) -> Shown:
    if snapshot.servo is None:
        return {}
    found: Shown = {
        f"gate {item.id or item.path}": (item.verdict, item.path, item.line) for item in snapshot.servo.worktracks
    }
    found.update(
        {f"milestone {item.id}": (item.verdict, item.path, item.line) for item in snapshot.servo.milestone_gates}
    )
    return found
