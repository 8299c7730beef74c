"""Doubled keys of a control state, gathered or made one (formats/servo 2.14).

Done section by section, for bullets at the edge only. A section whose name stands twice is two sections; what stands
below a gathered bullet goes with it; a second time nothing changes. Every line that is not touched stays as it is.
"""

from __future__ import annotations

import re

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

GATHERED: Final = {
    "latest_closed_worktrack_commit": "closed_worktrack_commits",
    "verified_at": "verified_at_history",
    "last_stop_reason": "stop_reason_history",
}
"""Keys whose values become a list, with the name of that list."""
SINGLE: Final = (
    "worktrack_scope", "recommended_next_route", "recommended_next_scope", "active_milestone_branch",
    "active_milestone_branch_head",
)  # fmt: skip
"""Keys of which only the last value counts; it takes the place of the first."""

_LIST: Final = regex(rf"\s*(?:- )?(?:{'|'.join(GATHERED.values())})\s*:")
_BULLET: Final = regex(r"- (\S+):\s*(.*)", re.DOTALL)


def normalized(text: str) -> tuple[str, dict[str, int]]:
    """`text` in its plain form, and how many values each key gave away."""
    lines = text.split("\n")
    mark = _mark(lines[-2]) if len(lines) > 1 else ""
    lines[-1] += mark  # so that it is a line like the others when a list is put behind it
    sections: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("## "):
            sections.append([])
        sections[-1].append(line)
    counts: dict[str, int] = {}
    after = "\n".join(line for section in sections for line in _section(section, counts))
    if mark:
        after = after.removesuffix(mark)
    return after + (f"{mark}\n" if text.endswith("\n") and not after.endswith("\n") else ""), counts


def _section(lines: list[str], counts: dict[str, int]) -> list[str]:
    blocks = _blocks(lines)
    gathered: dict[str, list[str]] = {}
    first: dict[str, int] = {}
    kept: list[list[str]] = []
    parents = {_key(block[0])[0] for block in blocks if len(block) > 1}
    for block in blocks:
        key, value = _key(block[0])
        if key in GATHERED:
            counts[key] = counts.get(key, 0) + 1
            gathered.setdefault(key, []).extend(_entry(value, block))
        elif key in SINGLE and key not in parents and key in first:
            counts[key] = counts.get(key, 0) + 1
            kept[first[key]] = [f"- {key}: {value}{_mark(block[0])}"]
        else:
            first.setdefault(key, len(kept))
            kept.append(block)
    for key, name in GATHERED.items():
        if key in gathered:
            _append(kept, name, gathered[key])
    return [line for block in kept for line in block]


def _blocks(lines: list[str]) -> list[list[str]]:
    """Each line by itself, a bullet that is gathered or made one together with what is indented below it."""
    blocks: list[list[str]] = []
    owner = False
    for line in lines:
        if owner and line[:1] in {" ", "\t"} and line.strip() and not _LIST.match(line):
            blocks[-1].append(line)
            continue
        key = _key(line)[0]
        owner = key in GATHERED or key in SINGLE
        blocks.append([line])
    return blocks


def _key(line: str) -> tuple[str, str]:
    match = _BULLET.match(line)
    return (match[1], match[2].strip()) if match else ("", "")


def _entry(value: str, block: list[str]) -> list[str]:
    """The lines of one value in the list; what stood below the bullet stands below the value."""
    below = block[1:]
    if not value and below and all(line.lstrip().startswith("- ") for line in below):
        return below
    return [f"  - {value}{_mark(block[0])}", *(f"  {line}" for line in below)]


def _append(kept: list[list[str]], name: str, entries: list[str]) -> None:
    """Add to the list of that name; it is made at the section's end where there is none."""
    head = re.compile(rf"\s*(?:- )?{name}\s*:\s*")
    at = next((index for index, block in enumerate(kept) if head.fullmatch(block[0])), None)
    if at is None:
        mark = _mark(entries[0])
        if kept and kept[-1][-1].strip("\r"):
            kept.append([mark])
        kept.append([f"- {name}:{mark}", *entries])
        return
    last = at
    while last + 1 < len(kept) and kept[last + 1][0][:1] in {" ", "\t"} and kept[last + 1][0].strip():
        last += 1
    kept[last] = [*kept[last], *entries]


def _mark(line: str) -> str:
    """What stands between a line and its line feed."""
    return "\r" if line.endswith("\r") else ""
