# ruff: noqa: PTH112, PTH208 - the functions of os answer no, or are caught, where those of pathlib raise
"""What is where below `.servo/` (formats/servo 1.1): three naming habits for the files of a worktrack."""

from __future__ import annotations

import os
import re

from harness_tui.formats.control_state import FILES
from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.workspace.files import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.workspace.layout import Layout

HOME = ".servo"
_GATE = regex(r"(?P<prefix>.*?)gate[-_]evidence\.md", re.IGNORECASE)
_CLOSEOUT = regex(r"(?P<prefix>.*?)closeout[-_](?:record|report)\.md", re.IGNORECASE)
_COMPOSITE = "-composite-acceptance.md"
_LISTS = ("milestone-backlog.md", "milestone-history.md", "worktrack-backlog.md")


@frozen
class WorktrackFiles:
    """The gate evidence of one worktrack and its closeout record, if there is one.

    `owner` is what the name says about the worktrack: the folder, the prefix, or nothing for the rolling file.
    """

    gate: Path
    closeout: Path | None
    owner: str


@frozen
class ServoFiles:
    """The files that are read. `control` is in the order in which they are asked."""

    control: tuple[Path, ...] = ()
    milestones: tuple[Path, ...] = ()
    composites: tuple[Path, ...] = ()
    backlog: Path | None = None
    history: Path | None = None
    worktrack_backlog: Path | None = None
    worktracks: tuple[WorktrackFiles, ...] = ()

    def paths(self) -> set[str]:
        """Every path as text."""
        single = (self.backlog, self.history, self.worktrack_backlog)
        pairs = [path for files in self.worktracks for path in (files.gate, files.closeout)]
        listed = (*self.control, *self.milestones, *self.composites, *single, *pairs)
        return {str(path) for path in listed if path is not None}


class ServoLayout:
    """Lists `.servo/` anew at each call; names come from the disk. What is left out `layout.problems` tells."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.home = layout.root / HOME

    def exists(self) -> bool:
        """Whether there is a `.servo/`, at the cost of one stat."""
        return os.path.isdir(self.home)

    def files(self) -> ServoFiles:
        """All files of the kinds that are known."""
        repo = self._named(self.home / "repo")
        milestones = [path for name, path in self._named(self.home / "milestone").items() if _is_milestone(name)]
        return ServoFiles(
            control=self.control(),
            milestones=tuple(path for path in milestones if not path.name.endswith(_COMPOSITE)),
            composites=tuple(path for path in milestones if path.name.endswith(_COMPOSITE)),
            backlog=repo.get(_LISTS[0]),
            history=repo.get(_LISTS[1]),
            worktrack_backlog=repo.get(_LISTS[2]),
            worktracks=self._worktracks(),
        )

    def control(self) -> tuple[Path, ...]:
        """The files of the control state alone, in the order in which they are asked."""
        top = self._named(self.home)
        return tuple(top[name] for name in FILES if name in top)

    def folders(self, current: str = "") -> list[Path]:
        """Existing folders in which a change matters: the fixed ones, and that of the `current` worktrack."""
        fixed = [self.home, *(self.home / name for name in ("worktrack", "milestone", "repo"))]
        own = [path for path in self._subfolders(self.home / "worktrack") if current and path.name == current]
        return [path for path in (*fixed, *own) if os.path.isdir(path) and is_inside(path, self._layout.root)]

    def _worktracks(self) -> tuple[WorktrackFiles, ...]:
        top = self.home / "worktrack"
        found = [*self._of_folder(top, "")]
        for folder in self._subfolders(top):
            found += self._of_folder(folder, folder.name)
        return tuple(found)

    def _of_folder(self, folder: Path, owner: str) -> list[WorktrackFiles]:
        named = self._named(folder)
        closeouts = {match["prefix"]: path for name, path in named.items() if (match := _CLOSEOUT.fullmatch(name))}
        gates = [(match["prefix"], path) for name, path in named.items() if (match := _GATE.fullmatch(name))]
        return [WorktrackFiles(path, closeouts.get(prefix), owner or prefix.strip("-_ ")) for prefix, path in gates]

    def named(self, folder: str) -> dict[str, Path]:
        """Markdown files of a folder below `.servo/` by name; none for a folder that leads out of it."""
        if folder not in {"repo", "worktrack"} and folder.rpartition("/")[2] not in self._names("worktrack"):
            return {}
        return self._named(self.home / folder)

    def _names(self, folder: str) -> list[str]:
        return [path.name for path in self._subfolders(self.home / folder)]

    def _named(self, folder: Path) -> dict[str, Path]:
        return {
            entry.name: entry.path
            for entry in self._layout.documents(folder, all_regular=True)
            if entry.name.endswith(".md")
        }

    def _subfolders(self, folder: Path) -> list[Path]:
        """Folders in `folder` by name, links out of the workspace left out."""
        try:
            names = sorted(os.listdir(folder)) if is_inside(folder, self._layout.root) else []
        except OSError:
            return []
        paths = [folder / name for name in names if not name.startswith(".") and not name.endswith(".md")]
        return [path for path in paths if os.path.isdir(path) and is_inside(path, self._layout.root)]


def _is_milestone(name: str) -> bool:
    return not name.startswith(("_", ".")) and name.casefold() not in {"readme.md", "template.md"}
