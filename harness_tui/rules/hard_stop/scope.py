"""Whether a change lies inside the paths that a task owns (formats/hard-stop 3)."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_PLAN: Final = regex(r"(?:docs/features/[^/]+/)?PLAN\.md")
_GLOB: Final = regex(r"[*?]")
_BRACES: Final = regex(r"\{([^{},]+(?:,[^{},]+)+)\}")
_MOST_SPREAD: Final = 256
"""Paths that the braces of one may stand for; more of them are not spread."""


def is_plan(path: str, root: str = "") -> bool:
    """Whether `path` is a PLAN.md of the workspace, which is the protocol's own file."""
    inner = relative(path, root)
    return _PLAN.fullmatch(inner) is not None or (not root and posixpath.isabs(path) and inner.endswith("/PLAN.md"))


def relative(path: str, root: str) -> str:
    """`path` without detours, relative to `root` when it lies below it."""
    plain = posixpath.normpath(path.replace("\\", "/")) if path else ""
    top = posixpath.normpath(root) if root else ""
    if top and plain.startswith(top.rstrip("/") + "/"):
        return plain[len(top.rstrip("/")) + 1 :]
    return plain


def inside(path: str, owned: Iterable[str], root: str = "") -> bool:
    """Whether one of `owned` (a file, a folder, a pattern) holds `path`.

    While the root is not known, an absolute path is inside when any end of it is.
    """
    inner = relative(path, root)
    places = [inner]
    if not root and posixpath.isabs(inner):
        parts = inner.strip("/").split("/")
        places = ["/".join(parts[number:]) for number in range(len(parts))]
    paths = [relative(path, root) for item in owned for path in _spread(item.strip().strip("`'\""))]
    return any(_holds(path, place) for path in paths for place in places)


def named_in(path: str, text: str, root: str = "") -> bool:
    """Whether `text` names the file at `path`, its folder with a slash, or its name alone."""
    inner = relative(path, root)
    folder, _, name = inner.rpartition("/")
    names = {inner, name} | ({f"{folder}/"} if folder else set())
    return any(re.search(rf"(?<![\w/.-]){re.escape(item)}(?![\w-])", text) for item in names if item)


@lru_cache(maxsize=256)
def _spread(path: str) -> tuple[str, ...]:
    """`a/{b,c}.py` as `a/b.py` and `a/c.py`; a path without a pair of braces as it stands."""
    done: list[str] = []
    left = [path]
    while left:
        item = left.pop()
        found = _BRACES.search(item)
        if found is None:
            done.append(item)
        else:
            left += [item[: found.start()] + part.strip() + item[found.end() :] for part in found[1].split(",")]
        if len(done) + len(left) > _MOST_SPREAD:
            return (path,)
    return tuple(done)


def _holds(owned: str, place: str) -> bool:
    if not owned or place == ".." or place.startswith("../"):
        return False
    if owned == ".":
        return not posixpath.isabs(place)
    if place == owned or place.startswith(owned.rstrip("/") + "/"):
        return True
    return _GLOB.search(owned) is not None and _pattern(owned).fullmatch(place) is not None


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """`**` reaches over folders, `*` and `?` stay inside one; a pattern of a folder holds what is below it."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    made = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(made.get(part) or re.escape(part) for part in parts) + "(?:/.*)?")
