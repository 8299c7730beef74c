# ruff: noqa: PTH112, PTH118, PTH208 - a guard that lists files must not wait for pathlib
"""What is where below `.servo/` (formats/servo 1.1): three naming habits for the files of a worktrack."""

from __future__ import annotations

import os
import re

from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.workspace.files import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.workspace.listing import Listing

HOME = ".servo"
CONTROL = "control-state.md"
_CONTROL_FILES = ("control-state-wt.md", "control-state-repo.md", "operator-config.md", CONTROL)
"""Those of the split layout come first; copies in the last are for old tools (formats/servo 1.4)."""

_GATE = regex(r"(?P<prefix>.*?)gate[-_]evidence\.md", re.IGNORECASE)
_CLOSEOUT = regex(r"(?P<prefix>.*?)closeout[-_](?:record|report)\.md", re.IGNORECASE)
_DIGITS = regex(r"(\d+)")
_COMPOSITE = "-composite-acceptance.md"
_LISTS = ("milestone-backlog.md", "milestone-history.md", "worktrack-backlog.md")


@frozen
class WorktrackFiles:
    """The gate evidence of one worktrack and its closeout record, if there is one.

    `owner` is what the name says about the worktrack: the folder, the prefix, or nothing for the rolling file.
    """

    gate: str
    closeout: str | None
    owner: str


@frozen
class ServoFiles:
    """The files that are read. `control` is in the order in which they are asked."""

    control: tuple[str, ...] = ()
    milestones: tuple[str, ...] = ()
    composites: tuple[str, ...] = ()
    backlog: str | None = None
    history: str | None = None
    worktrack_backlog: str | None = None
    worktracks: tuple[WorktrackFiles, ...] = ()

    def paths(self) -> set[str]:
        """Every path."""
        single = (self.backlog, self.history, self.worktrack_backlog)
        pairs = [path for files in self.worktracks for path in (files.gate, files.closeout)]
        listed = (*self.control, *self.milestones, *self.composites, *single, *pairs)
        return {path for path in listed if path is not None}


class ServoLayout:
    """Lists `.servo/` anew at each call; names come from the disk. What is left out `listing.problems` tells."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self.home = listing.place(HOME)

    def exists(self) -> bool:
        """Whether there is a `.servo/`, at the cost of one stat."""
        return os.path.isdir(self.home)

    def files(self) -> ServoFiles:
        """All files of the kinds that are known."""
        repo = self.named("repo")
        milestones = [path for name, path in self.named("milestone").items() if _is_milestone(name)]
        return ServoFiles(
            control=self.control(),
            milestones=tuple(path for path in milestones if not path.endswith(_COMPOSITE)),
            composites=tuple(path for path in milestones if path.endswith(_COMPOSITE)),
            backlog=repo.get(_LISTS[0]),
            history=repo.get(_LISTS[1]),
            worktrack_backlog=repo.get(_LISTS[2]),
            worktracks=self.worktracks(),
        )

    def control(self) -> tuple[str, ...]:
        """The files of the control state alone, in the order in which they are asked."""
        top = self.named()
        return tuple(top[name] for name in _CONTROL_FILES if name in top)

    def worktracks(self) -> tuple[WorktrackFiles, ...]:
        """Gates and closeouts of all worktracks."""
        found = [*self._of_folder("", "worktrack")]
        for name in self.owners():
            found += self._of_folder(name, "worktrack", name)
        return tuple(found)

    def named(self, *folders: str) -> dict[str, str]:
        """Markdown files of a folder below `.servo/` by name."""
        place = os.path.join(self.home, *folders)
        found = self._listing.documents(place, all_regular=True)
        return {entry.name: entry.path for entry in found if entry.name.endswith(".md")}

    def owners(self) -> list[str]:
        """Names of the folders of worktracks, sorted; links out of the workspace are left out."""
        top = os.path.join(self.home, "worktrack")
        try:
            names = sorted(os.listdir(top)) if is_inside(top, self._listing.top) else []
        except OSError:
            return []
        return [
            name for name in names if not name.startswith(".") and not name.endswith(".md") and self._is_own(top, name)
        ]

    def folders(self, current: str = "") -> list[Path]:
        """Existing folders in which a change matters: the fixed ones, and that of the `current` worktrack."""
        from pathlib import Path  # noqa: PLC0415 - a guard watches nothing

        wanted = [(), ("worktrack",), ("milestone",), ("repo",)]
        wanted += [("worktrack", name) for name in self.owners() if current and name == current]
        return [Path(self.home, *names) for names in wanted if self._is_own(self.home, *names)]

    def _is_own(self, *names: str) -> bool:
        place = os.path.join(*names)
        return os.path.isdir(place) and is_inside(place, self._listing.top)

    def _of_folder(self, owner: str, *folders: str) -> list[WorktrackFiles]:
        named = self.named(*folders)
        closeouts = {match["prefix"]: path for name, path in named.items() if (match := _CLOSEOUT.fullmatch(name))}
        gates = [(match["prefix"], path) for name, path in named.items() if (match := _GATE.fullmatch(name))]
        return [WorktrackFiles(path, closeouts.get(prefix), owner or prefix.strip("-_ ")) for prefix, path in gates]


def _is_milestone(name: str) -> bool:
    return not name.startswith(("_", ".")) and name.casefold() not in {"readme.md", "template.md"}


def by_number(text: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts names with their numbers by value: WT-9 before WT-10."""
    return tuple((int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in _DIGITS.split(text))
