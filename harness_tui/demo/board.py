"""The task board `docs/tasks.md`, line by line (formats/harness-kit 1.10)."""

from __future__ import annotations

NONE = "_(none)_"
_EMPTY = f"| {NONE} | | | | | |"
_ACTIVE = "|---|---|---|---|---|---|"
_COMPLETED = "|---|---|---|---|---|"


def render(completed: tuple[str, ...]) -> str:
    """A board on which nothing is active; `completed` are whole lines, newest first."""
    return (
        "# Tasks\n\n## Active\n\n| ID | Slug | Stage | Mode | Started | Doc folder |\n"
        f"{_ACTIVE}\n{_EMPTY}\n\n## Completed\n\n| ID | Slug | Outcome | Completed | Doc folder |\n"
        f"{_COMPLETED}\n" + "".join(f"{line}\n" for line in completed)
    )


def active_line(number: int, slug: str, stage: str, mode: str, day: str) -> str:
    """A row of the active table."""
    return f"| B-{number:03} | {slug} | {stage} | {mode} | {day} | `docs/features/{slug}/` |"


def completed_line(number: int, slug: str, outcome: str, day: str, folder: str) -> str:
    """A row of the completed table."""
    return f"| B-{number:03} | {slug} | {outcome} | {day} | `{folder}/` |"


def with_active(text: str, slug: str, line: str | None) -> str:
    """`text` with the active row of `slug` set to `line`, or taken out when that is None."""
    head, completed = _split(text)
    rows = [row for row in head if f"| {slug} |" not in row and NONE not in row]
    first = rows.index(_ACTIVE) + 1
    last = next(index for index in range(first, len(rows)) if not rows[index].startswith("|"))
    others = rows[first:last]
    kept = [*others, line] if line is not None else others
    return "\n".join([*rows[:first], *(kept or [_EMPTY]), *rows[last:], *completed])


def with_completed(text: str, line: str) -> str:
    """`text` with `line` as the newest completed row."""
    head, completed = _split(text)
    first = completed.index(_COMPLETED) + 1
    return "\n".join([*head, *completed[:first], line, *completed[first:]])


def _split(text: str) -> tuple[list[str], list[str]]:
    lines = text.split("\n")
    start = lines.index("## Completed")
    return lines[:start], lines[start:]
