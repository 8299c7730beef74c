"""Changing lines of a control file: whole or not at all, and never over what somebody else has just written.

Only programs that take our lock are kept out by it. For all others the file is compared before it is replaced; when it
has changed since it was read, the change is made anew from what stands there now.
"""

from __future__ import annotations

import os
from pathlib import Path

from harness_tui.model.typed import NamedTuple
from harness_tui.workspace.atomic import ChangedError, WriteError, read_target, replace_file
from harness_tui.workspace.layout import find_root
from harness_tui.workspace.lock import CONTROL_LOCK, locked, sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_TRIES: Final = 20
_BOM: Final = "\ufeff"


class Edited(NamedTuple):
    """Bytes of the source as they were read, and what stands in the target now, or would stand there."""

    before: bytes
    after: bytes


def edit_control(
    source: Path, change: Callable[[str], str | None], *, target: Path | None = None, write: bool = True
) -> Edited | None:
    """Write what `change` makes of the text of `source` to `target` (by default the same file).

    The text holds bytes that are no UTF-8 as lone surrogates and keeps its line ends. None when there is no such file
    or `change` gives None; then, and when nothing changes, nothing is written. Raises `WriteError`.
    """
    target = source if target is None else target
    root = _root(target)
    if target != source and not os.path.isdir(target.parent):  # noqa: PTH112 - answers no where pathlib raises
        raise WriteError(target, "its folder is not there")
    found = _edited(source, change)
    if found is None or not write:
        return found
    with locked(root, CONTROL_LOCK):
        sweep(root, [target])
        for _ in range(_TRIES):
            found = _edited(source, change)
            if found is None:
                return None
            there = found.before if target == source else read_target(target, root=root)
            if found.after == there:
                return found
            try:
                replace_file(target, found.after, root=root, expect=there)
            except ChangedError:
                continue
            return found
    raise WriteError(target, "somebody else keeps changing it; nothing was written")


def _edited(source: Path, change: Callable[[str], str | None]) -> Edited | None:
    data = read_target(source, root=_root(source))
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    after = change(text.removeprefix(_BOM))
    if after is None:
        return None
    mark = _BOM if text.startswith(_BOM) else ""
    return Edited(data, f"{mark}{after}".encode("utf-8", "surrogateescape"))


def _root(path: Path) -> Path:
    """The workspace around the folder of `path`, else that folder: a link must not lead out of it."""
    return find_root(path.parent) or Path(os.path.realpath(path.parent))
