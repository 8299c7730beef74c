"""Reads the control loop's milestones and its lists of them, each file once per change, the active milestone first."""

from __future__ import annotations

import os

from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_gate import parse_composite, with_composite
from harness_tui.formats.milestone_index import parse_milestone_index, parse_worktrack_index
from harness_tui.model.frozen import replace
from harness_tui.model.typed import NamedTuple
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.servo_layout import by_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from harness_tui.model.control import Control
    from harness_tui.model.gates import AxisWord
    from harness_tui.model.milestone import Index, Milestone
    from harness_tui.workspace.reads import Reads
    from harness_tui.workspace.servo_layout import ServoFiles


class Milestones(NamedTuple):
    """What the files say; a list is None when there is none."""

    milestones: tuple[Milestone, ...]
    backlog: Index | None
    history: Index | None
    worktrack_backlog: Index | None

    def lists(self) -> list[Index]:
        """The lists that there are."""
        return [index for index in (self.backlog, self.history, self.worktrack_backlog) if index is not None]


class MilestoneReader:
    """Reads the milestones of one workspace again and again."""

    def __init__(self, root: Path | str) -> None:
        self.milestones: Cache[Milestone] = Cache(root, parse_milestone)
        self._composites: Cache[AxisWord | None] = Cache(root, parse_composite)
        self._backlogs: Cache[Index] = Cache(root, parse_milestone_index, whole=_whole)
        self._worktrack_lists: Cache[Index] = Cache(root, parse_worktrack_index, whole=_whole)
        self.caches: tuple[Cache[Any], ...] = (
            self.milestones, self._composites, self._backlogs, self._worktrack_lists,
        )  # fmt: skip

    def read(self, reads: Reads, files: ServoFiles, control: Control | None) -> Milestones:
        """The milestones, the active one first, and the lists."""
        active = control.active_milestone if control is not None else ""
        return Milestones(
            self._milestones(reads, files, active),
            reads.get(self._backlogs, files.backlog),
            reads.get(self._backlogs, files.history),
            reads.get(self._worktrack_lists, files.worktrack_backlog),
        )

    def _milestones(self, reads: Reads, files: ServoFiles, active: str) -> tuple[Milestone, ...]:
        """The active one first, then by id, the highest first, each with its composite acceptance."""
        found = []
        for path in sorted(files.milestones, key=lambda path: not path.endswith(f"{os.sep}{active}.md")):
            milestone = reads.get(self.milestones, path, limited=True)
            if milestone is None:
                continue
            composite = f"{path.removesuffix('.md')}-composite-acceptance.md"
            word = reads.get(self._composites, composite if composite in files.composites else None, limited=True)
            if word is not None:
                milestone = replace(milestone, gate=with_composite(milestone.gate, word))
            found.append(milestone)
        found.sort(key=lambda milestone: by_number(milestone.id), reverse=True)
        return tuple(sorted(found, key=lambda milestone: milestone.id != active))


def _whole(old: Index, new: Index) -> bool:
    return bool(new.entries) or not old.entries or new.readable
