"""Where signals lie that a run has claimed and not acted on: a folder for each pool, so that its next run finds them.

Of a file that also holds signals for other pools, a part is claimed. That part is prepared here while the rest of the
file lies ready beside it under the same token; once the rest has taken the file's place, the part is the claim. So the
one rename of the rest decides, and whoever comes after a killed writer can tell by the token whether it happened.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.intervention import PATH
from harness_tui.workspace.atomic import (
    TEMPORARY,
    WriteError,
    move_file,
    opened_place,
    read_target,
    remove_file,
    replace_file,
    staged,
)
from harness_tui.workspace.lock import OWN_FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

CLAIMS: Final = f"{OWN_FOLDER}/claims"
CLAIM: Final = ".md"
PREPARED: Final = ".part"


def names(folder: Path, ending: str) -> list[str]:
    """Names of the files in `folder` that end so, oldest first; none when it is not there."""
    found: list[str] = []
    with suppress(OSError):
        found = sorted(name for name in os.listdir(folder) if name.endswith(ending) and name[:1] != ".")  # noqa: PTH208
    return found


def sweep(root: Path, folder: Path) -> None:
    """Remove new content that a killed writer left in one of our own folders."""
    with suppress(OSError, WriteError), opened_place(folder / CLAIM, root=root, links=False) as place:
        for name in os.listdir(place.folder):  # noqa: PTH208 - of an open folder
            if name.startswith(".") and name.endswith(TEMPORARY):
                os.unlink(name, dir_fd=place.folder)


def divide(root: Path, claim: Path, *, before: bytes, own: bytes, rest: bytes) -> None:
    """Make `own` the claim `claim` and `rest` the content of the intervention file, which must hold `before`.

    Both happen or neither, also when this process is killed. Under the lock of the file's writers. Raises
    `ChangedError`, with nothing done, when the file does not hold `before` any more, and `WriteError`.
    """
    token = claim.stem.rpartition("-")[2]
    prepared = claim.with_suffix(PREPARED)
    with staged(root / PATH, rest, root=root, token=token) as stage:
        try:
            replace_file(prepared, own, root=root, expect=None)
            stage.commit(before)
        except BaseException:
            stage.keep()  # if it did not take its place, the part is no claim: `finish` sees that by it
            raise
    move_file(prepared, claim, root=root)


def finish(root: Path, left: Collection[str]) -> None:
    """Bring to an end what a killed `divide` began; `left` are the tokens of content beside the file.

    Under the lock of the file's writers, before that content is removed. Raises `WriteError`.
    """
    pools: list[str] = []
    with suppress(OSError):
        pools = os.listdir(root / CLAIMS)  # noqa: PTH208 - names only
    for folder in (root / CLAIMS / name for name in pools):
        for name in names(folder, PREPARED):
            prepared = folder / name
            if prepared.stem.rpartition("-")[2] in left:
                data = read_target(prepared, root=root)
                if data is not None:
                    remove_file(prepared, root=root, expect=data)
            else:
                move_file(prepared, prepared.with_suffix(CLAIM), root=root)
