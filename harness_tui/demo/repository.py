"""The git repository of the sample workspace. Without git there is none, and everything else works."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

_NAME, _EMAIL = "Demo Operator", "demo@example.invalid"
_SETTINGS = {
    "init.defaultBranch": "main",
    "commit.gpgSign": "false",
    "core.hooksPath": os.devnull,
    "core.autocrlf": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_SECONDS = 20.0


def init(folder: Path) -> None:
    """An empty repository in `folder`."""
    _git(folder, "init", "--quiet")


def commit(folder: Path, message: str, at: datetime, *paths: str) -> None:
    """Commit `paths`, or everything that changed when none is given. Nothing happens in a folder without repository."""
    if not (folder / ".git").is_dir():
        return
    _git(folder, "add", "--all", "--", *(paths or (".",)))
    _git(folder, "commit", "--quiet", "--message", message, at=at)


def _git(folder: Path, *arguments: str, at: datetime | None = None) -> None:
    """Run git cut off from the operator's own settings; a git that is missing or refuses is no error of the demo."""
    program = shutil.which("git")
    if program is None:
        return
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": _NAME, f"GIT_{role}_EMAIL": _EMAIL}
        if at is not None:
            environment[f"GIT_{role}_DATE"] = at.isoformat(timespec="seconds")
    settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(  # noqa: S603 - the program and all arguments are ours
            [program, *settings, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
