# ruff: noqa: PTH110, PTH112, PTH113 - the functions of os.path answer no where those of pathlib raise
"""What is where in a workspace (formats/harness-kit 1.0): folders are listed, file contents are left alone.

Names come from the disk and are never put together from words of a file. Links are followed only as long as they
stay inside the root; what leads out of it is reported and left out.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

from harness_tui.formats.text import clean
from harness_tui.model.frozen import frozen
from harness_tui.model.lease import FOREIGN, OWN
from harness_tui.model.problem import Problem
from harness_tui.model.typed import NamedTuple
from harness_tui.workspace.files import file_error, is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, Literal

PLAN = "BATCH_PLAN.md"
LOGS = ("STREAM_LOG.md", "BATCH_LOG.md")
REPORTS = ("STREAM_REPORT.md", "BATCH_REPORT.md")
WATCH_LIMIT = 32
"""Folders that are watched at most: each costs a kernel watch and a thread."""

POOLS = "docs/batches"
_FEATURES = "docs/features"
_ARCHIVED = "docs/features/_archived"
_STATES = ".harness/state"
_SCRIPTS = (".harness/scripts", "scripts")  # since the kit's version 0.20, and before
_RUNNABLE = (".sh", ".py", "") if os.name == "posix" else (".ps1", ".py")
_BOARDS = ("docs/tasks.md", "docs/tasks-archive.md")
_MARKS = (POOLS, _FEATURES, ".harness", ".servo", "PLAN.md")
_HARNESS = ".harness"
_INTERVENTION = "intervention.md"
_OWN = f"{_HARNESS}/harness-tui"
_LEFTOVER: Final = (f"{_INTERVENTION}.", f".{_INTERVENTION}.")
_OURS: Final = ".harness-tui.tmp"
_AT_WORK: Final = 2.0
"""Seconds for which a temporary file of our own may belong to a write that is under way."""
_WATCHED = (
    "", ".harness", _OWN, "docs", POOLS, _FEATURES, _ARCHIVED, _STATES, *_SCRIPTS,
)  # fmt: skip


@frozen
class Entry:
    """A file or folder as it is called on disk; `path` is absolute, below the root as the root was given."""

    name: str
    path: Path


@frozen
class PoolFiles:
    """Files of one pool. `id` is the cleaned name of `folder`; logs and reports with those of a stream first.

    `plan` is None when there is none, or none that may be read: then a problem says so.
    """

    id: str
    folder: Path
    plan: Path | None = None
    logs: tuple[Path, ...] = ()
    reports: tuple[Path, ...] = ()


@frozen
class FeatureFolder:
    """Where the stage documents of a slug are: `live` while it is worked on, `archived` when it was delivered."""

    slug: str
    live: Path | None = None
    archived: Path | None = None


class _Found(NamedTuple):
    name: str
    path: Path
    kind: Literal["file", "folder", "other"]


def _at_work(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_OURS) and time.time() - entry.stat(follow_symlinks=False).st_mtime < _AT_WORK


def find_root(start: Path) -> Path | None:
    """Root of the workspace that holds `start` (a file, a folder, or one that is not there yet), links followed.

    The nearest ancestor with `.git` (a folder, or a file in a worktree); when that holds no mark of a known harness
    but a folder below it does, the nearest such folder; None when there is neither.
    """
    place = Path(os.path.realpath(start))
    ancestors = [folder for folder in (place, *place.parents) if os.path.isdir(folder)]
    top = next((folder for folder in ancestors if os.path.exists(folder / ".git")), None)
    marked = next((folder for folder in ancestors if any(os.path.exists(folder / mark) for mark in _MARKS)), None)
    if top is None or marked is None or any(os.path.exists(top / mark) for mark in _MARKS):
        return top or marked
    return marked if top in marked.parents else top


class Layout:
    """Lists the workspace at `root` anew at each call. Nothing here raises for what is on disk.

    `problems` tells what the last listing of each folder left out.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._problems: dict[str, list[Problem]] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was left out: `link-outside`, `unreadable`, `not-a-file`, `root-gone`."""
        return tuple(problem for folder in sorted(self._problems) for problem in self._problems[folder])

    @property
    def intervention(self) -> Path | None:
        """`.harness/intervention.md`: its presence alone means that a signal is unread."""
        return self._file(f"{_HARNESS}/{_INTERVENTION}")

    @property
    def ambient_flag(self) -> Path | None:
        """`.harness/ambient.flag`, an empty mark."""
        return self._file(".harness/ambient.flag")

    @property
    def leases(self) -> list[Path]:
        """The locks of those who run the stream: our own engine, then another program."""
        return self._files((OWN, FOREIGN))

    @property
    def sent(self) -> Path | None:
        """`.harness/harness-tui/sent.jsonl`, the history of the signals that were sent from here."""
        return self._file(f"{_OWN}/sent.jsonl")

    def rel(self, path: Path | str) -> str:
        """`path` relative to the root with `/`, cleaned to be shown; what lies elsewhere stays absolute."""
        text, top = os.fspath(path), os.fspath(self.root)
        inner = text[len(top) :] if text.startswith(top) and text[len(top) :].startswith(os.sep) else None
        if text == top:
            return "."
        return clean((text if inner is None else inner.lstrip(os.sep)).replace(os.sep, "/"))

    def pools(self) -> list[PoolFiles]:
        """Pools under `docs/batches`, by name; the template is none (formats/harness-kit 1.1)."""
        self._look_for_root()
        folders = [found for found in self._list(self.root / POOLS) if found.kind == "folder"]
        self._forget(POOLS, {found.path for found in folders})
        pools = [self._pool(found) for found in folders if found.name != "_template" and not found.name.startswith(".")]
        return [pool for pool in pools if pool is not None]

    def features(self) -> dict[str, FeatureFolder]:
        """Feature folders by their cleaned name; names that begin with `_` or `.` are none."""
        live = self._feature_folders(_FEATURES)
        archived = self._feature_folders(_ARCHIVED)
        self._forget(_FEATURES, {self.root / _ARCHIVED, *live.values(), *archived.values()})
        return {slug: FeatureFolder(slug, live.get(slug), archived.get(slug)) for slug in sorted(live | archived)}

    def documents(self, folder: Path) -> list[Entry]:
        """Markdown files and `goal_state.json` of a feature folder, by name."""
        return [
            Entry(found.name, found.path)
            for found in self._list(folder)
            if found.kind == "file" and (found.name.endswith(".md") or found.name == "goal_state.json")
        ]

    def boards(self) -> list[Path]:
        """The task board and its archive, as far as they exist."""
        return self._files(_BOARDS)

    def task_states(self) -> list[Path]:
        """`.harness/state/<slug>.json`, by name."""
        return self._json_files(_STATES)

    def verify_history(self) -> list[Path]:
        """`verification_history.log` in the new and the old folder of scripts, as far as they exist."""
        return self._files(f"{folder}/verification_history.log" for folder in _SCRIPTS)

    def verify_script(self) -> Path | None:
        """The project's own check: `verify_all`, in the new or the old folder of scripts."""
        found = self._files(f"{folder}/verify_all{end}" for folder in _SCRIPTS for end in _RUNNABLE)
        return found[0] if found else None

    def baseline(self) -> list[Path]:
        """`baseline.json` in the new and the old folder of scripts, as far as they exist."""
        return self._files(f"{folder}/baseline.json" for folder in _SCRIPTS)

    def folders_to_watch(self, live_slugs: Iterable[str] = (), limit: int = WATCH_LIMIT) -> list[Path]:
        """Existing folders in which a change matters, most important first, at most `limit`.

        First the fixed ones and those of git, then pools and the feature folders of `live_slugs` in turns.
        """
        from harness_tui.workspace.git_folders import git_folders  # noqa: PLC0415 - who reads once watches nothing

        fixed = [self.root / name for name in _WATCHED]
        inside = [folder for folder in fixed if os.path.isdir(folder) and is_inside(folder, self.root)]
        features = self.features()
        homes = [features[slug] for slug in live_slugs if slug in features]
        of_slugs = [path for home in homes for path in (home.live, home.archived) if path]
        in_turns = zip_longest((pool.folder for pool in self.pools()), of_slugs)
        wanted = [*inside, *git_folders(self.root), *(path for pair in in_turns for path in pair if path)]
        return list(dict.fromkeys(wanted))[:limit]

    def _look_for_root(self) -> None:
        """A workspace that was moved or removed while it is watched looks like an empty one otherwise."""
        self._problems.pop(".", None)
        if not os.path.isdir(self.root):
            message = "the workspace is not there any more: it was moved or removed; start again where it is now"
            self._problems["."] = [Problem(".", None, "error", "root-gone", message)]

    def _forget(self, parent: str, folders: set[Path]) -> None:
        """Problems of folders that were below `parent` go with them."""
        start = os.path.join(self.root, parent, "")  # noqa: PTH118 - the keys are texts
        there = {os.fspath(folder) for folder in folders}
        for key in [key for key in self._problems if key.startswith(start) and key not in there]:
            del self._problems[key]

    def _pool(self, folder: _Found) -> PoolFiles | None:
        listed = {found.name: found for found in self._list(folder.path, regular=(PLAN, *LOGS, *REPORTS))}
        if not any(name in listed for name in (PLAN, *LOGS, *REPORTS)):
            return None
        files = {name: found.path for name, found in listed.items() if found.kind == "file"}
        return PoolFiles(
            id=clean(folder.name),
            folder=folder.path,
            plan=files.get(PLAN),
            logs=tuple(files[name] for name in LOGS if name in files),
            reports=tuple(files[name] for name in REPORTS if name in files),
        )

    def _feature_folders(self, name: str) -> dict[str, Path]:
        listed = self._list(self.root / name)
        return {clean(f.name): f.path for f in listed if f.kind == "folder" and not f.name.startswith(("_", "."))}

    def _files(self, names: Iterable[str]) -> list[Path]:
        return [path for name in names if (path := self._file(name))]

    def find_leftovers(self) -> None:
        """Remains of broken writes beside the intervention file: they are no signals. A fresh one may be at work."""
        key = f"{_HARNESS}/{_INTERVENTION}*"
        self._problems.pop(key, None)
        found: list[Problem] = []
        with suppress(OSError), os.scandir(self.root / _HARNESS) as entries:
            for entry in entries:
                if entry.name.startswith(_LEFTOVER) and not _at_work(entry):
                    message = "remains of a write that broke off; it is not read as a signal: remove it"
                    found.append(Problem(self.rel(entry.path), None, "warning", "leftover", message))
        if found:
            self._problems[key] = sorted(found, key=lambda problem: problem.path)

    def _file(self, name: str) -> Path | None:
        path = self.root / name
        self._problems.pop(name, None)
        try:
            os.lstat(path)
        except OSError as error:
            return None if file_error(error).gone else path  # who reads it hears why it can't be read
        if not is_inside(path, self.root):
            self._problems[name] = [self._outside(path)]
            return None
        if os.path.isdir(path) or not os.path.exists(path):
            return None
        if os.path.isfile(path):
            return path
        self._problems[name] = [self._not_a_file(path)]
        return None

    def _json_files(self, name: str) -> list[Path]:
        listed = self._list(self.root / name)
        return [found.path for found in listed if found.kind == "file" and found.name.endswith(".json")]

    def _list(self, folder: Path, *, regular: tuple[str, ...] = ()) -> list[_Found]:
        """Entries of `folder` by name. Names in `regular` must be regular files: anything else is a problem."""
        problems: list[Problem] = []
        found: list[_Found] = []
        try:
            if os.path.lexists(folder) and not is_inside(folder, self.root):
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
        odd = [f.path for f in found if f.kind != "file" and f.name in regular and self.rel(f.path) not in left_out]
        problems += [self._not_a_file(path) for path in odd]
        key = os.fspath(folder)
        self._problems.pop(key, None)
        if problems:
            self._problems[key] = problems
        return found

    def _classify(self, entry: os.DirEntry[str], problems: list[Problem]) -> _Found:
        path = Path(entry.path)
        try:
            if entry.is_symlink() and not is_inside(path, self.root):
                problems.append(self._outside(path))
            elif entry.is_dir():
                return _Found(entry.name, path, "folder")
            elif entry.is_file():
                return _Found(entry.name, path, "file")
        except OSError:  # it vanished, or may not be looked at
            pass
        return _Found(entry.name, path, "other")

    def _outside(self, path: Path) -> Problem:
        message = "this link leads out of the workspace and is not followed; put the file itself here"
        return Problem(self.rel(path), None, "warning", "link-outside", message)

    def _not_a_file(self, path: Path) -> Problem:
        message = "this is not a regular file and is not read; put a plain file here"
        return Problem(self.rel(path), None, "error", "not-a-file", message)
