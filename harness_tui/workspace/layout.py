# ruff: noqa: PTH112 - the functions of os.path answer no where those of pathlib raise
"""What is where in a workspace (formats/harness-kit 1.0): folders are listed, file contents are left alone."""

from __future__ import annotations

import os
import time
from itertools import zip_longest
from pathlib import Path

from harness_tui.formats.text import clean
from harness_tui.model.frozen import frozen
from harness_tui.model.lease import FOREIGN, OWN
from harness_tui.model.problem import Problem
from harness_tui.workspace.files import is_inside
from harness_tui.workspace.listing import Listing, root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from harness_tui.workspace.listing import Entry

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


def _at_work(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_OURS) and time.time() - entry.stat(follow_symlinks=False).st_mtime < _AT_WORK


def find_root(start: Path) -> Path | None:
    """`root_of` for paths."""
    found = root_of(str(start))
    return Path(found) if found is not None else None


class Layout(Listing):
    """Lists the workspace at `root` anew at each call."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.root = root

    @property
    def intervention(self) -> Path | None:
        """The path of `signal`."""
        found = self.signal()
        return Path(found) if found is not None else None

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

    def pools(self) -> list[PoolFiles]:
        """Pools under `docs/batches`, by name; the template is none (formats/harness-kit 1.1)."""
        self._look_for_root()
        folders = [found for found in self.entries(self.place(POOLS)) if found.kind == "folder"]
        self._forget(POOLS, {found.path for found in folders})
        pools = [self._pool(found) for found in folders if found.name != "_template" and not found.name.startswith(".")]
        return [pool for pool in pools if pool is not None]

    def features(self) -> dict[str, FeatureFolder]:
        """Feature folders by their cleaned name; names that begin with `_` or `.` are none."""
        live = self._feature_folders(_FEATURES)
        archived = self._feature_folders(_ARCHIVED)
        self._forget(_FEATURES, {self.place(_ARCHIVED), *map(str, (*live.values(), *archived.values()))})
        return {slug: FeatureFolder(slug, live.get(slug), archived.get(slug)) for slug in sorted(live | archived)}

    def boards(self) -> list[Path]:
        """The task board and its archive, as far as they exist."""
        return self._files(_BOARDS)

    def task_states(self) -> list[Path]:
        """`.harness/state/<slug>.json`, by name."""
        return [Path(found.path) for found in self.json_files(_STATES)]

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

    def _forget(self, parent: str, folders: set[str]) -> None:
        """Problems of folders that were below `parent` go with them."""
        start = self.place(parent, "")
        for key in [key for key in self._problems if key.startswith(start) and key not in folders]:
            del self._problems[key]

    def _pool(self, folder: Entry) -> PoolFiles | None:
        listed = {found.name: found for found in self.entries(folder.path, regular=(PLAN, *LOGS, *REPORTS))}
        if not any(name in listed for name in (PLAN, *LOGS, *REPORTS)):
            return None
        files = {name: Path(found.path) for name, found in listed.items() if found.kind == "file"}
        return PoolFiles(
            id=clean(folder.name),
            folder=Path(folder.path),
            plan=files.get(PLAN),
            logs=tuple(files[name] for name in LOGS if name in files),
            reports=tuple(files[name] for name in REPORTS if name in files),
        )

    def _feature_folders(self, name: str) -> dict[str, Path]:
        listed = self.entries(self.place(name))
        return {clean(f.name): Path(f.path) for f in listed if f.kind == "folder" and not f.name.startswith(("_", "."))}

    def _files(self, names: Iterable[str]) -> list[Path]:
        return [path for name in names if (path := self._file(name))]

    def _file(self, name: str) -> Path | None:
        found = self.file(name)
        return Path(found) if found is not None else None

    def find_leftovers(self) -> None:
        """Remains of broken writes beside the intervention file: they are no signals. A fresh one may be at work."""
        key = f"{_HARNESS}/{_INTERVENTION}*"
        self._problems.pop(key, None)
        found: list[Problem] = []
        try:
            with os.scandir(self.place(_HARNESS)) as entries:
                for entry in entries:
                    if entry.name.startswith(_LEFTOVER) and not _at_work(entry):
                        message = "remains of a write that broke off; it is not read as a signal: remove it"
                        found.append(Problem(self.rel(entry.path), None, "warning", "leftover", message))
        except OSError:  # who lists the folder tells why
            pass
        if found:
            self._problems[key] = sorted(found, key=lambda problem: problem.path)
