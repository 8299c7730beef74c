"""What is wrong with a plan as a whole: ids, slugs, dependencies over all rows (formats/harness-kit 1.1)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict

from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.rules.graph import find_rings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from harness_tui.model.pool import Plan, PlanRow
    from harness_tui.model.problem import Severity

HEAD_CODES: Final = frozenset({"missing-column", "doubled-column", "no-task-table", "merge-conflict", "endless-block"})
"""Problems of the plan, or of the head of its task table, that keep a run from starting."""

_PADDING = regex(r"(?<!\d)0+(?=\d)")
_MARK = regex("‹[^‹›\n]{1,60}›")
_NAMED = 5
_NO_ROW = "but no row of this pool has that id; mend the id or add the row"
_RING_NAMED = 8


def check(plan: Plan) -> tuple[Problem, ...]:
    """Duplicate and near ids, duplicate and confusable slugs, unknown dependencies and rings, by line.

    Each problem names one row; a pair is reported at both. Whole columns are compared at once, and rows one by one only
    where something is odd.
    """
    rows = plan.rows
    found: list[Problem] = []
    if rows:
        ids, slugs = [row.id for row in rows], [row.slug for row in rows]
        found += _duplicates(plan, ids, "duplicate-id", "id")
        found += _near(plan, ids, _fold_ids, "near-id", "ids differ only in case or padding")
        found += _duplicates(plan, slugs, "duplicate-slug", "slug")
        found += _near(plan, slugs, _fold_slugs, "confusable-slug", "slugs look alike but differ")
        found += _unknown(plan, frozenset(ids))
        found += _rings(plan)
    return tuple(sorted(found, key=lambda problem: problem.line or 0))


def _duplicates(plan: Plan, values: Sequence[str], code: str, what: str) -> list[Problem]:
    if len(set(values)) == len(values):
        return []
    return [
        _problem(plan, row, "error", code, f"{what} {value!r} stands in {len(group)} rows (lines {_lines(group)})")
        for value, group in _groups(plan.rows, values)
        if len(group) > 1 and value
        for row in group
    ]


def _near(
    plan: Plan, values: Sequence[str], fold: Callable[[Sequence[str]], list[str]], code: str, why: str
) -> list[Problem]:
    folded = fold(values)
    if len(set(folded)) == len(set(values)):
        return []
    column = dict(zip((row.line for row in plan.rows), values, strict=True))
    found: list[Problem] = []
    for _, group in _groups(plan.rows, folded):
        spellings = list(dict.fromkeys(column[row.line] for row in group))
        if len(spellings) > 1 and all(spellings):
            shown = ", ".join(repr(text) for text in spellings[:_NAMED])
            found += [_problem(plan, row, "warning", code, f"{why}: {shown} (lines {_lines(group)})") for row in group]
    return found


def _unknown(plan: Plan, ids: frozenset[str]) -> list[Problem]:
    return [
        _problem(
            plan,
            row,
            "error",
            "unknown-dependency",
            f"depends on {name!r}, {_NO_ROW}",
        )
        for row in plan.rows
        if not ids.issuperset(row.depends_on)
        for name in row.depends_on
        if name not in ids
    ]


def _rings(plan: Plan) -> list[Problem]:
    rings = find_rings(plan.rows)
    by_id = {row.id: row for row in plan.rows} if rings else {}
    texts = [_ring_text([by_id[name] for name in ring]) for ring in rings]
    return [
        _problem(plan, by_id[name], "error", "dependency-ring", text)
        for ring, text in zip(rings, texts, strict=True)
        for name in ring
    ]


def _ring_text(ring: Sequence[PlanRow]) -> str:
    """`T-01 → T-03 → T-01`, or a list where rows wait for each other over several ways."""
    more = f" … and {len(ring) - _RING_NAMED} more" if len(ring) > _RING_NAMED else ""
    names = [row.id for row in ring[:_RING_NAMED]]
    following = [*ring[1:], ring[0]]
    if len(ring) == 1:
        return f"depends on itself: {names[0]} → {names[0]}"
    if all(after.id in row.depends_on for row, after in zip(ring, following, strict=True)):
        return f"is in a ring of dependencies: {' → '.join(names)}{more} → {names[0]}"
    return f"wait for each other in rings: {', '.join(names)}{more}"


def _fold_ids(values: Sequence[str]) -> list[str]:
    return _PADDING.sub("", "\n".join(values)).casefold().split("\n")


def _fold_slugs(values: Sequence[str]) -> list[str]:
    text = "\n".join(values)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _MARK.sub("", text))
    return text.casefold().replace("-", "").split("\n")


def _groups(rows: Sequence[PlanRow], values: Sequence[str]) -> list[tuple[str, list[PlanRow]]]:
    groups: defaultdict[str, list[PlanRow]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        groups[value].append(row)
    return list(groups.items())


def _lines(rows: Sequence[PlanRow]) -> str:
    shown = ", ".join(str(row.line) for row in rows[:_NAMED])
    return shown + (" …" if len(rows) > _NAMED else "")


def _problem(plan: Plan, row: PlanRow, severity: Severity, code: str, message: str) -> Problem:
    return Problem(plan.path, row.line, severity, code, message)
