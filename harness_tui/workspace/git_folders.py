# ruff: noqa: PTH112, PTH113 - the functions of os.path answer no where those of pathlib raise
"""The folders of git in which a commit, a switch of branch or a staged file shows itself."""

from __future__ import annotations

import os
from pathlib import Path

from harness_tui.formats.text import decode
from harness_tui.workspace.files import FileError, read_file

_POINTER_LIMIT = 8 << 10
_HEADS = ("refs", "heads")


def git_folders(root: Path) -> list[Path]:
    """Existing folders that hold HEAD and index of the checkout at `root`, and its branches (gitrepository-layout).

    In a worktree `.git` is a file that names the real folder, and that names the one which all worktrees share.
    """
    own = _git_folder(root)
    if own is None or not os.path.isfile(own / "HEAD"):
        return []
    shared = own / (_pointer(own / "commondir") or "")
    heads = Path(os.path.realpath(shared)).joinpath(*_HEADS)
    return [own, heads] if os.path.isdir(heads) else [own]


def _git_folder(root: Path) -> Path | None:
    place = root / ".git"
    if os.path.isdir(place):
        return place
    target = _pointer(place).removeprefix("gitdir:").strip()
    return Path(os.path.realpath(root / target)) if target else None


def _pointer(path: Path) -> str:
    """The one line of a pointer file, empty when there is none."""
    try:
        text = decode(read_file(path, limit=_POINTER_LIMIT)).rstrip("\r\n")
    except FileError:
        return ""
    return "" if "\0" in text else text
