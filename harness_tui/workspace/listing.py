# ruff: noqa: PTH110, PTH112, PTH116, PTH118, PTH120 - a guard that lists files must not wait for pathlib
"""Lists files below the root of a workspace; what leads out of it is reported and left out.

Names come from the disk and are never put together from words of a file. Links are followed only as long as they
stay inside the root.
"""

from __future__ import annotations

import os
import stat

from harness_tui.formats.text import clean
from harness_tui.model.problem import Problem
from harness_tui.model.typed import NamedTuple
from harness_tui.workspace.files import file_error, is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Literal

_MARKS = ("docs/batches", "docs/features", ".harness", ".servo", "PLAN.md")


class Entry(NamedTuple):
    """A file or folder as it is called on disk; `path` is absolute, below the root as the root was given."""

    name: str
    path: str
    kind: Literal["file", "folder", "other"]


def root_of(start: str) -> str | None:
    """Root of the workspace that holds `start` (a file, a folder, or one that is not there yet), links followed.

    The nearest ancestor with `.git` (a folder, or a file in a worktree); when that holds no mark of a known harness
    but a folder below it does, the nearest such folder; None when there is neither.
    """
    folders = [folder for folder in _ancestors(os.path.realpath(start)) if os.path.isdir(folder)]
    top = next((folder for folder in folders if os.path.exists(f"{folder}/.git")), None)
    marked = next((folder for folder in folders if _is_marked(folder)), None)
    if top is None or marked is None or _is_marked(top):
        return top or marked
    return marked if folders.index(marked) < folders.index(top) else top


def _ancestors(place: str) -> Iterator[str]:
    yield place
    while (above := os.path.dirname(place)) != place:
        yield (place := above)


def _is_marked(folder: str) -> bool:
    return any(os.path.exists(f"{folder}/{mark}") for mark in _MARKS)


class Listing:
    """Lists folders below `root` anew at each call. Nothing here raises for what is on disk.

    `problems` tells what the last listing of each folder left out.
    """

    def __init__(self, root: Path | str) -> None:
        self.top = os.fspath(root)
        self._problems: dict[str, list[Problem]] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was left out: `link-outside`, `unreadable`, `not-a-file`, `root-gone`."""
        return tuple(problem for folder in sorted(self._problems) for problem in self._problems[folder])

    def rel(self, path: Path | str) -> str:
        """`path` relative to the root with `/`, cleaned to be shown; what lies elsewhere stays absolute."""
        text, top = os.fspath(path), self.top.removesuffix(os.sep)
        inner = text[len(top) :] if text.startswith(top) and text[len(top) :].startswith(os.sep) else None
        if text == self.top:
            return "."
        return clean((text if inner is None else inner.lstrip(os.sep)).replace(os.sep, "/"))

    def place(self, *names: str) -> str:
        """Where `names` would be below the root."""
        return os.path.join(self.top, *names)

    def signal(self) -> str | None:
        """`.harness/intervention.md`: its presence alone means that a signal is unread.

        A folder in its place is a problem: it may be meant as a signal, and nobody can read it.
        """
        return self.file(".harness/intervention.md", folder_is_problem=True)

    def file(self, name: str, *, folder_is_problem: bool = False) -> str | None:
        """The regular file called `name`, relative to the root; None when there is none that may be read."""
        path = self.place(name)
        self._problems.pop(name, None)
        try:
            os.lstat(path)
        except OSError as error:
            return None if file_error(error).gone else path  # who reads it hears why it can't be read
        if not is_inside(path, self.top):
            self._problems[name] = [self._outside(path)]
            return None
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            if file_error(error).gone:
                return None
            mode = 0
        if stat.S_ISREG(mode):
            return path
        if not stat.S_ISDIR(mode) or folder_is_problem:
            self._problems[name] = [self._not_a_file(path)]
        return None

    def entries(self, folder: str, *, regular: tuple[str, ...] = (), ending: str | None = None) -> list[Entry]:
        """Entries of `folder` by name.

        What is called as in `regular`, or ends with `ending`, must be a regular file: anything else is a problem. A
        hidden name is not meant: editors lock a file by a link beside it.
        """
        problems: list[Problem] = []
        found: list[Entry] = []
        try:
            if os.path.lexists(folder) and not is_inside(folder, self.top):
                problems.append(self._outside(folder))
            else:
                with os.scandir(folder) as entries:
                    found = sorted(self._classify(entry, problems) for entry in entries)
        except OSError as error:
            reason = file_error(error)
            if not reason.gone:
                message = f"this folder cannot be listed: {reason.reason}; its files are not shown"
                problems.append(Problem(self.rel(folder), None, "error", "unreadable", message))
        left_out = {problem.path for problem in problems}
        named = (f for f in found if f.name in regular or (ending and f.name.endswith(ending) and f.name[0] != "."))
        odd = [f for f in named if f.kind != "file"]
        problems += [self._not_a_file(f.path) for f in odd if self.rel(f.path) not in left_out]
        self._problems.pop(folder, None)
        if problems:
            self._problems[folder] = problems
        return found

    def documents(self, folder: Path | str, *, all_regular: bool = False) -> list[Entry]:
        """Markdown files and `goal_state.json` of a feature folder, by name.

        With `all_regular` anything else that is called as a Markdown file is a problem.
        """
        return [
            found
            for found in self.entries(os.fspath(folder), ending=".md" if all_regular else None)
            if found.kind == "file" and (found.name.endswith(".md") or found.name == "goal_state.json")
        ]

    def json_files(self, folder: str) -> list[Entry]:
        """JSON files of a folder, relative to the root, by name."""
        listed = self.entries(self.place(folder))
        return [found for found in listed if found.kind == "file" and found.name.endswith(".json")]

    def _classify(self, entry: os.DirEntry[str], problems: list[Problem]) -> Entry:
        path = entry.path
        try:
            if entry.is_symlink() and not is_inside(path, self.top):
                problems.append(self._outside(path))
            elif entry.is_dir():
                return Entry(entry.name, path, "folder")
            elif entry.is_file():
                return Entry(entry.name, path, "file")
        except OSError:  # it vanished, or may not be looked at
            pass
        return Entry(entry.name, path, "other")

    def _outside(self, path: str) -> Problem:
        message = "this link leads out of the workspace and is not followed; put the file itself here"
        return Problem(self.rel(path), None, "warning", "link-outside", message)

    def _not_a_file(self, path: str) -> Problem:
        message = "this is not a regular file and is not read; put a plain file here"
        return Problem(self.rel(path), None, "error", "not-a-file", message)
