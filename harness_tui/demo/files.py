"""Changing files as agents do: in place, by rename, at the end, or only half at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write `text` in place; folders that are missing are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def replace(path: Path, text: str) -> None:
    """Write `text` beside `path` and rename it over, so that no reader ever sees half of it."""
    spare = path.with_name(f".{path.name}.tmp")
    write(spare, text)
    spare.replace(path)


def append(path: Path, text: str) -> None:
    """Add `text` at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(text.encode())


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Pass the whole text of `path` through `change` and write it in place when it differs; LF and CR are kept."""
    before = path.read_bytes().decode()
    after = change(before)
    if after != before:
        with path.open("r+b") as file:
            file.write(after.encode())
            file.truncate()
