from graphlib import CycleError, TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.model.pool import PlanRow
from harness_tui.rules.graph import find_rings

GRAPHS = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size), max_size=3), min_size=size, max_size=size)
)


def _rows(graph):
    return tuple(
        PlanRow(f"T-{n}", "", "", "", tuple(f"T-{m}" for m in needs), "", "pending", "", n)
        for n, needs in enumerate(graph)
    )


def _reach(graph):
    size = len(graph)
    reach = [[other in graph[name] for other in range(size)] for name in range(size)]
    for middle in range(size):
        for start in range(size):
            for end in range(size):
                reach[start][end] = reach[start][end] or (reach[start][middle] and reach[middle][end])
    return reach


@given(GRAPHS)
def test_there_is_a_ring_just_when_no_order_exists(graph):
    sorter = TopologicalSorter({n: [m for m in needs if m < len(graph)] for n, needs in enumerate(graph)})
    try:
        sorter.prepare()
        ordered = True
    except CycleError:
        ordered = False
    assert (find_rings(_rows(graph)) == ()) == ordered


@given(GRAPHS)
def test_each_ring_holds_just_the_rows_that_wait_for_each_other(graph):
    reach = _reach(graph)
    expected = {
        frozenset(f"T-{m}" for m in range(len(graph)) if reach[n][m] and reach[m][n])
        for n in range(len(graph))
        if reach[n][n]
    }
    rings = find_rings(_rows(graph))
    assert {frozenset(ring) for ring in rings} == expected
    assert [ring[0] for ring in rings] == sorted(min(ring) for ring in rings)
