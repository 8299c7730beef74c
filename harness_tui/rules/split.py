"""One requirement as several rows, each of them an ADD of its own (formats/harness-kit 1.4)."""

from __future__ import annotations

from typing import Final

from harness_tui.model.refusal import Refused

ON_THEIR_OWN: Final = "ADD carries no dependency: a later row runs even if an earlier one fails"


def split(base: str, goal: str, parts: str) -> list[tuple[str, str]]:
    """Slugs and goals of the rows into which a requirement is split, one for each line of `parts`.

    A line is `part: goal`, or `part < earlier: goal` where it needs an earlier part. The rows share `base` as the
    beginning of their slugs; the goal of a part that needs another one says so, as ADD carries no dependency.
    Raises `Refused`.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(parts.split("\n"), 1):
        if not line.strip():
            continue
        head, _, part_goal = line.partition(":")
        name, needing, after = (word.strip() for word in head.partition("<"))
        if not name or not part_goal.strip():
            raise Refused("part", f"part in line {number}", 'write it as "part: goal" or "part < earlier: goal"')
        if name in found:
            raise Refused("part", f"part {name}", "it stands there twice")
        if needing and after not in found:
            raise Refused("part", f"part {name}", f"it needs {after!r}, which is no earlier part")
        needs = f" (after {base}-{after})" if needing else ""
        found[name] = f"{part_goal.strip()}{needs}"
    if not found:
        raise Refused("part", "the parts", 'there is none; write one a line as "part: goal"')
    whole = goal.strip().rstrip(".。:")
    overall = f"{whole}: " if whole else ""
    return [(f"{base}-{name}", f"{overall}{text}") for name, text in found.items()]
