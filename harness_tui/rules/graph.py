"""Rings among the dependencies of a pool (CONTRACT rule 3). Linear time, no recursion."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness_tui.model.pool import PlanRow


def find_rings(rows: Sequence[PlanRow]) -> tuple[tuple[str, ...], ...]:
    """Groups of ids that wait for each other, in the order of their first rows.

    Each group is a strongly connected part of the graph: a ring, several rings that share rows, or one row that needs
    itself. It starts at its first row of the plan and follows `Depends on`. An id that several rows have is ambiguous:
    it is reported elsewhere and no ring leads over it.
    """
    if _is_in_order(rows):
        return ()
    times = Counter(row.id for row in rows)
    needs = {row.id: row.depends_on for row in rows if times[row.id] == 1}
    left = _without_free(needs)
    if not left:
        return ()
    order = {name: place for place, name in enumerate(needs)}
    groups = (_walk(part, left, order) for part in _components(left) if len(part) > 1 or part[0] in left[part[0]])
    return tuple(sorted(groups, key=lambda group: order[group[0]]))


def _is_in_order(rows: Sequence[PlanRow]) -> bool:
    """Whether every row needs only rows above it, as in most plans: then there is no ring."""
    above: set[str] = set()
    for row in rows:
        if row.depends_on and not above.issuperset(row.depends_on):
            return False
        above.add(row.id)
    return True


def _without_free(needs: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """What is left when rows that wait for nothing are taken out, again and again: rings and what hangs on them."""
    edges = {name: [other for other in others if other in needs] for name, others in needs.items()}
    missing = {name: len(others) for name, others in edges.items()}
    waiting: dict[str, list[str]] = {}
    for name, others in edges.items():
        for other in others:
            waiting.setdefault(other, []).append(name)
    free = [name for name, number in missing.items() if not number]
    while free:
        name = free.pop()
        del missing[name]
        for dependent in waiting.get(name, ()):
            missing[dependent] -= 1
            if not missing[dependent]:
                free.append(dependent)
    return {name: [other for other in edges[name] if other in missing] for name in missing}


def _components(edges: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Strongly connected parts, by Tarjan's algorithm with a stack of its own."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: dict[str, None] = {}
    for root in edges:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        open_names[root] = None
        path = [(root, iter(edges[root]))]
        while path:
            name, others = path[-1]
            fresh = _next_fresh(name, others, number, low, open_names)
            if fresh is not None:
                number[fresh] = low[fresh] = len(number)
                open_names[fresh] = None
                path.append((fresh, iter(edges[fresh])))
                continue
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[name])
            if low[name] == number[name]:
                yield _closed(name, open_names)


def _next_fresh(
    name: str, others: Iterator[str], number: Mapping[str, int], low: dict[str, int], open_names: Mapping[str, None]
) -> str | None:
    for other in others:
        if other not in number:
            return other
        if other in open_names:
            low[name] = min(low[name], number[other])
    return None


def _closed(name: str, open_names: dict[str, None]) -> list[str]:
    part: list[str] = []
    while not part or part[-1] != name:
        part.append(open_names.popitem()[0])
    return part


def _walk(part: Iterable[str], edges: Mapping[str, Sequence[str]], order: Mapping[str, int]) -> tuple[str, ...]:
    """The ids of `part` along their dependencies, from its first row on."""
    inside = set(part)
    seen: dict[str, None] = {}
    stack = [min(inside, key=order.__getitem__)]
    while stack:
        name = stack.pop()
        if name not in seen:
            seen[name] = None
            stack += [other for other in reversed(edges[name]) if other in inside and other not in seen]
    return tuple(seen)
