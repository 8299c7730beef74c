"""Reads the PLAN.md files of a workspace: at the root, in live feature folders, and the newest archived one.

Plans are archived to `plans/` or `docs/plans/` under a name that starts with the date, while PLAN.md is emptied
(formats/hard-stop 1, 5.13).
"""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from harness_tui.formats.work_plan import parse_work_plan
from harness_tui.model.frozen import replace
from harness_tui.model.regex import regex
from harness_tui.model.work_plan import WorkPlans
from harness_tui.rules.blockers import judge
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness_tui.model.problem import Problem
    from harness_tui.model.work_plan import WorkPlan
    from harness_tui.workspace.cache import Reading
    from harness_tui.workspace.signature import Signature

WATCHED: Final = 8
"""Feature folders that are worth a watch, at most."""

_PLAN: Final = "PLAN.md"
_FEATURES: Final = "docs/features"
_ARCHIVES: Final = ("plans", "docs/plans")
_DATED: Final = regex(r"(?P<date>\d{4}-\d{2}-\d{2})(?!\d).*\.md", re.DOTALL)
_LIST_EVERY: Final = 15  # passes: a folder shows by its own times that names in it changed, save on coarse clocks


class WorkPlanReader:
    """Reads all plans again and again, in one thread. `plans` stays the same object as long as nothing changed."""

    def __init__(self, root: Path) -> None:
        self._layout = _PlanLayout(root)
        self._cache: Cache[WorkPlan] = Cache(root, _parse, whole=_whole)
        self._shown: dict[str, tuple[WorkPlan, bool, WorkPlan]] = {}
        self._paths: dict[str, Path] = {}
        self._passes = 0
        self.plans = WorkPlans()

    @property
    def unsettled(self) -> bool:
        """Whether a file looks half written and should be looked at again soon."""
        return self._cache.unsettled

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the plans say against themselves, what can't be read, what the listing left out."""
        of_plans = (problem for plan in self.plans.plans for problem in plan.problems)
        return (*self._layout.problems, *self._cache.stale_problems(), *of_plans)

    def knows(self, path: str) -> bool:
        """Whether `path` is a plan, or the place where one would be."""
        return path in self._paths

    def folders(self) -> list[Path]:
        """Existing folders in which a change matters: the root, the archives, feature folders, open plans first."""
        closed = {plan.path for plan in self.plans.plans if plan.tasks and all(t.state == "done" for t in plan.tasks)}
        homes = [path for path in self._paths.values() if str(path) in self._shown and path.name == _PLAN]
        homes = [path.parent for path in sorted(homes, key=lambda path: self._layout.rel(path) in closed)]
        fixed = [self._layout.root, *self._layout.archives()]
        return list(dict.fromkeys((*fixed, *homes)))[: len(fixed) + WATCHED]

    def refresh(self, dirty: frozenset[str] | None, clock: float) -> WorkPlans:
        """All plans now. With `dirty` (absolute paths) only those files are looked at; `clock` is monotonic seconds."""
        if dirty is None or not self._passes:
            dirty = None
            self._list()
        elif not self.unsettled and self._paths.keys().isdisjoint(dirty):
            return self.plans
        self._passes += 1
        found = tuple(plan for path in self._paths.values() if (plan := self._plan(path, dirty, clock)) is not None)
        same = len(found) == len(self.plans.plans) and all(
            new is old for new, old in zip(found, self.plans.plans, strict=True)
        )
        if not same:
            self.plans = WorkPlans(found)
        return self.plans

    def _list(self) -> None:
        paths = self._layout.plans(anew=self._passes % _LIST_EVERY == 0)
        self._paths = {str(path): path for path in paths}
        self._cache.forget(self._paths.keys())
        self._shown = {path: known for path, known in self._shown.items() if path in self._paths}

    def _plan(self, path: Path, dirty: frozenset[str] | None, clock: float) -> WorkPlan | None:
        name = str(path)
        look = dirty is None or name in dirty or self.unsettled
        reading = self._cache.get(name, self._layout.rel(path), look=look, clock=clock)
        if reading is None:
            self._shown.pop(name, None)
            return None
        known = self._shown.get(name)
        if known is None or known[0] is not reading.value or known[1] != reading.stale:
            since = known[2] if known is not None and known[0] is reading.value else None
            self._shown[name] = known = (reading.value, reading.stale, _shown(reading, since))
        return known[2]


