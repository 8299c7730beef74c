"""Can the plan of a pool be worked off? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.graph import find_rings
from harness_tui.rules.guards.verdict import Verdict
from harness_tui.rules.pool_check import HEAD_CODES, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from harness_tui.model.pool import Plan


_LOST: Final = ("cell-count", "no-id", "stray-row", "second-table", "endless-block")
"""Problems of lines that are no row of the plan, or none that can be worked off."""


def judge(plans: Sequence[tuple[str, Plan]]) -> Verdict:
    """Go when nothing keeps a row of the plans, given with the ids of their pools, from being worked off."""
    pools = [_pool(name, plan) for name, plan in plans]
    document: dict[str, Any] = {"tasks": sum(pool["tasks"] for pool in pools)}
    names = ("cycles", "duplicates", "unknown_dependencies", "invalid_slugs", "bad_rows")
    document |= {name: [item for pool in pools for item in pool[name]] for name in names}
    go = all(pool["readable"] for pool in pools) and not any(document[name] for name in names)
    return Verdict({**document, "pools": pools}, go=go)


def _pool(name: str, plan: Plan) -> dict[str, Any]:
    codes: dict[str, list[int]] = {}
    for problem in (*plan.problems, *check(plan)):
        if problem.line is not None:
            codes.setdefault(problem.code, []).append(problem.line)
    by_line = {row.line: row for row in plan.rows}
    ids = {row.id for row in plan.rows}

    def rows(code: str, part: str) -> list[str]:
        return list(dict.fromkeys(getattr(by_line[line], part) for line in codes.get(code, ()) if line in by_line))

    return {
        "pool": name,
        "path": plan.path,
        "readable": plan.table and not codes.keys() & HEAD_CODES,
        "tasks": len(plan.rows),
        "cycles": [list(ring) for ring in find_rings(plan.rows)],
        "duplicates": [*rows("duplicate-id", "id"), *rows("duplicate-slug", "slug")],
        "unknown_dependencies": [
            {"id": row.id, "depends_on": other, "line": row.line}
            for row in plan.rows
            for other in row.depends_on
            if other not in ids
        ],
        "invalid_slugs": rows("invalid-slug", "slug"),
        "bad_rows": sorted(line for code in _LOST for line in codes.get(code, ())),
    }
