"""The PLAN.md of a task: what it allows and what it says, and a Blocker written below it (CONTRACT rule 8)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from harness_tui.formats.blocker_text import UNKNOWN, ended, render_blocker
from harness_tui.formats.plan_row import is_sound_slug
from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.model.blocker import Blocker
from harness_tui.rules.hard_stop.monitor import trigger_words
from harness_tui.workspace.atomic import ChangedError, WriteError, read_target, replace_file
from harness_tui.workspace.files import FileError, read_file

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.work import Result
    from harness_tui.model.work_plan import WorkPlan

_PLAN: Final = "PLAN.md"
_FEATURES: Final = "docs/features"
_TRIES: Final = 5


def plan_path(root: Path, slug: str) -> Path:
    """Where the plan of the task `slug` is, or would be: in its feature folder, else at the root when one is there.

    Raises `WriteError` for a slug that names no folder.
    """
    if not is_sound_slug(slug):
        raise WriteError(root / _FEATURES / "?" / _PLAN, "the slug of the task names no folder")
    own, common = root / _FEATURES / slug / _PLAN, root / _PLAN
    return common if os.path.lexists(common) and not os.path.lexists(own) else own


def read_plan(root: Path, slug: str) -> WorkPlan | None:
    """The plan of the task `slug`; None when there is none, or none that can be read."""
    try:
        path = plan_path(root, slug)
        if not os.path.lexists(path):  # as for most tasks, and asked twice for each
            return None
        return parse_work_plan(read_file(path, root=root), path.relative_to(root).as_posix(), slug=slug)
    except (WriteError, FileError, ValueError):
        return None


def write_blocker(root: Path, slug: str, blocker: Blocker) -> Path:
    """Add `blocker` at the end of the plan of the task `slug`, every other byte kept; returns the plan's path.

    A plan is made when there is none. Nothing is added when its last open Blocker says the same already. Raises
    `WriteError`; what somebody else writes meanwhile is kept.
    """
    path = plan_path(root, slug)
    for left in reversed(range(_TRIES)):
        data = read_target(path, root=root)
        if data is not None:
            last = parse_work_plan(data, _PLAN).blocker
            if last is not None and _same(last, parse_work_plan(render_blocker(blocker), _PLAN).blocker):
                return path
        old = f"# Plan: {slug}\n".encode() if data is None else data
        try:
            replace_file(path, ended(old) + render_blocker(blocker, like=old), root=root, expect=data)
        except ChangedError:
            if not left:
                raise
        else:
            return path
    raise AssertionError  # pragma: no cover - the last try returns or raises


def blocker_of(result: Result) -> Blocker:
    """The Blocker that a hard stop asks for."""
    trigger = trigger_words(result.trigger) if result.trigger else result.reason
    return Blocker(
        "",
        0,
        trigger=trigger,
        error_signature=result.signature,
        tried=result.tried or None,
        needed=result.needed or None,
    )


def _same(one: Blocker, other: Blocker | None) -> bool:
    """Whether both tell of one trigger and one error; how that was met may be told in other words."""
    return other is not None and _sign(one) == _sign(other)


def _sign(blocker: Blocker) -> tuple[str, str]:
    error = " ".join((blocker.error_signature or UNKNOWN).split())
    return blocker.trigger_kind or blocker.trigger or "", error