class _PlanLayout(Layout):
    """Where plans are. Folders are listed again when they changed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._signatures: dict[str, Signature | None] = {}
        self._live: list[Path] = []
        self._archived: Path | None = None

    def plans(self, *, anew: bool) -> Iterator[Path]:
        """Places of plans: the root, live feature folders by name, the newest archived plan."""
        if self._changed((_FEATURES,)) or anew:
            self._live = list(self._feature_folders(_FEATURES).values())
        if self._changed(_ARCHIVES) or anew:
            self._archived = self._newest()
        yield self.root / _PLAN
        yield from (folder / _PLAN for folder in self._live)
        if self._archived is not None:
            yield self._archived

    def archives(self) -> list[Path]:
        """Existing archive folders."""
        return [self.root / name for name in _ARCHIVES if os.path.isdir(self.root / name)]  # noqa: PTH112 - answers no

    def _changed(self, names: tuple[str, ...]) -> bool:
        now = {name: signature(self.root / name) for name in names}
        changed = any(name not in self._signatures or self._signatures[name] != seen for name, seen in now.items())
        self._signatures.update(now)
        return changed

    def _newest(self) -> Path | None:
        """The plan with the latest date in its name; of one day, the file that changed last."""
        dated: list[tuple[date, Path]] = []
        for folder in _ARCHIVES:
            for item in self.entries(self.place(folder)):
                day = _day(item.name) if item.kind == "file" else None
                if day is not None:
                    dated.append((day, Path(item.path)))
        latest = max((day for day, _ in dated), default=None)
        return max((path for day, path in dated if day == latest), key=_changed_at, default=None)


def _day(name: str) -> date | None:
    named = _DATED.fullmatch(name)
    try:
        return date.fromisoformat(named["date"]) if named is not None else None
    except ValueError:
        return None


def _changed_at(path: Path) -> tuple[int, str]:
    seen = signature(path)
    return (seen.mtime_ns if seen is not None else 0, path.name)


def _parse(data: bytes, name: str) -> WorkPlan:
    parts = name.split("/")
    slug = parts[2] if name.startswith(f"{_FEATURES}/") and len(parts) > 3 else None  # noqa: PLR2004 - docs/features/slug
    archived = name.rpartition("/")[0] in _ARCHIVES
    return judge(parse_work_plan(data, name, archived=archived, slug=slug))


def _shown(reading: Reading[WorkPlan], before: WorkPlan | None) -> WorkPlan:
    if before is not None:
        return replace(before, stale=reading.stale)
    seen = reading.signature
    at = datetime.fromtimestamp(seen.mtime_ns / 1e9, UTC) if seen is not None else None
    return replace(reading.value, modified_at=at, stale=reading.stale)


def _whole(old: WorkPlan, new: WorkPlan) -> bool:
    """Whether a plan may replace the last one at once: it is not the start of it, cut off somewhere."""
    pairs = (
        (old.sections, new.sections),
        ([(task.id, task.title) for task in old.tasks], [(task.id, task.title) for task in new.tasks]),
        ([item.number for item in old.code_reviews], [item.number for item in new.code_reviews]),
        ([item.trigger for item in old.blockers], [item.trigger for item in new.blockers]),
    )
    start = all(tuple(was[: len(now)]) == tuple(now) for was, now in pairs)
    return not (start and any(len(now) < len(was) for was, now in pairs))
